"""`croupier notation`: files, standard input, carets, settlements."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.core import record
from croupier.games.taroky.checking import WIDEST, WINDOW
from croupier.games.taroky.notation import LONGEST
from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A, GAME_B, SEED_DEAL
from tests.cli.command import bots_record, only_line, run

WRONG = GAME_A.replace("T204", "T203")
COMMANDS = ["check", "show", "settle", "replay", "import"]


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
    assert (done.returncode, done.stdout) == (0, "3 deals, 2 finished, 0 invalid\n")


def test_check_reads_standard_input_and_several_files(deals: Path) -> None:
    assert run("notation", "check", input=GAME_A).stdout == "1 deal, 1 finished, 0 invalid\n"
    assert run("notation", "check", deals, "-", deals, input=GAME_B).stdout.startswith("7 deals")


def test_check_of_nothing() -> None:
    done = run("notation", "check", input="\n# nothing\n")
    assert (done.returncode, done.stdout) == (0, "0 deals, 0 finished, 0 invalid\n")


def test_check_points_at_the_character(deals: Path) -> None:
    with deals.open("a", encoding="ascii") as file:
        file.write(f"{WRONG}\n")
    done = run("notation", "check", deals)
    assert done.returncode == 1
    head, text, caret, total = done.stdout.splitlines()
    at = WRONG.index("T04T05T18T203") + len("T04T05T18T20")
    assert head == f"{deals}:6: trick1: '3': player 4 takes the trick (wrong_winner, field 17, offset {at})"
    assert text[caret.index("^")] == "3"
    assert text[: caret.index("^")].endswith("T04T05T18T20")
    assert total == "4 deals, 2 finished, 1 invalid"


@pytest.mark.parametrize(
    ("text", "reason", "under"),
    [
        ("x", "too_few_fields", ""),
        ("100/100", "too_few_fields", ""),
        (SEED_DEAL.replace("100", "1.5", 1), "bad_chips", "1"),
        (SEED_DEAL.replace("pn=0", "pn=9"), "bad_pn", "9"),
        (SEED_DEAL.replace("H1", "H\u00e9", 1), "bad_card", "H"),
        ("9" * (3 * WIDEST), "too_long", "9"),
        (SEED_DEAL.replace("T22", "\x1b[2", 1), "bad_card", "?"),
    ],
)
def test_the_caret_stands_under_the_offending_character(text: str, reason: str, under: str) -> None:
    done = run("notation", "check", input=f"{text}\n")
    assert done.returncode == 1
    head, shown, caret, _ = done.stdout.splitlines()
    assert reason in head
    assert shown[caret.index("^") : caret.index("^") + 1] == under
    assert len(shown) <= WINDOW + 4
    assert done.stdout.isprintable() or "\x1b" not in done.stdout


def test_a_limited_number_of_errors_is_shown_but_all_are_counted() -> None:
    done = run("notation", "check", "--errors", "1", input=f"{WRONG}\n{WRONG}\n{WRONG}\n")
    assert done.stdout.count("wrong_winner") == 1
    assert done.stdout.splitlines()[-2:] == ["… and 2 more invalid lines", "3 deals, 0 finished, 3 invalid"]


def test_a_line_that_is_too_long_is_skipped() -> None:
    done = run("notation", "check", input=f"{'7' * 100_000}\n{GAME_A}\n")
    assert "standard input:1" in done.stdout
    assert done.stdout.endswith("2 deals, 1 finished, 1 invalid\n")
    assert LONGEST < WIDEST


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


def test_replay_prints_every_action(deals: Path) -> None:
    out = run("notation", "replay", deals).stdout
    assert "player 2: talon pass\n" in out
    assert "player 4: contra yes\n  player 4 calls contra: × 2.\n" in out
    assert "player 1: play T01\n" in out
    assert "player 2: half swap\n  player 2 refuses DR CJ D3.\n" in out
    assert out.count("Deal 1 is over, ") == 2


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


def test_deals_go_into_the_database_and_come_out_again(deals: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    done = run("notation", "import", deals, "--data", data)
    assert done.returncode == 1, "the last deal is not over"
    assert f"{deals}:5: the match is not over" in done.stderr
    matches = [line.rpartition(" ")[2] for line in done.stdout.splitlines()]
    assert [line.rpartition(": ")[0] for line in done.stdout.splitlines()] == [f"{deals}:2", f"{deals}:4"]
    out = run("notation", "export", *matches, "--data", data)
    assert out.returncode == 0
    assert [parse(line).result().chips for line in out.stdout.splitlines()] == [
        [134, 70, 126, 70],
        [122, 26, 130, 122],
    ]
    assert run("notation", "check", input=out.stdout).returncode == 0
    # A second import is refused, and the export is the same deal.
    again = run("notation", "import", "--data", data, input=out.stdout)
    assert again.returncode == 1
    assert again.stderr.count("already stored") == 2
    assert "The match is over" in run("replay", matches[0], "--data", data).stdout


def test_import_points_at_a_wrong_character_and_imports_the_rest(tmp_path: Path) -> None:
    done = run("notation", "import", "--data", tmp_path, input=f"{WRONG}\n{GAME_B}\n")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].strip() == "^"
    assert done.stdout.startswith("standard input:2: match ")


def test_export_of_an_unknown_match(tmp_path: Path) -> None:
    assert run("notation", "import", "--data", tmp_path, input=GAME_A).returncode == 0
    assert "not found" in only_line(run("notation", "export", "nothing-1", "--data", tmp_path))


def test_only_taroky_has_a_notation(tmp_path: Path) -> None:
    path = tmp_path / "hearts.record"
    path.write_text(record.write(bots_record()), encoding="utf-8")
    done = run("import", path, "--data", tmp_path)
    match = done.stdout.split()[-1]
    assert "only Taroky" in only_line(run("notation", "export", match, "--data", tmp_path))
