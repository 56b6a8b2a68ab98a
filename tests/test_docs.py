"""What the documents tell people to type works, and what they list is what there is.

Code stands in fences, and the word behind the fence says what becomes of it here:

    sh         runs; `<!-- not run: why -->` before the fence leaves it out
    python     a session (>>>) is a doctest, a program runs; `python NAME` is saved
    exchange   is played against a server (test_docs_exchanges.py)
    toml json  is read
    text       is for the eye: output, or what is no code
"""

from __future__ import annotations

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

from croupier.cli.main import COMMANDS
from tests.docs_tables import DOCS, ROOT, filled, found_command

PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
ALL = [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]
FENCE = re.compile(r"(<!-- not run: [^\n]+ -->\n)?^```([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = {"sh", "python", "exchange", "toml", "json", "text"}
SLOW = re.compile(r" &$|\bbench\b|\bmake\b|\barena\b|\btrain\b", re.MULTILINE)
"""What starts a server, or works for a while."""


class Block(NamedTuple):
    kind: str
    name: str
    """The file that a program is to be saved as."""
    code: str
    run: bool


def blocks(page: Path) -> list[Block]:
    found = []
    for excuse, info, code in FENCE.findall(page.read_text()):
        kind, _, name = info.partition(" ")
        found.append(Block(kind, name if kind == "python" else "", code, not excuse))
    return found


def script_of(block: Block) -> str:
    """Return a block as lines of a shell: a program that has a name is written to a file."""
    if block.kind == "sh":
        return block.code
    return f"cat > {block.name} <<'END OF FILE'\n{block.code}END OF FILE\n"


def scripts() -> list[pytest.ParameterSet]:
    """Return what is typed: the whole of a tutorial is one session, on other pages each block is."""
    found = []
    for page in PAGES:
        typed = [block for block in blocks(page) if block.run and (block.kind == "sh" or block.name)]
        codes = [script_of(block) for block in typed]
        if page.name.startswith("tutorial") and codes:
            codes = ["\n".join(codes)]
        for number, code in enumerate(codes, 1):
            marks = [pytest.mark.slow] if SLOW.search(code) else []
            found.append(pytest.param(code, id=f"{page.name}-{number}", marks=marks))
    return found


@pytest.mark.parametrize("block", scripts())
def test_commands_in_the_documents_work(block: str, tmp_path: Path) -> None:
    for folder in ("examples", "scripts", "docs/ops"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # Servers started in the background end with the script that started them.
    script = f"set -e\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{block}"
    done = subprocess.run(
        ["bash", "-c", script],
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


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.name)
def test_python_in_the_documents_is_true(document: Path) -> None:
    assert doctest.testfile(str(document), module_relative=False).failed == 0
    for block in blocks(document):
        if block.kind == "python" and not block.name and ">>>" not in block.code:
            exec(compile(block.code, str(document), "exec"), {"__name__": "a document"})


@pytest.mark.parametrize("document", ALL, ids=lambda document: document.name)
def test_every_block_is_of_a_kind_that_is_checked(document: Path) -> None:
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
    """Return the command lines of croupier that *page* shows, anywhere."""
    text = re.sub(r" *\\\n *", " ", page.read_text())
    spans = re.findall(r"`(croupier [^`\n]*)`", text)
    lines = re.findall(r"^(?: {4})?(croupier [^\n]*)$", text, re.MULTILINE)
    return {re.split(r"   | #| [|&<>]", line)[0].strip() for line in [*spans, *lines]}


@pytest.mark.parametrize("document", ALL, ids=lambda document: document.name)
def test_commands_that_are_mentioned_exist_with_their_options(document: Path) -> None:
    for line in mentioned(document):
        words = line.split()[1:]
        if words[0].startswith("-") or words[0] not in COMMANDS:
            assert words[0] in ("--version", "--help", "COMMAND", "record", "commitment", "seed"), line
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
def test_tables_that_are_made_of_the_code_are_up_to_date(document: Path) -> None:
    text = document.read_text()
    assert filled(text) == text, "run: python -m tests.docs_tables"


def test_links_between_documents_lead_somewhere() -> None:
    for page in ALL:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} points to {target}"


def test_the_front_page_leads_to_every_page() -> None:
    front = (DOCS / "README.md").read_text()
    for page in DOCS.glob("*.md"):
        assert page.name == "README.md" or f"]({page.name})" in front, page.name


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_the_unit_is_one_that_systemd_understands(tmp_path: Path) -> None:
    text = (DOCS / "ops" / "croupier.service").read_text()
    unit = tmp_path / "croupier.service"
    unit.write_text(re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", text, flags=re.MULTILINE))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if "croupier.service" in line]
    assert not complaints, done.stderr
