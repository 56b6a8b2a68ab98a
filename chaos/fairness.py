"""G12: identity and fairness. Nobody gets into a seat of another player, and every card is equally likely.

An intruder connects to a table of every game, over every protocol, under the name of a player in several
spellings, with no token, a wrong one or that of another player, while the player is connected and while they
are not; and under the name of an account, or a name that looks the same. The intruder must not get a seat,
and the player must not lose theirs. A player whose session has ended must be disconnected within a second.
`chaos.notices` tries given cards, open hands and private tables. Then deals of every game are drawn as a
table draws them, and a χ² test compares how often every item was in every place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import Final

import msgspec

from benchmarks.report import Figure
from chaos.endings import CASES
from chaos.notices import check_all
from chaos.outcome import Outcome, Problems, Tell, none_of, some_of
from chaos.players import HousePlayer, Player, TrendPlayer
from chaos.spread import spread
from chaos.virtual import NO_PAUSES, OWN, Chair, Room
from croupier.core.chance import Stream, derived_seed
from croupier.games import game, names
from croupier.testing.house import Client
from croupier.wire.identity import Account
from croupier.wire.talk import token_digest

WORST: Final = 5.0
"""The limit of the deviation, in standard deviations: one place in three million exceeds it by chance."""
ACCOUNT: Final = "mallory"
LIKE_ACCOUNT: Final = (ACCOUNT, ACCOUNT.upper(), "m\u0430llory", "mal1ory")
"""Its name in another case, with a Cyrillic letter, and with a digit that looks like a letter."""
CHUNK: Final = 1000

Places = Counter[tuple[str, int, int]]
"""How often each place had each item, in one game."""


def run(deals: int, seed: int, tell: Tell) -> Outcome:
    """Try to get into seats, and draw *deals* deals of each game."""
    attempts, problems = _intrude(seed)
    tell(f"{attempts} intrusions tried")
    tables, wrong = check_all(seed)
    places: Places = Counter()
    for part in spread(_draw, deals, seed, tell, CHUNK):
        places.update(part)
    worst, where = _worst(places)
    drawn = sum(many for (name, place, _), many in places.items() if (name, place) == (names()[0], 0))
    return Outcome(
        f"{attempts} intrusions, {drawn:,} deals of each game",
        [
            none_of("seats taken over or lost", problems.many),
            some_of("intrusions tried", attempts, len(CASES) * 3),
            none_of(
                "tables with given cards, open hands or an invitation that were not protected", wrong.many
            ),
            some_of("such tables", tables),
            Figure("largest deviation of a place (χ², standard deviations)", worst, WORST),
        ],
        notes=[*problems.words, *wrong.words, f"largest deviation: {where}"],
    )


# Identity.


def _intrude(seed: int) -> tuple[int, Problems]:
    attempts = 0
    problems = Problems()
    for number, (name, door) in enumerate(CASES):
        room = Room(
            name, door, Random(f"identity {seed} {number}"), table_options=NO_PAUSES[name], seats=_seats(name)
        )
        room.begin()
        victim = room.chairs[0]
        for gone in (False, True):
            if gone and (name, door) == ("coinche", OWN):
                continue  # on loopback a nickname without a connection is enough
            if gone:
                victim.drop()
            for hello in _disguises(victim.player):
                attempts += 1
                intruder = _send(victim, hello)
                room.house.advance(1.0)
                if intruder is None:
                    problems.add(f"{name} over {door}: the table is closed, nobody can try to get in")
                elif intruder.conversation.seat >= 0:
                    problems.add(f"{name} over {door}: {hello} got seat {intruder.conversation.seat}")
                if not gone and not victim.connected:
                    problems.add(f"{name} over {door}: {hello} threw the player out")
        victim.drop()
        victim.come()
        room.house.advance(1.0)
        if not victim.connected or victim.client is None or victim.client.conversation.seat < 0:
            problems.add(f"{name} over {door}: the player cannot return")
        attempts += len(LIKE_ACCOUNT)
        for spelt in LIKE_ACCOUNT:
            if _sits_down(name, door, seed, spelt):
                problems.add(f"{name} over {door}: a stranger sits down as {spelt}, the name of an account")
        if not _sits_down(name, door, seed, "stranger"):
            problems.add(f"{name} over {door}: a stranger with a name of their own cannot sit down")
        if isinstance(
            victim.player, HousePlayer | TrendPlayer
        ):  # the other protocols have accounts in the lobby
            attempts += 1
            problems += _after_logout(name, door, seed)
    return attempts, problems


def _seats(name: str) -> int:
    return 2 if name == "sagrada" else 4


def _disguises(player: Player) -> Iterator[list[str]]:
    """Yield the messages with which an intruder pretends to be *player*."""
    secret = f"secret of {player.name}"
    loud = player.name.upper()
    if isinstance(player, HousePlayer | TrendPlayer):
        [join] = player.hello()
        for token in ("a guess", "", "secret of player1"):
            yield [join.replace(secret, token)]
            yield [join.replace(secret, token).replace(player.name, loud)]
    elif hasattr(player, "room"):
        enter = msgspec.json.encode({"command": "lobby.room.join", "room_id": player.room}).decode()
        for who in (
            *({"nickname": name} for name in (player.name, loud)),
            {"token": "a guess"},
            {"nickname": player.name, "token": ""},
        ):
            yield [msgspec.json.encode({"command": "user.login", **who}).decode(), enter]
    else:
        for name in (player.name, loud):
            yield [f"login\t{name}", "token\ta-guess"]
            yield [f"NAME {name} guess", f"NAME {name}"]


def _send(chair: Chair, messages: list[str]) -> Client | None:
    """Connect like *chair* and send *messages*."""
    client = chair.connect()
    if client is not None:
        client.send(*messages)
    return client


def _sits_down(name: str, door: str, seed: int, spelt: str) -> bool:
    """Let all players join on a server on which `ACCOUNT` is an account, one of them under the name *spelt*.

    Return True if that player gets a seat.
    """
    room = Room(name, door, Random(f"account {seed}"), table_options=NO_PAUSES[name], seats=_seats(name))
    room.house.identities.admit(Account(ACCOUNT, token_digest("account")))
    chair = room.chairs[0]
    chair.player.name = spelt
    room.begin()
    return chair.client is not None and chair.client.conversation.seat >= 0


def _after_logout(name: str, door: str, seed: int) -> Problems:
    """End the session of a player in the middle of a match."""
    problems = Problems()
    room = Room(name, door, Random(f"logout {seed}"), table_options=NO_PAUSES[name], seats=_seats(name))
    chair = room.chairs[0]
    session = token_digest(f"secret of {chair.player.name}")
    account = Account(chair.player.name, token_digest("account"))
    room.house.identities.admit(account)
    room.house.identities.open_session(session, account)
    room.begin()
    if not chair.connected:
        problems.add(f"{name} over {door}: a player with a session cannot sit down")

    async def log_out() -> None:
        room.house.identities.end_session(session)

    room.house.wait(log_out())
    room.house.advance(1.0)
    if chair.connected:
        problems.add(f"{name} over {door}: a player can still play after the end of their session")
    return problems


# Fairness.


def _draw(cases: range, seed: int) -> Places:
    """Count the places of the first draw of these deals."""
    places: Places = Counter()
    for name in names():
        kind = game(name)
        draw = kind.new(kind.options.read({}), max(kind.seats)).awaiting()
        assert draw is not None
        for number in cases:
            stream = Stream(derived_seed(f"chaos {seed} {name}", 1, number + 1))
            for place, item in enumerate(stream.draw(draw)):
                places[name, place, item] += 1
    return places


def _worst(places: Places) -> tuple[float, str]:
    """Return the largest deviation of a place from equal counts, and the name of that place."""
    worst = (float("-inf"), "")
    for name in names():
        kind = game(name)
        draw = kind.new(kind.options.read({}), max(kind.seats)).awaiting()
        assert draw is not None
        items = Counter(draw.pool)
        for place in range(draw.take):
            square = 0.0
            deals = sum(places[name, place, item] for item in items)
            for item, many in items.items():
                expected = deals * many / len(draw.pool)
                square += (places[name, place, item] - expected) ** 2 / expected
            free = len(items) - 1
            if free:
                worst = max(worst, (_deviation(square, free), f"{name}, place {place}"))
    return worst


def _deviation(square: float, free: int) -> float:
    """Return a value of χ² with *free* degrees of freedom in standard deviations (Wilson and Hilferty)."""
    part = 2 / (9 * free)
    return float(((square / free) ** (1 / 3) - (1 - part)) / sqrt(part))
