"""Notations as matches and matches as notations: no payment is lost in the conversion."""

from __future__ import annotations

from random import Random

import pytest

from croupier.core import record
from croupier.core.contract import WATCHER, sample
from croupier.core.dice import Dice
from croupier.core.options import BadOptions
from croupier.core.record import BadRecord, Record
from croupier.games.taroky import GAME
from croupier.games.taroky.exchange import to_notations, to_opening, to_record
from croupier.games.taroky.notation import game_fields, of_state, write
from croupier.games.taroky.reader import parse
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.tests.positions import GAME_A, GAME_B, SEED_DEAL, whole_deal
from croupier.games.taroky.view import TarokyView


@pytest.mark.parametrize("text", [GAME_A, GAME_B])
def test_a_finished_deal_becomes_a_match_with_the_same_chips(text: str) -> None:
    notation = parse(text)
    written = to_record(notation)
    state = record.replay(record.read(record.write(written)), GAME)
    assert state.over()
    assert state.scores() == notation.result().chips
    [back] = to_notations(written)
    assert game_fields(parse(back)) == game_fields(notation)


@pytest.mark.slow
def test_random_deals_come_back_from_their_records() -> None:
    for seed in range(40):
        notation = parse(write(whole_deal(seed)))
        [back] = to_notations(to_record(notation))
        assert game_fields(parse(back)) == game_fields(notation)
        assert parse(back).result().fact() == notation.result().fact()


@pytest.mark.parametrize("cut", range(9, 28))
def test_a_record_goes_as_far_as_the_notation(cut: int) -> None:
    fields = GAME_A.split("/")[:cut]
    written = to_record(parse("/".join([*fields, ";pn=0"])))
    assert to_notations(written) == []
    state = record.replay(written, GAME)
    assert not state.over()
    assert isinstance(state, TarokyState)
    # Money cards are called at once if no seat is asked, so the match may be one field further.
    assert game_fields(of_state(state))[:cut] == fields


def test_rules_and_chips_go_with_the_deal() -> None:
    text = SEED_DEAL.split("/")
    text[:4] = ["90", "-10", "220", "100"]
    text[-1] = "aceHigh=true;preverPriority=last;contraOnValat=false"
    written = to_record(parse("/".join(text)), ["ann", "bob", "cyd", "dan"], hands=3)
    assert written.players == ["ann", "bob", "cyd", "dan"]
    options = GAME.options.read(written.options)
    assert (options["ace_high"], options["prever_priority"], options["contra_on_valat"]) == (
        True,
        "last",
        False,
    )
    assert (options["hands"], options["first_povinnost"]) == (3, "0")
    assert record.replay(written, GAME).scores() == [90, -10, 220, 100]


def test_a_match_of_several_deals_has_one_notation_per_deal() -> None:
    rng = Random(8)
    state = GAME.new(GAME.options.read({"hands": 3}), 4)
    written = Record(GAME.name, GAME.rules, 4, {"hands": "3"})
    while not state.over():
        draw = state.awaiting()
        if draw is not None:
            outcome = sample(draw, Dice(rng.getrandbits(40)))
            written.entries += record.drawn(GAME, draw, outcome, written.entries)
            state.apply_draw(outcome)
            continue
        [seat] = [seat for seat in range(4) if state.to_act() >> seat & 1]
        action = rng.choice(state.legal_actions(seat))
        written.entries.append(record.Acted(seat, (GAME.actions.name(action),)))
        state.apply(seat, action)
    found = [parse(text) for text in to_notations(written)]
    assert len(found) == 3
    view = state.view(WATCHER)
    assert isinstance(view, TarokyView)
    for notation, result in zip(found, view.results, strict=True):
        chips = notation.result().chips
        assert [chips[(seat - result.povinnost) % 4] for seat in range(4)] == result.chips
    assert view.facts()["notation"] == write(found[-1])


def test_an_opening_says_what_the_record_says() -> None:
    notation = parse(GAME_A)
    entries = [
        entry for entry in to_record(notation).entries if isinstance(entry, record.Drawn | record.Acted)
    ]
    assert [record.read_entry(line) for line in to_opening(notation)] == entries


def test_notations_that_cannot_be_a_match_are_refused() -> None:
    with pytest.raises(BadOptions, match="chips"):
        to_record(parse(GAME_A.replace("100/", "99999999999/", 1)))
    with pytest.raises(BadRecord, match="only Taroky"):
        to_notations(Record("hearts", "1", 4))
