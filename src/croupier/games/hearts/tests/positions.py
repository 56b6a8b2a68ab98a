"""Short ways to set up positions of Hearts, for its tests."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, mask_of
from croupier.core.contract import Event
from croupier.games.hearts import GAME
from croupier.games.hearts.state import HeartsState, suit_of
from croupier.games.hearts.vocabulary import (
    ACTIONS,
    CARDS,
    CODES,
    EXPOSING,
    PASS,
    PLAYING,
    SCORE,
    SEATS,
)

# The deal of the spec's transcript (section 8): hands of ann, bob, cyd and dan, then their packets.
TRANSCRIPT_HANDS = [
    "AH 9H 8H 4H 3H KC 9C 7C 6C JD TD 9D 7D",
    "AS JS 8S JH 7H 5H 2H QC 2C QD 5D 4D 3D",
    "QS 9S 6S 5S 4S 3S KH JC TC 4C 3C KD 8D",
    "KS TS 7S 2S QH TH 6H AC 8C 5C AD 6D 2D",
]
TRANSCRIPT_PASSES = ["KC JD TD", "AS QC QD", "KH KD QS", "AC AD KS"]
TRANSCRIPT_ROUNDS = [
    # (the cards as they fell, the leader, everyone's score after the round)
    ("2C JC 8C 7C", 1, [0, 0, 0, 0]),
    ("QC 5C AC KC", 2, [0, 0, 0, 0]),
    ("AD 5D 8D 2D", 0, [0, 0, 0, 0]),
    ("KS 8S 3S TS", 0, [0, 0, 0, 0]),
    ("9C 2H 4C KH", 0, [-4, 0, 0, 0]),
    ("9H 5H QD QH", 0, [-4, 0, 0, -6]),
    ("KD 7D JD 3C", 3, [-4, 0, 0, -6]),
    ("TH AH 7H 9S", 3, [-10, 0, 0, -6]),
    ("9D 4D 4S 6D", 0, [-10, 0, 0, -6]),
    ("4H JH 6S 6H", 0, [-10, -6, 0, -6]),
    ("3D TC QS 8H", 1, [-10, -42, 0, -6]),
    ("TD AS 7S 3H", 1, [-10, -46, 0, -6]),
    ("JS 5S 2S 6C", 1, [-10, -46, 0, -6]),
]


def cards(text: str) -> list[int]:
    """Return the cards named in *text*."""
    return [CODES[name] for name in text.split()]


def new(**options: object) -> HeartsState:
    """Return the start of a match that tells its events."""
    state = GAME.new(GAME.options.read(options), SEATS)
    state.events = []
    return state


def dealt(hands: list[str], **options: object) -> HeartsState:
    """Return a match whose first deal gave these hands."""
    state = new(**options)
    state.apply_draw([card for hand in hands for card in cards(hand)])
    return state


def transcript(**options: object) -> HeartsState:
    """Return the match of the spec's transcript after its deal."""
    return dealt(TRANSCRIPT_HANDS, **options)


def pass_all(state: HeartsState, packets: list[str]) -> None:
    """Let every seat pass its packet."""
    for seat, packet in enumerate(packets):
        for card in cards(packet):
            state.apply(seat, PASS + card)


def keep(state: HeartsState) -> None:
    """Let AH stay hidden."""
    if state.phase == EXPOSING:
        act(state, state.to_act().bit_length() - 1, "keep AH")


def act(state: HeartsState, seat: int, words: str) -> None:
    """Let *seat* take the action that *words* name."""
    state.apply(seat, ACTIONS.parse(words))


def play(state: HeartsState, text: str) -> None:
    """Let the seats whose turn it is play these cards."""
    for card in cards(text):
        state.apply(state.to_act().bit_length() - 1, card)


def playing(
    hand: str,
    trick: str = "",
    *,
    first_round: bool = False,
    broken: bool = False,
    others: list[str] | None = None,
    **options: object,
) -> HeartsState:
    """Return a state in which seat 0 holds *hand* and is to play to *trick*, led by those before it."""
    state = new(**options)
    table = cards(trick)
    state.game = state.number = 1
    state.phase = PLAYING
    state.round = 1 if first_round else 2
    state.broken = broken
    held = [mask_of(cards(words)) for words in [hand, *(others or ["", "", ""])]]
    state.dealt, state.hands = vec[i64](held), vec[i64](held)
    state.picks = vec[i64]([0] * SEATS)
    state.taken = vec[i64]([0] * SEATS)
    state.played = vec[i64]([0] * 13)
    state.leader = -len(table) % SEATS
    for at, card in enumerate(table):
        state.trick |= card << 6 * at
        state.pile |= bit(card) & SCORE
    state.fallen = len(table)
    if table:
        state.led = suit_of(table[0])
        state.best = max(card for card in table if bit(card) & state.led)
        state.winner = (int(state.leader) + table.index(int(state.best))) % SEATS
    state._turn_to(0)
    return state


def legal(state: HeartsState, seat: int = 0) -> set[str]:
    """Return the cards that *seat* may play."""
    return {CARDS[action] for action in state.legal_actions(seat)}


def told(state: HeartsState) -> list[Event]:
    """Return the events since the last time."""
    events = state.events
    assert events is not None
    state.events = []
    return events


def kinds(events: list[Event]) -> list[str]:
    """Return the kinds of *events*."""
    return [str(event.plain()["kind"]) for event in events]
