"""Registers the environments with Gymnasium: ``gymnasium.make("croupier/Hearts-v1")``."""

from __future__ import annotations

from gymnasium.envs import registration

from croupier import games


def register() -> None:
    """Register an environment for each game."""
    for name in games.names():
        registration.register(
            f"croupier/{name.capitalize()}-v1",
            entry_point="croupier.envs:single",
            vector_entry_point="croupier.envs:single_vector",
            kwargs={"game": name},
        )
