"""Environments to train in: `aec` for PettingZoo, `vector` for many matches at once; both need ``croupier[train]``.

An observation is built from the view of a seat alone; what its numbers mean is the ``LAYOUT`` in the ``encoding.py`` of
the game, and `layout` returns it. docs/training.md tells the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from croupier import games
from croupier.core.layout import Layout

if TYPE_CHECKING:
    from croupier.envs.aec import SeatsEnv
    from croupier.envs.vector import VectorEnv


def aec(game: str, *, seats: int | None = None, episode: str = "match", **options: object) -> SeatsEnv:
    """Return *game* as a PettingZoo AEC environment.

    *options* are those of its rules. An episode is a ``match`` as they say, or one ``deal`` of it; *seats* are the
    most the game has, if not given.
    """
    from croupier.envs.aec import SeatsEnv
    from croupier.envs.setup import Setup

    return SeatsEnv(Setup.read(game, seats, episode, options))


def vector(
    game: str,
    n: int,
    *,
    seats: int | None = None,
    episode: str = "match",
    observations: bool = True,
    **options: object,
) -> VectorEnv:
    """Return *n* matches of *game* that are stepped together; without *observations* much faster."""
    from croupier.envs.setup import Setup
    from croupier.envs.vector import VectorEnv

    return VectorEnv(Setup.read(game, seats, episode, options), n, observations)


def layout(game: str) -> Layout:
    """Return what the numbers of an observation of *game* mean."""
    games.game(game)  # says which games there are
    found = import_module(f"{games.REGISTRY[game]}.encoding").LAYOUT
    assert isinstance(found, Layout), game
    return found
