"""Results: R11, R12, R13, with every worked example of the spec's part E."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import NOTHING
from croupier.core.contract import as_plain, play_out
from croupier.core.dice import Dice
from croupier.games.tarock import GAME
from croupier.games.tarock.contracts import CONTRACTS
from croupier.games.tarock.events import DealEnded, MatchEnded
from croupier.games.tarock.scoring import DealResult, final_scores, points, ranking
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.tests.positions import bid, dealt, ending, finish, mask, new, told
from croupier.games.tarock.vocabulary import BONUSES, CONTRACT_NAMES, ITEMS, TRICKS, WHOLE, TarockRules

WORKED = json.loads((Path(__file__).parent / "worked_scoring.json").read_text())
"""The rows of part E of the spec."""


def rules(**options: object) -> TarockRules:
    return TarockRules(GAME.options.read(options))


def result_of(row: dict[str, Any]) -> DealResult:
    """Return the result a row of part E describes."""
    contract = CONTRACT_NAMES.index(row["contract"])
    declarer = row.get("declarer", 1)
    partner = row["partner"] if row.get("partner") is not None else -1
    result = DealResult(rules(**row.get("options", {})), contract, declarer, partner, -1)
    if row["contract"] == "klop":
        result.each = vec[i64](row["points"])
    else:
        result.side = row.get("points", 0)
    sides = {"D": TRICKS, "O": 0}
    default = 5 if row["contract"] in ("color_valat", "valat") else 6
    result.tricks = (
        sides[row["all_tricks"]] if "all_tricks" in row else row.get("tricks_by_declarer", default)
    )
    for name, made in row.get("made", {}).items():
        if made > 0:
            result.ahead |= 1 << BONUSES.index(name)
        else:
            result.behind |= 1 << BONUSES.index(name)
    for name, side in row.get("announced", {}).items():
        if side == "D":
            result.ours |= 1 << BONUSES.index(name)
        else:
            result.theirs |= 1 << BONUSES.index(name)
    for name, factor in row.get("kontra", {}).items():
        result.steps |= (factor.bit_length() - 1) << 3 * ITEMS.index(name)
    result.mond = row.get("mond_lost_by", -1)
    radelci = [0, 0, 0, 0]
    if row.get("radelc"):
        radelci[declarer] = 1
    result.settle(vec[i64](radelci))
    return result


def worked(needed: Callable[[dict[str, Any]], bool]) -> pytest.MarkDecorator:
    rows = [row for row in WORKED if needed(row)]
    return pytest.mark.parametrize("row", rows, ids=[row["id"] for row in rows])


def test_every_row_is_there() -> None:
    assert len(WORKED) == 46


@worked(lambda row: True)
def test_worked_scoring(row: dict[str, Any]) -> None:
    assert result_of(row).scores() == row["scores"]


@worked(lambda row: "won" in row)
def test_worked_wins(row: dict[str, Any]) -> None:
    assert result_of(row).won == row["won"]


@worked(lambda row: row["contract"] != "klop")
def test_lines_of_a_worked_score_add_up(row: dict[str, Any]) -> None:
    result = result_of(row)
    total = sum(line.score for line in result.lines())
    assert total == result.total()
    doubled = 2 if row.get("radelc") else 1
    mond = result.mond_penalties()[row["declarer"]]
    assert result.scores()[row["declarer"]] == total * doubled + mond


def test_declarer_loses_a_radelc_only_for_a_win() -> None:  # S21, S22
    rows = {row["id"]: row for row in WORKED}
    assert result_of(rows["S21"]).radelci() == [0, 0, 0, 0]
    assert result_of(rows["S22"]).radelci() == [0, 0, 1, 0]
    # S41: a beggar won with a radelc: one gone, and everyone gets one.
    assert result_of(rows["S41"]).radelci() == [1, 1, 1, 1]


def test_the_lines_of_the_transcript() -> None:  # S03
    row = next(row for row in WORKED if row["id"] == "S03")
    result = result_of(row)
    result.by = 2 << 0 | 4 << 6
    assert [as_plain(line.fact()) for line in result.lines()] == [
        {"item": "game", "value": 20, "difference": 20, "kontra": 1, "score": 40},
        {"item": "trula", "announced": True, "by": 1, "made": True, "kontra": 1, "score": 20},
        {"item": "kings_ultimo", "announced": True, "by": 3, "made": True, "kontra": 1, "score": 20},
    ]


def test_the_lines_of_what_went_wrong() -> None:
    rows = {row["id"]: row for row in WORKED}
    assert [as_plain(line.fact()) for line in result_of(rows["S02"]).lines()] == [
        {"item": "game", "value": 10, "difference": 0, "kontra": 1, "score": -10}
    ]
    assert [as_plain(line.fact()) for line in result_of(rows["S14"]).lines()][1] == {
        "item": "pagat_ultimo",
        "announced": True,
        "by": None,
        "made": False,
        "kontra": 1,
        "score": 50,
    }
    (valat,) = result_of(rows["S17"]).lines()
    assert (valat.fact().made, valat.score, valat.announced) == (False, -500, True)
    (silent,) = result_of(rows["S18"]).lines()
    assert (silent.fact().made, silent.score, silent.announced) == (True, -250, False)
    assert result_of(rows["S24"]).lines() == []


# R12 The mond


@pytest.mark.parametrize(
    ("trick", "leader", "winner", "penalty"),
    [  # part E: the mond, seat by seat (declarer 1, partner 3); cards by seat
        (["T9", "T21", "TS", "T5"], 1, 2, [0, -20, 0, 0]),
        (["T4", "TS", "T6", "T21"], 3, 1, [0, 0, 0, -20]),
        (["T21", "TS", "T9", "T1"], 0, 3, [-20, 0, 0, 0]),
        (["H2", "HJ", "T21", "H1"], 1, 2, [0, 0, 0, 0]),
    ],
)
def test_who_loses_the_mond(trick: list[str], leader: int, winner: int, penalty: list[int]) -> None:
    state = finish(ending("two", trick, leader, partner=3, king="H"))
    assert state.leader == winner
    assert state.results()[-1].mond_penalties() == penalty


def test_the_mond_left_in_the_talon_costs_declarer() -> None:
    state = finish(ending("two", ["H2", "HJ", "H3", "H1"], 1, partner=3, king="C", rest="T21 S7 S8 S9"))
    assert state.results()[-1].mond_penalties() == [0, -20, 0, 0]
    assert state.results()[-1].scores()[1] == state.results()[-1].scores()[3] - 20


@pytest.mark.parametrize("contract", CONTRACT_NAMES)
def test_only_contracts_for_points_lose_the_mond(contract: str) -> None:
    state = finish(ending(contract, ["T9", "T21", "TS", "T5"], 1, won=(0, 0, 0, 11)))
    lost = contract not in ("klop", "beggar", "open_beggar", "color_valat", "valat")
    assert state.results()[-1].mond_penalties() == [0, -20 if lost else 0, 0, 0]


@pytest.mark.parametrize("penalty", [0, 20, 21])
def test_what_the_mond_costs_is_an_option(penalty: int) -> None:
    state = finish(ending("two", ["T9", "T21", "TS", "T5"], 1, partner=3, king="H", mond_penalty=penalty))
    assert state.results()[-1].mond_penalties() == [0, -penalty, 0, 0]


# R11 Bonuses at the end of a deal


def lines(state: TarockState) -> dict[str, int]:
    """Return the scores of all lines except the game's."""
    return {ITEMS[line.item]: line.score for line in state.results()[-1].lines()[1:]}


