"""Clients of the line protocol in memory, for the tests of the wire."""

from __future__ import annotations

import re

from croupier.core.options import Value
from croupier.games.coinche import GAME
from croupier.games.coinche.messages import NOTIFICATIONS
from croupier.games.coinche.orders import VERBS
from croupier.games.coinche.replies import DONE, REPLIES
from croupier.games.coinche.tests.positions import TRANSCRIPT_HANDS, cards
from croupier.games.coinche.vocabulary import CARDS, deck_of
from croupier.games.coinche.wire import CoincheLobby
from croupier.table.table import Table
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.table_spec import TableSpec

NAMES = ("anna", "bobby", "carol", "david")


def house(seed: str = "coinche") -> VirtualHouse:
    """Return a server in memory with the lobby of the line protocol."""
    return VirtualHouse(GAME, CoincheLobby, seed)


def deck(hands: list[str], dealer: int) -> tuple[str, ...]:
    """Return the cards, top first, from which *dealer* (from 0) deals these hands to the seats."""
    return tuple(CARDS[card] for card in deck_of([cards(hand) for hand in hands], dealer))


DECKS = tuple(deck(TRANSCRIPT_HANDS, dealer) for dealer in (3, 0, 1, 2))
"""The hands of the spec's transcript, deal after deal."""


def table(
    place: VirtualHouse,
    draws: tuple[tuple[str, ...], ...] = DECKS,
    options: dict[str, Value] | None = None,
    **table_options: Value,
) -> Table:
    """Open a table that waits for four players, with the transcript's hands.

    With *draws*, the lobby seats players there because the operator has seeded all its tables.
    """
    if draws:
        place.lobby.seed = place.seed
    wish = TableSpec(("open",) * 4, options or {}, table_options, draws=draws, auto_cycle=True)
    return place.open(wish)


def named(place: VirtualHouse, name: str) -> Client:
    """Return a new connection that has sent this name."""
    client = place.connect()
    client.send(f"NAME {name}")
    return client


def four(place: VirtualHouse) -> list[Client]:
    """Return anna, bobby, carol and david, seated in that order; the lines so far have been read."""
    clients = [named(place, name) for name in NAMES]
    for client in clients:
        client.take()
    return clients


def ask(client: Client, *lines: str) -> list[str]:
    """Send *lines*; return all lines that *client* receives from then on."""
    client.take()
    for line in lines:
        client.send(line)
    return documented(client.take())


_REPLIES = [re.compile(re.escape(one).replace(r"\{\}", ".*")) for one in REPLIES]


def documented(lines: list[str]) -> list[str]:
    """Return *lines*, each of which is in the tables of replies and notifications, as in the document."""
    for line in lines:
        known = line[:3] in NOTIFICATIONS or any(reply.fullmatch(line) for reply in _REPLIES)
        assert known, f"{line!r} is neither in REPLIES nor in NOTIFICATIONS"
    return lines


def reply(client: Client, line: str) -> str:
    """Return the reply to *line*, the first line after it."""
    lines = ask(client, line)
    assert lines, f"no reply to {line!r}"
    return lines[0]


def codes(lines: list[str]) -> list[int]:
    """Return the codes of *lines*."""
    return [int(line[:3]) for line in lines]


def fields(line: str) -> str:
    """Return a notification without the text for people."""
    return line.split(" :")[0]


def taken(clients: list[Client]) -> list[list[str]]:
    """Return the new notifications of each client, without the texts for people."""
    return [[fields(line) for line in documented(client.take())] for client in clients]


def pick(hint: str) -> str:
    """Return a command that a hint (326 or 334) allows: the first card, or 80 and then passes."""
    if hint.startswith("334"):
        return "PLAY " + hint[hint.index("[") + 1 : hint.index("]")].split(", ")[0]
    return "CONTRACT 80 Hearts" if hint.startswith("326 80 ") else "PASS"


def hinted(client: Client) -> str:
    """Return the hint that *client* has not answered yet, if there is one."""
    for line in reversed(client.frames):
        if line.startswith(("326", "334")):
            return line
        if line in _DONE or line.startswith(("112", "300")):
            return ""
    return ""


_DONE = {DONE[verb] for verb in VERBS}


def act(clients: list[Client]) -> bool:
    """Let each of *clients* that is asked make a legal move; return True if any was asked."""
    for client in clients:
        hint = hinted(client)
        if hint:
            client.send(pick(hint))
            return True
    return False


def play(clients: list[Client], until: str, most: int = 4000) -> None:
    """Let *clients* act until the first of them receives a line that starts with *until*."""
    for _ in range(most):
        if any(line.startswith(until) for line in clients[0].frames[-60:]):
            return
        assert act(clients), [client.frames[-2:] for client in clients]
    raise AssertionError(f"no {until} after {most} actions")
