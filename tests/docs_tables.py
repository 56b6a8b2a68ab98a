"""Tables of the documents that are generated from the code: `python -m tests.docs_tables` updates them.

A document contains the place of a table, and its content is replaced:

    <!-- table: options of serve -->
    …
    <!-- end of table -->
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from croupier.cli.main import cli, commands
from croupier.core.contract import Game, Plain
from croupier.envs import layout
from croupier.games import game, names, rules_text
from croupier.games.coinche import messages as coinche_messages
from croupier.games.coinche import replies
from croupier.games.sagrada import catalogue
from croupier.games.sagrada.material import (
    COLOUR_WORDS,
    PATTERNS,
    PRIVATE_COLOURS,
    PUBLIC_OBJECTIVES,
    TOOLS,
    Tool,
)
from croupier.games.tarock.wire import TarockConversation
from croupier.games.taroky.wire import TarokyConversation
from croupier.mcp.tools import DOING, READING, Tools
from croupier.net.schema import definitions
from croupier.wire import house_messages
from croupier.wire.opentarock import conversation, messages
from croupier.wire.opentarock.messages import Fields
from tests.traffic import Traffic

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
REGION: Final = re.compile(r"(?<=<!-- table: )([^\n]*?)( -->\n)(.*?)(?=<!-- end of table -->)", re.DOTALL)
SHOWN: Final = 4
"""How many items of a list, and members of a view, an example shows."""
EXAMPLES: Final = (
    house_messages.Join(name="ann", token="a secret", person=True, views="all", id=1),
    house_messages.Watch(words=True, id=2),
    house_messages.Act(turn=17, actions=["play QS"], id=3),
    house_messages.Start(id=4),
    house_messages.Fill(seat=2, id=12),
    house_messages.Arrange(seats=["person", "bot club", "bot club", "open"], id=5),
    house_messages.Say(text="Good luck!", id=6),
    house_messages.Report(seat=2, text="insults the others", id=12),
    house_messages.Leave(id=7),
    house_messages.Continue(id=8),
    house_messages.Undo(id=9),
    house_messages.Nonce(digest="27e0d1ea…", nonce="drawn-at-random", id=10),
    house_messages.Ping(id=11),
)
TYPES: Final[Mapping[object, str]] = {
    messages.text: "text",
    messages.texts: "list of texts",
    messages.flag: "true or false",
    messages.number: "number",
    messages.an_object: "object",
}


def filled(text: str) -> str:
    """Return a document with its tables as they should be."""
    return REGION.sub(lambda found: f"{found[1]}{found[2]}\n{table(found[1])}\n\n", text)


def table(name: str) -> str:
    """Return the table with this name."""
    match name.split():
        case ["commands"]:
            rows = [[_code(f"croupier {name}"), words] for name, (_, _, words) in commands().items()]
            return _rows(["command", "what it does"], rows)
        case ["options"]:
            return "\n\n".join(_command(path) for path in paths())
        case ["how", which, "is", "played"] if which in names():
            return rules_text(which).strip()
        case ["rules", "of", which] if which in names():
            return _options(game(which).options.plain())
        case ["clocks", "of", which] if which in names():
            return _options(game(which).table_options.plain())
        case ["refusals", "of", which] if which in names():
            return _rows(
                ["reason", "words"], [[_code(one), words] for one, words in game(which).refusals.items()]
            )
        case ["observations", "of", which] if which in names():
            return _layout(which)
        case ["lobby", "commands"]:
            return _messages("", conversation.LOBBY_COMMANDS)
        case ["commands", "of", "tarock"]:
            return _messages("game.tarock.", {**TarockConversation.COMMANDS, "state": {}})
        case ["commands", "of", "taroky"]:
            return _messages("game.taroky.", {**TarokyConversation.COMMANDS, "state": {}})
        case ["messages", "of", "a", "client"]:
            return "\n\n".join(_declared(one, client_example(one)) for one in house_messages.CLIENT_MESSAGES)
        case ["messages", "of", "the", "server"]:
            return "\n\n".join(_declared(one, server_example(one)) for one in house_messages.SERVER_MESSAGES)
        case ["parts", "of", "messages"]:
            parts = (house_messages.Place, house_messages.Known, house_messages.Words)
            return "\n\n".join(_declared(one) for one in parts)
        case ["events", "of", which] if which in names():
            return _events(game(which))
        case ["facts", "of", which] if which in names():
            return _members(schema_of(game(which).view_type))
        case ["tools", "of", "mcp"]:
            return _tools()
        case ["replies", "of", "coinche"]:
            return _replies()
        case ["notifications", "of", "coinche"]:
            return _rows(
                ["code", "what"], [[code, what] for code, what in coinche_messages.NOTIFICATIONS.items()]
            )
        case ["windows", "of", "sagrada"]:
            rows = [
                [str(one.number), str(one.tokens), *(_code(row) for row in catalogue.rows(one))]
                for one in PATTERNS
            ]
            return _rows(["`schema`", "tokens", "row 1", "row 2", "row 3", "row 4"], rows)
        case ["tools", "of", "sagrada"]:
            tools = [
                [str(one.number), _when(one), COLOUR_WORDS[one.solo_colour], one.effect] for one in TOOLS
            ]
            return _rows(["tool", "when", "alone it is paid with", "effect"], tools)
        case ["objectives", "of", "sagrada"]:
            public = [[f"`publicGoal` {one.number}", one.rule] for one in PUBLIC_OBJECTIVES]
            private = [
                [
                    f"`privateGoal` {number}",
                    f"Sum of the values of the {COLOUR_WORDS[colour]} dice in your window.",
                ]
                for number, colour in enumerate(PRIVATE_COLOURS, 1)
            ]
            return _rows(["objective", "points"], [*private, *public])
    raise LookupError(f"no such table: {name!r}")


def schema_of(declared: type) -> dict[str, Any]:
    """Return the schema of a declared type alone."""
    found: dict[str, Any] = definitions("", [declared])[declared.__name__]
    return found


def client_example(kind: type[msgspec.Struct]) -> object:
    """Return an example of a message of a client."""
    return next(one for one in EXAMPLES if isinstance(one, kind))


@cache
def traffic() -> Traffic:
    """Return the match from which the examples of the server's messages are taken."""
    return Traffic("hearts")


