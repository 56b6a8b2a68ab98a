"""Every refusal of the tables and of the built-in games has words, in every language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from croupier.core.refusal import HOUSE, bad_templates, key_of, placeholders, untranslated
from croupier.games import BUILT_IN, game, texts
from croupier.texts import catalogue
from croupier.wire.talk import CLOSINGS
from tests.page_tables import ROOT

SOURCE = ROOT / "src/croupier"
LANGUAGES = ["de", "fr", "sl", "cs"]


def calls(folder: Path, names: set[str]) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of *names* whose first argument is a constant."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=called, args=[ast.Constant(reason), *_]) if ast.unparse(called) in names:
                    yield str(reason), node


def given(call: ast.Call, at: int) -> set[str]:
    """Return the names of the arguments in a dictionary that is argument *at* of *call*."""
    if len(call.args) <= at:
        return set()
    mapping = call.args[at]
    assert isinstance(mapping, ast.Dict | ast.Name), ast.unparse(call)
    return {ast.literal_eval(key) for key in mapping.keys if key} if isinstance(mapping, ast.Dict) else {"*"}


def misfits(found: Iterator[tuple[str, ast.Call]], templates: Mapping[str, str], at: int) -> list[str]:
    """Return the calls whose reason has no words, or whose words lack an argument."""
    wrong = []
    for reason, call in found:
        arguments = given(call, at)
        if reason not in templates or not (placeholders(templates[reason]) <= arguments or "*" in arguments):
            wrong.append(ast.unparse(call))
    return wrong


def test_every_refusal_of_the_server_is_in_the_table() -> None:
    found = list(calls(SOURCE, {"house_refusal"}))
    assert len(found) > 30
    assert misfits(iter(found), HOUSE, 1) == []
    assert list(bad_templates(HOUSE)) == []


def test_every_refusal_in_the_table_is_used() -> None:
    code = "".join(
        path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py") if path.stem != "refusal"
    )
    assert [reason for reason in HOUSE if f'"{reason}"' not in code] == []


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_refusal_of_a_game_has_words_and_is_used(name: str) -> None:
    own = game(name).refusals
    folder = SOURCE / "games" / name
    found = list(calls(folder, {"REFUSALS.of"}))
    assert len(found) > 6
    assert misfits(iter(found), {**HOUSE, **own}, 2) == []
    assert list(bad_templates(own)) == []
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert [reason for reason in own if code.count(f'"{reason}"') < 2] == []


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_refusals_of_a_game_are_translated(name: str, language: str) -> None:
    assert list(untranslated(game(name).refusals, texts(name, language))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_refusals_and_closings_of_the_server_are_translated(language: str) -> None:
    found = catalogue("refusals", language)
    known = {*HOUSE, *CLOSINGS.values()}
    assert [one for one in known if one not in found and key_of(one) not in found] == []
    assert [one for one in found if one not in known and one not in {key_of(key) for key in HOUSE}] == []
    assert [one for one, text in found.items() if {*re.findall(r"{(\w+)", text)} - {"words"}] == []
