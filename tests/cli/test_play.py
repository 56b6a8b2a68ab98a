"""`croupier play` on a plain terminal; a pipe counts as one."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from croupier.bots.strengths import filler
from croupier.cli.prompt import standing
from croupier.core import record
from croupier.games import Entry, names, registry
from croupier.games import game as find_game
from croupier.games.hearts import GAME
from croupier.wire.bot_names import bot_name
from tests.cli.command import Terminal, Tty, only_line, run, spawn

pytestmark = pytest.mark.slow

ONE_DEAL = ("--option", "deals=1", "--seed", "3")


def test_a_whole_deal_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.record"
    terminal = Terminal("play", *ONE_DEAL, "--name", "Zoë", "--record", str(path))
    assert terminal.play() == 0
    text = terminal.text
    assert "Deal 1 is dealt: passed to the left." in text
    assert len(re.findall(r"(?:takes|You take) the trick\.$", text, re.MULTILINE)) == 13
    assert "The match is over: " in text
    assert "Not possible" not in text, "every marked card is legal"
    written = record.read(path.read_text())
    assert written.players == ["Zoë", "Mira Zupan", "Hugo Roux", "Pavel Lipa"]
    assert record.replay(written, GAME).over()
    assert [finding.kind for finding in record.verify(written, GAME)] == ["given"]
    lines = text.splitlines()
    # Below the scores: the offer of a review, its prompt, and where the record is.
    assert all(f" {-score}" in lines[-4 - n] for n, score in enumerate(reversed(result(written))))
    assert "-" not in text.partition("The match is over: ")[2].splitlines()[0], (
        "points are shown without a sign"
    )


def result(written: record.Record) -> tuple[int, ...]:
    (found,) = [entry.scores for entry in written.entries if isinstance(entry, record.Result)]
    return found


@pytest.mark.parametrize(
    ("game", "option", "told"),
    [
        ("coinche", "target=100", r"^The contract (is made|fails): You and .* \d+, .* \d+\."),
        ("tarock", "deals=1", r"Scores: You -?\d+, Mira Zupan -?\d+"),
        ("taroky", "hands=1", r"^Deal 1 is over, (won by|lost by|even for) .* with \d+ points?: You [+-]"),
        ("sagrada", "rounds=2", r"^The match is over: (You|Mira Zupan) -?\d+, "),
    ],
    ids=lambda value: value if value.isalpha() else "",
)
def test_a_whole_deal_of_every_game_using_only_the_screen(
    tmp_path: Path, game: str, option: str, told: str
) -> None:
    path = tmp_path / "mine.record"
    terminal = Terminal("play", game, "--seed", "1", "--record", str(path), "--option", option)
    assert terminal.play() == 0
    assert re.search(told, terminal.text, re.MULTILINE), terminal.text
    assert "Not possible" not in terminal.text, "everything the screen offers is legal"
    assert not re.search(r"\bYou (is|has|\w+[^s]s)\b", terminal.text), "verbs after You have the right form"
    written = record.read(path.read_text())
    assert record.replay(written, find_game(game)).over()


def test_the_glass_workshop_is_played_alone_or_by_several() -> None:
    alone = run("play", "sagrada", "--seats", "1", "--seed", "1", input="q\n").stdout
    assert alone.startswith("Glass Workshop alone\n")
    three = run("play", "sagrada", "--seats", "3", "--bots", "random", input="q\n").stdout
    assert three.startswith("Glass Workshop against Benno Lark (random), Yaro Kos (random)\n")
    named = run("play", "sagrada", "--bots", "random,heuristic,random", input="q\n").stdout
    assert "against Benno Lark (random), Hugo Roux (heuristic), Fifi Blanc (random)" in named


def test_enter_shows_the_table_again() -> None:
    text = run("play", "coinche", "--seed", "1", input="\n\nq\n").stdout
    assert text.count("The auction: You …\nHand: ") == 3
    assert "Not possible" not in text


def test_the_next_game_of_a_match_waits_for_enter() -> None:
    terminal = Terminal("play", *ONE_DEAL, "--option", "match_games=2", "--bots", "dummy,random,heuristic")
    assert terminal.play() == 0
    assert "against player2 (dummy), Yaro Kos (random), Pavel Lipa (heuristic)" in terminal.text
    assert "Press Enter to start the next game" in terminal.text
    assert "Game 2 begins." in terminal.text


def test_wrong_answers_get_the_words_of_the_rules_and_change_nothing() -> None:
    done = run("play", *ONE_DEAL, input="zz\nqs\n5s 6s 7s\n9s 9s ah\n9s, AH; 10d\nfoo bar\n\n")
    assert done.returncode == 0
    assert re.findall(r"Not possible: (.*)", done.stdout) == [
        "'zz': expected cards like QS 10H. Type ? for help",
        "1 card: expected 3. Type ? for help",
        "pass 5S: you do not hold it",
        "pass 9S: you have picked it before",
        "pass TD: you do not hold it",
        "'foo': expected cards like QS 10H. Type ? for help",
    ]
    assert done.stderr == ""


def test_commands_help_hand_scores_and_last_trick() -> None:
    done = run("play", *ONE_DEAL, input="?\nh\ns\nl\nhint\n9S ah q♥\nq\n")
    text = done.stdout
    assert re.search(
        r"^Expert would choose: pass \w\w, pass \w\w, pass \w\w\nExpected gain in points: ",
        text,
        re.MULTILINE,
    )
    assert re.search(r"^It was the best choice in \d+ simulations\.", text, re.MULTILINE)
    assert "QS is the queen of spades" in text
    assert text.count("Hand:   9S   AH QH JH 7H   AC JC 8C 6C 2C   KD QD 9D") == 2
    assert re.search(r"^player +this deal  Total$", text, re.MULTILINE)
    assert "No trick has been taken in this deal" in text
    assert re.search(r"^.+ gives you \w\w", text, re.MULTILINE)
    assert text.endswith("You left the table.\n")
    assert done.returncode == 0


def test_a_suit_is_an_answer_and_not_a_command() -> None:
    for suit in "HS":
        text = run("play", "tarock", "--seed", "7", input=f"two\none\n{suit}\nq\n").stdout
        assert f"is your partner [C, S, H, D]\n> {suit}\nThe talon: " in text
        assert f"You play One. You call the {suit}K.\n" in text


def test_enter_plays_the_only_legal_card() -> None:
    terminal = Terminal("play", *ONE_DEAL)
    forced = 0

    def answer() -> str:
        nonlocal forced
        if terminal.question().startswith("Your turn: ") and len(terminal.hand()) == 1:
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
    record.replay(written, GAME)


@pytest.mark.parametrize("ending", ["q\n", ""], ids=["q", "the end of the input"])
@pytest.mark.parametrize("game", names())
def test_a_player_who_leaves_in_mid_deal_can_verify_the_deal(tmp_path: Path, game: str, ending: str) -> None:
    path = tmp_path / "part.record"
    done = run("play", game, "--seed", "3", "--record", path, input=ending)
    assert done.stdout.endswith(
        f"Record written to {path}; it reveals the seed of deal 1, which is not over\n"
    )
    written = record.read(path.read_text())
    assert not any(isinstance(entry, record.Result) for entry in written.entries)
    assert [finding.kind for finding in record.verify(written, find_game(game))] == ["given"]
    verified = run("verify", path)
    assert verified.returncode == 0
    assert "deal 1  given" in verified.stdout


def test_a_deal_that_is_over_is_revealed_once(tmp_path: Path) -> None:
    path = tmp_path / "part.record"
    terminal = Terminal("play", "--seed", "3", "--option", "deals=2", "--record", str(path))
    while terminal.until_prompt() and "Deal 2" not in terminal.text:
        terminal.type(terminal.answer())
    terminal.type("q")
    assert terminal.end() == 0
    assert "it reveals the seed of deal 2, which is not over" in terminal.text
    written = record.read(path.read_text())
    assert [entry.deal for entry in written.entries if isinstance(entry, record.Reveal)] == [1, 2]
    assert [finding.kind for finding in record.verify(written, GAME)] == ["given"] * 2


@pytest.mark.parametrize("bots", ["heuristic", "expert"])
def test_ctrl_c_ends_it_cleanly(tmp_path: Path, bots: str) -> None:
    """Also while bots are still choosing the cards to pass."""
    path = tmp_path / "part.record"
    terminal = Terminal("play", "--bots", bots, "--record", str(path))
    assert terminal.until_prompt()
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 0
    assert "\nYou left the table.\nRecord written to " in terminal.text
    assert [finding.kind for finding in record.verify(record.read(path.read_text()), GAME)] == ["proved"]


def test_mistakes_on_the_command_line_get_one_line_and_status_2(tmp_path: Path) -> None:
    for arguments, words in [
        (["chess"], "game 'chess': unknown, expected one of hearts"),
        (["--bots", "genius"], "--bots genius: unknown, expected one of random, dummy, novice, heuristic, "),
        (["--bots", "dummy,dummy"], "--bots: 2 names, expected one for all or 3"),
        (["--seats", "3"], "--seats 3: Hearts needs 4 players"),
        (["sagrada", "--seats", "5"], "--seats 5: Glass Workshop needs 1 or 2 or 3 or 4 players"),
        (
            ["sagrada", "--seats", "2", "--bots", "random,random"],
            "--bots: 2 names, expected one for all or 1",
        ),
        (["--option", "deals"], "--option deals: expected NAME=VALUE"),
        (["--option", "deals=99"], "option deals=99: expected 1…16"),
        (["--option", "speed=9"], "option speed: unknown"),
        (["--name", " "], "--name: expected 1 to 64 characters"),
        (["--record", str(tmp_path / "no" / "where")], "no such folder"),
    ]:
        done = run("play", *arguments)
        assert done.returncode == 2, arguments
        assert words in only_line(done)


def test_a_game_without_texts_is_played_by_the_names_of_its_actions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry(), "coins", Entry("coins", "tests.sample_game"))
    path = tmp_path / "coins.record"
    done = run("play", "coins", "--seats", "3", "--record", path, input="hide 9\ns\n" + "hide 1\n" * 5)
    assert done.returncode == 0, done.stderr
    usual = filler(find_game("coins"))
    assert f"Coins against {bot_name(1, usual)} ({usual}), {bot_name(2, usual)} ({usual})" in done.stdout
    assert "Not possible: unknown action 'hide 9'" in done.stdout
    assert done.stdout.count("scored rolled=[") == 5
    assert re.search(r"^player +points$", done.stdout, re.MULTILINE)
    assert record.read(path.read_text()).seats == 3
    text = run("replay", path).stdout
    assert text.count("hidden mine=[1]") >= 5
    assert run("replay", path, "--deal", "5").stdout.count("scored rolled=[") == 1


def test_a_capable_terminal_gets_suits_colours_and_one_table_redrawn_in_place() -> None:
    with Tty(*ONE_DEAL) as tty:
        for line in ("zz", "s", "h", "9S AH QH", "2c"):
            tty.type(line)
        rows = tty.rows()
        tty.leave()
    assert rows[5:9] == [
        "Deal 1 is dealt: passed to the left.",
        "Not possible: 'zz': expected cards like QS 10H. Type ? for help",
        "player      this deal  Total",
        "You                 0      0",
    ]
    assert rows[-7:] == [
        "",
        "Trick 2 of 13, hearts are broken",
        "Trick: Hugo Roux Q♣, Pavel Lipa K♥",
        "Hand:   K♠   J♥ 7♥   A♣ J♣ T♣ 8♣ 6♣   A♦ K♦ Q♦ 9♦",
        "Total: You 0, Mira Zupan 0, Hugo Roux 0, Pavel Lipa 0",
        "Your turn: play a card",
        "> ",
    ]
    assert sum(row.startswith("Hand:") for row in rows) == 1
    assert "\x1b[1;31mQ♥" in tty.text
    assert "\x1b[2;31mJ♥" in tty.text, "cards that may not be played are dim"


def test_what_to_type_is_shown_in_codes() -> None:
    with Tty("tarock", "--seed", "3") as tty:
        tty.type("?")
        rows = tty.rows()
        tty.leave()
    codes = "Cards are suit and value: CK or K♣ is the king of clubs, H1 the one of hearts, T5 or V a tarock,"
    assert any(row.startswith(codes) for row in rows)


def test_long_lines_are_wrapped_and_erased_as_a_whole() -> None:
    with Tty("tarock", "--seed", "3", columns=40) as tty:
        tty.type("")
        tty.type("x" * 100)
        rows = tty.rows()
        tty.leave()
    assert sum(row.startswith("Hand:") for row in rows) == 1
    assert [row.rstrip() for row in rows[-4:]] == [
        "Your bid [one, solo three, solo two,",
        "solo one, beggar, solo without, open",
        "beggar, color valat, valat, pass]",
        ">",
    ]
    assert not any(row.startswith("> x") for row in rows)


def test_the_scores_in_one_line() -> None:
    assert standing([["player", "this deal", "Total"], ["You", "3", "12"], ["bot2", "0", "-4"]]) == (
        "Total: You 12, bot2 -4"
    )
    assert standing([["", "We", "They"], ["1: 90 TA", "186", "66"], ["Total of 500", "186", "66"]]) == (
        "Total of 500: We 186, They 66"
    )
    for nothing in (
        [["player", "total"]],
        [["player"], ["You"]],
        [["player", "total"], ["You", "?"], ["bot2", "?"]],
    ):
        assert standing(nothing) == ""


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [((), {"TERM": "dumb"}), ((), {"NO_COLOR": "1"}), (("--plain",), {})],
    ids=["TERM=dumb", "NO_COLOR", "--plain"],
)
def test_plain_lines_if_the_terminal_is_dumb_or_the_person_wants_them(
    arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    with Tty(*ONE_DEAL, *arguments, environment=environment) as tty:
        tty.type("zz")
        tty.type("")
        tty.leave()
    assert "\x1b" not in tty.text
    piped = run("play", *ONE_DEAL, input="zz\n\nq\n").stdout
    assert tty.text.replace("\r", "").startswith(piped)
