"""The match, without a table: actions on a copy, draws from committed seeds, replaying a journal."""

from __future__ import annotations

from random import Random

import pytest

from croupier.core.chance import commitment, derived_seed
from croupier.core.contract import IllegalAction
from croupier.table import journal
from croupier.table.match import Match
from croupier.wire.talk import Committed
from tests.sample_game import GAME, CoinsState


def match(draws: tuple[tuple[str, ...], ...] = ()) -> Match:
    return Match(GAME, "t-1", {}, 2, lambda deal: derived_seed("7", 1, deal), draws=draws)


def hide(made: Match, *coins: int) -> None:
    """Let each seat hide its number of *coins*."""
    for seat, many in enumerate(coins):
        made.take(made.attempt(seat, [many]), seat, [many])


def test_an_action_is_tried_on_a_copy_and_counts_after_take() -> None:
    made = match()
    trial = made.attempt(0, [2])
    assert made.state.to_act() == 0b11
    [event] = made.take(trial, 0, [2])
    assert event.plain() == {"kind": "hidden", "mine": [2]}
    assert made.state.to_act() == 0b10
    assert made.state.events is None


def test_actions_are_taken_all_or_none() -> None:
    made = match()
    with pytest.raises(IllegalAction) as illegal:
        made.attempt(0, [1, 1])
    assert illegal.value.key == "too_soon", "one decision takes one action here"
    with pytest.raises(IllegalAction):
        made.attempt(0, [9])
    assert made.state.to_act() == 0b11


def test_reserved_actions_are_neither_offered_nor_accepted() -> None:
    made = match()
    made.reserved = frozenset([0])
    assert made.offered(made.state, 0) == [1, 2, 3]
    with pytest.raises(IllegalAction) as reserved:
        made.attempt(0, [0])
    assert reserved.value.key == "reserved"


def test_a_bots_random_numbers_are_reproducible() -> None:
    bot = GAME.bots()["random"]
    chosen = {match().decide(0, bot, match().dice("3 0"), limited=True)[1] for _ in range(5)}
    assert len(chosen) == 1
    assert {match().decide(0, bot, Random(n), limited=True)[1] for n in range(50)} == {(0,), (1,), (2,), (3,)}


def test_a_deals_seed_is_committed_to_before_its_first_draw_and_revealed_after_it() -> None:
    made = match()
    assert not made.seed_due()
    hide(made, 1, 1)
    opened, drew, events = made.draw()
    assert opened == journal.Committed(1, derived_seed("7", 1, 1).hex())
    assert drew.items == [str(made.state.view(0).facts()["rolled"][0])]  # type: ignore[index]
    assert [event.plain()["kind"] for event in events] == ["scored"]
    committed = made.committed
    assert committed == Committed(1, commitment(derived_seed("7", 1, 1)))
    assert made.seed_due()
    assert made.reveal().seed == derived_seed("7", 1, 1).hex()
    assert made.committed is None
    assert not made.seed_due()


def test_fixed_outcomes_come_first_and_without_a_commitment() -> None:
    made = match(draws=(("6",),))
    hide(made, 1, 1)
    opened, drew, _ = made.draw()
    assert (opened, drew) == (None, journal.Drew(["6"]))
    hide(made, 1, 1)
    opened, _, _ = made.draw()
    assert opened is not None


def test_a_replayed_journal_gives_the_same_match_and_the_same_later_draws() -> None:
    made = match()
    entries: list[journal.Committed | journal.Drew | journal.Acted | journal.Revealed] = []
    for deal in range(3):
        for seat in (0, 1):
            made.take(made.attempt(seat, [seat + 1]), seat, [seat + 1])
            entries.append(journal.Acted(seat, made.words([seat + 1])))
        opened, drew, _ = made.draw()
        assert opened is not None
        entries += [opened, drew]
        if deal < 2:
            entries.append(journal.Revealed(made.reveal().deal))
    again = match()
    for entry in entries:
        if isinstance(entry, journal.Acted):
            again.repeat(entry.seat, [again.game.actions.parse(action) for action in entry.actions])
        else:
            again.replay(entry)
    assert isinstance(again.state, CoinsState)
    assert isinstance(made.state, CoinsState)
    assert (again.state.rolled, again.state.points) == (made.state.rolled, made.state.points)
    assert (again.seed_due(), again.committed) == (made.seed_due(), made.committed)
    assert bytes(again.course) == bytes(made.course)
    for one in (again, made):
        one.reveal()
        hide(one, 0, 0)
    assert again.draw()[:2] == made.draw()[:2]


def test_the_lines_before_the_last_decision_of_the_deal_can_be_replayed() -> None:
    made = match()
    first, second = journal.Acted(0, ["hide 1"]), journal.Acted(1, ["hide 2"])
    made.keep(first)
    assert made.before_last_decision(0) is None, "nothing is kept unless decisions may be taken back"
    made.lines = []
    for entry in (journal.Committed(1, "00"), first, second, journal.Rested()):
        made.keep(entry)
    assert made.before_last_decision(1) == [journal.Committed(1, "00"), first]
    assert made.before_last_decision(0) == [journal.Committed(1, "00")]
    made.keep(journal.Revealed(1))
    assert made.before_last_decision(0) is None, "the deal is over"
