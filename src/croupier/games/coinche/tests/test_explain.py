"""The lines that explain a deal add up to its score, with all options."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.contract import as_plain
from croupier.games.coinche.explain import lines, needed, stakes
from croupier.games.coinche.scoring import Tally, is_made, score
from croupier.games.coinche.tests.positions import (
    TRANSCRIPT_CALLS,
    TRANSCRIPT_TRICKS,
    play,
    say,
    transcript,
)
from croupier.games.coinche.vocabulary import CAPOT, GENERALE, LEVELS, RULES_OPTIONS, CoincheRules

SCORING = [
    "belote_for_contract",
    "belote_on_loss",
    "scoring",
    "rounding",
    "coinche_scope",
    "coinche_factor",
    "surcoinche_factor",
    "eighty_needs_82",
    "must_beat_defence",
]


def rules(**options: object) -> CoincheRules:
    return CoincheRules(RULES_OPTIONS.read(options))


@st.composite
def scoring_rules(draw: st.DrawFn) -> CoincheRules:
    chosen: dict[str, object] = {}
    for name in SCORING:
        option = RULES_OPTIONS.options[name]
        if isinstance(option.default, bool):
            chosen[name] = draw(st.booleans())
        elif option.choices:
            chosen[name] = draw(st.sampled_from(option.choices))
        else:
            chosen[name] = draw(st.integers(1, 5))
    return rules(**chosen)


@given(
    scoring_rules(),
    st.integers(0, 1),
    st.integers(0, GENERALE),
    st.integers(0, 2),
    st.integers(0, 8),
    st.integers(0, 162),
    st.sampled_from([(0, 0), (20, 0), (0, 20), (40, 20)]),
)
def test_lines_add_up_to_the_score(
    by: CoincheRules, team: int, level: int, doubled: int, won: int, taken: int, belote: tuple[int, int]
) -> None:
    mine = by.total_all if won == 8 else 0 if won == 0 else taken
    theirs = by.total_all if won == 0 else 0 if won == 8 else 162 - taken
    tally = Tally(mine, theirs, *belote)
    tally.all_tricks = tally.alone = won == 8
    made = is_made(level, tally, by)
    expected = [int(part) for part in score(level, doubled, made, tally, by)]

    def ordered(pair: list[int]) -> list[int]:
        return pair[::-1] if team else pair

    told = lines(
        team,
        level,
        doubled,
        made,
        ordered([int(mine), int(theirs)]),
        ordered([won, 8 - won]),
        ordered(list(belote)),
        by,
    )
    assert [sum(line.scores[side] for line in told) for side in (0, 1)] == ordered(expected)
    assert any(line.what == "contract" for line in told)


@pytest.mark.parametrize(
    ("level", "options", "expected"),
    [
        ("90", {}, [(1, None, 252), (2, 342, 342), (4, 522, 522)]),
        ("capot", {}, [(1, None, 412), (2, 752, 662), (4, 1252, 1162)]),
        ("90", {"coinche_scope": "all"}, [(1, None, 252), (2, 504, 504), (4, 1008, 1008)]),
        ("90", {"rounding": "nearest10"}, [(1, None, 250), (2, 340, 340), (4, 520, 520)]),
        ("90", {"preset": "announced"}, [(1, 90, 90), (2, 180, 180), (4, 360, 360)]),
    ],
)
def test_stakes_are_what_would_be_scored(
    level: str, options: dict[str, object], expected: list[tuple[int, int | None, int]]
) -> None:
    found = stakes(LEVELS.index(level), rules(**options))
    assert [(one.factor, one.made, one.failed) for one in found] == expected


def test_what_a_contract_needs() -> None:
    assert needed(0, rules()) == 80
    assert needed(0, rules(eighty_needs_82=True)) == 82
    assert needed(1, rules(eighty_needs_82=True)) == 90
    assert needed(CAPOT, rules()) is None


def test_a_view_explains_every_deal() -> None:
    state = say(transcript(), *TRANSCRIPT_CALLS)
    for fallen, _, _, _ in TRANSCRIPT_TRICKS:
        play(state, fallen)
    (deal,) = state.view(0).deals
    facts = as_plain(deal.fact(state.rules))
    assert (facts["needed"], facts["reached"], facts["made"]) == (110, 126, True)
    assert facts["lines"] == [
        {"what": "total", "scores": [162, 0]},
        {"what": "contract", "scores": [220, 0]},
        {"what": "belote", "scores": [20, 0]},
    ]
    assert state.view(0).facts()["deals"] == [facts]
