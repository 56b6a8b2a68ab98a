"""Records exported from a database, imported into another one, and verified."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from croupier.core import record
from croupier.games.hearts import GAME
from croupier.store import MatchRow, open_store
from croupier.table.archive import keep_record
from tests.cli.command import QUICK, bots_record, only_line, run, spawn
from tests.integration.servers import TIMEOUT, Server, house

SCRIPT = Path(__file__).parents[2] / "scripts" / "verify_record.py"


def write(path: Path, written: record.Record) -> Path:
    path.write_text(record.write(written), encoding="utf-8")
    return path


def finished_match(server: Server) -> str:
    """Let bots play a match at a real server and return its id."""
    server.new_table(
        seats=["bot dummy"] * 4, options={"deals": 1, "match_games": 1}, table_options=dict(QUICK)
    )
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        _, found = server.ask("/api/matches")
        if found:
            return str(found[0]["id"])
        time.sleep(0.05)
    raise AssertionError("the bots did not finish")


@pytest.mark.slow
def test_a_match_is_exported_imported_elsewhere_and_verified(tmp_path: Path) -> None:
    there = tmp_path / "there"
    with house(tmp_path) as server:
        match = finished_match(server)
        # While the server runs: exporting needs no lock that it holds.
        done = run("export", match, "--data", tmp_path / "data", "-o", tmp_path / "one.record")
        assert (done.returncode, done.stderr) == (0, "")
        with urllib.request.urlopen(f"{server.http}/api/matches/{match}/record") as response:
            assert response.read().decode() == (tmp_path / "one.record").read_text()
        assert run("verify", match, "--data", tmp_path / "data").returncode == 0
        assert "The match is over" in run("replay", match, "--data", tmp_path / "data").stdout
        done = run("import", tmp_path / "one.record", "--data", tmp_path / "data")
        assert done.returncode == 1
        assert "in use by another server" in only_line(done)

    done = spawn("import", tmp_path / "one.record", "--data", there)
    assert done.returncode == 0
    imported = re.fullmatch(r".*one.record: match (\S+)\n", done.stdout)
    assert imported
    done = run("export", imported[1], "--data", there)
    assert done.stdout == (tmp_path / "one.record").read_text()
    done = run("verify", imported[1], "--data", there)
    assert done.returncode == 0
    assert re.search(r"^deal 1  proved  ", done.stdout, re.MULTILINE)

    with house(tmp_path, "--data", str(there)) as server:  # the HTTP API returns it
        _, found = server.ask("/api/matches")
        assert [row["id"] for row in found] == [imported[1]]
        _, steps = server.ask(f"/api/matches/{imported[1]}/steps?deal=1")
        assert len(steps["steps"]) > 52
        _, tables = server.ask("/api/tables")
        assert [table["id"] for table in tables] == ["default"], "the table of the imported match is closed"


def test_the_same_record_is_imported_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.record", bots_record())
    assert run("import", path, "--data", tmp_path / "data").returncode == 0
    done = run("import", path, "--data", tmp_path / "data")
    assert done.returncode == 1
    assert "already stored as match" in only_line(done)


def test_good_files_are_imported_and_bad_ones_are_reported_with_their_line(tmp_path: Path) -> None:
    good = write(tmp_path / "good.record", bots_record("1"))
    part = write(tmp_path / "part.record", bots_record("2", upto=20))
    text = record.write(bots_record("3"))
    wrong = tmp_path / "wrong.record"
    line = next(n for n, line in enumerate(text.split("\n"), 1) if " play " in line)
    # The first card of the deal is played twice.
    wrong.write_text(
        "\n".join([*text.split("\n")[:line], text.split("\n")[line - 1], *text.split("\n")[line:]])
    )
    done = run("import", good, part, wrong, tmp_path / "none.record", "--data", tmp_path / "data")
    assert done.returncode == 1
    assert done.stdout.count(": match ") == 1
    lines = done.stderr.splitlines()
    assert lines[0] == f"croupier: {part}: the match is not over: expected a whole match"
    assert lines[1].startswith(f"croupier: {wrong}: line {line + 1}: entry ")
    assert lines[2] == f"croupier: {tmp_path / 'none.record'}: No such file or directory"
    assert lines[3:] == ["croupier: 3 of 4 files refused"]


def test_a_record_by_hand_without_proof_is_imported(tmp_path: Path) -> None:
    written = bots_record()
    written.players = []
    written.started = ""
    written.entries = [e for e in written.entries if isinstance(e, record.Drawn | record.Acted)]
    path = write(tmp_path / "hand.record", written)
    done = run("import", path, "--data", tmp_path)
    assert done.returncode == 0
    match = done.stdout.split()[-1]
    back = record.read(run("export", match, "--data", tmp_path).stdout)
    assert record.replay(back, GAME).scores() == record.replay(written, GAME).scores()


def test_export_of_all_and_of_what_is_not_finished(tmp_path: Path) -> None:
    running = bots_record("9", upto=9)
    ended = [bots_record(seed) for seed in "0129"]

    async def fill() -> list[str]:
        store = await open_store(tmp_path / "croupier.db")
        ids = [await keep_record(store, one) for one in ended[:3]]
        # A match in mid-deal, as a killed server leaves it.
        whole = await store.match(await keep_record(store, ended[3]))
        assert whole is not None
        lines = await store.log(whole.table, 0, 8)
        table = await store.table(whole.table)
        assert table is not None
        await store.open_table(type(table)("cut", table.game, table.config, table.created))
        row = MatchRow(
            "cut-1", "cut", "hearts", whole.players, whole.options, "2026-01-02", None, None, 0, None
        )
        await store.append("cut", 0, lines, [row])
        await store.close()
        return [*ids, whole.id]

    ids = asyncio.run(fill())
    out = tmp_path / "out"
    done = run("export", "--all", "--data", tmp_path, "-o", out)
    assert done.returncode == 0
    assert {path.stem for path in out.iterdir()} == set(ids)
    done = run("export", "--all", "--game", "hearts", "--unfinished", "--data", tmp_path, "-o", out)
    assert {path.stem for path in out.iterdir()} == {*ids, "cut-1"}
    assert record.read((out / "cut-1.record").read_text()).entries == running.entries
    assert "reveal" not in (out / "cut-1.record").read_text(), "its seed is still secret"
    done = run("verify", out / "cut-1.record")
    assert done.returncode == 0
    assert "deal 1  given  not random: cards were given" in done.stdout
    done = run("export", "cut-1", "--data", tmp_path)
    assert done.returncode == 1
    assert "--unfinished" in only_line(done)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([], 2, "expected the ids of matches, or --all"),
        (["--all", "x-1"], 2, "expected the ids of matches, or --all"),
        (["--all"], 2, "use -o with a folder"),
        (["--all", "--game", "chess", "-o", "out"], 2, "game 'chess': unknown"),
        (["x-1"], 1, "croupier.db: no such file"),
    ],
)
def test_mistakes_with_export_get_one_line(
    arguments: list[str], status: int, words: str, tmp_path: Path
) -> None:
    done = run("export", *arguments, "--data", tmp_path)
    assert done.returncode == status
    assert words in only_line(done)


def test_a_corrupt_database_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "croupier.db").write_bytes(b"this is not a database\n" * 200)
    for arguments in (["export", "--all", "-o", str(tmp_path)], ["verify", "x-1"], ["replay", "x-1"]):
        done = run(*arguments, "--data", tmp_path)
        assert done.returncode == 1
        assert "not a readable database" in only_line(done)


def test_verify_names_the_deal_that_was_changed(tmp_path: Path) -> None:
    text = record.write(bots_record(deals=2))
    # Two cards are exchanged everywhere in deal 2: the match still replays.
    first, second = text.split("\ncommit 2 ")
    swapped = re.sub(r"\b(2D|3D)\b", lambda m: {"2D": "3D", "3D": "2D"}[m[0]], second)
    swapped = "\n".join(
        a if a.startswith("pool") else b for a, b in zip(second.split("\n"), swapped.split("\n"), strict=True)
    )
    path = tmp_path / "changed.record"
    path.write_text(f"{first}\ncommit 2 {swapped}")
    done = spawn("verify", path)
    assert done.returncode == 1
    assert re.search(r"^deal 1  given  not random: cards were given$", done.stdout, re.MULTILINE)
    assert re.search(r"^deal 2  broken  draw 1 is ", done.stdout, re.MULTILINE)
    assert only_line(done) == "croupier: 1 deal is broken"


def test_verify_finds_another_seed_and_import_refuses_it(tmp_path: Path) -> None:
    text = re.sub(r"^reveal 1 ..", "reveal 1 00", record.write(bots_record()), flags=re.MULTILINE)
    path = tmp_path / "seed.record"
    path.write_text(text)
    done = run("verify", path)
    assert done.returncode == 1
    assert "the seed does not match the commitment" in done.stdout
    done = run("import", path, "--data", tmp_path)
    assert done.returncode == 1
    assert "deal 1: the seed does not match the commitment" in only_line(done)


def test_verify_of_several_records_prints_the_seed_of_a_table(tmp_path: Path) -> None:
    seeded = write(tmp_path / "seeded.record", bots_record("7"))
    fresh = write(tmp_path / "fresh.record", bots_record(None))
    done = run("verify", seeded, fresh)
    assert done.returncode == 0
    assert (done.stdout.count("given"), done.stdout.count("proved")) == (2, 1)
    assert done.stdout.count("were predictable") == 1


def test_exported_records_are_verified_by_the_standalone_script(tmp_path: Path) -> None:
    path = write(tmp_path / "a.record", bots_record(None))
    done = subprocess.run([sys.executable, "-I", SCRIPT, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("start", "size"),
    [*((start, record.WIDEST) for start in ("0 ", "pool ", "draw ", "# ", "option ")), ("0 ", 50_000_000)],
)
def test_a_line_that_is_too_long_is_refused_with_its_number(tmp_path: Path, size: int, start: str) -> None:
    lines = record.write(bots_record()).split("\n")
    number = 3 if start == "option " else 20
    lines[number - 1] = start + "A, " * (size // 3)
    path = tmp_path / "long.record"
    path.write_text("\n".join(lines))
    words = rf"long\.record: line {number}: (found \d+ characters, )?expected at most \d+"
    for done in (run("verify", path), run("import", path, "--data", tmp_path)):
        assert done.returncode == 1
        assert re.search(words, only_line(done))
    found = subprocess.run([sys.executable, "-I", SCRIPT, path], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert re.search(words, found.stderr)


@pytest.mark.slow
def test_many_commitments_are_verified_in_reasonable_time(tmp_path: Path) -> None:
    text = record.write(bots_record())
    more = "".join(f"commit {deal} {deal:064x}\nreveal {deal} {deal:064x}\n" for deal in range(2, 30_000))
    path = tmp_path / "many.record"
    path.write_text(text.replace("\nresult", f"\n{more}result"))
    assert run("verify", path).returncode == 1
    found = subprocess.run([sys.executable, "-I", SCRIPT, path], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "0 proved, 1 given, 0 open, 29998 broken" in found.stdout
