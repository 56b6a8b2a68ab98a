"""A person at a plain terminal: a pipe is one."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
from pathlib import Path

import pytest

from croupier.bots.strengths import filler
from croupier.core import record
from croupier.games import REGISTRY
from croupier.games import game as find_game
from croupier.games.hearts import GAME
from tests.cli.command import Terminal, only_line, run, spawn
from tests.integration.servers import PATIENCE, command

pytestmark = pytest.mark.slow

ONE_DEAL = ("--option", "deals=1", "--seed", "3")


def test_a_whole_deal_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.record"
    terminal = Terminal("play", *ONE_DEAL, "--name", "Zoë", "--record", str(path))
    assert terminal.play() == 0
    text = terminal.text
    assert "Deal 1: three cards go to the left" in text
    assert len(re.findall(r"took it$", text, re.MULTILINE)) == 13
    assert "The match is over, won by" in text
    assert "No:" not in text, "every marked card is one that the rules take"
    written = record.read(path.read_text())
    assert written.players == ["Zoë", "bot2", "bot3", "bot4"]
    assert record.replay(written, GAME).over()
    assert [finding.kind for finding in record.verify(written, GAME)] == ["proved"]
    assert all(str(score) in text.splitlines()[-2 - n] for n, score in enumerate(reversed(result(written))))


def result(written: record.Record) -> tuple[int, ...]:
    (found,) = [entry.scores for entry in written.entries if isinstance(entry, record.Result)]
    return found


@pytest.mark.parametrize(
    ("game", "option", "told"),
    [
        ("coinche", "target=100", r"^The contract (is made|failed): points \d+ to \d+"),
        ("tarock", "deals=1", r"Scores: You -?\d+, bot2 -?\d+"),
        ("taroky", "hands=1", r"^Deal 1 is over: .* (won|lost|settled at) \d+ with \d+ points"),
        ("sagrada", "rounds=2", r"^The match is over, won by (You|bot2): "),
    ],
    ids=lambda value: value if value.isalpha() else "",
)
def test_a_whole_deal_of_every_game_by_what_the_screen_says(
    tmp_path: Path, game: str, option: str, told: str
) -> None:
    path = tmp_path / "mine.record"
    terminal = Terminal("play", game, "--seed", "1", "--record", str(path), "--option", option)
    assert terminal.play() == 0
    assert re.search(told, terminal.text, re.MULTILINE), terminal.text
    assert "No:" not in terminal.text, "what the screen offers is what the rules take"
    assert not re.search(r"\bYou (is|has|\w+[^s]s)\b", terminal.text), "it speaks to the person as people do"
    written = record.read(path.read_text())
    assert record.replay(written, find_game(game)).over()


def test_the_glass_workshop_is_played_alone_or_by_several() -> None:
    alone = run("play", "sagrada", "--seats", "1", "--seed", "1", input="q\n").stdout
    assert alone.startswith("Glass Workshop alone\n")
    three = run("play", "sagrada", "--seats", "3", "--bots", "random", input="q\n").stdout
    assert three.startswith("Glass Workshop against bot2 (random), bot3 (random)\n")
    named = run("play", "sagrada", "--bots", "random,heuristic,random", input="q\n").stdout
    assert "against bot2 (random), bot3 (heuristic), bot4 (random)" in named


def test_help_names_every_game() -> None:
    text = run("play", "--help").stdout
    for game in REGISTRY:
        assert f"croupier play {game}" in text


def test_enter_shows_the_table_again() -> None:
    text = run("play", "coinche", "--seed", "1", input="\n\nq\n").stdout
    assert text.count("Auction: You to speak\nHand: ") == 3
    assert "No:" not in text


def test_the_next_game_of_a_match_waits_for_enter() -> None:
    terminal = Terminal("play", *ONE_DEAL, "--option", "match_games=2", "--bots", "dummy,random,heuristic")
    assert terminal.play() == 0
    assert "against player2 (dummy), bot3 (random), bot4 (heuristic)" in terminal.text
    assert "Enter begins the next game" in terminal.text
    assert "Game 2 of 2" in terminal.text


def test_wrong_answers_are_answered_in_the_rules_words_and_change_nothing() -> None:
    done = run("play", *ONE_DEAL, input="zz\nqs\n5s 6s 7s\n9s 9s ah\n9s, AH; 10d\nfoo bar\n\n")
    assert done.returncode == 0
    assert re.findall(r"No: (.*)", done.stdout) == [
        "'zz': expected cards like QS or 10H, or ? for help",
        "1 card: expected 3, like 9S AH QH, or ? for help",
        "pass 5S: you do not hold it",
        "pass 9S: you have picked it before",
        "pass TD: you do not hold it",
        "'foo': expected cards like QS or 10H, or ? for help",
    ]
    assert done.stderr == ""


def test_commands_help_hand_scores_and_last_trick() -> None:
    done = run("play", *ONE_DEAL, input="?\nh\ns\nl\n9S ah q♥\nq\n")
    text = done.stdout
    assert "QS is the queen of spades" in text
    assert text.count("Hand:   9S   AH QH JH 7H   AC JC 8C 6C 2C   KD QD 9D") == 2
    assert re.search(r"^player  this deal  game$", text, re.MULTILINE)
    assert "No trick has been taken in this deal" in text
    assert "You got" in text
    assert text.endswith("You left the table.\n")
    assert done.returncode == 0


def test_enter_plays_the_only_card_there_is() -> None:
    terminal = Terminal("play", *ONE_DEAL)
    forced = 0

    def answer() -> str:
        nonlocal forced
        if terminal.question() == "Play a card" and len(terminal.hand()) == 1:
            forced += 1
            return ""
        return terminal.answer()

    assert terminal.play(answer) == 0
    assert forced >= 1
    assert "The match is over" in terminal.text


def test_the_end_of_the_input_ends_it_and_keeps_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "part.record"
    done = spawn("play", "--record", path)
    assert done.returncode == 0
    assert done.stderr == ""
    written = record.read(path.read_text())
    assert written.seed is None
    assert not any(isinstance(entry, record.Reveal) for entry in written.entries)
    record.replay(written, GAME)


def test_ctrl_c_ends_it_cleanly() -> None:
    terminal = Terminal("play")
    assert terminal.until_prompt()
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 0
    assert terminal.text.endswith("You left the table.\n")


def test_mistakes_on_the_command_line_get_one_line_and_status_2(tmp_path: Path) -> None:
    for arguments, words in [
        (["chess"], "game 'chess': unknown, expected one of hearts"),
        (["--bots", "genius"], "--bots genius: unknown, expected one of random, dummy, novice, heuristic, "),
        (["--bots", "dummy,dummy"], "--bots: 2 named, expected one for all or 3"),
        (["--seats", "3"], "--seats 3: Hearts is played by 4"),
        (["sagrada", "--seats", "5"], "--seats 5: Glass Workshop is played by 1 or 2 or 3 or 4"),
        (
            ["sagrada", "--seats", "2", "--bots", "random,random"],
            "--bots: 2 named, expected one for all or 1",
        ),
        (["--option", "deals"], "--option deals: expected NAME=VALUE"),
        (["--option", "deals=99"], "option deals=99: expected 1…16"),
        (["--option", "speed=9"], "option speed: unknown"),
        (["--name", " "], "--name: expected 1 to 64 characters"),
        (["--record", str(tmp_path / "no" / "where")], "there is no folder"),
    ]:
        done = run("play", *arguments)
        assert done.returncode == 2, arguments
        assert words in only_line(done)


def test_a_game_without_words_of_its_own_is_played_in_the_words_of_its_actions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY, "coins", "tests.sample_game")
    path = tmp_path / "coins.record"
    done = run("play", "coins", "--seats", "3", "--record", path, input="hide 9\ns\n" + "hide 1\n" * 5)
    assert done.returncode == 0, done.stderr
    usual = filler(find_game("coins"))
    assert f"Coins against bot2 ({usual}), bot3 ({usual})" in done.stdout
    assert "No: unknown action 'hide 9'" in done.stdout
    assert done.stdout.count("scored rolled=[") == 5
    assert re.search(r"^player +points$", done.stdout, re.MULTILINE)
    assert record.read(path.read_text()).seats == 3
    text = run("replay", path).stdout
    assert text.count("hidden mine=[1]") >= 5
    assert run("replay", path, "--deal", "5").stdout.count("scored rolled=[") == 1


def on_a_terminal(kind: str) -> str:
    """Return what a terminal of this *kind* is sent until the first question."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": kind, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}
    env.pop("NO_COLOR", None)
    with subprocess.Popen(
        command("play", *ONE_DEAL), stdin=theirs, stdout=theirs, stderr=theirs, env=env
    ) as process:
        os.close(theirs)
        text = b""
        while not text.endswith(b"> "):
            text += os.read(ours, 65536)
        os.write(ours, b"q\n")
        while b"File name" not in text:
            text += os.read(ours, 65536)
        os.write(ours, b"\n")
        assert process.wait(PATIENCE) == 0
    os.close(ours)
    return text.decode()


def test_a_good_terminal_gets_suits_and_colours_and_a_dumb_one_plain_text() -> None:
    rich = on_a_terminal("xterm-256color")
    assert "\x1b[" in rich
    assert "Q♥" in rich
    dumb = on_a_terminal("dumb")
    assert "\x1b[" not in dumb
    assert "9S   AH QH JH 7H" in dumb
