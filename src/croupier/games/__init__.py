"""The registry of games: the built-in ones and those of installed packages (entry points `croupier.games`).

A game is its folder: a package with `GAME` and optional modules and files beside it, which are imported when
they are first used. A broken plug-in is listed by `broken` and is otherwise ignored.
"""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib import import_module, metadata
from importlib.resources import files
from types import ModuleType
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, cast

import croupier
from croupier.core.contract import Game, Plain, RulesError, View
from croupier.core.dice import Dice
from croupier.core.layout import Layout, Writer
from croupier.core.network import BELIEFS, NETWORK, BadNetwork, Beliefs, Layers, Network
from croupier.core.refusal import bad_templates, misused, untranslated
from croupier.core.words import PlainWords, Texts, TextWords, Words
from croupier.texts import LANGUAGES, house
from croupier.wire.protocol import Protocol

if TYPE_CHECKING:
    from croupier.wire.talk import Conversation, TableInfo

BUILT_IN: Final = ("hearts", "tarock", "coinche", "taroky", "sagrada")
"""The built-in games in the order of the lobby. The first one is played at the default table."""
GROUP: Final = "croupier.games"
"""The group of entry points by which a package adds a game."""
REQUIRED: Final = ("name", "title", "rules", "seats", "actions", "options", "table_options")
Encode: TypeAlias = Callable[[View, Writer], None]
"""Writes what a view contains as an observation."""
Kind = TypeVar("Kind", bound=Layers)
MODULES: Final = ("sample", "heuristic", "words", "encoding", "catalogue")
"""Optional modules of a game, as listed by `parts`."""


@dataclass(slots=True)
class Entry:
    """A registered game: its package, and the distribution from which it comes."""

    name: str
    package: str
    source: str = f"croupier {croupier.__version__}"
    problem: str = ""
    """Why it cannot be used, or what is missing in its texts."""


class UnknownGame(ValueError):
    """There is no game of that name; the message suggests similar names."""

    def __init__(self, name: str) -> None:
        name = name[:40]
        near = sorted(get_close_matches(name.lower(), names(), 2, 0.7))
        words = f"did you mean {' or '.join(near)}?" if near else f"expected one of {', '.join(names())}"
        super().__init__(f"game {name!r}: unknown, {words}")


def registry() -> dict[str, Entry]:
    """Return the usable games by name."""
    return _discovered()[0]


def broken() -> list[Entry]:
    """Return the plug-ins that cannot be used, each with its problem."""
    return _discovered()[1]


def discover() -> tuple[dict[str, Entry], list[Entry]]:
    """Find the games: return the usable ones by name, and the plug-ins that cannot be used.

    Plug-ins are imported and checked.
    """
    usable = {name: Entry(name, f"{__name__}.{name}") for name in BUILT_IN}
    unusable: list[Entry] = []
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        dist = point.dist
        source = f"{dist.name} {dist.version}" if dist is not None else "an unknown package"
        entry = Entry(point.name, point.module, source)
        if point.name in usable:
            entry.problem = f"{usable[point.name].source} already has a game of this name"
        else:
            entry.problem = _fault(entry)
        if entry.problem:
            unusable.append(entry)
        else:
            usable[point.name] = entry
            entry.problem = _untranslated(entry)
    return usable, unusable


_discovered = cache(discover)


def _fault(entry: Entry) -> str:
    """Return why a plug-in cannot be used, or nothing."""
    try:
        found = import_module(entry.package).GAME
    except (Exception, SystemExit) as error:  # the server starts with any error of a foreign package
        return _import_failed(error)
    if not isinstance(found, Game):
        return f"GAME: expected a croupier.core.contract.Game, found {type(found).__name__}"
    lacking = [name for name in REQUIRED if not hasattr(found, name)]
    if type(found).new is Game.new:
        lacking.append("new")
    if lacking:
        return f"GAME lacks {', '.join(lacking)}"
    if found.name != entry.name:
        return f"the entry point is called {entry.name}, but the game {found.name}"
    return _bad_parts(entry, found)


