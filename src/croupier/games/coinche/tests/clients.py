"""Players of the line protocol in memory, for the tests of the wire."""

from __future__ import annotations

from croupier.core.options import Value
from croupier.games.coinche import GAME
from croupier.games.coinche.replies import DONE
from croupier.games.coinche.tests.positions import TRANSCRIPT_HANDS, cards
from croupier.games.coinche.turns import VERBS
from croupier.games.coinche.vocabulary import CARDS, deck_of
from croupier.games.coinche.wire import DESK
from croupier.table.table import Table
from croupier.testing.desked import DeskClient, DeskedHouse
from croupier.wire.talk import Wish

NAMES = ("anna", "bobby", "carol", "david")


def house(seed: str = "coinche") -> DeskedHouse:
    """Return a house whose desk speaks the line protocol."""
    return DeskedHouse(GAME, DESK, seed)


def deck(hands: list[str], dealer: int) -> tuple[str, ...]:
    """Return the cards, top first, from which *dealer* (from 0) deals these hands to the seats."""
    return tuple(CARDS[card] for card in deck_of([cards(hand) for hand in hands], dealer))


DECKS = tuple(deck(TRANSCRIPT_HANDS, dealer) for dealer in (3, 0, 1, 2))
"""The hands of the spec's transcript, deal after deal."""


def table(
    place: DeskedHouse,
    draws: tuple[tuple[str, ...], ...] = DECKS,
    options: dict[str, Value] | None = None,
    **table_options: Value,
) -> Table:
    """Open a table that waits for four players, with the transcript's hands."""
    wish = Wish(("open",) * 4, options or {}, table_options, draws=draws, auto_cycle=True)
    return place.open(wish)


def named(place: DeskedHouse, name: str) -> DeskClient:
    """Return a new connection of somebody who has given this name."""
    client = place.connect()
    client.send(f"NAME {name}")
    return client


def four(place: DeskedHouse) -> list[DeskClient]:
    """Return anna, bobby, carol and david, seated in that order; what they were told so far is taken."""
    clients = [named(place, name) for name in NAMES]
    for client in clients:
        client.take()
    return clients


def ask(client: DeskClient, *lines: str) -> list[str]:
    """Return what *client* is told from sending *lines* on."""
    client.take()
    for line in lines:
        client.send(line)
    return client.take()


def reply(client: DeskClient, line: str) -> str:
    """Return the reply to *line*, which comes first."""
    lines = ask(client, line)
    assert lines, f"no reply to {line!r}"
    return lines[0]


def codes(lines: list[str]) -> list[int]:
    """Return the codes of *lines*."""
    return [int(line[:3]) for line in lines]


def fields(line: str) -> str:
    """Return what programs read of a notification."""
    return line.split(" :")[0]


def taken(clients: list[DeskClient]) -> list[list[str]]:
    """Return what programs would read of everything since the last time, client by client."""
    return [[fields(line) for line in client.take()] for client in clients]


def pick(hint: str) -> str:
    """Return a command that a hint (326 or 334) allows: the first card, or 80 and then passes."""
    if hint.startswith("334"):
        return "PLAY " + hint[hint.index("[") + 1 : hint.index("]")].split(", ")[0]
    return "CONTRACT 80 Hearts" if hint.startswith("326 80 ") else "PASS"


def hinted(client: DeskClient) -> str:
    """Return the hint that *client* has not acted upon, if there is one."""
    for line in reversed(client.frames):
        if line.startswith(("326", "334")):
            return line
        if line in _DONE or line.startswith(("112", "300")):
            return ""
    return ""


_DONE = {DONE[verb] for verb in VERBS}


def act(clients: list[DeskClient]) -> bool:
    """Let whoever of *clients* is asked do what is allowed; say whether somebody was."""
    for client in clients:
        hint = hinted(client)
        if hint:
            client.send(pick(hint))
            return True
    return False


def play(clients: list[DeskClient], until: str, most: int = 4000) -> None:
    """Let *clients* act until the first of them is told a line that begins with *until*."""
    for _ in range(most):
        if any(line.startswith(until) for line in clients[0].frames[-60:]):
            return
        assert act(clients), [client.frames[-2:] for client in clients]
    raise AssertionError(f"no {until} after {most} actions")