def server_example(kind: type[msgspec.Struct]) -> object:
    """Return the first message of this type in a match of Hearts."""
    if kind is house_messages.Reveal:
        return kind(1, "00" * 32)
    if kind is house_messages.Notice:
        return kind(540.0, "an update")
    return traffic().first(str(kind.__struct_config__.tag))


def _declared(kind: type[msgspec.Struct], example: object = None) -> str:
    one = schema_of(kind)
    tag = kind.__struct_config__.tag
    words = _plain_doc(one["description"])
    parts = [f"### `{tag or kind.__name__}`", words]
    if len(one["properties"]) > bool(tag):
        parts.append(_members(one))
    if example is not None:
        parts.append(f"```json\n{_short(example)}\n```")
    return "\n\n".join(parts)


def _events(which: Game) -> str:
    rows = []
    for kind in which.event_types:
        one = schema_of(kind)
        (tag, *members) = one["properties"].items()
        shown = [f"`{name}` ({_kind(member)})" for name, member in members]
        rows.append([_code(tag[1]["enum"][0]), ", ".join(shown), _plain_doc(one["description"])])
    return _rows(["kind", "members", "meaning"], rows)


def _members(one: dict[str, Any]) -> str:
    rows = []
    for name, member in one["properties"].items():
        if name != "type" or "enum" not in member:
            absent = "" if name in one["required"] else "?"
            rows.append([_code(name + absent), _kind(member), _plain_doc(member.get("description", ""))])
    return _rows(["member; those with ? may be absent", "type", "meaning"], rows)


def _kind(member: dict[str, Any]) -> str:
    """Return the type of a member in words."""
    if "$ref" in member:
        return _code(str(member["$ref"]).rpartition("/")[2])
    if "enum" in member:
        return ", ".join(_code(json.dumps(value)) for value in member["enum"])
    if "anyOf" in member:
        return " or ".join(dict.fromkeys(_kind(part) for part in member["anyOf"]))
    if member.get("type") == "array":
        return f"list of {_kind(member['items'])}" if member.get("items") else "list"
    return str(member.get("type", "any"))


def _plain_doc(words: str) -> str:
    words = " ".join(words.split()).replace("``", "`")
    return re.sub(r"\bNone\b", "null", re.sub(r"\*(\w+)\*", r"`\1`", words))


def _short(example: object) -> str:
    """Return a message as JSON; long lists end with …, and so do views."""
    return json.dumps(_cut(msgspec.to_builtins(example)), ensure_ascii=False)


def _cut(data: object) -> object:
    if isinstance(data, list):
        return [_cut(one) for one in data[:SHOWN]] + ["…"] * (len(data) > SHOWN)
    if isinstance(data, dict):
        shown = list(data)[:SHOWN] if "to_act" in data else list(data)
        rest = {"…": "…"} if len(shown) < len(data) else {}
        return {name: _cut(data[name]) for name in shown} | rest
    return data


