"""The benchmarks run, compare the documented figures and write a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import echo, playouts, server, taroky
from benchmarks.report import Figure, Section, aims, markdown
from croupier.games.taroky.reader import parse
from tests.benchmarks.results import result
from tests.cli.command import only_line, run


def test_a_report_is_a_page_of_markdown() -> None:
    text = markdown([Section("Speed", "Of light.", [["way", "km/s"], ["light", "299,792"]], ["in vacuum"])])
    assert (
        "## Speed\n\nOf light.\n\n| way | km/s |\n| --- | ---: |\n| light | 299,792 |\n\n- in vacuum\n"
        in text
    )
    assert "rules " in text
    assert "cores" in text


def test_figures_are_compared_with_their_targets() -> None:
    figures = [
        Figure("ratio", 0.5, 0.5, least=True),
        Figure("share", 0.44, 0.45, least=True),
        Figure("cost", 1250.4, 250, "µs"),
        Figure("time", 4.96, 5, "ms"),
        Figure("memory", None, 64, "KB"),
    ]
    found = aims([Section("One", "", [["a"]]), Section("Two", "", [["a"]], [], figures)])
    assert found is not None
    assert found.rows[1:] == [
        ["ratio", "0.5", "≥ 0.5", "yes"],
        ["share", "0.44", "≥ 0.45", "no"],
        ["cost", "1,250 µs", "≤ 250 µs", "no"],
        ["time", "4.96 ms", "≤ 5 ms", "yes"],
        ["memory", "–", "≤ 64 KB", "no"],
    ]
    assert aims([Section("One", "", [["a"]])]) is None


@pytest.mark.parametrize("rate", [1.0, 5.6, 7.79])
def test_frames_of_an_echo_add_up(rate: float) -> None:
    assert sum(echo.frames_of(move, rate) for move in range(1000)) == int(1000 * rate)
    assert min(echo.frames_of(move, rate) for move in range(1000)) >= 1


def test_a_report_that_cannot_be_written_gets_one_line(tmp_path: Path) -> None:
    done = run("bench", "store", "--quick", "-o", tmp_path / "no" / "report.md")
    assert done.returncode == 2
    assert "no such folder" in only_line(done)


@pytest.mark.slow
def test_playouts_are_compared_with_open_spiel() -> None:
    rows = {row.name: row.deals for row in playouts.measure(0.2, rounds=1)}
    assert {"OpenSpiel, Python loop", "OpenSpiel, its own C++ loop"} <= set(rows)
    assert {"croupier interpreted, its own loop", "croupier interpreted, Python loop"} <= set(rows)
    assert all(deals > 0 for deals in rows.values())


@pytest.mark.slow
def test_notations_are_read_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    done = run("bench", "taroky", "--quick", "-o", path)
    assert done.returncode == 0, done.stderr
    row = next(line for line in path.read_text().splitlines() if "parsed, validated and settled" in line)
    assert int(row.split(" | ")[1].replace(",", "")) > 100
    assert all(parse(text).phase_name() == "finished" for text in taroky.texts(5))


@pytest.mark.slow
def test_the_store_and_the_trend_protocol_are_measured_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    # PostgreSQL's user cannot enter the folder of the test, so the first uses the system's temporary folder.
    for words, *what in [
        ("PostgreSQL, 25 tables at once", "store"),
        ("raw echo, the limit", "trend", "--folder", str(tmp_path)),
    ]:
        done = run("bench", *what, "--quick", "-o", path)
        assert done.returncode == 0, done.stderr
        assert words in done.stdout
        assert f"| {words} |" in path.read_text()
    assert "; 0 answers were wrong or late" in path.read_text()


@pytest.mark.slow
def test_both_client_libraries_carry_the_same_load(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("picows", "aiohttp"):
        monkeypatch.setenv("CROUPIER_BENCH_CLIENT", library)
        found = server.echo(4, result(moves=80, frames_per_move=5.5, frame_bytes=300.0, sent_bytes=90.0))
        assert (found.library, found.moves) == (library, 80)
        assert found.frames_per_move == pytest.approx(5.5)
        assert found.frame_bytes == 300


@pytest.mark.slow
def test_lines_are_compared_with_a_bare_echo(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    done = run("bench", "lines", "--quick", "-o", path, "--folder", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "| bare line echo, the limit |" in path.read_text()
    assert "; 0 were refused" in path.read_text()


@pytest.mark.slow
def test_a_server_that_does_not_start_is_reported() -> None:
    with (
        pytest.raises(server.BenchFailed, match="no-such-option"),
        server.serving(["-m", "croupier", "--no-such-option"], "x"),
    ):
        pass


@pytest.mark.slow
def test_tables_with_searching_bots_are_compared_with_tables_without(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    done = run("bench", "thinking", "--quick", "-o", path, "--folder", tmp_path)
    assert done.returncode == 0, done.stderr
    text = path.read_text()
    rows = ("nothing", "a process that counts at the lowest priority", "50 searching seats")
    assert all(f"| {row} |" in text for row in rows)
    assert "- 0 searches failed" in text
