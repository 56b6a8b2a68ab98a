"""Sampled states, which a seat cannot distinguish from the real one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from croupier.core.cards import count
from croupier.core.contract import play_out
from croupier.core.dice import Dice
from croupier.games.tarock import GAME
from croupier.games.tarock import sample as sampling
from croupier.games.tarock.sample import sample
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.tests.positions import act, dealt, declare, mask, play, silence, transcript
from croupier.games.tarock.vocabulary import CARDS, TAROCKS


def worlds(state: TarockState, seat: int, many: int = 60) -> list[TarockState]:
    """Return *many* samples of what *seat* sees."""
    rng = Random(3)
    view = state.view(seat)
    found = [sample(view, rng) for _ in range(many)]
    assert all(world.view(seat).facts() == view.facts() for world in found)
    return found


def where(found: list[TarockState], card: str) -> Counter[str]:
    """Return where *card* was dealt to in the samples."""
    one = mask(card)
    places: Counter[str] = Counter()
    for world in found:
        held = [str(seat) for seat in range(4) if world.dealt[seat] & one]
        places[held[0] if held else "talon"] += 1
    return places


def test_before_the_talon_is_open_any_card_may_lie_in_it() -> None:
    found = worlds(transcript(), 0, 300)
    assert set(where(found, "TS")) == {"1", "2", "3", "talon"}
    assert where(found, "T3") == {"0": 300}
    orders = {int(world.talon) for world in found}
    assert len(orders) > 290


def test_an_open_talon_is_where_it_is() -> None:
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1")
    found = worlds(state, 0)
    assert where(found, "S10") == {"talon": 60}
    assert set(where(found, "HK")) == {"1", "2", "3"}  # declarer may have called a king in their own hand
    assert where(worlds(state, 3), "HK") == {"3": 60}


def test_hidden_discards_are_sampled_within_the_rules() -> None:
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1", "discard HQ", "discard CJ")
    laid: Counter[str] = Counter()
    for world in worlds(state, 0, 80):
        assert count(world.laid) == 2
        laid.update(CARDS[card] for card in range(54) if world.laid >> card & 1)
    assert laid["HQ"] > 0  # it may have been discarded at once
    assert laid["SK"] == 0
    assert not any(CARDS.index(name) >= 32 for name in laid)
    assert len(laid) > 10


def test_shown_tarocks_mean_that_nothing_else_was_left() -> None:
    hands = ["", "CK SK HK DK C7 T2 T3 T4 T5 T6 T7 T8", "", ""]
    state = dealt(hands, "T9 T10 T11 T12 T13 T14")
    declare(state, 1, "solo_two")
    act(state, 1, "take 0", "discard C7", "discard T4")
    for world in worlds(state, 0, 40):
        assert world.hands[1] & 0x7F7F7F7F == 0
        assert world.laid & mask("T4")


def test_a_seat_that_did_not_follow_lacks_the_suit() -> None:
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1", "discard HQ", "discard CJ")
    silence(state)
    play(state, "C8 C7 CK CN")
    play(state, "S7 S8 SK SQ")
    play(state, "T9 T2 T1 T3")
    play(state, "D2 D1 DJ DN")
    play(state, "S9 T10 T5 SN")  # seats 1 and 2 lack spades
    for world in worlds(state, 0, 40):
        assert (world.hands[1] | world.hands[2]) & mask("SJ S10") == 0


def test_an_announced_ultimo_is_in_its_hand() -> None:
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1", "discard HQ", "discard CJ")
    act(state, 1, "done")
    act(state, 2, "done")
    act(state, 3, "announce kings_ultimo", "announce pagat_ultimo", "done")
    found = worlds(state, 0, 30)
    assert where(found, "HK") == where(found, "T1") == {"3": 30}


@pytest.mark.parametrize("seed", range(6))
def test_every_dealt_hand_has_a_tarock_even_where_few_are_left(seed: int) -> None:
    state = GAME.new(GAME.options.read({"deals": 1}), 4)
    dice = Dice(seed)
    while state.awaiting() is not None:
        state.roll(dice)
    declare(state, 1, "klop" if seed % 2 else "three")
    while not state.over():
        for world in worlds(state, 2, 2):
            assert all(world.dealt[seat] & TAROCKS for seat in range(4))
            play_out(world, dice)
        for _ in range(5):
            if not state.over():
                seat = int(state.turn)
                state.apply(seat, int(state.choice(seat, dice.below(state.choices(seat)))))


def test_a_tarock_is_forced_where_chance_would_hardly_give_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MOST_TRIES", 0)
    hands = [
        "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12",
        "C7 C8 C9 C10 CJ CN CQ CK S7 S8 S9 T13",
        "H4 H3 H2 H1 HJ HN HQ HK S10 SJ SN T14",
        "D4 D3 D2 D1 DJ DN DQ DK SQ SK T15 T16",
    ]
    state = dealt(hands, "T17 T18 T19 T20 T21 TS")
    declare(state, 0, "solo_three")
    act(state, 0, "take 0", "discard T2", "discard T3", "discard T4")
    # Four tarocks are hidden, and each of the three others has been dealt one.
    for world in worlds(state, 0, 20):
        assert all(world.dealt[seat] & TAROCKS for seat in range(4))