# A pile that keeps trula and kings apart, so that only the ultimos count.
APART = {1: "CK T21"}


@pytest.mark.parametrize(
    ("trick", "leader", "expected"),
    [
        # cards by seat; declarer 1, partner 3, HK called
        (["C7", "T1", "C8", "C9"], 1, {"pagat_ultimo": 25}),  # it wins
        (["C7", "T1", "T2", "C9"], 1, {"pagat_ultimo": -25}),  # it is beaten
        (["C7", "T1", "C8", "T5"], 1, {"pagat_ultimo": -25}),  # even by the partner
        (["T1", "C7", "C8", "C9"], 0, {"pagat_ultimo": -25}),  # an opponent's wins
        (["T1", "T2", "C8", "C9"], 0, {"pagat_ultimo": 25}),  # an opponent's fails
        (["H1", "H2", "H3", "HK"], 0, {"kings_ultimo": 10}),
        (["H1", "T5", "H3", "HK"], 0, {"kings_ultimo": 10}),  # with any card
        (["H1", "H2", "T5", "HK"], 0, {"kings_ultimo": -10}),
        (["T5", "T1", "H3", "HK"], 0, {"kings_ultimo": -10, "pagat_ultimo": -25}),  # independent
        (["C7", "T1", "H3", "HK"], 1, {"kings_ultimo": 10, "pagat_ultimo": 25}),
    ],
)
def test_silent_ultimos(trick: list[str], leader: int, expected: dict[str, int]) -> None:  # R11.4
    state = finish(ending("two", trick, leader, partner=3, king="H", piles={1: "CK TS"}))
    assert {name: score for name, score in lines(state).items() if "ultimo" in name} == expected
    lenient = finish(
        ending("two", trick, leader, partner=3, king="H", piles={1: "CK TS"}, silent_ultimo_penalty=False)
    )
    result = state.results()[-1]
    made = {name: score for name, score in expected.items() if not result.failed >> BONUSES.index(name) & 1}
    assert {name: score for name, score in lines(lenient).items() if "ultimo" in name} == made


