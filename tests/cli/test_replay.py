"""`croupier replay`: a match from a file or from the database."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import select
import subprocess
from pathlib import Path

import pytest

from croupier.core import record
from croupier.store import MatchRow, TableRow, open_store
from croupier.table.archive import keep_record
from tests.cli.command import bots_record, only_line, run
from tests.integration.servers import TIMEOUT, command


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a match of two deals."""
    file = tmp_path / "match.record"
    file.write_text(record.write(bots_record(deals=2)))
    return file


def test_everything_is_printed_with_every_hand_open(path: Path) -> None:
    done = run("replay", path, "--all")
    assert done.returncode == 0
    text = done.stdout
    assert len(re.findall(r"^[\w ]+: (?:\w\w ?){13}$", text, re.MULTILINE)) == 8
    assert "player1: pass " in text
    assert text.count(" takes the trick") == 26
    assert text.count(" plays the ") == 104
    assert "Deal 2 is dealt: passed to the right" in text
    assert "The match is over: " in text
    assert run("replay", path).stdout == text, "the same without a terminal"


def test_one_deal_alone(path: Path) -> None:
    done = run("replay", path, "--all", "--deal", "2")
    assert len(re.findall(r"^[\w ]+: (?:\w\w ?){13}$", done.stdout, re.MULTILINE)) == 4
    assert done.stdout.lstrip().startswith("Deal 2")
    done = run("replay", path, "--deal", "3")
    assert done.returncode == 1
    assert only_line(done) == "croupier: --deal 3: the match has 2"


def test_decisions_of_the_server_are_marked(tmp_path: Path) -> None:
    text = record.write(bots_record()).replace(" (bot)", " (clock)", 1)
    (tmp_path / "late.record").write_text(text)
    assert "player1 was too late: the server decided" in run("replay", tmp_path / "late.record").stdout


def test_a_stored_match(tmp_path: Path) -> None:
    written = bots_record()

    async def put() -> str:
        store = await open_store(tmp_path / "croupier.db")
        match = await keep_record(store, written)
        await store.open_table(TableRow("t2", "hearts", '{"seats":[]}', "", None))
        running = MatchRow("t2-1", "t2", "hearts", "[]", "{}", "2026", None, None, 0, None)
        await store.append("t2", 0, ["{}"], [running])
        await store.close()
        return match

    match = asyncio.run(put())
    assert "The match is over" in run("replay", match, "--data", tmp_path).stdout
    done = run("replay", "t2-1", "--data", tmp_path)
    assert done.returncode == 1
    assert "still being played" in only_line(done)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello\n", "line 1: found 'hello', expected 'croupier record 1'"),
        ("croupier record 1\ngame chess 1\nseats 4\n", "game 'chess': unknown"),
        ("croupier record 1\ngame hearts 1\nseats 4\n", "this match has no entries"),
    ],
)
def test_what_cannot_be_replayed_gets_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "bad.record"
    path.write_text(text)
    done = run("replay", path)
    assert done.returncode == 1
    assert words in only_line(done)


def test_an_argument_that_is_neither_a_file_nor_a_match_gets_one_line(tmp_path: Path) -> None:
    done = run("replay", "nothing", "--data", tmp_path)
    assert done.returncode == 1
    assert "nothing: no such file, and " in only_line(done)
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")
    assert "it is not text" in only_line(run("replay", tmp_path / "noise"))


def test_step_by_step_on_a_terminal(path: Path) -> None:
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "dumb"}
    with subprocess.Popen(
        command("replay", str(path)), stdin=theirs, stdout=theirs, stderr=theirs, env=env
    ) as process:
        os.close(theirs)
        text = ""

        def after(keys: bytes, expected: str) -> None:
            nonlocal text
            os.write(ours, keys)
            text = ""
            while expected not in text or not (text.rstrip().endswith("q quit") or expected == "deal: "):
                assert select.select([ours], [], [], TIMEOUT)[0], text
                text += os.read(ours, 65536).decode()

        after(b"", "step 1 of")
        assert "player1" in text
        after(b" ", "step 2 of")
        after(b"\r", "step 3 of")
        after(b"b", "step 2 of")
        after(b"d", "deal: ")
        after(b"2\n", "Deal 2 is dealt: passed to the right")
        after(b"d", "deal: ")
        after(b"7\n", "'7': expected a number from 1 to 2")
        os.write(ours, b"q")
        assert process.wait(TIMEOUT) == 0
    os.close(ours)
