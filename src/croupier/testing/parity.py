"""Interpreted and compiled rules must play the same matches: one hash over all their output.

``python -m croupier.testing.parity MATCHES MEGABYTES`` plays this many seeds of every registered game under a
memory limit, and prints the hash and whether the rules are compiled. tests/test_parity.py runs it under both
interpreters and compares.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from random import Random

from croupier import games
from croupier.core import contract
from croupier.core.contract import Game, State, first_seat, play_out, sample
from croupier.core.dice import Dice
from croupier.testing.walks import observers, random_options, seen


def compiled() -> bool:
    """Return True if the rules of this process are compiled."""
    return not (contract.__file__ or "").endswith(".py")


def parity_hash(seeds: Iterable[int]) -> str:
    """Return one hash over a match of every game for each of *seeds*.

    A match ends here with its first deal. Every 200th is played to its end, with its events and some of its
    views included in the hash; as many are finished by the loop of the contract.
    """
    digest = hashlib.sha256()
    for seed in seeds:
        for name in games.names():
            _match(games.game(name), seed, digest)
    return digest.hexdigest()


def _match(game: Game, seed: int, digest: hashlib._Hash) -> None:
    options = random_options(game, Random(seed)) if seed % 4 == 0 else game.options.read({})
    seats = game.seats[seed % len(game.seats)]
    state = game.new(options, seats)
    dice = Dice(seed)
    whole = seed % 200 == 0
    if whole:
        state.events = []
    while not state.over() and (whole or state.deal() == 0):
        _step(state, dice, digest)
        if whole:
            _tell(state, seats, digest)
    digest.update(repr((state.scores(), state.payoffs())).encode())
    if seed % 200 == 1:
        twin = state.clone()
        digest.update(repr((play_out(twin, dice), twin.scores())).encode())


def _step(state: State, dice: Dice, digest: hashlib._Hash) -> None:
    waiting = state.to_act()
    draw = state.awaiting()
    if draw is not None:
        if int(dice.below(2)):
            state.roll(dice)
        else:
            state.apply_draw(sample(draw, dice))
        return
    seat = int(first_seat(waiting))
    legal = state.legal_actions(seat)
    many = int(state.choices(seat))
    k = int(dice.below(many))
    action = int(state.choice(seat, k))
    digest.update(f"{waiting} {seat} {many} {legal[k]} {action};".encode())
    state.apply(seat, action)


def _tell(state: State, seats: int, digest: hashlib._Hash) -> None:
    told = [event.plain() for event in state.events or []]
    digest.update(json.dumps(told, sort_keys=True).encode())
    if len(told) != 1:  # more has happened than the play of one card
        views = [seen(state, seat) for seat in observers(seats)]
        digest.update(json.dumps(views, sort_keys=True).encode())
    state.events = []


def main() -> None:
    """Limit the memory, play, print."""
    matches, megabytes = (int(word) for word in sys.argv[1:])
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    found = {"compiled": compiled(), "matches": matches, "hash": parity_hash(range(matches))}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
