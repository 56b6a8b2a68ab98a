"""Environments to train in: `aec` for PettingZoo, `vector` for many matches at once.

Both need ``croupier[train]``. An observation is built from the view of a seat alone; what its numbers mean is
the ``LAYOUT`` in the ``encoding.py`` of the game, and `layout` returns it. docs/training.md tells the rest.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.core.layout import Layout
    from croupier.envs.agents import SeatsEnv
    from croupier.envs.batch import VectorEnv


def aec(game: str, *, seats: int | None = None, episode: str = "match", **options: object) -> SeatsEnv:
    """Return *game* as a PettingZoo AEC environment.

    *options* are those of its rules. An episode is a ``match`` as they say, or one ``deal`` of it; *seats*
    are the most the game has, if not given.
    """
    _check()
    from croupier.envs.agents import SeatsEnv
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
    _check()
    from croupier.envs.batch import VectorEnv
    from croupier.envs.setup import Setup

    return VectorEnv(Setup.read(game, seats, episode, options), n, observations)


def layout(game: str) -> Layout:
    """Return what the numbers of an observation of *game* mean."""
    _check()
    from croupier.envs.setup import Setup

    return Setup.read(game, None, "match", {}).layout


def _check() -> None:
    for name in ("numpy", "gymnasium", "pettingzoo"):
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"{name} is not installed: pip install 'croupier[train]'", name=name)
