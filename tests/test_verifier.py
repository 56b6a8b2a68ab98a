"""The stand-alone verifier, croupier's own and the page about both are consistent."""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.chance import Stream, commitment, derived_seed, joint_seed
from croupier.core.contract import Draw, Game
from croupier.core.record import (
    Acted,
    Commit,
    Drawn,
    Nonce,
    Pool,
    Record,
    Result,
    Reveal,
    drawn,
    read,
    replay,
    spelt,
    verify,
    write,
    write_entry,
)
from croupier.games import game

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "verify_record.py"
PAGE = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
HEARTS = game("hearts")

seeds = st.binary(min_size=32, max_size=32)


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert len(found) == 1
    return str(found[0])


def played(rules: Game, options: dict[str, object], chance: Random, nonces: Sequence[str] = ()) -> Record:
    """Return the record of a match of random actions, in which the seats add *nonces* to every deal."""
    values = rules.options.read(options)
    seats = rules.seats[0]
    record = Record(rules.name, rules.rules, seats, spelt(rules.options.changed(values)))
    entries = record.entries
    state = rules.new(values, seats)
    deal, key = 0, b""
    while not state.over():
        draw = state.awaiting()
        if draw is None:
            seat = chance.choice([seat for seat in range(seats) if state.to_act() >> seat & 1])
            action = chance.choice(state.legal_actions(seat))
            state.apply(seat, action)
            entries.append(Acted(seat, (rules.actions.name(action),)))
            continue
        if state.deal() >= deal:
            if key:
                entries.append(Reveal(deal, key.hex()))
            deal, key = state.deal() + 1, chance.randbytes(32)
            stream = Stream(joint_seed(key, nonces))
            entries.append(Commit(deal, commitment(key)))
            entries += [Nonce(deal, seat, nonce) for seat, nonce in enumerate(nonces) if nonce]
        outcome = stream.draw(draw)
        entries += drawn(rules, draw, outcome, entries)
        state.apply_draw(outcome)
    entries += [Reveal(deal, key.hex()), Result(tuple(state.scores()))]
    return record


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def judged(script: dict[str, Any], record: Record) -> list[tuple[int, str]]:
    """Return the number and the verdict of every deal by the script."""
    return [(deal.number, deal.judge()[0]) for deal in script["deals_of"](write(record))]


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    # -I: the script can import neither from the environment nor from the folder.
    return subprocess.run(
        [sys.executable, "-I", str(SCRIPT), *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_the_script_imports_nothing_but_the_standard_library() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names
    assert not any("croupier" in name for name in imported)


# The page


def test_the_example_of_the_page_replays_and_is_not_random() -> None:
    text = block("text")
    record = read(text)
    assert write(record) == text
    state = replay(record, HEARTS)
    assert state.over()
    assert [finding.kind for finding in verify(record, HEARTS)] == ["given"]
    done = run("-", text=text)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "-: deal 1: given: not random: cards were given",
        "-: 0 proved, 1 given, 0 open, 0 broken",
    ]


@pytest.mark.parametrize(
    ("head", "kind"), [("", "proved"), ("cards given\n", "given"), ("seed 7\n", "given")]
)
def test_cards_that_were_given_are_not_proved(script: dict[str, Any], head: str, kind: str) -> None:
    record = read(block("text").replace("seed 7\n", head))
    assert [(finding.deal, finding.kind) for finding in verify(record, HEARTS)] == [(1, kind)]
    assert judged(script, record) == [(1, kind)]


def test_nonces_change_the_draws(script: dict[str, Any]) -> None:
    record = played(HEARTS, {"deals": 1, "match_games": 1}, Random(8), nonces=["", "b-2", "", "d_4"])
    assert [write_entry(entry) for entry in record.entries][1:3] == ["nonce 1 1 b-2", "nonce 1 3 d_4"]
    assert read(write(record)) == record
    [finding] = verify(record, HEARTS)
    assert finding.kind == "proved"
    assert finding.words.endswith(" with 2 nonces")
    assert judged(script, record) == [(1, "proved")]
    first, *_ = [at for at, entry in enumerate(record.entries) if isinstance(entry, Nonce)]
    changes = [
        [*record.entries[:first], *record.entries[first + 1 :]],
        [*record.entries[:first], Nonce(1, 1, "other"), *record.entries[first + 1 :]],
        [
            *record.entries[:first],
            record.entries[first + 1],
            record.entries[first],
            *record.entries[first + 2 :],
        ],
        [record.entries[first], *record.entries[:first], *record.entries[first + 1 :]],
    ]
    for entries in changes:
        record.entries = entries
        assert "broken" in [finding.kind for finding in verify(record, HEARTS)]
        assert "broken" in [kind for _, kind in judged(script, record)]


def test_given_draws_need_no_commitment(script: dict[str, Any]) -> None:
    record = read(block("text").replace("seed 7\n", "cards given\n"))
    record.entries = [entry for entry in record.entries if not isinstance(entry, Commit | Reveal)]
    assert [(finding.deal, finding.kind) for finding in verify(record, HEARTS)] == [(1, "given")]
    assert [kind for _, kind in judged(script, record)] == ["given"]
    record.given = False
    assert [finding.kind for finding in verify(record, HEARTS)] == ["broken"]
    assert [kind for _, kind in judged(script, record)] == ["broken"]


def test_the_seed_of_the_example_is_the_one_the_page_derives() -> None:
    record = read(block("text"))
    assert record.seed == "7"
    assert Reveal(1, derived_seed("7", 1, 1).hex()) in record.entries


@given(seeds, st.lists(st.integers(0, 99), min_size=1, max_size=60), st.data())
def test_the_program_of_the_page_and_the_script_draw_as_the_server_does(
    seed: bytes, pool: list[int], data: st.DataObject
) -> None:
    page: dict[str, Any] = {}
    exec(block("python"), page)
    script = runpy.run_path(str(SCRIPT))
    assert page["commitment"](seed) == script["commitment"](seed) == commitment(seed)
    stream, row, words = Stream(seed), page["words"](seed), script["words_of"](seed)
    for _ in range(3):
        k = data.draw(st.integers(0, len(pool)))
        again = data.draw(st.booleans())
        expected = stream.draw(Draw(pool, k, again))
        assert page["roll" if again else "draw"](row, pool, k) == expected
        assert script["draw"](words, pool, k, again) == expected
    n = data.draw(st.integers(1, 2**32))
    assert page["below"](row, n) == script["below"](words, n) == stream.below(n)


# The script against croupier's own verifier


@pytest.mark.parametrize(
    "options",
    [
        {"deals": 2, "match_games": 1},
        {"deals": 1, "match_games": 2, "match_decks": "duplicate"},
        {"deals": 4, "match_games": 4},
    ],
)
def test_honest_matches_are_proved(script: dict[str, Any], options: dict[str, object]) -> None:
    record = played(HEARTS, options, Random(5))
    assert read(write(record)) == record
    findings = verify(record, HEARTS)
    assert {finding.kind for finding in findings} == {"proved"}
    assert judged(script, record) == [(finding.deal, finding.kind) for finding in findings]


def swap_two_cards(record: Record) -> None:
    at = next(at for at, entry in enumerate(record.entries) if isinstance(entry, Drawn))
    first, second, *rest = record.entries[at].items  # type: ignore[union-attr]  # it is a Drawn
    record.entries[at:] = [Drawn((second, first, *rest)), *reveals(record)]


def reveals(record: Record) -> list[Reveal]:
    return [entry for entry in record.entries if isinstance(entry, Reveal)][:1]


def other_seed(record: Record) -> None:
    at = record.entries.index(reveals(record)[0])
    record.entries[at] = Reveal(1, "00" * 32)


def no_commitment(record: Record) -> None:
    del record.entries[0]


def seed_before_the_draw(record: Record) -> None:
    found = reveals(record)[0]
    record.entries.remove(found)
    record.entries.insert(1, found)


def two_seeds(record: Record) -> None:
    record.entries.append(Reveal(1, "00" * 32))


def seed_of_no_deal(record: Record) -> None:
    record.entries.append(Reveal(77, "00" * 32))


def committed_twice(record: Record) -> None:
    record.entries.insert(0, record.entries[0])


def not_yet_revealed(record: Record) -> None:
    del record.entries[record.entries.index(reveals(record)[0]) :]


@pytest.mark.parametrize(
    "tamper",
    [
        swap_two_cards,
        other_seed,
        no_commitment,
        seed_before_the_draw,
        two_seeds,
        seed_of_no_deal,
        committed_twice,
        not_yet_revealed,
    ],
)
def test_both_verifiers_find_the_same(script: dict[str, Any], tamper: Callable[[Record], None]) -> None:
    record = played(HEARTS, {"deals": 2, "match_games": 1}, Random(6))
    tamper(record)
    findings = [(finding.deal, finding.kind) for finding in verify(record, HEARTS)]
    assert judged(script, record) == findings
    worst = "open" if tamper is not_yet_revealed else "broken"
    assert worst in [kind for _, kind in findings]


def test_a_wrong_deck_is_found_if_the_game_is_known(script: dict[str, Any]) -> None:
    record = played(HEARTS, {"deals": 1, "match_games": 1}, Random(7))
    at = next(at for at, entry in enumerate(record.entries) if isinstance(entry, Pool))
    key = bytes.fromhex(reveals(record)[0].seed)
    stacked = ["AS" if card == "2D" else card for card in record.entries[at].items]  # type: ignore[union-attr]
    places = Stream(key).draw(Draw(list(range(52)), 52))
    record.entries[at:] = [
        Pool(tuple(stacked)),
        Drawn(tuple(stacked[place] for place in places)),
        *reveals(record),
    ]
    assert judged(script, record) == [(1, "broken")]
    record.game = "patience"
    assert judged(script, record) == [(1, "proved")]


def test_a_draw_without_a_pool_is_not_proved(script: dict[str, Any]) -> None:
    record = played(HEARTS, {"deals": 1, "match_games": 1}, Random(8))
    record.entries = [entry for entry in record.entries if not isinstance(entry, Pool)]
    assert judged(script, record) == [(1, "broken")]


@given(st.text() | st.lists(st.sampled_from(block("text").splitlines())).map("\n".join))
def test_any_text_gets_a_verdict_or_is_refused(text: str) -> None:
    names = runpy.run_path(str(SCRIPT))
    for start in ("", "croupier record 1\ngame hearts 1\n\n"):
        try:
            deals = names["deals_of"](start + text)
        except names["Unreadable"]:
            continue
        assert {deal.judge()[0] for deal in deals} <= {"proved", "given", "open", "broken"}


def test_the_exit_status_differs_for_broken_and_unreadable_records(tmp_path: Path) -> None:
    good = tmp_path / "good.record"
    good.write_text(block("text"), encoding="utf-8")
    broken = tmp_path / "broken.record"
    broken.write_text(block("text").replace("draw TH QH", "draw QH TH"), encoding="utf-8")
    noise = tmp_path / "noise.record"
    noise.write_bytes(b"\xff\xfe not a record")
    assert run(str(good)).returncode == 0
    done = run(str(good), str(broken))
    assert done.returncode == 1
    assert "broken.record: deal 1: broken: draw 1 is QH TH" in done.stdout
    for bad in (noise, tmp_path / "missing.record"):
        done = run(str(bad), str(good))
        assert done.returncode == 2
        assert "1 given" in done.stdout
        assert len(done.stderr.splitlines()) == 1
