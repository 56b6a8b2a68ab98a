"""The table for the tests of the pages is up to date, and every game has rules for players."""

from __future__ import annotations

import json
import re

import msgspec
import pytest

from croupier.core.words import LABELLED, SEAT_FIELDS
from croupier.games import UnknownGame, game, names, rules_text, texts
from tests.page_tables import FILE, ROOT, written

LANGUAGES = ["de", "fr", "sl", "cs"]


def test_the_table_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == written(), "run: python -m tests.page_tables"


@pytest.mark.parametrize("name", names())
def test_a_game_has_rules_for_players(name: str) -> None:
    text = rules_text(name)
    assert text.count("\n## ") >= 3
    for language in LANGUAGES:
        assert rules_text(name, language) != text


@pytest.mark.parametrize("name", names())
def test_every_text_of_an_event_is_found_by_its_kind_and_a_field(name: str) -> None:
    info = [msgspec.inspect.type_info(declared) for declared in game(name).event_types]
    fields = {
        str(one.tag): {field.name for field in one.fields}
        for one in info
        if isinstance(one, msgspec.inspect.StructType)
    }
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "web/src/games").glob(f"{name}*.ts*"))
    adding = "".join(re.findall(r"^function (?:adds|follows)\(.*?^}", code, re.DOTALL | re.MULTILINE))
    added = set(re.findall(r"(\w+)(?=[:,]| \})", adding)) | set(re.findall(r'kind: "(\w+)"', adding))
    keys = [key.removesuffix(".you").split(".") for key in texts(name, "en") if key.startswith("log.")]
    assert keys
    for _, kind, *variant in keys:
        assert kind in fields or kind in added, kind
        assert not variant or variant[0] in fields.get(kind, set()) | added, (kind, *variant)


def test_pages_and_terminal_know_the_same_fields_as_seats() -> None:
    code = (ROOT / "web/src/games/told.ts").read_text(encoding="utf-8")
    for name, fields in (("SEATS", SEAT_FIELDS), ("LABELLED", LABELLED)):
        listed = re.search(rf"const {name} = (\[[^]]*\])", code)
        assert listed is not None
        assert tuple(json.loads(listed[1])) == fields


def test_an_unknown_game_has_no_rules() -> None:
    with pytest.raises(UnknownGame, match=f"unknown, expected one of {names()[0]}, "):
        rules_text("whist")
