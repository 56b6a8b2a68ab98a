"""The table for the tests of the pages is up to date, and every game has rules for players."""

from __future__ import annotations

import pytest

from croupier.games import UnknownGame, names, rules_text
from tests.page_tables import FILE, farewells, refusals, refusals_of, written

LANGUAGES = ["de", "fr", "sl", "cs"]


def test_the_table_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == written(), "run: python -m tests.page_tables"


def test_the_keys_are_found() -> None:
    found = refusals()
    assert {"stale", "too_late", "too_soon", "reserved"} <= found
    assert {"flood", "bad_message", "already_joined", "name_taken"} <= found
    assert {"match_over", "deserted"} < farewells()


@pytest.mark.parametrize("name", names())
def test_the_keys_of_a_game_are_found(name: str) -> None:
    assert {"match_over", "not_your_turn"} < refusals_of(name)


@pytest.mark.parametrize("name", names())
def test_a_game_has_rules_for_players(name: str) -> None:
    text = rules_text(name)
    assert text.count("\n## ") >= 3
    for language in LANGUAGES:
        assert rules_text(name, language) != text


def test_an_unknown_game_has_no_rules() -> None:
    with pytest.raises(UnknownGame, match=f"unknown, expected one of {names()[0]}, "):
        rules_text("whist")
