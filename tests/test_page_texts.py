"""What the server says in English has its words in the other languages of the pages, key by key."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from croupier.core.contract import Plain
from croupier.games import UnknownGame, game, names, rules_text
from croupier.games.coinche import auction, legality
from croupier.games.coinche import refusals as of_coinche
from croupier.games.hearts import refusals as of_hearts
from croupier.games.sagrada import refusals as of_sagrada
from croupier.games.sagrada import tools
from croupier.games.tarock import refusals as of_tarock
from croupier.games.taroky import reader, settings
from croupier.games.taroky import refusals as of_taroky
from croupier.net.server import GOODBYE
from croupier.table import hall, match, table
from croupier.wire import house

SOURCES = Path(__file__).parents[1] / "src"
TEXTS = Path(__file__).parents[1] / "web/src/texts"
LOBBY = TEXTS.parent / "lobby"
LANGUAGES = ["de", "fr", "sl", "cs"]
RULES = [of_hearts, of_tarock, of_coinche, auction, of_taroky, of_sagrada]
SAID = re.compile(r'(?:IllegalAction|Refused|_refuse)\((?:[\w.]+(?:\([\w.]*\))?, )?\s*"([a-z_]+)"')


def keys_in(file: Path) -> set[str]:
    """Return the keys of a catalogue."""
    return set(re.findall(r'^  "?([\w.-]+)"?:', file.read_text(encoding="utf-8"), re.MULTILINE))


def source(module: ModuleType) -> str:
    """Return the source of *module*, also where what runs is compiled."""
    return (SOURCES / Path(*module.__name__.split("."))).with_suffix(".py").read_text(encoding="utf-8")


def refusals(module: ModuleType) -> set[str]:
    return set(SAID.findall(source(module)))


def refusals_of_rules() -> set[str]:
    """Return the key of every refusal that the rules have."""
    found = set[str]().union(*(refusals(module) for module in RULES))
    found |= set(re.findall(r'"((?:must|no)_[a-z_]+)"', source(legality)))
    found |= set(re.findall(r'return "([a-z_]+)",? ', source(of_sagrada)))
    found |= set(
        re.findall(r'return "([a-z_]+)"', source(tools).partition("def objection(")[2].partition("\ndef ")[0])
    )
    return found | {key for key, _ in of_sagrada.PLACEMENT.values()} | set(of_sagrada.CONDITIONS)


def options(name: str) -> list[Plain]:
    """Return the options of the game called *name* and of its tables."""
    return [*game(name).options.plain(), *game(name).table_options.plain()]


def test_the_keys_are_found() -> None:
    rules = refusals_of_rules()
    assert {
        "hearts_not_broken",
        "must_overtrump",
        "too_low",
        "emperor",
        "suit_first",
        "equal_neighbour",
    } <= rules
    assert {"wrong_turn", "must_place", "empty_cell", "nothing_to_cancel", "not_offered"} <= rules
    assert {"stale", "too_late", "reserved"} <= refusals(table)
    assert {"flood", "bad_message", "already_joined", "name_taken"} <= refusals(house)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_words(language: str) -> None:
    wanted = refusals_of_rules() | refusals(table) | refusals(house)
    assert wanted - keys_in(TEXTS / f"{language}.refusals.ts") == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_of_a_notation_has_words(language: str) -> None:
    text = source(reader) + source(settings)
    wanted = set(re.findall(r'fail\([^"]*(?:"[a-z_]+", )?"([a-z_]+)", (?!error)', text))
    wanted |= set(re.findall(r'BadSetting\("([a-z_]+)"', text))
    assert {"illegal_play", "too_few_fields", "wrong_winner"} <= wanted
    assert wanted - keys_in(TEXTS / f"{language}.faults.ts") == set()


def test_farewells_are_those_of_the_server() -> None:
    known = re.findall(r'^  "([^"]+)": "', (TEXTS.parent / "table/refusals.ts").read_text(), re.MULTILINE)
    said = re.findall(r'close(?:_table)?\((?:id, )?"([^"]+)"', source(hall) + source(match))
    assert sorted(known) == sorted([GOODBYE, *said])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", names())
def test_every_option_has_a_title_and_a_hint_or_needs_none(name: str, language: str) -> None:
    plain = re.search(rf"^  {name}:\n((?:    .*\n)+)", (LOBBY / "hints.ts").read_text(), re.MULTILINE)
    assert plain is not None
    needless = {f"{name}.{word}" for word in re.findall(r"\w+", plain[1])}
    wanted = {f"{name}.{option['name']}" for option in options(name)}
    hints = {key for key in keys_in(TEXTS / f"{language}.hints.ts") if key.startswith(f"{name}.")}
    assert hints | needless == wanted
    titles = keys_in(TEXTS / f"{language}.{name}.ts")
    assert {f"{name}.option.{option['name']}" for option in options(name)} - titles == set()


@pytest.mark.parametrize("name", names())
def test_every_choice_has_a_name(name: str) -> None:
    """A number is its own name, and a list is typed in the words of the server."""
    titles = keys_in(TEXTS / f"en.{name}.ts")
    for option in options(name):
        choices = option["choices"]
        assert isinstance(choices, list)
        if option["kind"] == "choice":
            assert {f"{name}.choice.{choice}" for choice in choices} - titles == set(), option["name"]


@pytest.mark.parametrize("name", names())
def test_a_game_brings_its_rules_for_people(name: str) -> None:
    text = rules_text(name)
    assert text.count("\n## ") >= 3
    for language in LANGUAGES:
        assert (TEXTS.parent / "rules" / f"{language}.{name}.md").is_file()


def test_a_game_that_is_not_here_has_no_rules() -> None:
    with pytest.raises(UnknownGame, match="unknown, expected one of hearts, "):
        rules_text("whist")
