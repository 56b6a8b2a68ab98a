"""The build hook: what it compiles, when rules stay interpreted, when pages have to be built."""

from __future__ import annotations

import gzip
import importlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import croupier
from croupier.cli.example import shipped
from hatch_build import BuildFailed, Pages, Rules, digest, main

ROOT = Path(__file__).resolve().parent.parent
PATTERNS: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"][
    "build"
]["hooks"]["custom"]["compile"]

INTERPRETED = Path(croupier.__file__).is_relative_to(ROOT / "src")


@pytest.fixture(autouse=True)
def no_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CC", "CROUPIER_PURE", "CROUPIER_NO_WEB"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a small project with one rule and one page."""
    (tmp_path / "src/croupier/core").mkdir(parents=True)
    (tmp_path / "src/croupier/core/cards.py").write_text("DECK = 52\n")
    (tmp_path / "web/src").mkdir(parents=True)
    (tmp_path / "web/package.json").write_text("{}")
    (tmp_path / "web/src/main.ts").write_text("")
    return tmp_path


def rules(root: Path) -> Rules:
    return Rules(root, ["croupier/core/*.py"])


def test_the_list_of_compiled_modules_has_the_rules_and_the_path_of_an_action() -> None:
    names = {path.relative_to(ROOT / "src/croupier").as_posix() for path in Rules(ROOT, PATTERNS).modules}
    assert {"core/contract.py", "core/cards.py", "games/hearts/state.py", "games/hearts/scoring.py"} <= names
    path = {"table/table.py", "table/shell.py", "net/connection.py", "wire/talk.py", "games/hearts/wire.py"}
    assert path <= names
    assert not {name for name in names if name.startswith(("store/", "cli/", "arena/", "testing/"))}


