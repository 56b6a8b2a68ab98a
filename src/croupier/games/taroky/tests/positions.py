"""Deals for tests: random ones played by the rules, and the strings of the specification."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from croupier.core.cards import mask_of
from croupier.core.contract import IllegalAction, first_seat, sample
from croupier.core.dice import Dice
from croupier.games.taroky import GAME
from croupier.games.taroky.notation import Notation, of_state
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.vocabulary import (
    CODES,
    CONTRA,
    DISCARD,
    NAME,
    NO,
    PARTNER,
    VALAT,
    YES,
    shown,
)

GAME_A = (
    "100/100/100/100/T01T11S1HJT15S4T19T09H3D3T10T04/T13T05H2SRDRHQT17HRCJT02DJSJ/T21SQD2DQT18HKC1SKC3DKT07H1/"
    "C4D1T16C2S2T20T03CRS3CQT22H4/T12T06T08CKT14D4/GR2/D3HJH3S1CJSQ/R1H3/8//C4C3/I1/T04T05T18T204/C4CKT02C12/"
    "H2HKH4T061/T08T13T21T224/D1T09DJDK1/T10T14T07T032/SJSKS2S43/D2T16T11DR4/C2T12T17C32/SRH1S3T151/"
    "T19HRDQCR1/T01HQD4CQ1/timeout=30000;aceHigh=false;pn=0"
)
GAME_B = (
    "100/100/100/100/T12T16S3S2C1T11H1T13H2T10D4SR/H4HJT18S4D2H3DKC2T01HKT04S1/T03C4T06T08T14T19T09T07T21DJHQSK/"
    "DQCQT02T15T05HRT17C3D1SQT22SJ/DRCJD3T20CRCK/P2/B/CRHJH4/H2T3//C3//S3S4SKSQ3/T19T02T10T202/DKDJD1D42/"
    "HKHQHRH12/CKC4C3C12/D2T03DQT111/S2S1T06SJ3/T07T05T12T182/H3T08T15H24/T22T13T04T094/CQT16C2T141/"
    "SRT01T21T173/timeout=30000;aceHigh=false;pn=1"
)
SEED_DEAL = (
    "100/100/100/100/H1H2H3H4HJHRHQHKS1S2S3S4/SJSRSQSKD1D2D3D4DJDRDQDK/C1C2C3C4CJCRCQCKT01T02T03T04/"
    "T05T06T07T08T09T10T11T12T13T14T15T16/T17T18T19T20T21T22/;pn=0"
)
SEED_UNI = (
    "100/100/100/100/H1H2H3H4HJHRHQHKS1S2S3S4/T17T18T19T20T21T22D3D4DJDRDQDK/C1C2C3C4CJCRCQCKT01T02T03T04/"
    "T05T06T07T08T09T10T11T12T13T14T15T16/SJSRSQSKD1D2/timeout=0;pn=0"
)
QUIET = "S1 S2 S3 S4 SJ SR SQ SK T02 T03 T04 T05"
"""A hand for Povinnost: eight spades and four trumps, no money cards."""
BIDA = [
    "S1 S2 S3 S4 SJ SR SQ C1 C2 C3 T02 T03",
    "T04 T05 T06 T07 T08 T09 SK CJ H2 H3 D1 D2",
    "T10 T11 T12 T13 T14 T15 CK CQ H4 HR D3 D4",
    "T01 T16 T17 T18 T19 T20 HK DK HQ DJ DR DQ",
]
BIDA_TALON = "H1 HJ C4 CR T21 T22"
"""Povinnost has a Bida, and no other seat has money cards."""


def cards(text: str) -> list[int]:
    """Return the cards that *text* names, with blanks between."""
    return [CODES[name] for name in text.split()]


def fresh(**options: object) -> TarokyState:
    """Return a match before its first draw."""
    return GAME.new(GAME.options.read(options), 4)


def dealt(hands: list[str], talon: str = "", **options: object) -> TarokyState:
    """Return a deal with Povinnost on seat 0 in which seats hold these cards, and any of the rest."""
    state = fresh(**{"hands": 1, "first_povinnost": "0", **options})
    given = [cards(hand) for hand in hands]
    given += [[] for _ in range(4 - len(given))]
    laid = cards(talon)
    rest = [card for card in range(54) if card not in laid and all(card not in hand for hand in given)]
    Random("rest").shuffle(rest)
    while len(laid) < 6:
        laid.append(rest.pop())
    order: list[int] = []
    for hand in given:
        while len(hand) < 12:
            hand.append(rest.pop())
        order += hand
    state.set_out(order, laid)
    return state


def say(state: TarokyState, *actions: int) -> None:
    """Let the seats that are asked answer, one after another."""
    for action in actions:
        state.apply(int(state.turn), action)


def walk(state: TarokyState, rng: Random, calls: float = 0.5) -> Iterator[TarokyState]:
    """Play the deal of *state* at random, yielding each step; *calls* is the probability of a yes."""
    yield state
    while state.deal() == 0:
        draw = state.awaiting()
        if draw is not None:
            state.apply_draw(sample(draw, Dice(rng.getrandbits(40))))
        else:
            seat = int(first_seat(state.to_act()))
            legal = state.legal_actions(seat)
            if (legal[0] == NO and state.phase >= VALAT) or (len(legal) == 2 and state.phase < PARTNER):
                action = int(rng.random() < calls) if legal[0] == NO else rng.choice(legal)
            else:
                action = rng.choice(legal)
            state.apply(seat, action)
        yield state


def any_deal(seed: int, **options: object) -> Iterator[Notation]:
    """Yield the notations of a random deal after each of its steps."""
    rng = Random(f"deal {seed}")
    raw: dict[str, object] = {
        "hands": 1,
        "ace_high": rng.random() < 0.5,
        "prever_priority": rng.choice(["first", "last"]),
        "contra_on_valat": rng.random() < 0.5,
        "chips": rng.choice(["", "90,-4,0,314"]),
    }
    state = fresh(**{**raw, **options})
    for here in walk(state, rng, calls=rng.choice([0.05, 0.2, 0.5])):
        if here.number:
            yield of_state(here)


def whole_deal(seed: int, **options: object) -> Notation:
    """Return the notation of a whole random deal."""
    *_, last = any_deal(seed, **options)
    return last


def hand(text: str) -> int:
    return int(mask_of(cards(text)))


def names(mask: int) -> str:
    return " ".join(shown(mask))


def discard_all(state: TarokyState) -> None:
    while state.phase == DISCARD:
        seat = int(state.turn)
        state.apply(seat, state.legal_actions(seat)[0])


def partner_game(state: TarokyState) -> TarokyState:
    """Let all seats decline prever, draw, and discard the first legal card."""
    say(state, NO, NO, NO, NO, YES, YES)
    discard_all(state)
    return state


def key_of(state: TarokyState, seat: int, action: int) -> str:
    with pytest.raises(IllegalAction) as caught:
        state.apply(seat, action)
    return caught.value.key


def announcing(*declarers: int) -> TarokyState:
    """Return a partner game in the phase valat in which player 1 and these seats declare."""
    hands = ["T02 T03 T04 S1 S2 S3", "T05 T06 T07", "T08 T09 T10", "T11 T12 T13"]
    for seat in declarers:
        hands[seat] += " T19"
    state = partner_game(dealt(hands, talon="C1 C2 C3 C4 H1 H2"))
    say(state, NAME + 4)
    assert state.declarers == sum(1 << seat for seat in {0, *declarers})
    return state


def asked(state: TarokyState) -> list[int]:
    """Let everyone say no to contra and return who was asked."""
    out: list[int] = []
    while state.phase == CONTRA:
        out.append(int(state.turn))
        say(state, NO)
    return out
