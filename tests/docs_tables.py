"""Tables of the documents that are generated from the code: `python -m tests.docs_tables` updates them.

A document contains the place of a table, and its content is replaced:

    <!-- table: options of serve -->
    …
    <!-- end of table -->
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from croupier.cli.main import cli, commands
from croupier.core.contract import Plain
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
from croupier.wire.opentarock import conversation, messages
from croupier.wire.opentarock.messages import Fields

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
REGION: Final = re.compile(r"(?<=<!-- table: )([^\n]*?)( -->\n)(.*?)(?=<!-- end of table -->)", re.DOTALL)
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
        case ["observations", "of", which] if which in names():
            return _layout(which)
        case ["lobby", "commands"]:
            return _messages("", conversation.LOBBY_COMMANDS)
        case ["commands", "of", "tarock"]:
            return _messages("game.tarock.", {**TarockConversation.COMMANDS, "state": {}})
        case ["commands", "of", "taroky"]:
            return _messages("game.taroky.", {**TarokyConversation.COMMANDS, "state": {}})
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