def test_the_emperors_trick_makes_the_pagat_ultimo() -> None:  # R11.4
    state = finish(ending("two", ["T21", "TS", "T9", "T1"], 0, partner=3, king="H", piles={1: "CK"}))
    assert lines(state)["pagat_ultimo"] == 25


@pytest.mark.parametrize(
    ("announcer", "trick", "leader", "expected"),
    [
        (1, ["C7", "T1", "C8", "C9"], 1, 50),
        (1, ["C7", "T1", "T2", "C9"], 1, -50),
        (0, ["T1", "C7", "C8", "C9"], 0, -50),
        (0, ["T1", "T2", "C8", "C9"], 0, 50),
        (1, ["C7", "S7", "C8", "C9"], 1, -50),  # it had to be played before
    ],
)
def test_announced_pagat_ultimo(announcer: int, trick: list[str], leader: int, expected: int) -> None:
    announced = {"pagat_ultimo": announcer}
    state = finish(ending("two", trick, leader, partner=3, king="H", piles={1: "CK TS"}, announced=announced))
    assert lines(state)["pagat_ultimo"] == expected


@pytest.mark.parametrize(
    ("piles", "rest", "announced", "expected"),
    [
        ({1: "T1 T21", 3: "TS CK"}, "", {}, {"trula": 10}),
        ({1: "CK"}, "T1 T21 TS SK", {}, {"trula": -10}),  # the rest of the talon is the opponents'
        ({1: "T1 CK"}, "T21 TS S7 S8", {}, {}),
        ({1: "CK SK HK DK T1"}, "", {}, {"kings": 10}),
        ({1: "T1"}, "", {}, {"kings": -10}),
        ({1: "CK T1"}, "", {"kings": 0}, {"kings": 20}),  # the opponents announced it and failed
        ({1: "T1"}, "", {"kings": 0}, {"kings": -20}),
        ({1: "CK T1"}, "", {"kings": 3}, {"kings": -20}),
        ({1: "T1"}, "", {"kings": 1}, {"kings": -20}),  # nothing for the others' silent kings
    ],
)
def test_trula_and_kings(
    piles: dict[int, str], rest: str, announced: dict[str, int], expected: dict[str, int]
) -> None:
    state = ending(
        "two", ["C7", "C8", "C9", "C10"], 1, partner=3, king="H", piles=piles, rest=rest, announced=announced
    )
    assert lines(finish(state)) == expected


def test_discards_and_points_of_both_sides() -> None:  # R11.1
    piles = {1: "CK CQ TS T21 T1", 3: "SK SQ HK"}
    state = ending("two", ["C7", "C8", "C9", "C10"], 1, partner=3, king="H", piles=piles, laid="HQ DQ")
    result = finish(state).results()[-1]
    ours = mask("CK CQ TS T21 T1 SK SQ HK HQ DQ C7 C8 C9 C10")
    if state.leader not in (1, 3):
        ours &= ~mask("C7 C8 C9 C10")
    assert result.points() == [points(ours), 70 - points(ours)]
    assert points(WHOLE & ~ours) == result.points()[1]


@pytest.mark.parametrize(
    ("won", "trick", "expected"),
    [
        ((0, 6, 0, 5), ["C7", "CK", "C8", "C9"], 250),
        ((6, 0, 5, 0), ["CK", "C7", "C8", "C9"], -250),
    ],
)
def test_a_silent_valat_replaces_everything(
    won: tuple[int, int, int, int], trick: list[str], expected: int
) -> None:  # R11.5
    state = finish(ending("two", trick, 1, partner=3, king="H", won=won))
    assert [(ITEMS[line.item], line.score) for line in state.results()[-1].lines()] == [("valat", expected)]
    assert state.results()[-1].radelci() == [1, 1, 1, 1]


def test_solo_without_is_flat_unless_the_option_says_otherwise() -> None:  # S35
    piles = {1: "CK SK HK DK T1 T21 TS CQ SQ HQ"}
    for option, expected in (("flat", 80), ("difference", 80 + 10 + 10 + 10)):
        state = ending("solo_without", ["C8", "CJ", "C7", "C9"], 1, piles=piles, solo_without=option)
        result = finish(state).results()[-1]
        assert result.points()[0] == 43
        assert result.scores()[1] == expected
        assert result.radelci() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("share", "points_", "expected"), [("half", 41, 7), ("half", 20, -12), ("full", 41, 15)]
)
def test_the_partners_share(share: str, points_: int, expected: int) -> None:
    result = DealResult(rules(partner_share=share), 1, 1, 3, 0)
    result.side = points_
    result.tricks = 6
    result.settle(NOTHING)
    assert result.scores()[3] == expected


