"""Messages to a seat reveal nothing it may not know: the swap test over the bytes of every audience.

A deal is played over the protocol; then its twin, in which two cards that the observer does not hold are
exchanged. The other players act in the same way in both, with the two cards exchanged. While the observer has
been told the same events of the rules, every byte sent to it must be the same, and at the same time.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from croupier.games.tarock.tests.rooms import Player, at_table, new_house
from croupier.games.tarock.vocabulary import CARDS
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.talk import TableInfo


class World:
    """One of the two deals: its server, its clients, what the observer has been told so far."""

    def __init__(self, deck: list[str], observer: int, profile: str, rules: dict[str, Any]) -> None:
        self.house: VirtualHouse = new_house()
        self.clients: list[Client] = at_table(self.house, profile="full", deck=[deck], **rules)
        if profile == "seed":
            self.clients[observer].conversation.profile = "seed"
        self.players = [Player(client, Random(1)) for client in self.clients]
        self.observer = observer
        self.table: TableInfo = self.house.tables()[0]
        self.heard = self.table.number(observer)
        self.bytes = 0

    def fresh(self) -> tuple[list[object], list[str]]:
        """Return the new events and messages of the observer."""
        told = self.table.missed(self.observer, self.heard)
        assert told is not None
        self.heard = self.table.number(self.observer)
        client = self.clients[self.observer]
        frames = client.frames[self.bytes :]
        self.bytes = len(client.frames)
        return [(note.event.plain(), note.auto) for _, note in told], frames

    def asked(self) -> int | None:
        """Return the seat that is asked, if any."""
        return next((seat for seat in range(4) if self.table.asked(seat) is not None), None)


def renamed(command: dict[str, Any], pair: tuple[str, str]) -> dict[str, Any]:
    names = {pair[0]: pair[1], pair[1]: pair[0]}

    def change(value: object) -> object:
        if isinstance(value, list):
            return [change(one) for one in value]
        return names.get(value, value) if isinstance(value, str) else value

    return {name: change(value) for name, value in command.items()}


def compare(seed: int, profile: str, rules: dict[str, Any], kings: bool = False) -> int:
    """Play a deal and its twin; return how many steps were compared."""
    rng = Random(f"{seed}")
    deck = list(CARDS)
    rng.shuffle(deck)
    observer = rng.randrange(4)
    # Packet i goes to seat (1 + i) mod 4.
    own = {deck[6 + 6 * i + k] for i in range(8) if (1 + i) % 4 == observer for k in range(6)}
    others = [card for card in deck if card not in own]
    first = rng.choice([card for card in others if card[1] == "K"] or others) if kings else rng.choice(others)
    second = rng.choice([card for card in others if card != first])
    twin = renamed({"deck": deck}, (first, second))["deck"]
    one, two = (World(cards, observer, profile, rules) for cards in (deck, twin))
    if one.table.view(observer).facts() != two.table.view(observer).facts():  # a void deal in one of them
        return 0
    assert one.asked() == two.asked()
    assert one.fresh() == two.fresh()
    rng_play = Random(f"play {seed}")
    steps = 0
    while (seat := one.asked()) is not None and one.table.view(0).facts()["deal"] == 1:
        if two.asked() != seat:
            return steps  # the winner of a trick differs, which the observer has seen
        if not act(one, two, seat, (first, second), rng_play):
            return steps
        heard, sent = one.fresh()
        heard_twin, sent_twin = two.fresh()
        if heard != heard_twin:
            return steps
        assert sent == sent_twin, f"seed {seed}: seat {observer} can tell {first} from {second}"
        steps += 1
        # Replies to requests for the state, and refusals, must not reveal anything either.
        for command in ("game.tarock.state", "lobby.room.list"):
            for world in (one, two):
                world.clients[observer].send({"command": command})
            assert one.fresh()[1] == two.fresh()[1], f"seed {seed}: {command} tells {first} from {second}"
            one.house.advance(0.1)
            two.house.advance(0.1)
    return steps


def act(one: World, two: World, seat: int, pair: tuple[str, str], rng: Random) -> bool:
    """Let *seat* act in both worlds; return whether they can still be compared."""
    for world in (one, two):
        if seat != world.observer or world.clients[seat].conversation.profile != "seed":
            world.players[seat].listen()
    command = decide(one, seat, rng)
    one.clients[seat].send(command)
    other = command if seat == one.observer else renamed(command, pair)
    for attempt in (other, command):
        before = len(two.clients[seat].frames)
        two.clients[seat].send(attempt)
        answer = next(frame for frame in two.clients[seat].frames[before:] if '"event"' not in frame)
        if "response" in answer:
            return True
        if seat == one.observer:
            return False  # the seat knows from its own cards, which are the same, that this is illegal
    two.clients[seat].send(decide(two, seat, rng))
    return True


def decide(world: World, seat: int, rng: Random) -> dict[str, Any]:
    """Return an answer of *seat* computed from its state, for any profile."""
    client = world.clients[seat]
    before = len(client.frames)
    client.send({"command": "game.tarock.state"})
    if seat == world.observer:
        world.bytes += len(client.frames) - before
    state = json.loads(client.frames[-1])
    player = world.players[seat]
    player.rng, player.id, player.hand = rng, seat, list(state["hand"])
    name = {"bid": "bid.next", "announce": "announce.next", "play": "play.next"}.get(
        state["phase"], f"{state['phase']}.start"
    )
    count = len(state["talon"][0]) if state["talon"] else 0
    player.prompt = {**state, "event": f"game.tarock.{name}", "count": count}
    return player.answer()


RULES: list[dict[str, Any]] = [{}, {"kontra": True}, {"preset": "exact"}]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("profile", ["full", "seed"])
def test_no_byte_depends_on_a_card_that_is_not_known(profile: str, rules: dict[str, Any]) -> None:
    steps = sum(compare(seed, profile, rules) for seed in range(12))
    assert steps > 80, "too few steps were compared"


def test_no_byte_depends_on_who_holds_the_called_king() -> None:
    steps = sum(compare(seed, "full", {"kontra": seed % 2 == 0}, kings=True) for seed in range(100, 130))
    assert steps > 200
