"""TypeScript types of the messages, and the schema file: `python -m tests.page_types` writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from croupier.games import BUILT_IN
from croupier.net.schema import schema

ROOT: Final = Path(__file__).parents[1]
SCHEMA: Final = ROOT / "src/croupier/schema.json"
WEB: Final = ROOT / "web/src"
WIDTH: Final = 118
HEAD: Final = "/** {}, generated from the Python types: `python -m tests.page_types`. */\n"
SIMPLE: Final = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
}

Definition = dict[str, Any]


def written() -> dict[Path, str]:
    """Return the expected content of every generated file."""
    whole = schema(BUILT_IN)
    found: dict[str, Definition] = whole["$defs"]  # type: ignore[assignment]  # plain data
    files = {SCHEMA: json.dumps(whole, indent=1, ensure_ascii=False) + "\n"}
    house = {name: one for name, one in found.items() if "." not in name}
    files[WEB / "net/messages.ts"] = HEAD.format("The messages of the server and the HTTP API") + "".join(
        _types(house)
    )
    for game in BUILT_IN:
        own = {
            name.partition(".")[2]: one
            for name, one in found.items()
            if name.startswith(f"{game}.") and name != f"{game}.View"
        }
        head = HEAD.format("The events of this game and the facts of its views")
        files[WEB / f"games/{game}.types.ts"] = head + "".join(_types(own))
    files[WEB / "texts/keys.ts"] = HEAD.format("The keys of the texts of the built-in games") + _keys()
    return files


def _keys() -> str:
    imports = "".join(
        f'import type {game} from "../../../src/croupier/games/{game}/texts/en.json";\n' for game in BUILT_IN
    )
    keys = "".join(f"\n  | `{game}.${{keyof typeof {game}}}`" for game in BUILT_IN)
    return f"\n{imports}\nexport type GameKey ={keys};\n"


def _types(found: dict[str, Definition]) -> Iterator[str]:
    for name, one in sorted(found.items()):
        yield "\n" + _doc(one.get("description"), "")
        if one.get("type") == "object" and "properties" in one:
            yield f"export interface {name} {{\n{''.join(_members(one))}}}\n"
        else:
            yield _alias(name, _type(one))


def _alias(name: str, type_: str) -> str:
    line = f"export type {name} = {type_};\n"
    return (
        line if len(line) <= WIDTH else f"export type {name} =\n  | " + type_.replace(" | ", "\n  | ") + ";\n"
    )


def _members(one: Definition) -> Iterator[str]:
    for name, member in one["properties"].items():
        mark = "" if name in one.get("required", ()) else "?"
        yield _doc(member.get("description"), "  ") + f"  {name}{mark}: {_type(member)};\n"


def _doc(words: str | None, indent: str) -> str:
    if not words:
        return ""
    words = re.sub(r"\bNone\b", "null", " ".join(words.split())).replace("``", "`")
    return f"{indent}/** {words} */\n"


def _type(one: Definition) -> str:
    if "$ref" in one:
        return str(one["$ref"]).rpartition("/")[2].rpartition(".")[2]
    if "enum" in one:
        return " | ".join(json.dumps(value) for value in one["enum"])
    if "anyOf" in one:
        return " | ".join(dict.fromkeys(_type(part) for part in one["anyOf"]))
    if "allOf" in one:
        return " & ".join(_type(part) for part in one["allOf"])
    kind = one.get("type")
    if kind == "array":
        return _array(one)
    if kind == "object":
        inner = one.get("additionalProperties")
        return f"Record<string, {_type(inner) if isinstance(inner, dict) else 'unknown'}>"
    return SIMPLE.get(str(kind), "unknown")


def _array(one: Definition) -> str:
    if "prefixItems" in one:
        return f"[{', '.join(_type(part) for part in one['prefixItems'])}]"
    item = _type(one["items"]) if one.get("items") else "unknown"
    return f"({item})[]" if " " in item and not item.startswith("Record<") else f"{item}[]"


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
