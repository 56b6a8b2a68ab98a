"""The documents of protocols list exactly the commands, messages and codes of the implementation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from croupier.core.refusal import HOUSE, key_of
from croupier.games.sagrada import orders
from croupier.net.web import make_app
from croupier.wire.house_messages import ServerMessage
from croupier.wire.house_parsing import KINDS
from tests.docs_tables import DOCS, ROOT
from tests.net.rig import kept_rig

SOURCE = ROOT / "src" / "croupier"


def page(name: str) -> str:
    return (DOCS / name).read_text()


def words(text: str) -> set[str]:
    """Return the first word of every code span."""
    return {found for span in re.findall(r"`([^`\n]+)`", text) for found in re.findall(r"[\w.-]+", span)}


def calls(path: Path, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in names:
                yield node


def texts(node: ast.Call, at: int) -> set[str]:
    """Return the possible constant values of argument *at*."""
    if at >= len(node.args):
        return set()
    values = [one.value for one in ast.walk(node.args[at]) if isinstance(one, ast.Constant)]
    return {value for value in values if isinstance(value, str) and re.fullmatch(r"[a-z]+(_[a-z]+)*", value)}


def test_the_errors_of_rooms_are_documented() -> None:
    found: set[str] = set()
    wire = SOURCE / "wire"
    games = SOURCE / "games"
    for path in (
        *(wire / "opentarock").glob("*.py"),
        games / "tarock" / "wire.py",
        games / "taroky" / "wire.py",
        games / "taroky" / "parsing.py",
        games / "taroky" / "loading.py",
    ):
        for node in calls(path, {"Refusal", "DetailedRefusal"}):
            found |= texts(node, 0)
    rules = {"invalid_contract", "must_bid", "invalid_suit", "invalid_bonus", "invalid_kontra", "replaced"}
    missing = (found | rules) - words(page("protocol-rooms.md"))
    assert not missing


def test_the_commands_and_answers_of_the_glass_workshop_are_documented() -> None:
    text = words(page("protocol-sagrada.md"))
    answers = {orders.OK, orders.BAD, orders.INVALID_DICE, orders.CONSTRAINS, orders.CONSTRAINTS}
    answers |= {orders.OCCUPIED, orders.NOT_VALID_CHOICE, *orders.OUT_OF_GAME.values(), "not_enough_token"}
    verbs: set[str] = set()
    for name in ("messages", "wire", "help"):
        for node in calls(SOURCE / "games" / "sagrada" / f"{name}.py", {"line", "dice_line", "_line"}):
            verbs |= texts(node, 0)
    missing = (answers | verbs | set(orders.READERS)) - text
    assert not missing


def test_the_messages_and_refusals_of_the_house_protocol_are_documented() -> None:
    text = page("house-protocol.md")
    keys = {key_of(reason) for reason in HOUSE}
    kinds = {one.__struct_config__.tag for one in get_args(ServerMessage)}
    assert not (keys | kinds | set(KINDS)) - words(text)


def test_the_events_of_the_trend_protocol_are_documented() -> None:
    found: set[str] = set()
    path = SOURCE / "games" / "hearts" / "wire.py"
    for node in calls(path, {"_frame", "_envelope"}):
        found |= texts(node, 0)
    for node in calls(path.parent / "joining.py", {"Refusal"}):
        found |= texts(node, 0)
    assert not found - words(page("protocol-hearts.md"))


@pytest.mark.asyncio
async def test_the_addresses_of_the_http_api_are_documented() -> None:
    async with kept_rig() as server:
        app = make_app(server.house)
    found = set()
    for route in app.router.routes():
        path = route.resource.canonical if route.resource is not None else ""
        if path.startswith(("/api/", "/healthz", "/metrics")) and route.method in (
            "GET",
            "POST",
            "PUT",
            "DELETE",
        ):
            found.add(re.sub(r"\{(\w+)\}", r"<\1>", path))
    described = set(
        re.findall(
            r"`(?:(?:GET|POST|PUT|DELETE) )?(/(?:api/|healthz|metrics)[^`? ]*)", page("house-protocol.md")
        )
    )
    assert described == found
