"""Messages to a seat reveal nothing it may not know: the swap test over bytes, times and counts.

A hand is played over the protocol; then its twin, in which two cards that the observer does not hold are
exchanged. The other players act in the same way in both, with the two cards exchanged; in the secret phases
other seats may be asked. While the observer has been told the same events of the rules, every byte sent to it
must be the same, and at the same time.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from croupier.games.taroky import GAME
from croupier.games.taroky.notation import write
from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A, whole_deal
from croupier.games.taroky.tests.rooms import (
    COMMAND_OF,
    answer_fields,
    at_table,
    commands,
    deal_of,
    game,
    new_house,
    until,
)
from croupier.games.taroky.vocabulary import CARDS, names
from croupier.testing.house import Client
from croupier.testing.rooms import (
    token_of,
)
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import TableInfo

PAUSE = 2000
THOUGHT = 0.3
"""Seconds after which every player answers a secret question."""


class World:
    """One of the two hands: its server, its clients, the events and messages of the observer so far."""

    def __init__(self, notation: str, observer: int, profile: str) -> None:
        self.house = new_house()
        self.observer = observer
        self.clients = at_table(
            self.house, notation=notation, hands=1, secretPause=PAUSE, dealPause=0, timeout=0
        )
        self.watched = self.clients[observer]
        self.watched.conversation.profile = profile
        self.sent: list[tuple[float, str]] = []
        self.house.on_frame = self._note
        self.table: TableInfo = self.house.tables()[0]
        self.heard = self.table.number(observer)
        self.begun = self.house.now

    def _note(self, client: Client, frame: str) -> None:
        if client is self.watched:
            self.sent.append((round(self.house.now - self.begun, 3), frame))

    def fresh(self) -> tuple[list[object], list[tuple[float, str]]]:
        """Return the new events and messages of the observer."""
        told = self.table.missed(self.observer, self.heard)
        assert told is not None
        self.heard = self.table.number(self.observer)
        sent, self.sent = self.sent, []
        return [(note.event.plain(), note.auto) for _, note in told], sent

    def asked(self) -> int | None:
        """Return the seat that is asked, if any."""
        return next((seat for seat in range(4) if self.table.asked(seat) is not None), None)

    def facts(self) -> dict[str, Any]:
        return self.table.view(self.observer).facts()

    def legal(self, seat: int) -> list[int]:
        return list(self.table.view(seat).legal)

    def act(self, seat: int, action: int) -> None:
        facts = self.table.view(seat).facts()
        phase = facts["phase"]
        name = COMMAND_OF[str(phase)]
        gifts = facts["gifts"]
        assert isinstance(gifts, list)
        fields = answer_fields(PHASE_NUMBER[name], "offered" in gifts, action)
        self.clients[seat].send({"command": f"game.taroky.{name}", **fields})

    def through_secrets(self) -> None:
        """Let the other seats that are asked in a secret phase say no, each after a while."""
        while self.facts()["phase"] in ("moneycards", "contra", "iote") and self.asked() != self.observer:
            seat = self.asked()
            if seat is not None:
                self.house.advance(THOUGHT)
                self.act(seat, 0)
            else:
                self.house.advance(0.1)


PHASE_NUMBER = {
    name: number
    for number, name in enumerate(
        ["", "prever", "talon", "half", "discard", "moneycards", "partner", "valat", "contra", "iote", "play"]
    )
}


def swapped(notation: str, first: str, second: str) -> str:
    """Return the deal with two cards exchanged."""
    return notation.replace(first, "??").replace(second, first).replace("??", second)


def exchanged(action: int, pair: tuple[str, str]) -> int:
    names = {7 + CARDS.index(pair[0]): 7 + CARDS.index(pair[1])}
    names |= {there: here for here, there in names.items()}
    return names.get(action, action)


def compare(seed: int, profile: str, cards: str = "") -> int:
    """Play a hand and its twin; return how many steps were compared."""
    rng = Random(f"taroky {seed}")
    deal = deal_of(write(whole_deal(seed, chips="")))
    observer = rng.randrange(4)
    own = deal.split("/")[4 + observer]
    others = [card for card in CARDS if not in_field(card, own)]
    chosen = [card for card in others if card in cards.split()] if cards else others
    if not chosen:
        return 0
    first = rng.choice(chosen)
    second = rng.choice([card for card in others if card != first])
    one, two = World(deal, observer, profile), World(swapped(deal, first, second), observer, profile)
    assert one.fresh() == two.fresh()
    steps = 0
    while one.table.phase == "playing":
        one.through_secrets()
        two.through_secrets()
        # Both have reached a question that is public, or the observer's own.
        later = max(one.house.now - one.begun, two.house.now - two.begun)
        for world in (one, two):
            world.house.advance(world.begun + later - world.house.now)
        heard, sent = one.fresh()
        heard_twin, sent_twin = two.fresh()
        if heard != heard_twin:
            return steps
        assert sent == sent_twin, f"seed {seed}: seat {observer} can tell {first} from {second}"
        steps += 1
        for command in ("state", "notation", "contra"):
            fields = {"call": True} if command == "contra" and one.asked() != observer else {}
            for world in (one, two):
                world.watched.send({"command": f"game.taroky.{command}", **fields})
            assert one.fresh()[1] == two.fresh()[1], f"seed {seed}: {command} tells {first} from {second}"
            for world in (one, two):
                world.house.advance(0.1)
        seat = one.asked()
        if seat is None or two.asked() != seat:
            return steps
        legal = one.legal(seat)
        action = rng.choice(legal)
        if legal[0] == 0 and one.facts()["phase"] != "talon":
            action = int(rng.random() < 0.1)
        one.act(seat, action)
        if seat == observer:
            two.act(seat, action)
            continue
        may = two.legal(seat)
        two.act(seat, next((a for a in (exchanged(action, (first, second)), action) if a in may), may[0]))
    return steps


def in_field(card: str, field: str) -> bool:
    """Return whether a field of a notation contains *card*."""
    at = 0
    while at < len(field):
        width = 3 if field[at] == "T" else 2
        if field[at : at + width] == card:
            return True
        at += width
    return False


@pytest.mark.parametrize("profile", ["full", "seed"])
def test_no_byte_depends_on_a_card_that_is_not_known(profile: str) -> None:
    assert sum(compare(seed, profile) for seed in range(14)) > 150, "too few steps were compared"


# Who is asked. Here the twins differ only in the holder of XIX, which Povinnost names: with another partner
# other seats are asked, and if Povinnost holds it, one more.


def before_contra(world: World) -> bool:
    """Let all seats decline until contra; return whether it is a partner game in which XIX was named."""
    while (phase := world.facts()["phase"]) != "contra":
        seat = world.asked()
        assert seat is not None
        legal = world.legal(seat)
        if phase == "discard" and legal[0] >= 7 + CARDS.index("T01"):
            return False
        world.act(seat, 1 if phase == "talon" else legal[-1] if phase == "partner" else legal[0])
        world.house.advance(0.0)
    return True


def secret_part(world: World, ask: bool) -> list[str]:
    """Return what the observer is sent until the play begins, and when; everyone says no after a while.

    If *ask*, the observer repeatedly asks for the state and tries to call. The time at which the observer is
    asked is ignored: the time that others took before cannot be hidden.
    """
    world.fresh()
    begun = world.house.now
    since = [0.0, 0.0, 0.0, 0.0]
    while world.facts()["phase"] != "play":
        world.house.advance(0.1)
        for seat in range(4):
            since[seat] = since[seat] + 0.1 if world.table.asked(seat) is not None else 0.0
            if since[seat] >= THOUGHT:
                world.act(seat, 0)
        if ask:
            world.watched.send({"command": "game.taroky.state"})
            world.watched.send({"command": "game.taroky.contra", "call": True})
    frames = [(when - (begun - world.begun), frame) for when, frame in world.fresh()[1]]
    return [
        f"{when:.1f} {frame}" for when, frame in frames if ".turn" not in frame and ("event" in frame or ask)
    ]


def without_seq(frames: list[str]) -> list[str]:
    return [re.sub(r'"seq":\d+', "", frame) for frame in frames]


def holders(deal: str, card: str) -> list[int]:
    return [seat for seat in range(4) if in_field(card, deal.split("/")[4 + seat])]


def another_trump(deal: str, seat: int) -> str:
    """Return an ordinary trump of *seat*, or None."""
    field = deal.split("/")[4 + seat]
    return next((card for card in CARDS if "T02" <= card <= "T18" and in_field(card, field)), "")


def partner_twins(alone: bool) -> list[tuple[str, str, int, int]]:
    """Return deals, their twins, and the seats between which XIX is exchanged."""
    found = []
    for seed in range(60):
        deal = deal_of(write(whole_deal(seed, chips="")))
        holder = holders(deal, "T19")
        if not holder or (holder == [0]) != alone:
            continue
        other = next(seat for seat in (3, 2, 1) if seat not in holder)
        card = another_trump(deal, other)
        if card:
            found.append((deal, swapped(deal, "T19", card), holder[0], other))
    return found[:10]


def test_povinnost_cannot_tell_who_is_asked_while_the_partner_is_unknown() -> None:
    compared = 0
    for deal, twin, holder, other in partner_twins(alone=False):
        worlds = [World(text, 0, "full") for text in (deal, twin)]
        if not all(before_contra(world) for world in worlds) or worlds[0].fresh() != worlds[1].fresh():
            continue
        sides = [world.asked() for world in worlds]
        sent = [secret_part(world, ask=True) for world in worlds]
        assert sent[0] == sent[1], f"{holder} or {other} holds XIX"
        assert len(sent[0]) > 60
        compared += sides[0] != sides[1]
    assert compared >= 2, "other seats were asked, and no message revealed it"


def test_an_opponent_cannot_tell_whether_povinnost_plays_alone() -> None:
    compared = 0
    for deal, twin, _, other in partner_twins(alone=True):
        for observer in {1, 2, 3} - {other}:
            worlds = [World(text, observer, "full") for text in (deal, twin)]
            if not all(before_contra(world) for world in worlds) or worlds[0].fresh() != worlds[1].fresh():
                continue
            sent = [secret_part(world, ask=False) for world in worlds]
            assert without_seq(sent[0]) == without_seq(sent[1])
            compared += 1
    assert compared >= 6


# The same over the house protocol.


class HouseWorld:
    """A hand over the house protocol: what the observer is sent, and when."""

    def __init__(self, deal: str, observer: int) -> None:
        self.house = new_house()
        read = parse(deal)
        spec = TableSpec(
            ["open"] * 4,
            GAME.options.read({**read.options(), "chips": ""}),
            {"secret_pause": PAUSE, "deal_pause": 0, "timeout": 0},
            draws=[names(read.draw())],
        )
        self.table = self.house.open(spec)
        self.observer = observer
        self.begun = 0.0
        self.answered = -1.0
        """When the observer answered its secret question."""
        self.sent: list[str] = []
        self.clients = [self.house.visit(self.table.id, HouseConversation) for _ in range(4)]
        for seat, client in enumerate(self.clients):
            client.send({"type": "join", "name": f"player {seat}", "seat": seat})
        self.house.on_frame = self._note

    def _note(self, client: Client, frame: str) -> None:
        if client is self.clients[self.observer]:
            since = self.house.now - self.answered
            when = "with its answer" if since < 0.001 else f"at {self.house.now - self.begun:.1f}"
            self.sent.append(f"{when}: {frame}")

    def phase(self) -> str:
        return str(self.table.view(self.observer).facts()["phase"])

    def act(self, seat: int, action: int) -> None:
        asked = self.table.asked(seat)
        assert asked is not None
        if seat == self.observer:
            self.answered = self.house.now
        name = self.table.game.actions.name(action)
        self.clients[seat].send({"type": "act", "turn": asked.turn, "actions": [name]})

    def to_contra(self) -> bool:
        """Let all seats decline until contra; return False if it is not a game in which XIX was named."""
        while (phase := self.phase()) != "contra":
            seat = next(seat for seat in range(4) if self.table.asked(seat) is not None)
            legal = self.table.view(seat).legal
            if phase == "discard" and legal[0] >= 7 + CARDS.index("T01"):
                return False
            self.act(seat, 1 if phase == "talon" else legal[-1] if phase == "partner" else legal[0])
        self.sent = []
        self.begun = self.house.now
        return True

    def contra(self) -> list[str]:
        """Let all seats say no after a while; return what the observer is sent after its own answer."""
        since = [0.0] * 4
        own: list[str] = []
        while self.phase() == "contra":
            self.house.advance(0.1)
            for seat in range(4):
                since[seat] = since[seat] + 0.1 if self.table.asked(seat) is not None else 0.0
                if since[seat] >= THOUGHT:
                    if seat == self.observer:
                        self.sent = own = []
                    self.act(seat, 0)
        return own


def test_a_defender_cannot_tell_whether_another_one_is_asked_after_it() -> None:
    compared = 0
    for deal, twin, holder, other in partner_twins(alone=False):
        for observer in {1, 2, 3} - {holder, other}:
            worlds = [HouseWorld(text, observer) for text in (deal, twin)]
            if not all(world.to_contra() for world in worlds):
                continue
            sent = [world.contra() for world in worlds]
            assert sent[0] == sent[1], f"{holder} or {other} holds XIX"
            turns = [line for line in sent[0] if '"type":"turn"' in line]
            assert turns[0] == 'with its answer: {"type":"turn","seats":[],"seconds":null}'
            compared += 1
    assert compared >= 3


# Counts.


def secret_frames(client: Client) -> list[str]:
    """Return the events between the end of valat and the start of the play."""
    frames = [json.loads(frame) for frame in client.frames]
    names = [frame["event"].removeprefix("game.taroky.") for frame in frames if "event" in frame]
    return names[names.index("contra.start") : names.index("play.start")]


@pytest.mark.parametrize("seed", range(12))
def test_the_number_of_messages_does_not_depend_on_how_many_are_asked(seed: int) -> None:  # 3.3
    house = new_house()
    notation = write(whole_deal(seed, chips=""))
    clients = at_table(house, notation=deal_of(notation), hands=1, secretPause=PAUSE, timeout=0)
    table = house.tables()[0]
    for seat, name, fields in commands(notation):
        if name == "valat":
            break
        game(clients[seat], name, **fields)
    while phase_of(table) == "valat":
        game(clients[asked_now(table)], "valat", call=False)
    begun = house.now
    asked = [0, 0, 0, 0]
    while (phase := phase_of(table)) != "play":
        seat = asked_now(table)
        if seat < 0:
            house.advance(0.1)
            continue
        asked[seat] += 1
        game(clients[seat], phase, call=False)
    plain = ["contra.start", "contra.finished", "iote.start", "iote.finished"]
    for seat, client in enumerate(clients):
        found = secret_frames(client)
        assert [name for name in found if not name.endswith(".turn")] == plain
        assert len(found) == len(plain) + asked[seat]
    assert sum(asked) >= 2
    assert house.now - begun == pytest.approx(2 * PAUSE / 1000, abs=0.2), "independent of how many were asked"


def asked_now(table: TableInfo) -> int:
    return next((seat for seat in range(4) if table.asked(seat) is not None), -1)


def phase_of(table: TableInfo) -> str:
    return str(table.view(0).facts()["phase"])


def test_being_late_in_a_secret_phase_is_not_told() -> None:
    house = new_house()
    clients = at_table(house, notation=deal_of(GAME_A), hands=1, secretPause=PAUSE)
    for seat, name, fields in commands(GAME_A):
        if name == "contra":
            break
        game(clients[seat], name, **fields)
    for client in clients:
        client.take()
    house.advance(59.0)  # player 2 is late, player 4 still thinks
    assert [len(client.take()) for client in clients] == [0, 0, 0, 1], "contra.turn, to player 4 alone"
    assert not any(place.late for place in house.tables()[0].places)
    house.advance(1.5)
    assert all("auto" not in frame for client in clients for frame in client.take())


def test_who_acts_for_a_seat_in_a_secret_phase_is_not_shown() -> None:
    house, clients = until(GAME_A, "contra", secretPause=PAUSE)
    table = house.tables()[0]
    watcher = house.visit(table.id, HouseConversation)
    before = [place.auto for place in table.places]
    assert not any(before)
    house.advance(30.1 * 6)  # all seats that are asked are late, in contra and for the I
    assert phase_of(table) == "play"
    told = [json.loads(frame) for frame in watcher.take()]
    secret = [event for event in told if event.get("event", {}).get("kind") in ("contra_ended", "iote_ended")]
    assert len(secret) == 2
    assert not any(event["auto"] for event in secret)
    late, clients = until(GAME_A, "valat", secretPause=PAUSE)
    late.advance(30.1 * 4)
    assert all(place.auto for place in late.tables()[0].places), "it is shown in public phases"
    game(clients[1], "contra", call=False)
    assert all(place.auto for place in late.tables()[0].places), (
        "an answer in a secret phase does not change it"
    )


@pytest.mark.parametrize("holder", [1, 2])
def test_an_answer_in_a_secret_phase_is_not_counted(holder: int) -> None:
    deal = deal_of(GAME_A) if holder == 2 else swapped(deal_of(GAME_A), "T18", "T17")
    house = new_house()
    clients = at_table(house, notation=deal, hands=1, secretPause=PAUSE, timeout=0)
    for seat, name, fields in commands(GAME_A):
        if name == "contra":
            break
        game(clients[seat], name, **fields)
    counted = house.all_tables.actions()
    while phase_of(house.tables()[0]) == "contra":
        assert house.all_tables.actions() == counted, "nobody can see how many were asked"
        if (seat := asked_now(house.tables()[0])) >= 0:
            game(clients[seat], "contra", call=False)
        else:
            house.advance(0.1)
    assert house.all_tables.actions() == counted + 1, "the end of the phase is public"


# A kill in the middle.


def test_a_killed_server_resumes_in_mid_contra_and_does_not_reveal_who_was_asked() -> None:
    # In the twin player 2 holds XVIII, the partner's card, and player 3 is asked instead.
    deals = [deal_of(GAME_A), swapped(deal_of(GAME_A), "T18", "T17")]
    told: list[list[list[str]]] = []
    asked: list[int] = []
    for deal in deals:
        house = new_house()
        clients = at_table(house, notation=deal, hands=1, secretPause=PAUSE)
        for seat, name, fields in commands(GAME_A):
            if name == "contra":
                break
            game(clients[seat], name, **fields)
        tokens = [token_of(client) for client in clients]
        asked.append(asked_now(house.tables()[0]))
        house.restart()
        begun = house.now
        sent: list[list[str]] = [[], [], [], []]
        back: list[Client] = []
        house.on_frame = lambda client, frame, sent=sent, back=back, begun=begun, house=house: (  # type: ignore[misc]
            sent[back.index(client)].append(f"{house.now - begun:.3f} {frame}") if client in back else None
        )
        for token in tokens:
            back.append(house.connect())
            back[-1].send({"command": "user.login", "token": token})
        house.advance(20.0)
        for client in back:
            client.send({"command": "game.taroky.state"})
            client.send({"command": "game.taroky.valat", "call": False})
        assert asked_now(house.tables()[0]) == asked[-1], "the same seat is asked again"
        told.append(sent)
    assert asked == [1, 2]
    assert told[0][3] == told[1][3], "player 4 cannot tell"
    assert told[0][0] == told[1][0], "nor can player 1"
    assert '"your_turn":true' in told[0][1][-2]
    assert '"your_turn":true' in told[1][2][-2]
    assert '"turn":null' in told[0][3][-2]
    assert '"deadline":null' in told[0][3][-2]
