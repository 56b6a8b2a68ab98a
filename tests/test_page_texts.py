"""The table for the tests of the pages is up to date, and every game has rules for players."""

from __future__ import annotations

import pytest

from croupier.games import UnknownGame, names, rules_text
from tests.page_tables import FILE, ROOT, farewells, refusals, written

LANGUAGES = ["de", "fr", "sl", "cs"]


def test_the_table_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == written(), "run: python -m tests.page_tables"


def test_the_keys_are_found() -> None:
    found = refusals()
    assert {"hearts_not_broken", "must_overtrump", "too_low", "emperor", "suit_first"} <= found
    assert {"wrong_turn", "must_place", "empty_cell", "nothing_to_cancel", "not_offered"} <= found
    assert {"equal_neighbour", "stale", "too_late", "too_soon", "reserved"} <= found
    assert {"flood", "bad_message", "already_joined", "name_taken"} <= found
    assert {"match_over", "deserted"} < farewells()


@pytest.mark.parametrize("name", names())
def test_a_game_has_rules_for_players(name: str) -> None:
    text = rules_text(name)
    assert text.count("\n## ") >= 3
    for language in LANGUAGES:
        assert (ROOT / "web/src/rules" / f"{language}.{name}.md").is_file()


def test_an_unknown_game_has_no_rules() -> None:
    with pytest.raises(UnknownGame, match="unknown, expected one of hearts, "):
        rules_text("whist")