def found_command(path: list[str]) -> click.Command:
    """Return the command with this name, like ``notation check``."""
    found: click.Command = cli
    for name in path:
        assert isinstance(found, click.Group), path
        inner = found.get_command(click.Context(found), name)
        assert inner is not None, path
        found = inner
    return found


def paths() -> list[list[str]]:
    """Return every command and subcommand, as the words that call it."""
    found: list[list[str]] = []
    for name in commands():
        command = found_command([name])
        found.append([name])
        if isinstance(command, click.Group):
            found += [[name, inner] for inner in command.list_commands(click.Context(command))]
    return found


def _command(path: list[str]) -> str:
    found = found_command(path)
    context = click.Context(found)
    usage = " ".join(["croupier", *path, *found.collect_usage_pieces(context)])
    words = found.get_short_help_str(200)
    rows: list[list[str]] = []
    for option in found.params:
        if isinstance(option, click.Option) and not option.hidden:
            shown = ", ".join([*option.opts, *option.secondary_opts])
            shown += "" if option.is_flag else f" {_metavar(option, context)}"
            meaning, _, said = (option.help or "").partition("  [default: ")
            default = said.rstrip("]") or _default(option)
            rows.append([_code(shown), default, meaning.rstrip(".")])
    head = f"### croupier {' '.join(path)}\n\n`{usage}`\n\n{words}"
    return f"{head}\n\n{_rows(['option', 'default', 'meaning'], rows)}" if rows else head


def _metavar(option: click.Option, context: click.Context) -> str:
    if isinstance(option.type, click.IntRange):
        return "N"
    shown = option.make_metavar(context)
    return shown[1:-1] if shown.startswith("[") else shown


def _default(option: click.Option) -> str:
    if isinstance(option.show_default, str):
        return option.show_default
    default = option.default
    return "" if option.is_flag or not isinstance(default, str | int | Path) else _code(default)


def _options(options: list[Plain]) -> str:
    rows = []
    for option in options:
        assert isinstance(option, dict)
        default = option["default"]
        if isinstance(default, bool):
            default = "on" if default else "off"
        if isinstance(default, list):
            default = ",".join(default)
        shown = _code(f"{default} {option['unit']}".strip()) if default != "" else ""
        rows.append([_code(option["name"]), shown, _values(option), str(option["words"])])
    return _rows(["option", "default", "values", "meaning"], rows)


def _values(option: Mapping[str, object]) -> str:
    choices = option["choices"]
    if isinstance(choices, list) and choices:
        words = ", ".join(_code(choice) for choice in choices)
        return f"{words}, in turn" if option["kind"] == "list" else words
    if option["kind"] == "switch":
        return "`on`, `off`"
    if option["kind"] != "number":
        return "text"
    return f"{'0, ' if option['or_zero'] else ''}{option['low']} to {option['high']}"


def _layout(which: str) -> str:
    found = layout(which)
    rows = [[_code(name), f"{begin}…{end - 1}", words] for begin, end, name, words in found.table()]
    return _rows([f"{found.size} numbers", "where", "what"], rows)


def _messages(prefix: str, found: Mapping[str, Fields]) -> str:
    rows = []
    for name, fields in found.items():
        shown = []
        for field, what in fields.items():
            words = f"`{field}` ({TYPES[what.read]})"
            shown.append(words if what.required else f"[{words}]")
        rows.append([_code(prefix + name), ", ".join(shown)])
    return _rows(["command", "parameters; optional ones in brackets"], rows)


def _tools() -> str:
    rows = []
    for name in (*DOING, *READING):
        tool = getattr(Tools, name)
        taken = [
            _code(one.name if one.default is one.empty else f"{one.name}?")
            for one in inspect.signature(tool).parameters.values()
            if one.name != "self"
        ]
        rows.append([_code(name), ", ".join(taken), " ".join((tool.__doc__ or "").split())])
    return _rows(["tool", "arguments; optional ones with ?", "what it does"], rows)


def _replies() -> str:
    found: dict[str, list[str]] = {}
    for reply in dict.fromkeys(replies.REPLIES):
        code, _, words = reply.replace("{}", "…").partition(" ")
        found.setdefault(code, []).append(words)
    rows = [[code, " / ".join(sentences)] for code, sentences in sorted(found.items())]
    return _rows(["code", "what follows it"], rows)


def _when(tool: Tool) -> str:
    turn = f"{catalogue.turn(tool.turn)} turn"
    return f"{turn}, before drafting" if tool.before else turn


def _rows(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def _code(words: object) -> str:
    return f"`{words}`"


if __name__ == "__main__":
    for page in sorted(DOCS.rglob("*.md")):
        before = page.read_text()
        after = filled(before)
        if after != before:
            page.write_text(after)
            click.echo(f"{page.relative_to(ROOT)}: updated")
