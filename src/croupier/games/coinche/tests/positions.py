"""Short ways to set up positions of Coinche, for its tests."""

from __future__ import annotations

from croupier.core.cards import bit, mask_of
from croupier.core.contract import Event
from croupier.games.coinche import GAME
from croupier.games.coinche.legality import cards_over
from croupier.games.coinche.ranks import points, suit_of
from croupier.games.coinche.state import CoincheState
from croupier.games.coinche.vocabulary import (
    ACTIONS,
    CARDS,
    CODES,
    DENOMINATIONS,
    HAND,
    PLAY,
    SEATS,
    deck_of,
)

# The deal of the spec's transcript (section 15): hands of anna, bobby, carol and david.
TRANSCRIPT_HANDS = [
    "7H 10H QH KH 7D 9D 10C 7S",
    "AH 8D AD QC 10S JS KS AS",
    "8H JH 10D QD KD 7C 8C 8S",
    "9H JD 9C JC KC AC 9S QS",
]
TRANSCRIPT_CALLS = [
    "PASS",
    "CONTRACT 80 Spades",
    "CONTRACT 90 Hearts",
    "PASS",
    "CONTRACT 110 Hearts",
    "COINCHE",
    "PASS",
    "PASS",
]
TRANSCRIPT_TRICKS = [
    # (the cards as they fell, the leader, the taker, the points; seats from 1)
    ("7H AH JH 9H", 1, 3, 45),
    ("8S QS 7S AS", 3, 2, 14),
    ("8D KD JD 7D", 2, 3, 6),
    ("7C AC 10C QC", 3, 4, 24),
    ("9S QH JS 8H", 4, 1, 5),
    ("9D AD QD KC", 1, 2, 18),
    ("KS 8C 9C KH", 2, 1, 8),
    ("10H 10S 10D JC", 1, 1, 32),
]
_SIGNS = str.maketrans("♥♦♣♠", "HDCS")


def cards(text: str) -> list[int]:
    """Return the cards named in *text*, with letters or signs for suits."""
    return [CODES[name] for name in text.translate(_SIGNS).split()]


def new(**options: object) -> CoincheState:
    """Return the start of a match that records its events."""
    state = GAME.new(GAME.options.read(options), SEATS)
    state.events = []
    return state


def dealt(hands: list[str], **options: object) -> CoincheState:
    """Return a match whose first deal gave these hands to the seats."""
    state = new(**options)
    state.apply_draw(deck_of([cards(hand) for hand in hands], int(state.next_dealer)))
    return state


def transcript(**options: object) -> CoincheState:
    """Return the match of the spec's transcript after its deal."""
    return dealt(TRANSCRIPT_HANDS, **options)


def say(state: CoincheState, *calls: str) -> CoincheState:
    """Let the seats whose turn it is make these calls, one after another; PASS may be written p."""
    for words in calls:
        spelt = {"p": "PASS", "c": "COINCHE", "s": "SURCOINCHE"}.get(words)
        state.apply(int(state.turn), ACTIONS.parse(spelt or words.replace("bid", "CONTRACT")))
    return state


def play(state: CoincheState, text: str) -> CoincheState:
    """Let the seats whose turn it is play these cards."""
    for card in cards(text):
        state.apply(int(state.turn), PLAY + card)
    return state


def key(state: CoincheState, seat: int, words: str) -> str:
    """Return the key with which the action *words* of *seat* is refused."""
    return state.why_not(seat, ACTIONS.parse(words)).key


def playing(hand: str, trick: str, denomination: str, **options: object) -> CoincheState:
    """Return a state in which seat 0 holds *hand* and is to play to *trick*, led by those before it."""
    state = new(**options)
    say(dealt_anyhow(state), f"bid 80 {denomination}", "p", "p", "p")
    table = cards(trick)
    state.hands[0] = mask_of(cards(hand))
    state.leader = -len(table) % SEATS
    state.trick = state.fallen = 0
    if not table:
        state._start_trick(0)
        return state
    kind = DENOMINATIONS.index(denomination)
    for at, card in enumerate(table[:-1]):
        if at == 0:
            state.led = suit_of(card)
        if at == 0 or bit(card) & state.over_best:
            state.best = card
            state.winner = (state.leader + at) % SEATS
            state.over_best = cards_over(card, state.led, kind)
        state.trick |= card << 6 * at
        state.pile += points(card, kind, state.rules)
    # The last of them is played by the rules, so that they compute the legal cards.
    state.fallen = len(table) - 1
    state.turn = SEATS - 1
    state.hands[3] = bit(table[-1])
    state.may = state.hands[3]
    state.apply(SEATS - 1, PLAY + table[-1])
    return state


def dealt_anyhow(state: CoincheState) -> CoincheState:
    """Deal the cards in their own order."""
    state.apply_draw(list(range(SEATS * HAND)))
    return state


def legal(state: CoincheState, seat: int = 0) -> set[str]:
    """Return the cards that *seat* may play."""
    return {CARDS[action - PLAY] for action in state.legal_actions(seat)}


def calls(state: CoincheState) -> list[str]:
    """Return the legal calls of the seat whose turn it is."""
    return [ACTIONS.name(action) for action in state.legal_actions(int(state.turn))]


def told(state: CoincheState) -> list[Event]:
    """Return the events since the last time."""
    events = state.events
    assert events is not None
    state.events = []
    return events


def kinds(events: list[Event]) -> list[str]:
    """Return the kinds of *events*."""
    return [str(event.plain()["kind"]) for event in events]
