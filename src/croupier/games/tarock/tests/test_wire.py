"""The protocol of Tarock at the table (spec B, C3 to C5, C8): commands, events, clocks, reconnecting."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from croupier.games.tarock.tests.positions import TRANSCRIPT_HANDS, deck
from croupier.games.tarock.tests.rooms import (
    Player,
    at_table,
    events,
    new_house,
    play_all,
)
from croupier.games.tarock.vocabulary import CARDS, names
from croupier.testing.house import Client, VirtualHouse
from croupier.testing.rooms import (
    call,
    token_of,
)

BID = "game.tarock.bid"
PLAY = "game.tarock.play"
CALL = "game.tarock.callking"
EXCHANGE = "game.tarock.exchange"
ANNOUNCE = "game.tarock.announce"


def ok(client: Client, command: str, **fields: object) -> None:
    assert call(client, command, **fields) == {"response": command}


def error(client: Client, command: str, **fields: object) -> str:
    answer = call(client, command, **fields)
    assert answer["command"] == command
    return str(answer["error"])


def dealt(*hands: str, talon: str = "", forehand: int = 1, **rules: Any) -> tuple[VirtualHouse, list[Client]]:
    """Return four clients who hold these cards."""
    house = new_house()
    given = [*hands, *[""] * (4 - len(hands))]
    rules["deck"] = [names(deck(given, talon, forehand))]
    return house, at_table(house, **rules)


def calling(**rules: Any) -> tuple[VirtualHouse, list[Client]]:
    """Return the clients of the transcript when seat 1 is to call a king in a two."""
    house, clients = dealt(*TRANSCRIPT_HANDS, talon="S10 T17 HQ SK SJ D4", **rules)
    for seat, bid in [(2, "two"), (3, "pass"), (0, "pass"), (1, "two"), (2, "pass"), (1, "two")]:
        ok(clients[seat], BID, contract=bid)
    return house, clients


def exchanging(**rules: Any) -> tuple[VirtualHouse, list[Client]]:
    house, clients = calling(**rules)
    ok(clients[1], CALL, suit="H")
    return house, clients


def announcing(**rules: Any) -> tuple[VirtualHouse, list[Client]]:
    house, clients = exchanging(**rules)
    ok(clients[1], EXCHANGE, picked=1, cards=["HQ", "CJ"])
    return house, clients


def playing(**rules: Any) -> tuple[VirtualHouse, list[Client]]:
    house, clients = announcing(**rules)
    for seat in (1, 2, 3, 0):
        ok(clients[seat], ANNOUNCE)
    return house, clients


def last(client: Client, name: str) -> dict[str, Any]:
    """Return the last event with the name *name* that *client* was sent, read or not."""
    frames = [_read(frame) for frame in client.frames]
    return [frame for frame in frames if frame.get("event") == f"game.tarock.{name}"][-1]


# The order of checks.


def test_the_phase_comes_before_the_turn_and_the_turn_before_the_rule() -> None:
    _, clients = calling()
    for client in clients:
        client.read()
    assert error(clients[0], PLAY, card=7) == "invalid_request"
    assert error(clients[0], PLAY, card="X9") == "wrong_phase"
    assert error(clients[1], BID, contract="nonsense") == "wrong_phase"
    assert error(clients[0], CALL, suit="X") == "not_your_turn"
    assert error(clients[1], CALL, suit="X") == "invalid_suit"
    assert error(clients[1], CALL, suit="T") == "invalid_suit"
    assert error(clients[1], CALL, suit=None) == "invalid_request"
    assert [client.read() for client in clients] == [[], [], [], []], "other clients are not told of errors"


def test_errors_of_the_auction() -> None:
    _, clients = dealt(*TRANSCRIPT_HANDS)
    assert error(clients[2], BID, contract="grand") == "invalid_contract"
    assert error(clients[2], BID, contract="klop") == "invalid_contract"
    assert error(clients[2], BID, contract="three") == "invalid_contract"
    assert error(clients[2], BID, contract=["two"]) == "invalid_request"
    ok(clients[2], BID, contract="one")
    assert error(clients[3], BID, contract="one") == "invalid_contract"
    for seat in (3, 0, 1):
        ok(clients[seat], BID, contract="pass")
    assert error(clients[2], BID, contract="pass") == "must_bid"


def test_errors_of_the_exchange() -> None:
    _, clients = exchanging()
    bor = clients[1]
    for index in (3, -1, 10**15):
        assert error(bor, EXCHANGE, picked=index, cards=["X"]) == "invalid_pick", "picked comes first"
    for wrong in (True, None, 1.5, "x", [1]):
        assert error(bor, EXCHANGE, picked=wrong, cards=[]) == "invalid_request"
    assert error(bor, EXCHANGE, picked=1) == "invalid_request"
    assert error(bor, EXCHANGE, picked=1, cards=["C8", 7]) == "invalid_request"
    for cards in ([], ["C8"], ["C8", "C8"], ["C8", "CJ", "D2"], ["C8", "X9"], ["C8", "C7"], ["C8", "DK"]):
        assert error(bor, EXCHANGE, picked=1, cards=cards) == "invalid_card"
    assert error(bor, EXCHANGE, picked=1, cards=["C8", "T9"]) == "invalid_card"
    assert error(bor, EXCHANGE, picked=0, cards=["HQ", "CJ"]) == "invalid_card", "that is in another set"
    ok(bor, EXCHANGE, picked=1, cards=["HQ", "CJ"])


def test_errors_of_announcing_and_playing() -> None:
    _, clients = announcing()
    assert error(clients[1], ANNOUNCE, bonuses=["grand"]) == "invalid_bonus"
    assert error(clients[1], ANNOUNCE, bonuses=["pagat_ultimo"]) == "invalid_bonus"
    assert error(clients[1], ANNOUNCE, bonuses="trula") == "invalid_request"
    assert error(clients[1], ANNOUNCE, kontras=["game"]) == "invalid_kontra", "there is none at this table"
    assert error(clients[1], ANNOUNCE, kontras=["grand"]) == "invalid_kontra"
    for seat in (1, 2, 3, 0):
        ok(clients[seat], ANNOUNCE, bonuses=None)
    assert error(clients[1], PLAY, card="") == "invalid_card"
    assert error(clients[1], PLAY, card="T1") == "invalid_card", "not in hand"
    ok(clients[1], PLAY, card="D2")
    assert error(clients[2], PLAY, card="C7") == "invalid_card", "diamonds were led"


# Liberal reading.


def test_names_are_read_liberally() -> None:
    _, clients = dealt(*TRANSCRIPT_HANDS, talon="S10 T17 HQ SK SJ D4")
    for seat, bid in [(2, "TWO"), (3, " Pass "), (0, "pass"), (1, "Solo-Three"), (2, "solo two"), (3, "")]:
        if bid:
            ok(clients[seat], BID, contract=bid)
    assert last(clients[0], "bid.next")["contract"] == "solo_two"
    _, clients = calling()
    ok(clients[1], CALL, suit=" hearts ")
    assert last(clients[0], "callking.finished")["suit"] == "H"
    ok(clients[1], EXCHANGE, picked="1", cards=[" hq", "cj "])
    assert last(clients[0], "exchange.finished")["picked"] == 1
    ok(clients[1], ANNOUNCE, bonuses=["kings", "TRULA", "kings"])
    assert last(clients[0], "announce.next")["bonuses"] == ["trula", "kings"]
    ok(clients[2], ANNOUNCE)
    ok(clients[3], ANNOUNCE, bonuses=["king_ultimo"])
    assert last(clients[0], "announce.next")["bonuses"] == ["kings_ultimo"], "always sent in this spelling"
    ok(clients[0], ANNOUNCE, bonuses=[])
    ok(clients[1], PLAY, card=" t22 ")
    assert last(clients[0], "play.next")["card"] == "TS"


@pytest.mark.parametrize("suit", ["h", "H", "HK", "hk", "Hearts"])
def test_a_king_is_called_in_many_ways(suit: str) -> None:
    _, clients = calling()
    ok(clients[1], CALL, suit=suit)
    assert last(clients[0], "callking.finished") == {
        "event": "game.tarock.callking.finished",
        "player_id": 1,
        "suit": "H",
        "seq": last(clients[0], "callking.finished")["seq"],
    }


@pytest.mark.parametrize("picked", [1, 1.0, "1", " 1 "])
def test_a_set_is_picked_in_many_ways(picked: object) -> None:
    _, clients = exchanging()
    ok(clients[1], EXCHANGE, picked=picked, cards=["HQ", "CJ"])


# Messages that do not occur in the transcript.


def test_the_first_deal_tells_the_rules_and_who_plays() -> None:
    house = new_house()
    clients = at_table(house, 2, deals=2, deal_pause_ms=0, seed=7)
    deal = events(clients[1], "deal")[0]
    assert deal["options"]["deals"] == 2
    assert "seed" not in deal["options"]
    assert "deck" not in deal["options"]
    assert [player["id"] for player in deal["players"]] == [0, 1, 2, 3]
    assert [player["user_id"] for player in deal["players"][:2]] == ["u1", "u2"]


def test_prompts_contain_the_time_limit() -> None:
    _, clients = dealt(*TRANSCRIPT_HANDS, turn_timeout_ms=5000)
    assert last(clients[0], "bid.next")["time_ms"] == 5000
    _, clients = dealt(*TRANSCRIPT_HANDS, turn_timeout_ms=0)
    assert "time_ms" not in last(clients[2], "bid.next")


def test_a_klop_has_gifts_and_no_announcements() -> None:
    house, clients = dealt(*TRANSCRIPT_HANDS, talon="S10 T17 HQ SK SJ D4", deals=1)
    for seat in (2, 3, 0):
        ok(clients[seat], BID, contract="pass")
    assert last(clients[1], "bid.next")["valid_bids"][:2] == ["klop", "three"]
    ok(clients[1], BID, contract="klop")
    players = [Player(client, Random(1)) for client in clients]
    for player, client in zip(players, clients, strict=True):
        player.id = clients.index(client)
        player.prompt = last(client, "play.next") if client is clients[1] else None
    play_all(house, players)
    frames = [_read(frame) for frame in clients[0].frames]
    assert [frame["gift"] for frame in frames if "gift" in frame] == ["S10", "T17", "HQ", "SK", "SJ", "D4"]
    assert not [frame for frame in frames if "announce" in str(frame.get("event"))]
    assert not [frame for frame in frames if "accounce" in str(frame.get("event"))]
    score = last(clients[0], "score")
    assert (score["won"], score["lines"], len(score["points"])) == (None, [], 4)
    final = last(clients[0], "finished")
    assert final["radelci"] == [1, 1, 1, 1]
    assert final["final"] == [total - 100 for total in final["totals"]]
    assert sorted(seat for rank in final["ranking"] for seat in rank) == [0, 1, 2, 3]


@pytest.mark.parametrize(("when", "shown"), [("after_first_trick", 11), ("at_start", 12)])
def test_the_hand_of_an_open_beggar_is_shown(when: str, shown: int) -> None:
    weak = "C7 C8 C9 S7 S8 S9 H4 H3 H2 D4 D3 T1"
    _, clients = dealt("", "", weak, "", open_beggar_reveal=when, deals=1)
    ok(clients[2], BID, contract="open_beggar")
    for seat in (3, 0, 1):
        ok(clients[seat], BID, contract="pass")
    ok(clients[2], BID, contract="open_beggar")
    assert [bool(events(clients[player], "reveal")) for player in (0, 1, 3)] == [shown == 12] * 3
    ok(clients[2], PLAY, card="C9")
    for seat in (3, 0, 1):
        ok(clients[seat], PLAY, card=last(clients[seat], "play.next")["valid_cards"][-1])
    told = last(clients[0], "reveal")
    assert (told["player_id"], len(told["hand"])) == (2, shown)
    score_free = [name for name in ("announce.next", "exchange.start") if events(clients[0], name)]
    assert score_free == []


def test_a_beggar_has_no_points() -> None:
    _, clients = dealt("", "", "CK CQ CN SK SQ SN HK HQ DK DQ TS T21", deals=1)
    ok(clients[2], BID, contract="beggar")
    for seat in (3, 0, 1):
        ok(clients[seat], BID, contract="pass")
    ok(clients[2], BID, contract="beggar")
    assert last(clients[0], "play.next")["next_player"] == 2, "declarer leads"
    ok(clients[2], PLAY, card="TS")
    for seat in (3, 0, 1):
        ok(clients[seat], PLAY, card=last(clients[seat], "play.next")["valid_cards"][0])
    score = last(clients[0], "score")
    assert (score["points"], score["won"], score["scores"][2]) == (None, False, -70)
    assert last(clients[0], "play.next")["next_player"] is None


def test_kontra_is_an_extension() -> None:
    _, clients = announcing(kontra=True)
    first = last(clients[1], "announce.next")
    assert first["kontras"] == []
    assert "valid_kontras" in first
    ok(clients[1], ANNOUNCE, bonuses=["trula"])
    bid = last(clients[2], "announce.next")
    assert bid["valid_kontras"] == ["game", "trula"], "Cene does not hold the called king"
    assert "valid_kontras" not in last(clients[3], "announce.next")
    assert error(clients[2], ANNOUNCE, kontras=["kings"]) == "invalid_kontra"
    ok(clients[2], ANNOUNCE, kontras=["game"])
    told = last(clients[0], "announce.next")
    assert (told["kontras"], told["bonuses"]) == (["game"], [])
    ok(clients[3], ANNOUNCE)
    ok(clients[0], ANNOUNCE)
    assert last(clients[1], "announce.next")["valid_bonuses"] == []
    assert last(clients[1], "announce.next")["valid_kontras"] == ["game"]
    ok(clients[1], ANNOUNCE, bonuses=[])
    assert last(clients[0], "announce.next")["next_player"] is None
    assert last(clients[0], "accounce.finished")


def test_without_a_final_raise_the_last_pass_is_told() -> None:
    _, clients = dealt(*TRANSCRIPT_HANDS, final_raise=False)
    ok(clients[2], BID, contract="two")
    for seat in (3, 0, 1):
        ok(clients[seat], BID, contract="pass")
    told = last(clients[0], "bid.next")
    assert (told["player_id"], told["contract"], told["next_player"]) == (1, "pass", None)
    assert "time_ms" not in told
    assert last(clients[0], "bid.winner")["player_id"] == 2


def test_a_compulsory_klop() -> None:
    house = new_house()
    rich = names(deck(TRANSCRIPT_HANDS, "S10 T17 HQ SK SJ D4"))
    clients = at_table(house, compulsory_klop=True, deal_pause_ms=0, deck=[rich, rich])
    players = [Player(client, Random(3)) for client in clients]
    while not any(frame for player in players for frame in player.listen() if frame.get("deal") == 2):
        next(player for player in players if player.prompt).client.send(
            next(player for player in players if player.prompt).answer()
        )
    opening = last(clients[0], "bid.next")
    assert (opening["opening"], opening["contract"]) == (True, "klop")
    for seat in (3, 0, 1, 2):
        assert last(clients[seat], "bid.next")["valid_bids"][0] == "solo_without"
        ok(clients[seat], BID, contract="pass")
    assert last(clients[0], "bid.next")["player_id"] == 1, "forehand's pass is told by bid.winner"
    winner = last(clients[0], "bid.winner")
    assert (winner["player_id"], winner["contract"]) == (2, "klop")


def test_discarded_tarocks_are_shown() -> None:
    _, clients = dealt("", "T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 CK", "", "", talon="SK HK T13 T14 T15 T16")
    for seat in (2, 3, 0):
        ok(clients[seat], BID, contract="pass")
    ok(clients[1], BID, contract="three")
    ok(clients[1], CALL, suit="C")
    prompt = last(clients[1], "exchange.start")
    assert prompt["invalid_cards"] == ["CK"]
    assert "invalid_cards" not in last(clients[0], "exchange.start")
    assert "invalid_by_set" not in last(clients[0], "exchange.start")
    assert last(clients[0], "exchange.start")["talon"] == [["SK", "HK", "T13"], ["T14", "T15", "T16"]]
    ok(clients[1], EXCHANGE, picked=0, cards=["T4", "T2", "T3"])
    assert last(clients[0], "exchange.finished")["discarded"] == ["T2", "T3", "T4"]


# Clocks.


def test_the_server_acts_when_the_time_is_up() -> None:
    house, clients = dealt(*TRANSCRIPT_HANDS, turn_timeout_ms=5000)
    clients[0].read()
    house.advance(4.9)
    assert clients[0].read() == []
    assert error(clients[2], BID, contract="three") == "invalid_contract", "an error stops no clock"
    house.advance(0.1)
    (told,) = clients[0].read()
    assert (told["player_id"], told["contract"], told["auto"]) == (2, "pass", True)
    ok(clients[3], BID, contract="pass")
    assert "auto" not in last(clients[0], "bid.next")
    house.advance(10.0)
    winner = last(clients[0], "bid.winner")
    assert (winner["player_id"], winner["contract"], winner["auto"]) == (1, "klop", True)
    house.advance(5.0)
    card = last(clients[0], "play.next")
    assert (card["card"], card["auto"]) == ("C8", True)


def test_automatic_king_exchange_and_announcement() -> None:
    house, clients = calling(turn_timeout_ms=5000)
    house.advance(5.0)
    called = last(clients[0], "callking.finished")
    assert (called["suit"], called["auto"]) == ("C", True)
    assert "auto" not in last(clients[0], "exchange.start"), "it is not an action"
    house.advance(5.0)
    exchanged = last(clients[0], "exchange.finished")
    assert (exchanged["picked"], exchanged["auto"]) == (0, True)
    house.advance(5.0)
    assert last(clients[0], "announce.next")["auto"] is True
    assert last(clients[0], "status")["status"] == "away"


def statuses(client: Client) -> list[tuple[int, str]]:
    return [(frame["player_id"], frame["status"]) for frame in events(client, "status")]


def test_three_automatic_actions_make_a_seat_away_until_it_sends_a_command() -> None:
    house, clients = playing(turn_timeout_ms=5000)
    for _ in range(3):  # Bor leads; the lowest card may win the trick
        house.advance(5.0)
        for _ in range(4):
            for seat in (0, 2, 3):
                prompt = last(clients[seat], "play.next")
                if "valid_cards" in prompt and prompt["next_player"] == seat:
                    ok(clients[seat], PLAY, card=prompt["valid_cards"][0])
    assert (last(clients[0], "status")["player_id"], last(clients[0], "status")["status"]) == (1, "away")
    clients[0].read()
    assert error(clients[1], BID, contract="two") == "wrong_phase", "any command ends the absence"
    assert statuses(clients[0]) == [(1, "connected")]


def test_a_lost_seat_that_was_late_before_has_the_time_of_its_prompt() -> None:
    house, clients = dealt(*TRANSCRIPT_HANDS, turn_timeout_ms=5000)
    house.advance(5.0)  # Cene is late once, connected
    for seat in (3, 0):
        ok(clients[seat], BID, contract="pass")
    ok(clients[1], BID, contract="klop")
    while last(clients[2], "play.next")["next_player"] != 2:
        seat = last(clients[0], "play.next")["next_player"]
        ok(clients[seat], PLAY, card=last(clients[seat], "play.next")["valid_cards"][0])
    clients[0].read()
    clients[2].drop()
    house.advance(4.9)
    assert statuses(clients[0]) == [(2, "disconnected")]
    house.advance(0.2)
    assert statuses(clients[0]) == [(2, "away")]


def test_a_status_is_told_when_it_changes() -> None:
    house, clients = dealt(*TRANSCRIPT_HANDS, turn_timeout_ms=5000)
    token = token_of(clients[2])
    clients[2].drop()
    house.advance(5.1)
    clients[0].read()
    house.connect(token=token)
    assert statuses(clients[0]) == [(2, "connected")]
    house.connect(token=token)
    assert statuses(clients[0]) == [], "the newer connection takes over, nothing changes"


def test_a_lost_seat_is_kept_and_away_after_the_first_timeout() -> None:
    house, clients = dealt(*TRANSCRIPT_HANDS, turn_timeout_ms=5000)
    clients[0].read()
    clients[2].drop()
    assert statuses(clients[0]) == [(2, "disconnected")]
    house.advance(5.0)
    assert statuses(clients[0]) == [(2, "away")]
    for seat in (3, 0):
        ok(clients[seat], BID, contract="pass")
    ok(clients[1], BID, contract="klop")
    clients[0].read()
    ok(clients[1], PLAY, card="C8")
    played = [frame["player_id"] for frame in events(clients[0], "play.next")]
    assert played == [1, 2], "the table does not wait for Cene"


# Coming back.


@pytest.mark.parametrize("profile", ["full", "seed"])
def test_a_returning_player_is_told_everything_and_asked_again(profile: str) -> None:
    house, clients = exchanging()
    token = token_of(clients[1])
    clients[1].drop()
    house.advance(10.0)
    clients[0].read()
    again = house.connect()
    again.send({"command": "user.login", "token": token, "profile": profile})
    welcome, *frames = again.read()
    assert welcome["room"]["id"] == "r1"
    prompt = frames[-1]
    assert prompt["event"] == "game.tarock.exchange.start"
    assert prompt["invalid_cards"] == ["DK", "T9", "T10", "T11", "T14", "T15", "T19", "T21", "TS"]
    assert statuses(clients[0]) == [(1, "connected")]
    full = profile == "full"
    assert [frame["event"] for frame in frames[:-1]] == ["game.tarock.sync"] * full
    assert prompt.get("time_ms") == (20_000 if full else None)
    assert not full or prompt["seq"] == frames[0]["seq"] + 1
    assert call(again, EXCHANGE, picked=1, cards=["HQ", "CJ"]) == {"response": EXCHANGE}


def test_a_takeover_loses_nothing() -> None:
    house, clients = exchanging()
    clients[0].read()
    again = house.connect(token=token_of(clients[1]))
    assert clients[1].read()[-1]["error"] == "replaced"
    assert clients[1].disconnected is not None
    assert [frame.get("event") for frame in again.read()][1:] == [
        "game.tarock.sync",
        "game.tarock.exchange.start",
    ]
    assert (1, "disconnected") not in statuses(clients[0])
    ok(again, EXCHANGE, picked=1, cards=["HQ", "CJ"])


PHASES = {
    "bid": lambda: dealt(*TRANSCRIPT_HANDS),
    "callking": calling,
    "exchange": exchanging,
    "announce": announcing,
    "play": playing,
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_restart_in_every_phase(phase: str) -> None:
    house, clients = PHASES[phase]()
    before = [call(client, "game.tarock.state") for client in clients]
    tokens = [token_of(client) for client in clients]
    house.restart()
    again = [house.connect(token=token) for token in tokens]
    for seat, client in enumerate(again):
        frames = client.read()
        assert frames[1]["event"] == "game.tarock.sync"
        state = call(client, "game.tarock.state")
        assert {**state, "seq": 0} == {**before[seat], "seq": 0}
        prompted = any(frame.get("time_ms") for frame in frames)
        assert prompted == (before[seat]["next_player"] == seat)
    turn = before[0]["next_player"]
    player = Player(again[turn], Random(1))
    player.id, player.hand = turn, before[turn]["hand"]
    for frame in again[turn].frames:
        player._hear(_read(frame))
    assert player.prompt is not None
    answer = player.answer()
    assert call(again[turn], **answer) == {"response": answer["command"]}


@pytest.mark.parametrize(("seed", "rules"), [(4, {}), (7, {"kontra": True}), (9, {"final_raise": False})])
def test_the_prompt_that_is_repeated_is_the_one_that_was_sent(seed: int, rules: dict[str, Any]) -> None:
    house = new_house()
    clients = at_table(house, 4, deals=1, seed=seed, **rules)
    players = [Player(client, Random(seed)) for client in clients]
    seen = set()
    while True:
        for player in players:
            player.listen()
        seat = next((seat for seat, player in enumerate(players) if player.prompt), None)
        if seat is None:
            break
        player = players[seat]
        prompt = player.prompt
        assert prompt is not None
        player.client = house.connect(token=token_of(player.client))
        *_, sync, again = player.client.read()
        assert sync["hand"] == sorted(player.hand, key=CARDS.index)
        assert {**again, "seq": 0} == {**prompt, "seq": 0}
        assert again["seq"] == sync["seq"] + 1
        seen.add(again["event"])
        player.client.send(player.answer())
    assert len(seen) >= 2


def test_the_state_at_any_time() -> None:
    _, clients = announcing()
    ok(clients[1], ANNOUNCE, bonuses=["trula"])
    mine, other = call(clients[1], "game.tarock.state"), call(clients[2], "game.tarock.state")
    assert (mine["phase"], mine["contract"], mine["declarer"], mine["king"]) == ("announce", "two", 1, "H")
    assert (mine["my_discards"], other["my_discards"]) == (["HQ", "CJ"], [])
    assert mine["discarded"] == []
    assert mine["picked"] == 1
    assert mine["announced"] == [{"player_id": 1, "bonus": "trula"}]
    assert mine["kontra"] == {"game": 1, "trula": 1}
    assert mine["next_player"] == 2
    assert "valid_bonuses" not in mine
    assert other["valid_bonuses"] == ["kings", "valat"]
    assert [bid["contract"] for bid in mine["bids"]] == ["two", "pass", "pass", "two", "pass", "two"]
    assert mine["talon"] == [["S10", "T17"], ["HQ", "SK"], ["SJ", "D4"]]
    assert (mine["trick"], mine["last_trick"], mine["revealed"]) == ([], [], None)
    assert "partner" not in mine
    assert mine["options"]["turn_timeout_ms"] == 30_000
    _, clients = playing()
    for seat, card in [(1, "D2"), (2, "D1"), (3, "DQ"), (0, "D3"), (3, "T20")]:
        ok(clients[seat], PLAY, card=card)
    state = call(clients[0], "game.tarock.state")
    assert state["trick"] == [{"player_id": 3, "card": "T20"}]
    assert state["last_trick"][0] == {"player_id": 1, "card": "D2"}
    assert state["tricks_won"] == [0, 0, 0, 1]
    assert len(state["hand"]) == 11
    assert state["valid_cards"] == ["T3", "T4", "T8", "T12"]


# Whole sessions.


@pytest.mark.parametrize("kontra", [False, True])
def test_a_session_of_three_deals(kontra: bool) -> None:
    house = new_house()
    clients = at_table(house, 4, deals=3, kontra=kontra, seed=11)
    players = [Player(client, Random(client.conversation.seat)) for client in clients]
    play_all(house, players)
    finals = [last(client, "finished") for client in clients]
    scores = [frame for frame in map(_read, clients[0].frames) if frame.get("event") == "game.tarock.score"]
    assert [score["deal"] for score in scores] == [1, 2, 3]
    assert finals[0]["totals"] == scores[-1]["totals"]
    assert not [frame for client in clients for frame in map(_read, client.frames) if "error" in frame]


def _read(frame: str) -> dict[str, Any]:
    found = json.loads(frame)
    assert isinstance(found, dict)
    return found


def test_the_same_seed_deals_the_same_cards() -> None:
    hands = []
    for _ in range(2):
        clients = at_table(new_house(), 2, seed="x")
        hands.append([events(client, "deal")[0]["hand"] for client in clients])
    assert hands[0] == hands[1]