@pytest.mark.parametrize("value", [500, 250])
def test_the_value_of_a_valat_that_was_bid(value: int) -> None:
    result = DealResult(rules(valat_value=value), CONTRACT_NAMES.index("valat"), 2, -1, -1)
    result.tricks = 12
    result.settle(NOTHING)
    assert result.scores() == [0, 0, value, 0]


# R13 Radelci and the match


@pytest.mark.parametrize("contract", CONTRACT_NAMES)
def test_which_contracts_give_radelci(contract: str) -> None:  # R13.1
    result = DealResult(rules(), CONTRACT_NAMES.index(contract), 1, -1, -1)
    result.each = vec[i64]([40, 10, 10, 10])
    result.side, result.tricks = 40, 6
    result.settle(vec[i64]([0, 2, 0, 0]))
    gives = contract in ("klop", "beggar", "solo_without", "open_beggar", "color_valat", "valat")
    assert CONTRACTS[CONTRACT_NAMES.index(contract)].radelc == gives
    won = contract not in ("klop", "beggar", "open_beggar", "color_valat", "valat")
    more = 1 if gives else 0
    assert result.radelci() == [more, 2 - (1 if won else 0) + more, more, more]


def test_an_announced_valat_gives_radelci_even_if_it_fails() -> None:  # R13.1
    row = next(row for row in WORKED if row["id"] == "S17")
    assert result_of(row).radelci() == [1, 1, 1, 1]


def test_without_radelci_nothing_is_doubled() -> None:
    result = DealResult(rules(radelci=False), 2, 1, -1, -1)
    result.side, result.tricks = 44, 6
    result.settle(NOTHING)
    assert (result.scores(), result.radelci()) == ([0, 30, 0, 0], [0, 0, 0, 0])


@pytest.mark.parametrize(
    ("own", "scores", "after"),
    [
        (False, [70, 0, -70, 0], [2, 1, 2, 1]),
        (True, [140, 0, -140, 0], [1, 1, 2, 1]),
    ],
)
def test_radelci_in_klop(own: bool, scores: list[int], after: list[int]) -> None:
    result = DealResult(rules(radelc_klop=own), 0, 1, -1, -1)
    result.each = vec[i64]([0, 20, 40, 10])
    result.settle(vec[i64]([1, 0, 1, 0]))
    assert result.scores() == scores
    assert result.radelci() == after
    assert result.won == -1


def test_the_end_of_a_match() -> None:  # part E, the last note
    final = final_scores([140, -35, 60, 60], [0, 1, 2, 0], rules())
    assert final == [140, -135, -140, 60]
    assert ranking(final) == [[0], [3], [1], [2]]
    assert ranking([10, 20, 10, 20]) == [[1, 3], [0, 2]]
    assert final_scores([140, -35, 60, 60], [0, 1, 2, 0], rules(radelc_end=40)) == [140, -75, -20, 60]


def test_the_last_event_of_a_match() -> None:
    state = new(deals=2)
    play_out(state, Dice(4))
    events = told(state)
    last = events[-1]
    assert isinstance(last, MatchEnded)
    assert isinstance(events[-2], DealEnded)
    assert last.final == state.scores() == final_scores(last.totals, last.radelci, state.rules)
    assert last.ranking == ranking(last.final)
    assert state.view(2).facts()["ranking"] == last.ranking
    assert state.deal() == 2


# Invariants (part F)


def random_deals(preset: str) -> list[TarockState]:
    """Return deals played at random, ten in each contract that forehand may bid."""
    dice = Dice(11)
    states = []
    for contract in CONTRACT_NAMES * 10:
        state = new(preset=preset, deals=1, kontra=True)
        state.roll(dice)
        bid(state, "pass", "pass", "pass", contract)
        play_out(state, dice)
        states.append(state)
    return states


@pytest.mark.parametrize("preset", ["standard", "exact"])
def test_invariants_of_random_deals(preset: str) -> None:
    results = [state.results()[-1] for state in random_deals(preset)]
    talon = [result for result in results if CONTRACTS[int(result.contract)].talon]
    assert {sum(result.points()) for result in talon} == {70}
    declared = [result for result in results if CONTRACTS[int(result.contract)].name != "klop"]
    assert len(declared) == len(results) - 10
    for result in declared:
        others = {0, 1, 2, 3} - {int(result.declarer), int(result.partner)}
        assert all(result.scores()[seat] == result.mond_penalties()[seat] for seat in others)


def test_standard_scores_are_multiples_of_five() -> None:
    scores = [score for state in random_deals("standard") for score in state.results()[-1].scores()]
    assert {score % 5 for score in scores} == {0}


def test_in_klop_all_cards_are_taken() -> None:
    state = dealt(deals=1)
    bid(state, "pass", "pass", "pass", "klop")
    play_out(state, Dice(11))
    assert sum(int(state.piles[seat]).bit_count() for seat in range(4)) == 54
