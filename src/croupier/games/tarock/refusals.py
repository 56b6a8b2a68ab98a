"""Refusals of illegal actions: the first broken rule.

The order is that of the spec (C3): an unknown action, the end of the match, another phase, another
seat's turn, then the rules of the phase.
"""

from __future__ import annotations

from typing import Final

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction, Refusals
from croupier.games.tarock import sides
from croupier.games.tarock.announcing import with_bonuses
from croupier.games.tarock.contracts import THREE
from croupier.games.tarock.legality import playable
from croupier.games.tarock.position import TarockPosition
from croupier.games.tarock.vocabulary import (
    ACTIONS,
    ANNOUNCE,
    ANNOUNCING,
    B_KING,
    B_PAGAT,
    B_VALAT,
    BID,
    BIDDING,
    BONUSES,
    CALL,
    CALLING,
    CARDS,
    CONTRACT_NAMES,
    DISCARD,
    EXCHANGING,
    ITEMS,
    KINGS,
    KONTRA,
    MOND_BIT,
    OVER,
    PAGAT,
    PHASES,
    PLAIN,
    PLAYING,
    SEATS,
    SKIS_BIT,
    SUIT,
    SUIT_WORDS,
    TAKE,
    TAROCKS,
    TRULA,
    shown,
)

REFUSALS: Final = Refusals(
    ACTIONS,
    {
        "not_your_turn": "seat {turn} is to act",
        # bidding
        "must_bid": "all others have passed",
        "invalid_contract.forehand": "only forehand may bid it, after three passes without a bid",
        "invalid_contract.highest": "nothing is higher than the last bid, you can only pass",
        "invalid_contract.too_low": "too low, expected {contract} or higher",
        # exchanging
        "invalid_pick.taken": "you have taken set {picked}",
        "invalid_pick.no_such_set": "there are {sets} sets, 0 to {last}",
        "invalid_pick.first": "take a set first, 0 to {last}",
        "invalid_card.discarded": "you have discarded it already",
        "invalid_card.not_held": "you do not hold it",
        "invalid_card.king": "kings may not be discarded",
        "invalid_card.trula": "the pagat, the mond and the škis may not be discarded",
        "invalid_card.tarock": "no more tarocks than necessary, discard {cards} first",
        # announcing
        "invalid_bonus.contract": "nothing can be announced in this {contract}",
        "invalid_bonus.late": "bonuses are announced in the first turn only",
        "invalid_bonus.after_valat": "valat is announced, nothing more can be",
        "invalid_bonus.announced": "seat {seat} has announced it",
        "invalid_bonus.pagat": "it needs T1 in hand",
        "invalid_bonus.king": "it needs the called king in hand",
        "invalid_bonus.order": "bonuses come in the order {order}, before doubled items",
        "invalid_kontra.not_played": "there is no kontra at this table",
        "invalid_kontra.not_announced": "{item} is not announced",
        "invalid_kontra.highest": "it cannot be doubled any more",
        "invalid_kontra.order": "items come in the order {order}",
        "invalid_kontra.side": "it is not your side's turn to double it",
        # playing
        "must_follow": "{suit} were led and you hold {held}",
        "must_play_tarock": "you cannot follow and must play a tarock",
        "keep_ultimo": "you have announced it for the last trick",
        "emperor": "T21 and TS are in the trick, T1 must be played",
        "pagat_last": "in this contract T1 is played last",
        "must_overtake": "you can beat {best} and must",
    },
)


def phase_of(action: int) -> int:
    """Return the phase *action* belongs to."""
    if action < BID:
        return PLAYING
    if action < CALL:
        return BIDDING
    if action < TAKE:
        return CALLING
    return EXCHANGING if action < ANNOUNCE else ANNOUNCING


def why_not(state: TarockPosition, seat: int, action: int, legal: list[int]) -> IllegalAction:
    """Return the refusal of *action*; *legal* are the legal actions of the seat whose turn it is."""
    if not 0 <= action < len(ACTIONS):
        return REFUSALS.unknown(action)
    if state.phase == OVER:
        return REFUSALS.of("match_over", action)
    phase = phase_of(action)
    if state.phase != phase:
        return REFUSALS.of("wrong_phase", action, {"phase": PHASES[int(state.phase)]})
    if not 0 <= seat < SEATS or seat != state.turn:
        return REFUSALS.of("not_your_turn", action, {"turn": int(state.turn)})
    if phase == BIDDING:
        return _bid(action, legal)
    if phase == EXCHANGING:
        return _exchange(state, seat, action)
    if phase == ANNOUNCING:
        return _announce(state, seat, action)
    return _play(state, seat, action)


