"""`croupier notation`: files, standard input, carets, settlements, many processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from croupier.cli import notation
from croupier.games.taroky.notation import LONGEST, write
from croupier.games.taroky.tests.positions import GAME_A, GAME_B, SEED_DEAL, whole_deal
from tests.cli.command import only_line, run, spawn

WRONG = GAME_A.replace("T204", "T203")
COMMANDS = ["check", "show", "settle", "replay"]


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    path = tmp_path / "deals.txt"
    path.write_text(f"# two annotated games\n{GAME_A}\n\n  {GAME_B}  \n{SEED_DEAL}\n", encoding="ascii")
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    done = run("notation", command, "--help")
    assert done.returncode == 0
    assert "FILE" in done.stdout


def test_check_counts_deals_and_finds_nothing_wrong(deals: Path) -> None:
    done = run("notation", "check", deals)
    assert (done.returncode, done.stdout) == (0, "3 deals, 2 finished, 0 wrong\n")


def test_check_reads_standard_input_and_several_files(deals: Path) -> None:
    assert run("notation", "check", input=GAME_A).stdout == "1 deal, 1 finished, 0 wrong\n"
    assert run("notation", "check", deals, "-", deals, input=GAME_B).stdout.startswith("7 deals")


def test_check_of_nothing() -> None:
    done = run("notation", "check", input="\n# nothing\n")
    assert (done.returncode, done.stdout) == (0, "0 deals, 0 finished, 0 wrong\n")


def test_check_points_at_the_character(deals: Path) -> None:
    with deals.open("a", encoding="ascii") as file:
        file.write(f"{WRONG}\n")
    done = run("notation", "check", deals)
    assert done.returncode == 1
    head, text, caret, total = done.stdout.splitlines()
    assert head == f"{deals}:6: trick1: '3': player 4 takes the trick (wrong_winner, field 17)"
    assert text[caret.index("^")] == "3"
    assert text[: caret.index("^")].endswith("T04T05T18T20")
    assert total == "4 deals, 2 finished, 1 wrong"


@pytest.mark.parametrize(
    ("text", "reason", "under"),
    [
        ("x", "too_few_fields", ""),
        ("100/100", "too_few_fields", ""),
        (SEED_DEAL.replace("100", "1.5", 1), "bad_chips", "1"),
        (SEED_DEAL.replace("pn=0", "pn=9"), "bad_pn", "9"),
        (SEED_DEAL.replace("H1", "H\u00e9", 1), "bad_card", "H"),
        ("9" * (3 * notation.WIDEST), "too_long", "9"),
        (SEED_DEAL.replace("T22", "\x1b[2", 1), "bad_card", "?"),
    ],
)
def test_the_caret_stands_under_the_offending_character(text: str, reason: str, under: str) -> None:
    done = run("notation", "check", input=f"{text}\n")
    assert done.returncode == 1
    head, shown, caret, _ = done.stdout.splitlines()
    assert reason in head
    assert shown[caret.index("^") : caret.index("^") + 1] == under
    assert len(shown) <= notation.WINDOW + 4
    assert done.stdout.isprintable() or "\x1b" not in done.stdout


def test_only_so_many_errors_are_shown_but_all_are_counted() -> None:
    done = run("notation", "check", "--errors", "1", input=f"{WRONG}\n{WRONG}\n{WRONG}\n")
    assert done.stdout.count("wrong_winner") == 1
    assert done.stdout.splitlines()[-2:] == ["… and 2 more wrong lines", "3 deals, 0 finished, 3 wrong"]


def test_a_long_line_is_passed_over_whole() -> None:
    done = run("notation", "check", input=f"{'7' * 100_000}\n{GAME_A}\n")
    assert "standard input:1" in done.stdout
    assert done.stdout.endswith("2 deals, 1 finished, 1 wrong\n")
    assert LONGEST < notation.WIDEST


def test_many_chunks_are_checked_by_several_processes_in_order(tmp_path: Path) -> None:
    lines = [write(whole_deal(seed)) for seed in range(30)] * 30
    lines[17] = WRONG
    lines[850] = WRONG.replace("T203", "T202")
    path = tmp_path / "many.txt"
    path.write_text("\n".join(lines), encoding="ascii")
    done = spawn("notation", "check", "--jobs", "2", path)
    assert done.returncode == 1
    heads = [line.split(": ")[0] for line in done.stdout.splitlines() if "wrong_winner" in line]
    assert heads == [f"{path}:18", f"{path}:851"]
    assert done.stdout.splitlines()[-1] == "900 deals, 898 finished, 2 wrong"
    alone = run("notation", "check", "--jobs", "1", path)
    assert alone.stdout == done.stdout


def test_progress_is_shown_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "large.txt"
    path.write_text(f"{GAME_A}\n" * 3, encoding="ascii")
    monkeypatch.setattr(notation, "LARGE", 1)
    monkeypatch.setattr(notation, "CHUNK", 1)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with notation._progress([str(path)]) as bar:
        done = list(notation._check_all([str(path)], 1, bar))
        assert bar._progress is not None
        assert bar._progress.tasks[0].percentage == 100
    assert sum(checked.finished for checked in done) == 3
    assert "checking" in capsys.readouterr().err


def test_show_draws_deal_calls_and_tricks(deals: Path) -> None:
    lines = run("notation", "show", deals).stdout.splitlines()
    assert f"{deals}:2" in lines
    assert "player 4  T22 T20 T16 T03   S3 S2   CQ CR C4 C2   H4   D1" in lines
    assert "talon     T12 T06 T08 CK T14 D4" in lines
    assert "    2    CK        T02*      C1       >C4            8" in lines
    assert "Partner: XVIII, player 3" in lines
    assert "Talon: B, cards 4 to 6" in lines
    assert "Next: prever, player 1 to act" in lines


def test_show_of_an_open_trick() -> None:
    head = GAME_A.partition("/H2HKH4T061/")[0]
    lines = run("notation", "show", input=f"{head}/H2HK/").stdout.splitlines()
    assert "    3             >H2        HK" in [line.rstrip() for line in lines]
    assert "Next: play, player 4 to act" in lines


def test_settle_explains_every_chip(deals: Path) -> None:
    out = run("notation", "settle", deals).stdout
    assert "Base: (13 + 10) × 2 = 46, tenths rounded half up: 5" in out
    assert "contra, rhea: × 4" in out
    assert "The I on the end, announced: +4 for the declarers" in out
    rows = {tuple(line.split()) for line in out.splitlines()}
    assert ("money", "of", "player", "1", "+12", "-4", "-4", "-4") in rows
    assert ("after", "the", "deal", "134", "70", "126", "70") in rows
    assert ("settlement,", "X", "=", "-26", "+26", "-78", "+26", "+26") in rows
    assert "nothing is paid yet" in out


def test_settle_of_an_unfinished_deal_counts_the_money_cards() -> None:
    head = GAME_A.partition("/8//")[0]
    rows = [line.split() for line in run("notation", "settle", input=f"{head}/8/").stdout.splitlines()]
    assert ["so", "far", "110", "94", "102", "94"] in rows


def test_replay_tells_every_action(deals: Path) -> None:
    out = run("notation", "replay", deals).stdout
    assert "player 2: talon pass\n" in out
    assert "player 4: contra yes\n  player 4 calls contra: ×2\n" in out
    assert "player 1: play T01\n" in out
    assert "player 2: half swap\n  player 2 refused DR CJ D3\n" in out
    assert out.count("Deal 1 is over: ") == 2


@pytest.mark.parametrize("command", ["show", "settle", "replay"])
def test_a_wrong_line_ends_these_commands_with_the_caret(command: str) -> None:
    done = run("notation", command, input=f"{GAME_A}\n{WRONG}\n")
    assert done.returncode == 1
    assert "standard input:2: trick1" in done.stderr
    assert done.stderr.splitlines()[-1].strip() == "^"


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    assert only_line(run("notation", "check", tmp_path / "none")).endswith("No such file or directory")


def test_steps_need_a_terminal(deals: Path) -> None:
    assert "--step needs a file and a terminal" in only_line(run("notation", "replay", "--step", deals))
