"""Training environments: `aec` for PettingZoo, `vector` for many matches at once.

Both need ``croupier[train]``. An observation is built only from the view of a seat; its numbers are described
by the ``LAYOUT`` in the ``encoding.py`` of the game, which `layout` returns. See docs/training.md.
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

    *options* are those of the rules. An episode is a whole ``match`` or one ``deal``; *seats* defaults to the
    maximum of the game.
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
    """Return *n* matches of *game* that are stepped together; it is much faster without *observations*."""
    _check()
    from croupier.envs.batch import VectorEnv
    from croupier.envs.setup import Setup

    return VectorEnv(Setup.read(game, seats, episode, options), n, observations)


def layout(game: str) -> Layout:
    """Return the meaning of the numbers in an observation of *game*."""
    _check()
    from croupier.envs.setup import Setup

    return Setup.read(game, None, "match", {}).layout


def _check() -> None:
    for name in ("numpy", "gymnasium", "pettingzoo"):
        if find_spec(name) is None:
            raise ModuleNotFoundError(
                f"{name} is not installed: run pip install 'croupier[train]'", name=name
            )