def _bad_parts(entry: Entry, found: Game) -> str:
    if found.protocol is not None and not isinstance(found.protocol, Protocol):
        return f"protocol: expected a croupier.wire.protocol.Protocol, found {type(found.protocol).__name__}"
    try:
        for preset in found.presets:
            found.options.read(preset.options)
        found.options.read(found.short)
        found.table_options.read({**found.for_people, **found.limits(1), **found.limits(1, person=True)})
        for module in MODULES:
            _module(entry, module)
        _trained(entry, found, NETWORK, Network)
        _trained(entry, found, BELIEFS, Beliefs)
    except BadNetwork as error:
        return str(error)
    except (RulesError, ValueError, KeyError) as error:
        return f"options of a preset, of short matches or of clocks: {error}"
    except (Exception, SystemExit) as error:
        return _import_failed(error)
    return _bad_refusals(found)


def _bad_refusals(found: Game) -> str:
    """Return what is wrong with the refusals of a plug-in, or nothing; a game without `refusals` has none.

    Only those of the first question are tried; `croupier.testing.conformance` tries more.
    """
    if not found.refusals:
        return ""
    try:
        for words in bad_templates(found.refusals):
            return f"refusals: {words}"
        state = found.new(found.options.read({}), found.seats[0])
        if state.awaiting() is not None:
            state.roll(Dice(0))
        for seat in range(found.seats[0]):
            for action in {*range(len(found.actions))} - {*state.legal_actions(seat)}:
                why = state.why_not(seat, action)
                unfit = misused(found.refusals, why.reason, why.arguments)
                if unfit:
                    return f"refusals: {unfit}"
    except (Exception, SystemExit) as error:
        return f"refusals: {type(error).__name__}: {' '.join(str(error).split())}"
    return ""


def _import_failed(error: BaseException) -> str:
    """Return in one line why a module of a plug-in could not be imported."""
    return f"import failed: {type(error).__name__}: {' '.join(str(error).split())}"


def _untranslated(entry: Entry) -> str:
    """Return which texts of a plug-in are missing, or nothing."""
    try:
        spoken = {language: _texts(entry, language) for language in _languages(entry)}
    except ValueError as error:
        return f"texts: {error}"
    needed = {*spoken.get("en", {}), *_needed(import_module(entry.package).GAME)}
    wrong = [
        f"missing {key} ({language})"
        for language, own in spoken.items()
        for key in sorted(needed)
        if key not in own
    ]
    refusals = import_module(entry.package).GAME.refusals
    wrong += [
        f"{words} ({language})"
        for language, own in spoken.items()
        if language != "en"
        for words in untranslated(refusals, own)
    ]
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return f"texts: {', '.join(wrong[:3])}{more}" if wrong else ""


def _needed(found: Game) -> Iterator[str]:
    """Yield the keys that the pages look up for every game with texts."""
    yield from ("title", "about")
    for preset in found.presets:
        yield from (f"preset.{preset.key}", f"preset.{preset.key}.more")


def names() -> list[str]:
    """Return the names of all games."""
    return list(registry())


def _entry(name: str) -> Entry:
    found = registry().get(name)
    if found is None:
        raise UnknownGame(name)
    return found


def game(name: str) -> Game:
    """Return the game called *name*."""
    entry = _entry(name)
    found = import_module(entry.package).GAME
    assert isinstance(found, Game), entry.package
    return found


def default_game() -> Game:
    """Return the game of the default table."""
    return game(names()[0])


def _module(entry: Entry, part: str) -> ModuleType | None:
    """Return the module *part* of a game, None if the game has none."""
    name = f"{entry.package}.{part}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def part(game: Game, name: str) -> ModuleType | None:
    """Return the module *name* in the folder of *game*, None if there is none."""
    return _module(_entry(game.name), name)


def parts(name: str) -> list[str]:
    """Return the optional parts that the game called *name* has."""
    found = game(name)
    entry = _entry(name)
    given: Mapping[str, object] = {
        "protocol": found.protocol,
        "presets": found.presets,
        "refusals": found.refusals,
        "network": network(found),
        "beliefs": beliefs(found),
        "rules": rules_text(name),
        "texts": languages(name),
        **{module: _module(entry, module) for module in MODULES},
        "http": found.http,
        "commands": found.commands,
    }
    return [part for part, value in given.items() if value]


