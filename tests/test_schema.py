"""The published schema: up to date, and true of what is sent in a match of every game."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from croupier.games import names
from croupier.net.schema import game_definitions, schema
from croupier.wire.house_parsing import KINDS
from tests import page_types
from tests.sample_game import GAME as COINS
from tests.traffic import Frame, Traffic


def test_the_generated_files_are_up_to_date() -> None:
    found = page_types.written()
    old = [path.name for path, text in found.items() if path.read_text(encoding="utf-8") != text]
    assert not old, "run: python -m tests.page_types"


def validator(name: str) -> Any:
    return jsonschema.Draft202012Validator({**schema(), "$ref": f"#/$defs/{name}"})


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_all_messages_of_a_match_are_as_published(name: str) -> None:
    traffic = Traffic(name)
    client, server = validator("ClientMessage"), validator("ServerMessage")
    event, view = validator(f"{name}.Event"), validator(f"{name}.View")
    for frame in traffic.sent:
        client.validate(frame)
    for frame in traffic.received:
        server.validate(frame)
        if "event" in frame:
            event.validate(frame["event"])
        if "view" in frame:
            view.validate(frame["view"])
    kinds = {frame["type"] for frame in traffic.received}
    assert kinds >= {"table", "view", "event", "ask", "turn", "refused"}
    assert traffic.received[-1] == {"type": "closed", "reason": "the match is over", "key": "match_over"}


@pytest.mark.parametrize(
    "frame",
    [{"type": "act"}, {"type": "fly"}, {"type": "act", "turn": -1}, {"type": "say", "text": "x" * 501}],
)
def test_what_the_server_refuses_is_not_as_published(frame: Frame) -> None:
    with pytest.raises(jsonschema.ValidationError):
        validator("ClientMessage").validate(frame)


def test_every_type_is_described_and_members_have_their_docstrings() -> None:
    found: Any = schema()["$defs"]
    members = [one["properties"] for one in found.values() if "properties" in one]
    assert set(KINDS) <= {one["type"]["enum"][0] for one in members if "enum" in one.get("type", {})}
    assert found["Table"]["properties"]["fixed_deal"]["description"].startswith("A seed, cards or a position")
    assert not [name for name, one in found.items() if not {"anyOf", "allOf", "description"} & set(one)]


def test_a_game_without_declared_types_has_events_and_views_of_any_content() -> None:
    event, view = game_definitions(COINS).values()
    assert (event, view) == ({"type": "object"}, {"$ref": "#/$defs/Known"})