def _bid(action: int, legal: list[int]) -> IllegalAction:
    contract = action - BID - 1
    if contract < 0:
        return REFUSALS.of("must_bid", action)
    if contract <= THREE:
        return REFUSALS.of("invalid_contract.forehand", action)
    higher = [code - BID - 1 for code in legal if code > BID]
    if not higher:
        return REFUSALS.of("invalid_contract.highest", action)
    return REFUSALS.of("invalid_contract.too_low", action, {"contract": CONTRACT_NAMES[higher[0]]})


def _exchange(state: TarockPosition, seat: int, action: int) -> IllegalAction:
    sets = 6 // int(state.many)
    if action < DISCARD:
        if state.picked >= 0:
            return REFUSALS.of("invalid_pick.taken", action, {"picked": int(state.picked)})
        return REFUSALS.of("invalid_pick.no_such_set", action, {"sets": sets, "last": sets - 1})
    if state.picked < 0:
        return REFUSALS.of("invalid_pick.first", action, {"last": sets - 1})
    one = bit(action - DISCARD)
    hand = state.hands[seat]
    if state.laid & one:
        return REFUSALS.of("invalid_card.discarded", action)
    if not hand & one:
        return REFUSALS.of("invalid_card.not_held", action)
    if one & KINGS:
        return REFUSALS.of("invalid_card.king", action)
    if one & TRULA:
        return REFUSALS.of("invalid_card.trula", action)
    plain = " ".join(shown((hand | state.laid) & PLAIN))
    return REFUSALS.of("invalid_card.tarock", action, {"cards": plain})


def _announce(state: TarockPosition, seat: int, action: int) -> IllegalAction:
    if action >= KONTRA:
        return _kontra(state, seat, action)
    bonus = action - ANNOUNCE
    if not state.rules.announcements or not with_bonuses(state.contract, state.rules):
        return REFUSALS.of(
            "invalid_bonus.contract", action, {"contract": CONTRACT_NAMES[int(state.contract)]}
        )
    if state.turns >= SEATS:
        return REFUSALS.of("invalid_bonus.late", action)
    if sides.announcer(state.announcers, B_VALAT) >= 0:
        return REFUSALS.of("invalid_bonus.after_valat", action)
    by = int(sides.announcer(state.announcers, bonus))
    if by >= 0:
        return REFUSALS.of("invalid_bonus.announced", action, {"seat": by})
    if bonus == B_PAGAT and not state.hands[seat] & bit(PAGAT):
        return REFUSALS.of("invalid_bonus.pagat", action)
    if bonus == B_KING and not state.hands[seat] & state.king_bit:
        return REFUSALS.of("invalid_bonus.king", action)
    return REFUSALS.of("invalid_bonus.order", action, {"order": ", ".join(BONUSES)})


def _kontra(state: TarockPosition, seat: int, action: int) -> IllegalAction:
    item = action - KONTRA
    if not state.rules.kontra:
        return REFUSALS.of("invalid_kontra.not_played", action)
    pending = sides.with_claims(state.announcers, seat, state.claimed)
    if sides.owner_of(item, state.declarer, pending) < 0:
        return REFUSALS.of("invalid_kontra.not_announced", action, {"item": ITEMS[item]})
    if sides.step_of(state.steps, item) >= state.rules.steps:
        return REFUSALS.of("invalid_kontra.highest", action)
    if state.raised >> item:
        return REFUSALS.of("invalid_kontra.order", action, {"order": ", ".join(ITEMS)})
    return REFUSALS.of("invalid_kontra.side", action)


def _play(state: TarockPosition, seat: int, card: int) -> IllegalAction:
    hand = state.hands[seat]
    if not hand & bit(card):
        return REFUSALS.of("not_yours", card)
    following = state.led & hand if state.fallen else 0
    if following and not bit(card) & following:
        held = " ".join(shown(following))
        return REFUSALS.of("must_follow", card, {"suit": SUIT_WORDS[SUIT.index(state.led)], "held": held})
    if state.fallen and not bit(card) & (state.led | TAROCKS) and hand & TAROCKS:
        return REFUSALS.of("must_play_tarock", card)
    led = state.led if state.fallen else 0
    if playable(hand, led, state.best, state.table, state.negative, 0) & bit(card):
        return REFUSALS.of("keep_ultimo", card)
    if state.table & MOND_BIT and state.table & SKIS_BIT and hand & bit(PAGAT) and card != PAGAT:
        return REFUSALS.of("emperor", card)
    if card == PAGAT:
        return REFUSALS.of("pagat_last", card)
    return REFUSALS.of("must_overtake", card, {"best": CARDS[int(state.best)]})
