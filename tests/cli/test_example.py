"""`croupier example` and `croupier verify --script`: files that tutorials use, without a checkout."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

from croupier.cli.example import VERIFIER, shipped
from tests.cli.command import only_line, run

ROOT = Path(__file__).parents[2]


def test_the_list_has_every_example_with_a_description() -> None:
    lines = run("example").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(shipped())
    assert {"coinche_client.py", "arena.toml", "croupier.toml", "croupier.service", VERIFIER} <= set(
        shipped()
    )
    assert all(len(line.split()) > 4 for line in lines), lines


@pytest.mark.parametrize("name", [name for name in shipped() if not name.endswith(".json")])
def test_a_description_is_not_cut(name: str) -> None:
    first = next(line for line in shipped()[name].read_text().splitlines() if not line.startswith("#!"))
    assert first.removesuffix('"""').endswith("."), first


def test_an_example_is_printed_as_it_is() -> None:
    assert run("example", "trend_bot.py").stdout == (ROOT / "examples/trend_bot.py").read_text()


def test_examples_are_written_to_a_file_or_into_a_folder(tmp_path: Path) -> None:
    assert run("example", "arena.toml", "-o", tmp_path / "mine.toml").returncode == 0
    assert run("example", "arena.toml", "coinche_client.py", "-o", tmp_path).returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {"mine.toml", "arena.toml", "coinche_client.py"}
    assert tomllib.loads((tmp_path / "mine.toml").read_text())["arena"]["game"] == "hearts"


def test_an_unknown_example_and_several_without_a_folder_get_one_line() -> None:
    assert "no example 'dance.py'; available: " in only_line(run("example", "dance.py"))
    assert "-o with a folder" in only_line(run("example", "arena.toml", "trend_bot.py"))


def test_the_verifier_is_a_standalone_script() -> None:
    done = run("verify", "--script")
    assert done.returncode == 0
    assert done.stdout == (ROOT / "scripts/verify_record.py").read_text()
    imported = {
        alias.name if isinstance(node, ast.Import) else str(node.module)
        for node in ast.walk(ast.parse(done.stdout))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert not {name for name in imported if name.startswith("croupier")}
    assert "--script alone" in only_line(run("verify", "--script", "mine.record"))
    assert "--script alone" in only_line(run("verify"))
