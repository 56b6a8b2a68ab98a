"""The JSON Schema of the house protocol, the HTTP API, and the events and views of every game.

It is derived from the declared types: GET /api/schema has it for the games of the server, and the file
schema.json in the package for the built-in ones. Descriptions are the docstrings of types and members.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, Final

import msgspec

import croupier
from croupier.core.contract import Game, Plain
from croupier.games import game, names
from croupier.moderation.rows import ORDERS, Overview
from croupier.wire import api_messages
from croupier.wire import house_messages as messages

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
PARTS: Final = (*messages.PARTS, *api_messages.PARTS, Overview, *ORDERS)
"""The types that are not messages: parts of messages, and bodies of the HTTP API."""
WORDS: Final = (
    "ClientMessage is a frame of a client, ServerMessage one of a server. The members event and view of a "
    "server's message are <game>.Event and <game>.View of the table's game."
)


def schema(games: Iterable[str] = ()) -> Plain:
    """Return the schema with the types of *games*, by default all games."""
    found = definitions("", [*messages.CLIENT_MESSAGES, *messages.SERVER_MESSAGES, *PARTS])
    found["ClientMessage"] = _any_of("", messages.CLIENT_MESSAGES)
    found["ServerMessage"] = _any_of("", messages.SERVER_MESSAGES)
    found["LobbyMessage"] = _any_of("", messages.LOBBY_MESSAGES)
    found["Order"] = _any_of("", ORDERS)
    for name in games or names():
        found |= game_definitions(game(name))
    return {
        "$schema": DIALECT,
        "title": f"Croupier {croupier.__version__}",
        "description": WORDS,
        "$defs": found,
    }


def game_definitions(game: Game) -> dict[str, Any]:
    """Return the types of the events and views of *game*; any object if it declares none."""
    prefix = f"{game.name}."
    if not game.event_types:
        return {f"{prefix}Event": {"type": "object"}, f"{prefix}View": {"$ref": "#/$defs/Known"}}
    found = definitions(prefix, [*game.event_types, game.view_type, *game.body_types])
    found[f"{prefix}Event"] = _any_of(prefix, game.event_types)
    facts = {"$ref": f"#/$defs/{prefix}{game.view_type.__name__}"}
    found[f"{prefix}View"] = {"allOf": [{"$ref": "#/$defs/Known"}, facts]}
    return found


def _any_of(prefix: str, types: Iterable[type]) -> dict[str, Any]:
    return {"anyOf": [{"$ref": f"#/$defs/{prefix}{one.__name__}"} for one in types]}


def definitions(prefix: str, types: Iterable[type]) -> dict[str, Any]:
    """Return the schemas of *types* and of what they contain, by name."""
    listed = list(types)
    _, found = msgspec.json.schema_components(listed, ref_template=f"#/$defs/{prefix}{{name}}")
    modules = {one.__module__: None for one in listed}
    for name, definition in found.items():
        declared = next(getattr(sys.modules[one], name) for one in modules if hasattr(sys.modules[one], name))
        if issubclass(declared, msgspec.Struct):
            _complete(definition, declared)
    return {f"{prefix}{name}": definition for name, definition in found.items()}


def _complete(definition: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    """Add the descriptions of members, and which of them are always present."""
    documented = member_docs(struct)
    always = set(definition.get("required", ()))
    for field in msgspec.structs.fields(struct):
        member = definition.get("properties", {}).get(field.encode_name)
        if member is None:  # of a list
            continue
        if field.name in documented:
            member["description"] = documented[field.name]
        if not struct.__struct_config__.omit_defaults and field.default is not msgspec.UNSET:
            always.add(field.encode_name)
    if "properties" in definition:
        definition["required"] = [name for name in definition["properties"] if name in always]


@cache
def member_docs(struct: type[msgspec.Struct]) -> dict[str, str]:
    """Return the docstrings of the members of *struct* by name."""
    found: dict[str, str] = {}
    for one in reversed(struct.__mro__):
        if one not in (object, msgspec.Struct) and issubclass(one, msgspec.Struct):
            found |= dict(_documented(one))
    return found


def _documented(struct: type) -> Iterator[tuple[str, str]]:
    module = ast.parse(inspect.getsource(sys.modules[struct.__module__]))
    (body,) = [
        one.body for one in module.body if isinstance(one, ast.ClassDef) and one.name == struct.__name__
    ]
    for member, doc in pairwise(body):
        match member, doc:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                yield name, " ".join(words.split())
