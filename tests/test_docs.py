"""What the documents tell people to type works: every `sh` block runs, every Python session is a doctest."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[pytest.ParameterSet]:
    found = []
    for page in PAGES:
        for number, block in enumerate(BLOCK.findall(page.read_text()), 1):
            found.append(pytest.param(block, id=f"{page.name}-{number}"))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks())
def test_commands_in_the_documents_work(block: str, tmp_path: Path) -> None:
    for folder in ("examples", "scripts"):
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_sessions_in_the_documents_are_true(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False)
    assert result.failed == 0


def test_links_between_documents_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} points to {target}"
