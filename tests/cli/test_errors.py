"""Errors around a command are reported in one line with status 1, never with a traceback."""

from __future__ import annotations

import dataclasses
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.core import record
from tests.cli.command import bots_record, only_line, run
from tests.integration.servers import TIMEOUT, command

LONG = "x" * 5000


def shell(redirected: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command to its end with its streams *redirected* by the shell."""
    line = shlex.join(command(*map(str, arguments)))
    return subprocess.run(
        ["sh", "-c", f"{line} {redirected}"],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
@pytest.mark.parametrize("words", [["--help"], ["replay", "FILE"], ["verify", "FILE"], ["play"]])
def test_a_full_standard_output_gets_one_line(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.record"
    path.write_text(record.write(bots_record()))
    done = shell("> /dev/full", *[path if word == "FILE" else word for word in words])
    assert done.returncode == 1
    assert only_line(done) == "croupier: No space left on device"


def test_a_closed_output_pipe_is_not_an_error() -> None:
    done = shell("| true", "--help")
    assert done.stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        ["verify", LONG],
        ["review", LONG],
        ["replay", LONG],
        ["verify", "none", "--data", LONG],
        ["export", "none", "--data", LONG],
        ["backup", LONG],
        ["backup", "none.db", "--data", LONG],
        ["notation", "check", LONG],
    ],
)
def test_an_impossible_file_name_gets_one_line(words: list[str]) -> None:
    done = run(*words)
    assert done.returncode == 1
    assert "File name too long" in only_line(done)


@pytest.mark.parametrize("words", [["verify", "FILE"], ["backup", "FILE"], ["notation", "check", "FILE"]])
def test_a_folder_without_permission_gets_one_line(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(path: Path, **_: object) -> os.stat_result:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", forbidden)
    done = run(*[str(tmp_path / "a") if word == "FILE" else word for word in words])
    assert done.returncode == 1
    assert only_line(done) == f"croupier: {tmp_path / 'a'}: Permission denied"


@pytest.mark.slow
def test_no_standard_input_is_the_end_of_the_input(tmp_path: Path) -> None:
    path = tmp_path / "a.record"
    path.write_text(record.write(bots_record()))
    done = shell("<&-", "play")
    assert (done.returncode, done.stderr) == (0, "")
    assert "You left the table." in done.stdout
    done = shell("<&-", "replay", path)
    assert (done.returncode, done.stderr) == (0, "")


def test_square_brackets_in_names_and_seeds_are_shown_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "x[bold]y.record"
    path.write_text(record.write(dataclasses.replace(bots_record(), seed="[/x]")))
    done = run("verify", path)
    assert done.stderr == ""
    assert f"{path}: Hearts" in done.stdout
    assert "seeded with '[/x]'" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no pty")
def test_square_brackets_in_a_name_are_shown_in_the_scores() -> None:
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}
    with subprocess.Popen(
        command("play", "coinche", "--name", "[/x]"), stdin=theirs, stdout=theirs, stderr=theirs, env=env
    ) as process:
        os.close(theirs)
        text = b""
        for typed, until in ((b"s\n", b"> "), (b"q\n", b"> "), (b"\n", b"file name")):
            before = len(text)
            while until not in text[before:]:
                text += os.read(ours, 65536)
            os.write(ours, typed)
        assert process.wait(TIMEOUT) == 0
    os.close(ours)
    assert b"[/x]" in text


def test_a_port_of_thousands_of_digits_is_refused() -> None:
    done = run("serve", "--coinche-port", "1" * 5000)
    assert done.returncode == 2
    assert "expected a port, 'any' or 'off'" in only_line(done)


@pytest.mark.parametrize(
    ("typed", "meant"), [("heart", "hearts"), ("Tarok", "tarock or taroky"), ("conche", "coinche")]
)
def test_a_misspelt_game_gets_a_suggestion(typed: str, meant: str) -> None:
    done = run("play", typed)
    assert done.returncode == 2
    assert f"game {typed!r}: unknown, did you mean {meant}?" in only_line(done)


@pytest.mark.parametrize("word", ["nonsense", "127.0.0.1,", "10.0.0.1/8"])
def test_a_wrong_address_of_a_proxy(word: str) -> None:
    done = run("serve", "--trust-proxy", word)
    assert done.returncode == 2
    assert "expected addresses or networks like 10.0.0.0/8" in only_line(done)
