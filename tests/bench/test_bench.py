"""The benchmarks run, compare what they say they compare, and write it down."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.bench import clients, echo, playouts, server, taroky
from croupier.bench.report import Section, markdown
from croupier.games.taroky.reader import parse
from tests.cli.command import only_line, run


def test_a_report_is_a_page_of_markdown() -> None:
    text = markdown([Section("Speed", "Of light.", [["way", "km/s"], ["light", "299,792"]], ["in vacuum"])])
    assert (
        "## Speed\n\nOf light.\n\n| way | km/s |\n| --- | ---: |\n| light | 299,792 |\n\n- in vacuum\n"
        in text
    )
    assert "rules " in text
    assert "cores" in text


@pytest.mark.parametrize("rate", [1.0, 5.6, 7.79])
def test_frames_of_an_echo_add_up(rate: float) -> None:
    assert sum(echo.frames_of(move, rate) for move in range(1000)) == int(1000 * rate)
    assert min(echo.frames_of(move, rate) for move in range(1000)) >= 1


def test_a_report_that_cannot_be_written_gets_one_line(tmp_path: Path) -> None:
    done = run("bench", "store", "--quick", "-o", tmp_path / "no" / "report.md")
    assert done.returncode == 2
    assert "there is no folder" in only_line(done)


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
def test_the_store_and_the_server_are_measured_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    for what, words in [("store", "SQLite, one by one"), ("server", "raw echo, the limit")]:
        done = run("bench", what, "--quick", "-o", path, "--folder", tmp_path)
        assert done.returncode == 0, done.stderr
        assert words in done.stdout
        assert f"| {words} |" in path.read_text()
    assert "; 0 answers were wrong or late" in path.read_text()


@pytest.mark.slow
def test_both_client_libraries_carry_the_same_load(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("picows", "aiohttp"):
        monkeypatch.setenv("CROUPIER_BENCH_CLIENT", library)
        like = clients.Result(80, 1.0, 80.0, 1.0, 1.0, 5.5, 300.0, 90.0, 0, None, None, None, "")
        found = server.echo(4, like)
        assert (found.library, found.moves) == (library, 80)
        assert found.frames_per_move == pytest.approx(5.5)
        assert found.frame_bytes == 300


@pytest.mark.slow
def test_lines_are_measured_beside_a_bare_echo(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    done = run("bench", "lines", "--quick", "-o", path, "--folder", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "| bare line echo, the limit |" in path.read_text()
    assert "; 0 were refused" in path.read_text()


@pytest.mark.slow
def test_a_server_that_does_not_start_is_told() -> None:
    with (
        pytest.raises(server.BenchFailed, match="no-such-option"),
        server.serving(["-m", "croupier", "--no-such-option"], "x"),
    ):
        pass


@pytest.mark.slow
def test_tables_beside_thinking_bots_are_compared_with_tables_alone(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    done = run("bench", "thinking", "--quick", "-o", path, "--folder", tmp_path)
    assert done.returncode == 0, done.stderr
    text = path.read_text()
    assert all(f"| {row} |" in text for row in ("0", "50", "ratio"))
    assert "- 0 thoughts failed" in text
