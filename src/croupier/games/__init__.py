"""The games, one line each; a game is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from typing import Final, cast

from croupier.core.contract import Game
from croupier.core.words import PlainWords, Words
from croupier.wire.desk import Desk, House
from croupier.wire.talk import Conversation, Face

REGISTRY: Final = {
    "hearts": "croupier.games.hearts",
    "tarock": "croupier.games.tarock",
    "coinche": "croupier.games.coinche",
    "taroky": "croupier.games.taroky",
    "sagrada": "croupier.games.sagrada",
}


class UnknownGame(ValueError):
    """There is no game of that name."""


def names() -> list[str]:
    """Return the names of the games there are."""
    return list(REGISTRY)


def game(name: str) -> Game:
    """Return the game called *name*."""
    module = REGISTRY.get(name)
    if module is None:
        raise UnknownGame(f"game {name!r}: unknown, expected one of {', '.join(REGISTRY)}")
    found = import_module(module).GAME
    assert isinstance(found, Game), module
    return found


def words_of(game: Game) -> Words:
    """Return the words of *game*: its own, or what can be said of any game."""
    module = f"{REGISTRY[game.name]}.words"
    try:
        # A module fulfils a Protocol, but import_module cannot say so.
        return cast(Words, import_module(module))
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return PlainWords(game)


def rules_text(name: str) -> str:
    """Return the rules of the game called *name* for people, in English, as Markdown."""
    if name not in REGISTRY:
        raise UnknownGame(f"game {name!r}: unknown, expected one of {', '.join(REGISTRY)}")
    return files(REGISTRY[name]).joinpath("rules.md").read_text(encoding="utf-8")


def has_desk(name: str) -> bool:
    """Say whether the protocol of the game called *name* begins at a desk."""
    return hasattr(import_module(f"{REGISTRY[name]}.wire"), "DESK")


def desk(
    name: str, game: Game, house: House, kept: Mapping[str, str], defaults: Mapping[str, object]
) -> Desk:
    """Return the desk of the game called *name*; *kept* is what it had stored, *defaults* its options."""
    found = import_module(f"{REGISTRY[name]}.wire").DESK(game, house, kept, defaults)
    assert isinstance(found, Desk), name
    return found


def conversation(name: str, face: Face, watching: bool = False) -> Conversation:
    """Return a fresh wire of the game called *name*: the protocol that was published for it."""
    wire = import_module(f"{REGISTRY[name]}.wire")
    found = (wire.WATCH if watching else wire.CONVERSATION)(face)
    assert isinstance(found, Conversation), name
    return found
