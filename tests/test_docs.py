"""The commands in the documents work, and their lists are complete.

Code is in fenced blocks; the word after the fence decides how it is tested:

    sh         is run, unless `<!-- not run: reason -->` precedes the fence
    python     a session (>>>) is a doctest, a program is run; `python NAME` is saved as a file
    exchange   is performed with a server (test_docs_exchanges.py)
    toml json  is parsed
    text       is not tested: output, or text that is not code
"""

from __future__ import annotations

import asyncio
import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from croupier.cli.main import commands
from croupier.store import open_store
from tests.docs_tables import DOCS, ROOT, filled, found_command

PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
ALL = [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]
FENCE = re.compile(r"(<!-- not run: [^\n]+ -->\n)?^```([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = {"sh", "python", "exchange", "toml", "json", "text"}
SLOW = re.compile(r" &$|\bbench\b|\bmake\b|\barena\b|\btrain\b", re.MULTILINE)
"""Commands that start a server or take long: they run on the compiled install, as users have it."""


class Block(NamedTuple):
    kind: str
    name: str
    """The name of the file in which a program is saved."""
    code: str
    run: bool


def blocks(page: Path) -> list[Block]:
    found = []
    for excuse, info, code in FENCE.findall(page.read_text()):
        kind, _, name = info.partition(" ")
        found.append(Block(kind, name if kind == "python" else "", code, not excuse))
    return found


def script_of(block: Block) -> str:
    """Return a block as a shell script; a program with a name is written to a file."""
    if block.kind == "sh":
        return block.code
    return f"cat > {block.name} <<'END OF FILE'\n{block.code}END OF FILE\n"


def typed(page: Path) -> list[str]:
    """Return the scripts of *page*: one for a whole tutorial, else one for each block."""
    kept = [block for block in blocks(page) if block.run and (block.kind == "sh" or block.name)]
    codes = [script_of(block) for block in kept]
    return ["\n".join(codes)] if page.name.startswith("tutorial") and codes else codes


def session(code: str) -> list[str]:
    """Return the command that runs *code*; servers that it starts in the background end with it."""
    return ["bash", "-c", f"set -e\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{code}"]


def scripts() -> list[pytest.ParameterSet]:
    found = []
    for page in PAGES:
        for number, code in enumerate(typed(page), 1):
            slow = page.name.startswith("tutorial") or SLOW.search(code)
            marks = [pytest.mark.slow, pytest.mark.compiled] if slow else []
            found.append(pytest.param(code, id=f"{page.name}-{number}", marks=marks))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("block", scripts())
def test_commands_in_the_documents_work(block: str, tmp_path: Path) -> None:
    """Run the commands in an empty folder, because users of an installed croupier have no checkout."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        session(block),
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not re.search(r", deal \d+: ", done.stdout), f"a program was judged:\n{done.stdout}"


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.name)
def test_python_in_the_documents_runs(document: Path) -> None:
    assert doctest.testfile(str(document), module_relative=False).failed == 0
    for block in blocks(document):
        if block.kind == "python" and not block.name and ">>>" not in block.code:
            exec(compile(block.code, str(document), "exec"), {"__name__": "a document"})


@pytest.mark.parametrize("document", ALL, ids=lambda document: document.name)
def test_every_block_has_a_known_kind(document: Path) -> None:
    text = document.read_text()
    assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(blocks(document)), "a fence without a kind"
    for block in blocks(document):
        assert block.kind in KINDS, f"{document.name}: {block.kind}"
        assert block.kind != "exchange" or document.parent == DOCS, "only protocols have exchanges"
        if block.kind == "toml":
            tomllib.loads(block.code)
        if block.kind == "json":
            json.loads(block.code)


def mentioned(page: Path) -> set[str]:
    """Return all command lines of croupier in *page*."""
    text = re.sub(r" *\\\n *", " ", page.read_text())
    spans = re.findall(r"`(croupier [^`\n]*)`", text)
    lines = re.findall(r"^(?: {4})?(croupier [^\n]*)$", text, re.MULTILINE)
    return {re.split(r"   | #| [|&<>]", line)[0].strip() for line in [*spans, *lines]}


@pytest.mark.parametrize("document", ALL, ids=lambda document: document.name)
def test_mentioned_commands_and_options_exist(document: Path) -> None:
    for line in mentioned(document):
        words = line.split()[1:]
        if words[0].startswith("-") or words[0] not in commands():
            assert words[0] in ("--version", "--help", "COMMAND", "record", "commitment", "joint", "seed"), (
                line
            )
            continue
        found = found_command(words[:1])
        if isinstance(found, click.Group) and len(words) > 1 and words[1] != "[OPTIONS]":
            choice = words[1].split("|")
            assert set(choice) <= set(found.list_commands(click.Context(found))), line
            found = found_command([words[0], choice[0]])
        known = {opt for one in found.params for opt in [*one.opts, *one.secondary_opts]} | {"--help", "-h"}
        for word in words:
            if word.startswith("-"):
                assert word.split("=")[0] in known, f"{document.name}: {line}"


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.name)
def test_generated_tables_are_up_to_date(document: Path) -> None:
    text = document.read_text()
    assert filled(text) == text, "run: python -m tests.docs_tables"


def test_the_tests_that_the_documents_name_exist() -> None:
    named = re.findall(
        r"`((?:tests|src/croupier/games|games)/[\w/]+)(\.py)?(?:::(\w+))?`", "".join(map(_text, PAGES))
    )
    assert named
    for path, file, test in named:
        place = ROOT / (f"src/croupier/{path}" if path.startswith("games/") else path)
        place = place.with_suffix(file)
        assert place.exists(), place
        assert not test or f"def {test}(" in _text(place), f"{path}.py has no {test}"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_links_between_documents_are_valid() -> None:
    for page in ALL:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} points to {target}"


def test_the_front_page_links_to_every_page() -> None:
    front = (DOCS / "README.md").read_text()
    for page in DOCS.glob("*.md"):
        assert page.name == "README.md" or f"]({page.name})" in front, page.name


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize("name", ["croupier.service", "croupier-backup.service", "croupier-backup.timer"])
def test_the_units_are_valid_for_systemd(name: str, tmp_path: Path) -> None:
    for path in (DOCS / "ops").glob("croupier*.*"):
        text = path.read_text().replace("/opt/croupier/bin/croupier", sys.executable)
        (tmp_path / path.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    complaints = [line for line in done.stderr.splitlines() if "croupier" in line]
    assert not complaints, done.stderr


def test_the_nightly_backup_keeps_one_copy_per_day(tmp_path: Path) -> None:
    unit = (DOCS / "ops" / "croupier-backup.service").read_text()
    (line,) = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    script = line.replace("%%", "%").replace("/opt/croupier/bin/croupier", f"{sys.executable} -m croupier")
    script = script.replace("/var/lib/croupier", str(tmp_path)).replace("/var/backups", str(tmp_path))
    asyncio.run(_a_database(tmp_path))
    for _ in range(2):  # a second run on the same day replaces the first
        subprocess.run(["sh", "-c", script], check=True, stdout=subprocess.DEVNULL)
    (copy,) = tmp_path.glob("croupier-????-??-??.db")
    assert copy.stat().st_size > 0


async def _a_database(folder: Path) -> None:
    store = await open_store(folder / "croupier.db")
    await store.close()
