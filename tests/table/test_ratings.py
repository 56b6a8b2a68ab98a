"""Ratings as a fold over matches, who is known at a table, and what the journal says of it."""

from __future__ import annotations

import asyncio

import pytest

from croupier.games import game as find_game
from croupier.store.memory import MemoryStore
from croupier.store.people import PlayerRow, Rating
from croupier.table import journal
from croupier.table.effects import Setup
from croupier.table.ratings import after
from croupier.table.scribe import Scribe
from croupier.testing.wired import WiredTable
from croupier.wire.accounts import Account
from croupier.wire.house import HouseConversation
from croupier.wire.talk import token_digest

HEARTS = find_game("hearts")
COINCHE = find_game("coinche")
ANNA = Account("Anna", "seal of anna")


def test_who_wins_goes_up_and_nobody_knows_him_better_than_after_many() -> None:
    known: dict[str, Rating] = {}
    widths = []
    for _ in range(20):
        known |= after(HEARTS, ["anna", "bot a", "bot b", ""], [1, 2, 3, 4], known)
        widths.append(known["anna"].sigma)
    assert known["anna"].mu > known["bot a"].mu > known["bot b"].mu
    assert widths == sorted(widths, reverse=True)
    assert known["anna"].matches == 20
    assert set(known) == {"anna", "bot a", "bot b"}, "who is nobody in particular has no rating"


def test_equals_share() -> None:
    found = after(HEARTS, ["a", "b", "c", "d"], [1, 1, 3, 3], {})
    assert found["a"] == found["b"]
    assert found["c"] == found["d"]
    assert found["a"].mu > found["c"].mu


def test_a_bot_in_three_seats_is_one() -> None:
    found = after(HEARTS, ["anna", "bot a", "bot a", "bot a"], [4, 1, 2, 3], {})
    assert found["bot a"].matches == 1
    assert found["bot a"].mu > found["anna"].mu


def test_partners_win_together() -> None:
    assert COINCHE.sides(4) == [[0, 2], [1, 3]]
    found = after(COINCHE, ["anna", "bea", "carla", "dora"], [1, 3, 1, 3], {})
    assert found["anna"] == found["carla"]
    assert found["anna"].mu > found["bea"].mu == found["dora"].mu
    # With a strong partner there is less to learn from it.
    strong = after(COINCHE, ["anna", "bea", "carla", "dora"], [1, 3, 1, 3], {"carla": Rating(45.0, 1.0, 99)})
    assert strong["anna"].mu < found["anna"].mu


def test_alone_against_the_game_there_is_nothing_to_rate() -> None:
    assert after(find_game("sagrada"), ["anna"], [1], {}) == {}


def test_the_same_matches_give_the_same_ratings() -> None:
    def fold() -> dict[str, Rating]:
        known: dict[str, Rating] = {}
        for places in ([1, 2, 3, 4], [4, 3, 2, 1], [2, 1, 2, 4]):
            known |= after(HEARTS, ["a", "b", "c", "bot x"], places, known)
        return known

    assert fold() == fold()


async def test_one_match_that_cannot_be_rated_does_not_stop_the_others() -> None:
    store = MemoryStore()
    for number, game in enumerate(("chess", "hearts")):
        who = ["a", "b", "c", "d"]
        rows = [
            PlayerRow(f"m{number}", seat, one, game, f"2026-0{number + 1}", seat + 1)
            for seat, one in enumerate(who)
        ]
        store._put_players(rows)
    scribe = Scribe(store, lambda: "2027")
    scribe.poke()
    await scribe.done()
    assert await store.unrated() == []
    assert len(await store.best("hearts")) == 4
    assert await store.best("chess") == []
    await scribe.stop()


async def test_a_scribe_that_is_stopped_leaves_the_rest() -> None:
    store = MemoryStore()
    store._put_players([PlayerRow("m1", seat, "ab"[seat], "hearts", "2026", seat + 1) for seat in range(2)])
    scribe = Scribe(store, lambda: "2027")
    await scribe.stop()
    scribe.poke()
    await asyncio.sleep(0)
    await scribe.stop()
    assert len(await store.unrated()) == 2


# At a table.


def made(*seats: str, accounts: bool = True) -> WiredTable:
    options = HEARTS.table_options.read({"command_interval": 0, "round_interval": 0, "deal_interval": 0})
    setup = Setup(
        "t1", HEARTS, HEARTS.options.read({"deals": 1, "match_games": 1}), options, list(seats), seed="1"
    )
    if accounts:
        setup.register.admit(ANNA)
        setup.register.open_session(token_digest("session"), ANNA)
    return WiredTable(setup)


def play(table: WiredTable, token: str = "session") -> None:
    client = table.connect(HouseConversation)
    client.send({"type": "join", "name": "Anna", "token": token})
    for _ in range(100):
        asked = [frame for frame in client.take() if frame["type"] == "ask"]
        if not asked:
            break
        legal = asked[-1]["legal"]
        many = 3 if legal[0].startswith("pass") else 1
        client.send({"type": "act", "turn": asked[-1]["turn"], "actions": legal[:many]})


def entry(table: WiredTable, kind: type[journal.Entry]) -> journal.AnyEntry:
    return next(entry for entry in table.journal if isinstance(entry, kind))


def test_the_journal_says_who_plays_and_who_came_where() -> None:
    table = made("open", "bot dummy", "bot random", "bot dummy")
    play(table)
    began, ended = entry(table, journal.Began), entry(table, journal.Ended)
    assert isinstance(began, journal.Began)
    assert isinstance(ended, journal.Ended)
    assert began.who == [ANNA.seal, "bot dummy", "bot random", "bot dummy"]
    assert ended.scores is not None
    assert ended.places == [1 + sum(other > own for other in ended.scores) for own in ended.scores]
    assert journal.decode(journal.encode(began)) == began


@pytest.mark.parametrize(("accounts", "token"), [(False, "session"), (True, "")])
def test_without_an_account_the_journal_is_as_it_was(accounts: bool, token: str) -> None:
    table = made("open", "bot dummy", "bot dummy", "bot dummy", accounts=accounts)
    if not accounts:
        play(table, token)
        assert "who" not in journal.encode(entry(table, journal.Began))
        assert "places" not in journal.encode(entry(table, journal.Ended))
    else:
        play(table, token)  # the name is Anna's: refused
        assert not any(isinstance(entry, journal.Sat) for entry in table.journal)


def test_the_attribution_survives_that_the_account_does_not() -> None:
    table = made("open", "bot dummy", "bot dummy", "bot dummy")
    client = table.connect(HouseConversation)
    client.send({"type": "join", "name": "x", "token": "session"})
    table.table.register.dismiss(ANNA)
    assert table.table.who[0] == ANNA.seal
    assert table.table.places[0].name == "Anna"
