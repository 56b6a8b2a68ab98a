"""The matches with which the pages are tested are those that the rules play, in the declared types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from croupier.games import game
from croupier.wire.house_messages import Known
from tests.page_fixtures import FOLDER, RECORDED, path, written


def objects(data: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in *data*, outer ones first."""
    if isinstance(data, dict):
        yield data
    for item in data.values() if isinstance(data, dict) else data if isinstance(data, list) else []:
        yield from objects(item)


def members(declared: type[msgspec.Struct]) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(declared)}


def test_every_match_is_written_by_its_game() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} == {*RECORDED, "server"}


@pytest.mark.parametrize("name", RECORDED)
def test_a_match_is_up_to_date(name: str) -> None:
    assert path(name).read_text(encoding="utf-8") == written(name), "run: python -m tests.page_fixtures"


@pytest.mark.parametrize("name", RECORDED)
def test_events_and_views_have_the_declared_types(name: str) -> None:
    found = json.loads(path(name).read_text(encoding="utf-8"))
    declared = game(name)
    events = [of for of in declared.event_types if issubclass(of, msgspec.Struct)]
    views = [one for one in objects(found) if {"phase", "options", "legal"} <= set(one)]
    assert views
    for event in [event for one in objects(found) for event in one.get("events", [])]:
        (kind,) = (of for of in events if of.__struct_config__.tag == event["kind"])
        msgspec.convert(event, kind)
        assert set(event) == members(kind) | {"kind"}
    for view in views:
        msgspec.convert(view, declared.view_type)
        assert set(view) - members(Known) == members(declared.view_type)
