"""scripts/release.py builds the change log of a version from the files in changes/."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.release import CannotRelease, main, release

ROOT = Path(__file__).parents[1]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "changes").mkdir()
    (tmp_path / "src/croupier").mkdir(parents=True)
    (tmp_path / "src/croupier/__init__.py").write_text('"""Croupier."""\n\n__version__ = "0.1.0"\n')
    (tmp_path / "changes/lobby.added.md").write_text("A lobby\nwith tables.\n")
    (tmp_path / "changes/bots.added.md").write_text("Bots.\n")
    (tmp_path / "changes/clock.fixed.md").write_text("The clock stops.\n")
    return tmp_path


def test_a_release_gathers_the_changes_and_sets_the_version(project: Path) -> None:
    release(project, "0.2.0", "2026-11-18")
    assert (project / "CHANGELOG.md").read_text() == (
        "# Changes\n\n## 0.2.0 (2026-11-18)\n\n### Added\n\n- Bots.\n- A lobby with tables.\n\n"
        "### Fixed\n\n- The clock stops.\n"
    )
    assert '__version__ = "0.2.0"' in (project / "src/croupier/__init__.py").read_text()
    assert list((project / "changes").iterdir()) == []


def test_the_newest_version_is_first(project: Path) -> None:
    release(project, "0.2.0", "2026-11-18")
    (project / "changes/clock.changed.md").write_text("The clock is round.\n")
    release(project, "0.3.0", "2026-12-01")
    lines = (project / "CHANGELOG.md").read_text().splitlines()
    assert [line for line in lines if line.startswith("#")] == [
        "# Changes",
        "## 0.3.0 (2026-12-01)",
        "### Changed",
        "## 0.2.0 (2026-11-18)",
        "### Added",
        "### Fixed",
    ]
    assert "\n\n## 0.2.0" in "\n".join(lines)


@pytest.mark.parametrize(
    ("version", "name", "words"),
    [
        ("0.2", "x.added.md", "expected a version like 1.2.3"),
        ("0.2.0", "x.broken.md", "expected a name like topic.added.md"),
        ("0.2.0", "x.md", "expected a name like topic.added.md"),
    ],
)
def test_a_refused_release_changes_nothing(project: Path, version: str, name: str, words: str) -> None:
    (project / "changes" / name).write_text("Something.\n")
    with pytest.raises(CannotRelease, match=words):
        release(project, version, "2026-11-18")
    assert not (project / "CHANGELOG.md").exists()
    assert len(list((project / "changes").iterdir())) == 4


def test_a_version_is_released_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["0.2.0", str(project)]) == 0
    assert main(["0.2.0", str(project)]) == 1
    assert "already has 0.2.0" in capsys.readouterr().err


def test_the_changes_of_this_checkout_can_be_released(project: Path) -> None:
    for path in (ROOT / "changes").glob("*.md"):
        (project / "changes" / path.name).write_bytes(path.read_bytes())
    release(project, "1.0.0", "2026-11-18")
