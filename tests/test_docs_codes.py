"""The documents of protocols name every command, message and code that the code has, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.games.sagrada import orders
from croupier.net.limits import Crowd
from croupier.net.web import make_app
from croupier.store.memory import MemoryStore
from croupier.table.hall import Hall
from croupier.wire import house
from tests.docs_tables import DOCS, ROOT

SOURCE = ROOT / "src" / "croupier"


def page(name: str) -> str:
    return (DOCS / name).read_text()


def words(text: str) -> set[str]:
    """Return the words that stand alone, or first, in code."""
    return {found for span in re.findall(r"`([^`\n]+)`", text) for found in re.findall(r"[\w.-]+", span)}


def calls(path: Path, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in names:
                yield node


def texts(node: ast.Call, at: int) -> set[str]:
    """Return the constants that argument *at* may be."""
    if at >= len(node.args):
        return set()
    values = [one.value for one in ast.walk(node.args[at]) if isinstance(one, ast.Constant)]
    return {value for value in values if isinstance(value, str) and re.fullmatch(r"[a-z]+(_[a-z]+)*", value)}


def test_coinche_has_these_codes() -> None:
    found: set[str] = {"322", "323", "324", "441", "451"}  # put together from numbers
    for path in (SOURCE / "games" / "coinche").glob("*.py"):
        found |= set(re.findall(r'"([1-5]\d\d) ', path.read_text()))
    tables = "\n".join(line for line in page("protocol-coinche.md").splitlines() if line.startswith("|"))
    described = set(re.findall(r"(?<![\d…-])([1-5]\d\d)(?!\d|…)", tables)) - {"160"}
    assert described == found


def test_rooms_have_these_errors() -> None:
    found: set[str] = set()
    wire = SOURCE / "wire"
    games = SOURCE / "games"
    for path in (
        *(wire / f"{name}.py" for name in ("rooms", "lobby", "lobby_talk", "messages", "users")),
        games / "tarock" / "wire.py",
        games / "taroky" / "wire.py",
        games / "taroky" / "loading.py",
    ):
        for node in calls(path, {"Fault"}):
            found |= texts(node, 0)
    rules = {"invalid_contract", "must_bid", "invalid_suit", "invalid_bonus", "invalid_kontra", "replaced"}
    missing = (found | rules) - words(page("protocol-rooms.md"))
    assert not missing


def test_the_glass_workshop_has_these_commands_and_answers() -> None:
    text = words(page("protocol-sagrada.md"))
    answers = {orders.OK, orders.BAD, orders.INVALID_DICE, orders.CONSTRAINS, orders.CONSTRAINTS}
    answers |= {orders.OCCUPIED, orders.NOT_VALID_CHOICE, *orders.OUT_OF_GAME.values(), "not_enough_token"}
    verbs: set[str] = set()
    for name in ("announcing", "wire", "entrance"):
        for node in calls(SOURCE / "games" / "sagrada" / f"{name}.py", {"line", "dice_line", "_line"}):
            verbs |= texts(node, 0)
    missing = (answers | verbs | set(orders.READERS)) - text
    assert not missing


def test_the_house_protocol_has_these_messages_and_refusals() -> None:
    text = page("house-protocol.md")
    keys: set[str] = set()
    for node in calls(SOURCE / "wire" / "house.py", {"_refuse", "JoinRefused"}):
        keys |= texts(node, 0) | texts(node, 1)
    for node in calls(SOURCE / "table" / "table.py", {"Refused"}):
        keys |= texts(node, 1)
    kinds = set(re.findall(r'"type": "(\w+)"', (SOURCE / "wire" / "house.py").read_text()))
    assert not (keys | kinds | set(house.READERS)) - words(text)


def test_the_trend_protocol_has_these_events() -> None:
    found: set[str] = set()
    path = SOURCE / "games" / "hearts" / "wire.py"
    for node in calls(path, {"_frame", "_envelope"}):
        found |= texts(node, 0)
    for node in calls(path.parent / "joining.py", {"JoinRefused"}):
        found |= texts(node, 0)
    assert not found - words(page("protocol-hearts.md"))


@pytest.mark.asyncio
async def test_the_http_api_has_these_addresses() -> None:
    app = make_app(Hall(MemoryStore()), "serve", Crowd(1))
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