@lru_cache(maxsize=64)
def words_of(game: Game, language: str = LANGUAGES[0]) -> Words:
    """Return the words of *game*: those of its `words` module, or made of its texts, or plain ones."""
    own = texts(game.name, language)
    said = Texts(ChainMap(own, dict(house(language))), language)
    module = part(game, "words")
    if module is not None:
        found: Words = module.GameWords(game, said)
        return found
    return (TextWords if own else PlainWords)(game, said)


def material(game: Game) -> Plain | None:
    """Return the printed material of *game* as plain data, None if it has none."""
    module = part(game, "catalogue")
    if module is None:
        return None
    found: Plain = module.material()
    return found


def network(game: Game) -> tuple[Network, Encode] | None:
    """Return the network of the decisions of *game* and the function that writes what it observes, if it has
    one."""
    entry = registry().get(game.name)
    return _trained(entry, game, NETWORK, Network) if entry is not None else None


def beliefs(game: Game) -> tuple[Beliefs, Encode] | None:
    """Return the network of beliefs of *game* and the same function, if it has one."""
    entry = registry().get(game.name)
    return _trained(entry, game, BELIEFS, Beliefs) if entry is not None else None


def _trained(
    entry: Entry, found: Game, name: str, kind: Callable[[bytes, Layout, list[str]], Kind]
) -> tuple[Kind, Encode] | None:
    file = files(entry.package) / name
    if not file.is_file():
        return None
    module = _module(entry, "encoding")
    if module is None:
        raise BadNetwork(f"{name}: the game has no encoding.py")
    try:
        return kind(file.read_bytes(), module.LAYOUT, found.actions.names), module.encode
    except BadNetwork as error:
        raise BadNetwork(f"{name}: {error}") from None


def rules_text(name: str, language: str = "en") -> str:
    """Return the rules of the game called *name* for people, as Markdown; empty if it has none."""
    folder = files(_entry(name).package)
    for file in (f"rules.{language}.md", "rules.md"):
        if folder.joinpath(file).is_file():
            return folder.joinpath(file).read_text(encoding="utf-8")
    return ""


def languages(name: str) -> list[str]:
    """Return the languages of the texts that the game called *name* brings."""
    return _languages(_entry(name))


def _languages(entry: Entry) -> list[str]:
    folder = files(entry.package).joinpath("texts")
    if not folder.is_dir():
        return []
    return sorted(file.name.removesuffix(".json") for file in folder.iterdir() if file.name.endswith(".json"))


def texts(name: str, language: str) -> dict[str, str]:
    """Return the texts of the game called *name* by key, in English if it has none in *language*."""
    entry = _entry(name)
    known = _languages(entry)
    return _texts(entry, language if language in known else "en") if known else {}


def _texts(entry: Entry, language: str) -> dict[str, str]:
    """Return the texts of a game in *language*; ValueError if the file is not valid."""
    file = files(entry.package) / "texts" / f"{language}.json"
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{file.name}: {error}") from None
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise ValueError(f"{file.name}: expected one object with a string for every key")
    return found


def protocol(game: Game) -> Protocol | None:
    """Return the published protocol of *game*, None if it has only the house protocol."""
    found = game.protocol
    assert found is None or isinstance(found, Protocol), game.name
    return found


def protocol_of(name: str) -> Protocol | None:
    """Return the published protocol of the game called *name*."""
    return protocol(game(name))


def has_lobby(name: str) -> bool:
    """Return True if the protocol of the game called *name* begins in a lobby."""
    found = protocol_of(name)
    return found is not None and found.has_lobby


def conversation(table: TableInfo, watching: bool = False) -> Conversation:
    """Return a new conversation at *table* in the published protocol of its game, which has one."""
    found = protocol(table.game)
    assert found is not None, table.game.name
    return found.watch(table) if watching else found.conversation(table)


def commands() -> dict[str, Sequence[str]]:
    """Return the subcommands of all games: module, function and one line of help."""
    return {name: command for one in names() for name, command in game(one).commands.items()}


def routes(name: str) -> Callable[..., list[object]] | None:
    """Return the function that creates the HTTP routes of the game called *name*, if it has any."""
    module = game(name).http
    return cast("Callable[..., list[object]]", import_module(module).routes) if module else None