def test_rules_stay_interpreted_on_request(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", sys.executable)  # any program that exists
    assert rules(checkout).why_not() is None
    monkeypatch.setenv("CROUPIER_PURE", "1")
    assert rules(checkout).why_not() == "CROUPIER_PURE is set"
    monkeypatch.setenv("CROUPIER_PURE", "0")
    assert rules(checkout).why_not() is None


def test_rules_stay_interpreted_without_a_compiler(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    assert rules(checkout).why_not() == "no C compiler (no-such-compiler) found"


def test_compiled_rules_are_kept_while_the_sources_are_unchanged(checkout: Path) -> None:
    made = checkout / "build/rules" / rules(checkout).digest()[:16]
    made.mkdir(parents=True)
    assert rules(checkout).built() == made
    (checkout / "src/croupier/core/cards.py").touch()
    assert rules(checkout).built() == made
    (checkout / "src/croupier/core/cards.py").write_text("DECK = 78\n")
    assert rules(checkout).built() is None


@pytest.mark.parametrize(
    "statement",
    [
        "import croupier.suits",
        "from croupier import suits",
        "from croupier.suits import SUITS",
        "from ..suits import SUITS",
        "from .. import suits",
        "def f() -> None:\n    from croupier.suits import SUITS",
    ],
)
def test_rules_are_compiled_again_when_an_import_has_changed(checkout: Path, statement: str) -> None:
    suits = checkout / "src/croupier/suits.py"
    suits.write_text("SUITS = 4\n")
    before = rules(checkout).digest()
    (checkout / "src/croupier/core/cards.py").write_text(statement + "\n")
    imported = rules(checkout).digest()
    suits.write_text("SUITS = 5\n")
    assert len({before, imported, rules(checkout).digest()}) == 3


def test_rules_are_not_compiled_again_for_other_changes(checkout: Path) -> None:
    before = rules(checkout).digest()
    (checkout / "src/croupier/suits.py").write_text("SUITS = 4\n")
    assert rules(checkout).digest() == before


def test_pages_are_built_once_and_again_after_a_change(checkout: Path) -> None:
    pages = Pages(checkout)
    assert pages.due()
    pages.pages.mkdir()
    pages.stamp.write_text(pages.digest() + "\n")
    assert not pages.due()
    (checkout / "web/node_modules/vite").mkdir(parents=True)
    (checkout / "web/node_modules/vite/package.json").write_text("{}")
    assert not pages.due()
    (checkout / "web/src/main.ts").write_text("export {}")
    assert pages.due()
    pages.stamp.write_text(pages.digest() + "\n")
    (checkout / "src/croupier/games/hearts").mkdir(parents=True)
    (checkout / "src/croupier/games/hearts/rules.md").write_text("Four players.\n")
    assert pages.due()


def test_scripts_and_styles_have_a_compressed_copy(checkout: Path) -> None:
    assets = Pages(checkout).pages / "assets"
    assets.mkdir(parents=True)
    for name in ("main.js", "main.css", "card.png"):
        (assets / name).write_text("suits " * 100)
    Pages(checkout).compress()
    assert {path.name for path in assets.glob("*.gz")} == {"main.js.gz", "main.css.gz"}
    assert gzip.decompress((assets / "main.js.gz").read_bytes()) == b"suits " * 100


def test_pages_are_not_built_without_a_front_end_or_if_switched_off(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_NO_WEB", "1")
    assert not Pages(checkout).due()
    monkeypatch.delenv("CROUPIER_NO_WEB")
    (checkout / "web/package.json").unlink()
    assert not Pages(checkout).due()


@pytest.mark.slow
def test_npm_runs_only_when_package_json_has_changed(checkout: Path) -> None:
    pages = Pages(checkout)
    (checkout / "web/node_modules").mkdir()
    mark = checkout / "web/node_modules/.inputs"
    mark.write_text(digest(pages.web, [pages.web / "package.json"]))
    pages.install()  # needs no registry: package.json has no dependencies
    (checkout / "web/package.json").write_text("not json")
    with pytest.raises(BuildFailed, match="npm could not fetch") as failure:
        pages.install()
    assert "package.json" in failure.value.output


def test_the_command_prints_its_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cellar"]) == 2
    assert "hatch_build.py pages" in capsys.readouterr().out


def copy_of_the_project(folder: Path) -> Path:
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, folder / name)
    for name in ("benchmarks", "docs/ops", "examples"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/verify_record.py", folder / "scripts")
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("pages", "__pycache__"))
    return folder


def compiling_one_module(folder: Path) -> Path:
    """Shorten the list of compiled modules to one, which is enough to test a failing compiler."""
    project = folder / "pyproject.toml"
    text = re.sub(r"(?ms)^compile = \[.*?^\]", 'compile = ["croupier/core/cards.py"]', project.read_text())
    project.write_text(text)
    return folder


def build(folder: Path, target: str, **switches: str) -> tuple[Path, str]:
    """Build *target* with the real hook; return the built file and the output."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target],
        cwd=folder,
        env={**os.environ, "CROUPIER_NO_WEB": "1", **switches},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = (folder / "dist").iterdir()
    return made, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="CC names the compiler only on POSIX systems")
@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ({"CROUPIER_PURE": "1"}, "CROUPIER_PURE is set"),
        ({"CC": "no-such-compiler"}, "no C compiler (no-such-compiler) found"),
        ({"CC": "false"}, "mypyc or the C compiler failed"),
    ],
)
def test_a_wheel_without_compiled_rules_is_complete_and_the_reason_is_printed(
    switches: dict[str, str], words: str, tmp_path: Path
) -> None:
    made, said = build(compiling_one_module(copy_of_the_project(tmp_path)), "wheel", **switches)
    (line,) = [line for line in said.splitlines() if line.startswith("croupier:")]
    assert words in line
    assert made.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(made).namelist()
    assert {"croupier/py.typed", "croupier/core/contract.py", "croupier/cli/main.py"} <= set(names)
    assert {f"croupier/examples/{name}" for name in shipped()} <= set(names)
    assert not [name for name in names if name.endswith((".so", ".pyd"))]
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"croupier"}, (
        "the package and its metadata"
    )


@pytest.mark.slow
def test_an_sdist_builds_the_same_wheel(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    here = copy_of_the_project(tmp_path / "here")
    (here / "src/croupier/pages").mkdir()
    (here / "src/croupier/pages/index.html").write_text("<!doctype html>")
    sdist, _ = build(here, "sdist")
    with tarfile.open(sdist) as archive:
        # Without the argument *filter*: it exists since Python 3.11.4, and Debian 12 has 3.11.2.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path / "there")
    sdist.unlink()
    (there,) = (tmp_path / "there").iterdir()
    assert (there / "benchmarks/command.py").is_file()
    wheels = [build(folder, "wheel", CROUPIER_PURE="1")[0] for folder in (here, there)]
    first, second = (
        {item.filename: item.CRC for item in zipfile.ZipFile(wheel).infolist()} for wheel in wheels
    )
    assert first == second
    assert "croupier/pages/index.html" in first
    networks = {
        path.relative_to(ROOT / "src").as_posix() for path in ROOT.glob("src/croupier/games/*/master.*")
    }
    assert networks
    assert networks <= set(first)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.skipif(INTERPRETED, reason="this environment uses the sources, see .venv-compiled")
def test_every_module_on_the_list_is_compiled_here() -> None:
    names = [
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        for path in Rules(ROOT, PATTERNS).modules
    ]
    files = {name: str(importlib.import_module(name).__file__) for name in names}
    assert not {name: file for name, file in files.items() if not file.endswith((".so", ".pyd"))}
