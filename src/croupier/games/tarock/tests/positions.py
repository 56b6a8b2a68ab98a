"""Short ways to set up positions of Tarock, for its tests."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, cards_of, mask_of
from croupier.core.contract import Event
from croupier.games.tarock import GAME
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.vocabulary import (
    ACTIONS,
    CARDS,
    CODES,
    CONTRACT_NAMES,
    PLAYING,
    SEATS,
    TAROCKS,
    TRICKS,
    WHOLE,
)

# The deal of the spec's transcript (section D): hands by seat, and the talon.
TRANSCRIPT_HANDS = [
    "CN S8 S9 H3 H2 HJ D3 DN T3 T4 T8 T12",
    "C8 CJ D2 DK T9 T10 T11 T14 T15 T19 T21 TS",
    "C7 C9 C10 CQ SQ H4 D1 T2 T5 T13 T16 T18",
    "CK S7 SN H1 HN HK DJ DQ T1 T6 T7 T20",
]
TRANSCRIPT_TALON = "S10 T17 HQ SK SJ D4"


def cards(text: str) -> list[int]:
    """Return the cards named in *text*."""
    return [CODES[name] for name in text.split()]


def mask(text: str) -> int:
    """Return the cards named in *text* as a set."""
    return int(mask_of(cards(text)))


def new(**options: object) -> TarockState:
    """Return the start of a match that tells its events."""
    state = GAME.new(GAME.options.read(options), SEATS)
    state.events = []
    return state


def deck(hands: list[str], talon: str = "", forehand: int = 1) -> list[int]:
    """Return a deck that deals these hands (by seat) and talon, filled up with the other cards.

    A hand without a tarock gets one of the others first, so that the deal is not void.
    """
    given = [cards(hand) for hand in hands]
    lying = cards(talon)
    left = [card for card in range(54) if card not in {c for hand in [*given, lying] for c in hand}]
    for hand in given:
        if len(hand) < 12 and not mask_of(hand) & TAROCKS:
            tarock = next(card for card in left if bit(card) & TAROCKS)
            left.remove(tarock)
            hand.append(tarock)
    for place, many in [*((hand, 12) for hand in given), (lying, 6)]:
        while len(place) < many:
            place.append(left.pop(0))
    in_turn = [given[(forehand + i) % SEATS] for i in range(SEATS)]
    packets = [hand[:6] for hand in in_turn] + [hand[6:] for hand in in_turn]
    return lying + [card for packet in packets for card in packet]


def dealt(hands: list[str] | None = None, talon: str = "", **options: object) -> TarockState:
    """Return a match whose first deal (dealer 0, forehand 1) gave these hands."""
    state = new(**options)
    state.apply_draw(deck(hands or ["", "", "", ""], talon))
    return state


def transcript(**options: object) -> TarockState:
    """Return the match of the spec's transcript after its deal."""
    return dealt(TRANSCRIPT_HANDS, TRANSCRIPT_TALON, **options)


def act(state: TarockState, seat: int, *words: str) -> None:
    """Let *seat* take the actions that *words* name."""
    for word in words:
        state.apply(seat, ACTIONS.parse(word))


def bid(state: TarockState, *said: str) -> None:
    """Let the seats make these bids in turn."""
    for word in said:
        state.apply(int(state.turn), ACTIONS.parse(f"bid {word}"))


def declare(state: TarockState, seat: int, contract: str) -> None:
    """Let the auction end with *seat* playing *contract*."""
    while state.contract < 0:
        speaker = int(state.turn)
        able = f"bid {contract}" in legal(state)
        act(state, speaker, f"bid {contract}" if speaker == seat and able else "bid pass")


def silence(state: TarockState) -> None:
    """Let nobody announce anything."""
    while CONTRACT_NAMES and state.legal_actions(int(state.turn))[-1:] == [ACTIONS.parse("done")]:
        act(state, int(state.turn), "done")


def play(state: TarockState, text: str) -> None:
    """Let the seats whose turn it is play these cards."""
    for card in cards(text):
        state.apply(int(state.turn), card)


def legal(state: TarockState) -> list[str]:
    """Return the legal actions of the seat to act in words."""
    return [ACTIONS.name(action) for action in state.legal_actions(int(state.turn))]


def playable(state: TarockState) -> list[str]:
    """Return the cards that the seat to act may play."""
    return [CARDS[action] for action in state.legal_actions(int(state.turn))]


def ending(
    contract: str,
    last: list[str],
    leader: int,
    *,
    declarer: int = 1,
    partner: int = -1,
    king: str = "",
    piles: dict[int, str] | None = None,
    rest: str = "",
    laid: str = "",
    won: tuple[int, int, int, int] = (3, 3, 3, 2),
    tricks: int = TRICKS - 1,
    announced: dict[str, int] | None = None,
    **options: object,
) -> TarockState:
    """Return a state before its last trick, in which the seats hold the cards *last*.

    All other cards are in the pile of the first seat that is not on declarer's side.
    """
    state = new(deals=2, **options)
    state.number = 1
    state.dealer = 0
    state.contract = CONTRACT_NAMES.index(contract)
    state.declarer = declarer
    state.partner = partner
    if king:
        state.king = "CSHD".index(king)
        state.king_bit = bit(8 * state.king + 7)
    state.hands = vec[i64]([mask(name) for name in last])
    state.piles = vec[i64]([0] * SEATS)
    state.played = vec[i64]([0] * TRICKS)
    used = mask(" ".join(last)) | mask(rest) | mask(laid)
    for seat, text in (piles or {}).items():
        state.piles[seat] |= mask(text)
        used |= mask(text)
    opponent = next(seat for seat in range(SEATS) if seat not in (declarer, partner))
    state.piles[opponent] |= WHOLE & ~used
    state.rest = mask(rest)
    state.laid = mask(laid)
    state.won = sum(many << 4 * seat for seat, many in enumerate(won))
    for name, seat in (announced or {}).items():
        bonus = ["trula", "kings", "kings_ultimo", "pagat_ultimo", "valat"].index(name)
        state.announcers |= (seat + 1) << 3 * bonus
    state._start_play()
    if state.events is not None:
        state.events.clear()
    # After the exchange the talon counts as open.
    if contract in ("three", "two", "one", "solo_three", "solo_two", "solo_one"):
        state.many = {"three": 3, "two": 2, "one": 1}[contract.removeprefix("solo_")]
        state.picked = 0
    state.tricks = tricks
    state.leader = leader
    state._turn_to(leader)
    assert state.phase == PLAYING
    return state


def finish(state: TarockState) -> TarockState:
    """Play the last card of every seat."""
    for _ in range(SEATS):
        state.apply(int(state.turn), cards_of(state.hands[state.turn])[0])
    return state


def told(state: TarockState) -> list[Event]:
    """Return the events since the last time."""
    events = state.events
    assert events is not None
    state.events = []
    return events


def kinds(events: list[Event]) -> list[str]:
    """Return the kinds of *events*."""
    return [str(event.plain()["kind"]) for event in events]
