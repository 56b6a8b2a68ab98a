"""The coach in the terminal: hints, and the costly decisions of a finished match."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest

from croupier.cli.coach import mistakes_of, show_mistakes
from croupier.cli.screen import Screen
from croupier.client import sync
from croupier.games import game, words_of
from croupier.wire.house_messages import Finding, ReviewLine
from tests.cli.command import Terminal
from tests.client.quick import no_pauses
from tests.integration.servers import TIMEOUT, Server, house

FINDING = Finding(
    deal=1,
    step=4,
    seat=0,
    by="",
    played=ReviewLine(["play QS"], [], -13.0, 80),
    best=ReviewLine(["play 2C"], [], -1.0, 120),
    difference=12.0,
    options=[],
    reasons=[{"kind": "stake", "number": 5}, {"kind": "void", "seat": 1, "suit": "spades"}],
)
"""A costly decision of the first seat."""


def test_mistakes_are_the_costly_decisions_that_the_player_made() -> None:
    smaller = msgspec.structs.replace(FINDING, step=9, difference=3.0)
    found = [
        smaller,
        FINDING,
        msgspec.structs.replace(FINDING, difference=2.9),
        msgspec.structs.replace(FINDING, seat=1),
        msgspec.structs.replace(FINDING, by="absent"),
    ]
    assert mistakes_of(found, 3.0, 0) == [FINDING, smaller]
    assert mistakes_of([msgspec.structs.replace(FINDING, difference=0.0)], 0.0, 0) == []


def test_a_mistake_is_told_with_its_cost_and_the_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(words_of(game("hearts")), plain=True)
    passed = msgspec.structs.replace(
        FINDING,
        deal=2,
        step=0,
        played=ReviewLine(["pass 2C", "pass 3C"], [], None, 0),
        best=ReviewLine(["pass QS", "pass AH"], [], 1.0, 1),
        reasons=[],
    )
    show_mistakes(screen, [FINDING, passed], ["You", "Ann"])
    assert capsys.readouterr().out == (
        "  Deal 1, move 5: play 2C instead of play QS. Cost in points: 12.0. "
        "Why: this trick holds 5 points and Ann has no spades left.\n"
        "  Deal 2, move 1: pass QS AH instead of pass 2C 3C. Cost in points: 12.0.\n"
    )
    show_mistakes(screen, [], ["You", "Ann"])
    assert capsys.readouterr().out == "You made no costly decision in this match.\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with house(tmp_path_factory.mktemp("house"), "--log-level", "error") as server:
        yield server


TOLD = re.compile(
    r"^  Deal 1, move \d+: .+ instead of .+\. Cost in points: \d+\.\d\.|^You made no costly decision",
    re.MULTILINE,
)
"""What the end of a match says after `m`; which decisions are costly depends on a search."""


@pytest.mark.slow
@pytest.mark.parametrize("remote", [False, True])
def test_mistakes_are_reviewed_at_the_end_of_a_match(server: Server, remote: bool) -> None:
    wish = ["sagrada", "--seed", "3", "--bots", "random", "--option", "rounds=1"]
    for name, value in no_pauses("sagrada").items() if remote else ():
        wish += ["--option", f"{name}={value}"]
    terminal = Terminal("play", *wish, *(["--server", server.http] if remote else []))
    while terminal.until_prompt():
        if terminal.question().startswith("Type m to review your mistakes"):
            break
        terminal.type(terminal.answer())
    out, _ = terminal.process.communicate(b"m\n", timeout=4 * TIMEOUT)
    assert TOLD.search(out.decode()), out
    assert terminal.process.returncode == 0


@pytest.mark.slow
def test_a_hint_at_the_table_of_a_server(server: Server) -> None:
    terminal = Terminal("play", "--seed", "3", "--server", server.http)
    assert terminal.until_prompt()
    terminal.type("hint")
    assert terminal.until_prompt()
    assert re.search(
        r"^Expert would choose: pass \w+, pass \w+, pass \w+\nExpected gain in points: ",
        terminal.text,
        re.MULTILINE,
    )
    assert re.search(r"^(Why: |It was the best choice)", terminal.text, re.MULTILINE)
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.slow
def test_a_hint_that_a_server_refuses_is_told(server: Server) -> None:
    seats = ["person", "open", "bot random", "bot random"]
    table = server.new_table(seats=seats, options={"deals": 1}, table_options=no_pauses("hearts"))
    with sync.connect(server.http, table, name="ann"):
        terminal = Terminal("play", "--server", f"{server.http}/table/{table}", "--name", "Zoe")
        assert terminal.until_prompt()
        terminal.type("hint")
        assert terminal.until("Not possible: There are hints only if all other players are bots.")
        assert terminal.until_prompt()
        terminal.type("q")
        assert terminal.end() == 0
