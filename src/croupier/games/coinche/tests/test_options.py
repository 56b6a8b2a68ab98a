"""Options and presets (section 10)."""

from __future__ import annotations

import pytest

from croupier.core.options import BadOptions
from croupier.games.coinche.vocabulary import PRESETS, RULES_OPTIONS, TABLE_OPTIONS, CoincheRules

# Option, default, values: the table of section 10 with what it lists.
TABLE: list[tuple[str, object, list[object]]] = [
    ("target", 2000, [100, 1000, 3000, 10000]),
    ("first_dealer", "4", ["1", "2", "3", "4", "random"]),
    ("min_bid", 80, [80, 160]),
    ("max_bid", 160, [80, 160]),
    ("bid_step", 10, [10, 20]),
    ("allow_ta_sa", True, [False]),
    ("allow_generale", True, [False]),
    ("capot_closes", True, [False]),
    ("generale_closes", False, [True]),
    ("generale_leads", False, [True]),
    ("undertrump", "forced", ["free"]),
    ("undertrump_partner", "free", ["never_if_able"]),
    ("ta_values", "14-9-6-5-3-1", ["13-9-6-5-3-2"]),
    ("ta_belote", True, [False]),
    ("belote_for_contract", True, [False]),
    ("belote_on_loss", "keep", ["winner"]),
    ("scoring", "points_plus_contract", ["contract_only"]),
    ("rounding", "none", ["nearest10", "nearest10_down5"]),
    ("coinche_scope", "contract", ["all"]),
    ("coinche_factor", 2, [2, 3]),
    ("surcoinche_factor", 4, [3, 4]),
    ("capot_value", 250, [250, 500]),
    ("generale_value", 500, [500, 1000]),
    ("total", 162, [160]),
    ("total_all_tricks", 252, [250]),
    ("eighty_needs_82", False, [True]),
    ("must_beat_defence", False, [True]),
]
RUNTIME = {
    "bid_seconds": 60,
    "play_seconds": 60,
    "warn_seconds": 15,
    "grace_seconds": 120,
    "max_auto": 3,
    "fill_bots_seconds": 0,
    "rematch_seconds": 10,
    "on_quit": "bot",
    "hints": True,
    "resume": "name",
}


def test_options_are_those_of_the_spec() -> None:
    assert RULES_OPTIONS.read({}) == {name: default for name, default, _ in TABLE}
    for name, _, values in TABLE:
        for value in values:
            CoincheRules(RULES_OPTIONS.read({name: value}))


def test_runtime_options_are_those_of_the_spec() -> None:
    found = TABLE_OPTIONS.read({})
    assert {name: found[name] for name in RUNTIME} == RUNTIME
    ours = set(found) - set(RUNTIME)
    assert ours == {"call_pause", "card_pause", "trick_pause", "deal_pause"}
    assert all(found[name] == 0 for name in ours)


@pytest.mark.parametrize(
    ("preset", "changed"),
    [
        ("standard", {}),
        ("club", {"rounding": "nearest10", "undertrump": "free"}),
        ("whole", {"coinche_scope": "all", "rounding": "nearest10"}),
        ("announced", {"scoring": "contract_only"}),
        (
            "contree",
            {
                "undertrump": "free",
                "surcoinche_factor": 3,
                "belote_on_loss": "winner",
                "capot_closes": False,
                "allow_generale": False,
                "allow_ta_sa": False,
            },
        ),
    ],
)
def test_presets_are_the_default_and_what_they_name(preset: str, changed: dict[str, object]) -> None:
    values = RULES_OPTIONS.read({"preset": preset})
    assert RULES_OPTIONS.changed(values) == changed
    assert preset in PRESETS


def test_an_option_beside_a_preset_wins() -> None:
    values = RULES_OPTIONS.read({"preset": "club", "undertrump": "forced", "target": 1000})
    assert RULES_OPTIONS.changed(values) == {"rounding": "nearest10", "target": 1000}


@pytest.mark.parametrize("name", ["tournament", 3, None])
def test_an_unknown_preset_is_refused(name: object) -> None:
    with pytest.raises(
        BadOptions, match="unknown, expected one of standard, club, whole, announced, contree"
    ):
        RULES_OPTIONS.read({"preset": name})
