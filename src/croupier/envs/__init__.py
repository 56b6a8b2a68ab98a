"""Training environments: `aec` for PettingZoo, `vector` for many matches at once, `single` and
`single_vector` for Gymnasium (one seat against bots). After ``import croupier.envs`` Gymnasium knows them by
name: ``gymnasium.make("croupier/Hearts-v1")``.

They need ``croupier[train]``. An observation is built only from the view of a seat; its numbers are described
by the ``LAYOUT`` in the ``encoding.py`` of the game, which `layout` returns. See docs/training.md.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.core.layout import Layout
    from croupier.envs.agents import SeatsEnv
    from croupier.envs.batch import VectorEnv
    from croupier.envs.opponents import Opponents, SingleEnv, SingleVectorEnv


def aec(
    game: str,
    *,
    seats: int | None = None,
    episode: str = "match",
    dtype: str = "float32",
    info: bool = False,
    **options: object,
) -> SeatsEnv:
    """Return *game* as a PettingZoo AEC environment.

    *options* are those of the rules. An episode is a whole ``match`` or one ``deal``; *seats* defaults to the
    game's maximum. With *info*, the infos have the mask, the legal actions in words, phase, scores and
    result.
    """
    _check()
    from croupier.envs.agents import SeatsEnv
    from croupier.envs.setup import Setup

    return SeatsEnv(Setup.read(game, seats, episode, options), dtype, info)


def vector(
    game: str,
    n: int,
    *,
    seats: int | None = None,
    episode: str = "match",
    observations: bool = True,
    dtype: str = "float32",
    **options: object,
) -> VectorEnv:
    """Return *n* matches of *game* that are stepped together; it is much faster without *observations*."""
    _check()
    from croupier.envs.batch import VectorEnv
    from croupier.envs.setup import Setup

    return VectorEnv(Setup.read(game, seats, episode, options), n, observations, dtype)


def single(
    game: str,
    *,
    opponents: Opponents = "heuristic",
    seat: int | None = None,
    seats: int | None = None,
    episode: str = "match",
    dtype: str = "float32",
    illegal_reward: float = -100.0,
    render_mode: str | None = None,
    **options: object,
) -> SingleEnv:
    """Return one seat of *game* as an environment of Gymnasium; *opponents* play the other seats.

    *opponents* is the name of a bot, a `Bot`, or a list of these with one for each other seat in playing
    order. Without a *seat* a random one is chosen for each episode.
    """
    _check()
    from croupier.envs.opponents import SingleEnv, bots_for
    from croupier.envs.setup import Setup

    setup = Setup.read(game, seats, episode, options)
    return SingleEnv(setup, bots_for(setup, opponents), seat, dtype, illegal_reward, render_mode)


def single_vector(
    game: str,
    num_envs: int = 1,
    *,
    opponents: Opponents = "heuristic",
    seat: int | None = None,
    seats: int | None = None,
    episode: str = "match",
    dtype: str = "float32",
    **options: object,
) -> SingleVectorEnv:
    """Return *num_envs* matches like those of `single`, stepped together."""
    _check()
    from croupier.envs.opponents import SingleVectorEnv, bots_for
    from croupier.envs.setup import Setup

    setup = Setup.read(game, seats, episode, options)
    return SingleVectorEnv(setup, num_envs, bots_for(setup, opponents), seat, dtype)


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


def _register() -> None:
    if find_spec("gymnasium") is not None:
        from croupier.envs.registration import register

        register()


_register()
