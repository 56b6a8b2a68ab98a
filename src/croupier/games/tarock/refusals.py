"""Refusals of illegal actions: the first broken rule, with a key for wires and words for people.

The order is that of the spec (C3): an unknown action, the end of the match, another phase, another
seat's turn, then the rules of the phase. Their keys:

    bidding     must_bid, invalid_contract
    exchanging  invalid_pick, invalid_card
    announcing  invalid_bonus, invalid_kontra
    playing     not_yours, must_follow, must_play_tarock, emperor, must_overtake, pagat_last, keep_ultimo
"""

from __future__ import annotations

from croupier.core.cards import bit
from croupier.core.contract import IllegalAction
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
        return IllegalAction("unknown_action", f"action {action}: expected 0…{len(ACTIONS) - 1}")
    name = ACTIONS.name(action)
    if state.phase == OVER:
        return IllegalAction("match_over", f"{name}: the match is over")
    phase = phase_of(action)
    if state.phase != phase:
        return IllegalAction("wrong_phase", f"{name}: the match is {PHASES[int(state.phase)]}")
    if not 0 <= seat < SEATS or seat != state.turn:
        return IllegalAction("not_your_turn", f"{name}: seat {int(state.turn)} is to act")
    if phase == BIDDING:
        return _bid(action - BID - 1, name, legal)
    if phase == EXCHANGING:
        return _exchange(state, seat, action, name)
    if phase == ANNOUNCING:
        return _announce(state, seat, action, name)
    return _play(state, seat, action, name)


def _bid(contract: int, name: str, legal: list[int]) -> IllegalAction:
    if contract < 0:
        return IllegalAction("must_bid", f"{name}: all others have passed")
    if contract <= THREE:
        words = f"{name}: only forehand may bid it, after three passes without a bid"
        return IllegalAction("invalid_contract", words)
    higher = [code - BID - 1 for code in legal if code > BID]
    if not higher:
        return IllegalAction(
            "invalid_contract", f"{name}: nothing is higher than the last bid, you can only pass"
        )
    lowest = CONTRACT_NAMES[higher[0]]
    return IllegalAction("invalid_contract", f"{name}: too low, expected {lowest} or higher")


def _exchange(state: TarockPosition, seat: int, action: int, name: str) -> IllegalAction:
    sets = 6 // int(state.many)
    if action < DISCARD:
        if state.picked >= 0:
            return IllegalAction("invalid_pick", f"{name}: you have taken set {int(state.picked)}")
        return IllegalAction("invalid_pick", f"{name}: there are {sets} sets, 0 to {sets - 1}")
    if state.picked < 0:
        return IllegalAction("invalid_pick", f"{name}: take a set first, 0 to {sets - 1}")
    card = action - DISCARD
    one = bit(card)
    hand = state.hands[seat]
    if state.laid & one:
        return IllegalAction("invalid_card", f"{name}: you have discarded it already")
    if not hand & one:
        return IllegalAction("invalid_card", f"{name}: you do not hold it")
    if one & KINGS:
        return IllegalAction("invalid_card", f"{name}: kings may not be discarded")
    if one & TRULA:
        return IllegalAction("invalid_card", f"{name}: the pagat, the mond and the škis may not be discarded")
    plain = " ".join(shown((hand | state.laid) & PLAIN))
    return IllegalAction("invalid_card", f"{name}: no more tarocks than necessary, discard {plain} first")


def _announce(state: TarockPosition, seat: int, action: int, name: str) -> IllegalAction:
    if action >= KONTRA:
        return _kontra(state, seat, action - KONTRA, name)
    bonus = action - ANNOUNCE
    if not state.rules.announcements or not with_bonuses(state.contract, state.rules):
        contract = CONTRACT_NAMES[int(state.contract)]
        return IllegalAction("invalid_bonus", f"{name}: nothing can be announced in this {contract}")
    if state.turns >= SEATS:
        return IllegalAction("invalid_bonus", f"{name}: bonuses are announced in the first turn only")
    if sides.announcer(state.announcers, B_VALAT) >= 0:
        return IllegalAction("invalid_bonus", f"{name}: valat is announced, nothing more can be")
    by = int(sides.announcer(state.announcers, bonus))
    if by >= 0:
        return IllegalAction("invalid_bonus", f"{name}: seat {by} has announced it")
    if bonus == B_PAGAT and not state.hands[seat] & bit(PAGAT):
        return IllegalAction("invalid_bonus", f"{name}: it needs T1 in hand")
    if bonus == B_KING and not state.hands[seat] & state.king_bit:
        return IllegalAction("invalid_bonus", f"{name}: it needs the called king in hand")
    words = f"{name}: bonuses come in the order {', '.join(BONUSES)}, before doubled items"
    return IllegalAction("invalid_bonus", words)


def _kontra(state: TarockPosition, seat: int, item: int, name: str) -> IllegalAction:
    if not state.rules.kontra:
        return IllegalAction("invalid_kontra", f"{name}: there is no kontra at this table")
    pending = sides.with_claims(state.announcers, seat, state.claimed)
    if sides.owner_of(item, state.declarer, pending) < 0:
        return IllegalAction("invalid_kontra", f"{name}: {ITEMS[item]} is not announced")
    if sides.step_of(state.steps, item) >= state.rules.steps:
        return IllegalAction("invalid_kontra", f"{name}: it cannot be doubled any more")
    if state.raised >> item:
        return IllegalAction("invalid_kontra", f"{name}: items come in the order {', '.join(ITEMS)}")
    return IllegalAction("invalid_kontra", f"{name}: it is not your side's turn to double it")


def _play(state: TarockPosition, seat: int, card: int, name: str) -> IllegalAction:
    hand = state.hands[seat]
    if not hand & bit(card):
        return IllegalAction("not_yours", f"{name}: you do not hold it")
    following = state.led & hand if state.fallen else 0
    if following and not bit(card) & following:
        suit = SUIT_WORDS[SUIT.index(state.led)]
        held = " ".join(shown(following))
        return IllegalAction("must_follow", f"{name}: {suit} were led and you hold {held}")
    if state.fallen and not bit(card) & (state.led | TAROCKS) and hand & TAROCKS:
        return IllegalAction("must_play_tarock", f"{name}: you cannot follow and must play a tarock")
    led = state.led if state.fallen else 0
    if playable(hand, led, state.best, state.table, state.negative, 0) & bit(card):
        return IllegalAction("keep_ultimo", f"{name}: you have announced it for the last trick")
    if state.table & MOND_BIT and state.table & SKIS_BIT and hand & bit(PAGAT) and card != PAGAT:
        return IllegalAction("emperor", f"{name}: T21 and TS are in the trick, T1 must be played")
    if card == PAGAT:
        return IllegalAction("pagat_last", f"{name}: in this contract T1 is played last")
    return IllegalAction("must_overtake", f"{name}: you can beat {CARDS[int(state.best)]} and must")
