"""The registry of games; a game is imported when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.resources import files
from typing import Final, cast

from croupier.core.contract import Game, Plain
from croupier.core.words import PlainWords, Words
from croupier.wire.lobby import Host, Lobby
from croupier.wire.talk import Conversation, TableInfo

REGISTRY: Final = {
    "hearts": "croupier.games.hearts",
    "tarock": "croupier.games.tarock",
    "coinche": "croupier.games.coinche",
    "taroky": "croupier.games.taroky",
    "sagrada": "croupier.games.sagrada",
}


class UnknownGame(ValueError):
    """There is no game of that name; the message suggests similar names."""

    def __init__(self, name: str) -> None:
        near = sorted(get_close_matches(name.lower(), REGISTRY, 2, 0.7))
        words = f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(REGISTRY)}"
        super().__init__(f"game {name!r}: unknown, {words}")


def names() -> list[str]:
    """Return the names of all games."""
    return list(REGISTRY)


def game(name: str) -> Game:
    """Return the game called *name*."""
    module = REGISTRY.get(name)
    if module is None:
        raise UnknownGame(name)
    found = import_module(module).GAME
    assert isinstance(found, Game), module
    return found


def words_of(game: Game) -> Words:
    """Return the `words` module of *game*, or generic words if it has none."""
    module = f"{REGISTRY[game.name]}.words"
    try:
        # The module implements the protocol Words, which import_module cannot express.
        return cast(Words, import_module(module))
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return PlainWords(game)


def rules_text(name: str) -> str:
    """Return the rules of the game called *name* for people, in English, as Markdown."""
    if name not in REGISTRY:
        raise UnknownGame(name)
    return files(REGISTRY[name]).joinpath("rules.md").read_text(encoding="utf-8")


def material(game: Game) -> Plain | None:
    """Return the printed material of *game* as plain data, None if it has none."""
    module = f"{REGISTRY[game.name]}.catalogue"
    try:
        found: Plain = import_module(module).material()
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return None
    return found


def has_lobby(name: str) -> bool:
    """Return True if the protocol of the game called *name* begins in a lobby."""
    return hasattr(import_module(f"{REGISTRY[name]}.wire"), "LOBBY")


def lobby(
    name: str, game: Game, host: Host, kept: Mapping[str, str], defaults: Mapping[str, object]
) -> Lobby:
    """Return the lobby of the game called *name*; *kept* is what it had stored, *defaults* its options."""
    found = import_module(f"{REGISTRY[name]}.wire").LOBBY(game, host, kept, defaults)
    assert isinstance(found, Lobby), name
    return found


def conversation(name: str, info: TableInfo, watching: bool = False) -> Conversation:
    """Return a new conversation in the published protocol of the game called *name*."""
    wire = import_module(f"{REGISTRY[name]}.wire")
    found = (wire.WATCH if watching else wire.CONVERSATION)(info)
    assert isinstance(found, Conversation), name
    return found
