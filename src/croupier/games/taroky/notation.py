"""Taroky Notation: one deal as a line of text. Its value, its errors and its writer; the reader is reader.py.

A notation stands between two phases or inside a trick. The number of its fields shows which phase comes next:
a field that is there, even empty, says that its phase is over. Players count from 1, Povinnost.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.contract import WATCHER
from croupier.games.taroky.scoring import DealResult
from croupier.games.taroky.settings import Settings
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    CARDS,
    CONTRA,
    DEALING,
    DISCARD,
    DREW,
    GIVEN,
    HALF,
    HALVES,
    IOTE,
    MONEY,
    NOBODY,
    OVER,
    PARTNER,
    PHASES,
    PLAYING,
    PREVER,
    RETURNED,
    RULES_OPTIONS,
    SEATS,
    TALON,
    VALAT,
    money_names,
)

LONGEST: Final = 4096
"""The maximum number of characters of a notation."""


class NotationError(ValueError):
    """A text that is not a valid notation: where, in which slot, and why (spec 2.4)."""

    def __init__(self, offset: int, field: int, slot: str, reason: str, detail: str) -> None:
        super().__init__(f"{slot}: {detail}")
        self.offset = offset
        """The first offending character, counted from 0 in the text without white space around it."""
        self.field = field
        """The number of its field, counted from 1."""
        self.slot = slot
        self.reason = reason
        self.detail = detail


class Notation:
    """One deal up to the end of a phase, or into a trick."""

    def __init__(self, chips: list[int], hands: list[list[int]], talon: list[int]) -> None:
        self.chips = chips
        """Before the deal, of players 1 to 4, as are the hands."""
        self.hands = hands
        self.talon = talon
        self.phase = PREVER
        """The next phase, one of the vocabulary's; OVER when all tricks are there."""
        self.prever = 0
        """The player who plays prever, 0 in a partner game."""
        self.half = 0
        self.gifts: list[int] = [DREW, DREW]
        """The outcome for the talon card of player 2, and of player 3."""
        self.discards: list[list[int]] = [[], [], [], []]
        self.money: list[i64] = [0, 0, 0, 0]
        """The money cards called by each player."""
        self.partner = 0
        """The trump Povinnost has named, 15 to 19."""
        self.valat = 0
        self.contras: list[int] = []
        self.iote = 0
        self.tricks: list[list[int]] = []
        self.winners: list[int] = []
        """The players who took the tricks."""
        self.open: list[int] = []
        """The cards of the unfinished trick."""
        self.settings = Settings()
        self.moves: list[int] = []
        """The actions that lead here, each ``player from 0 * 64 + action``; empty if not read from a text."""
        self.state: TarokyState | None = None
        """Where these actions lead, with player n on seat n - 1; None if not read from a text.

        Its chips count on from `chips`, unless those are more than a table takes: then they count from 0.
        """

    def key(self) -> tuple[object, ...]:
        """Return everything that two equal notations have in common (spec 2.3)."""
        return (
            self.chips,
            self.hands,
            self.talon,
            self.phase,
            self.prever,
            self.half,
            self.gifts,
            self.discards,
            [int(codes) for codes in self.money],
            self.partner,
            self.valat,
            self.contras,
            self.iote,
            self.tricks,
            self.winners,
            self.open,
            self.settings,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Notation):
            return NotImplemented
        return self.key() == other.key()

    def __hash__(self) -> int:
        raise TypeError("a notation can change, so it has no hash")

    def phase_name(self) -> str:
        """Return the next phase in the spec's words."""
        return PHASES[self.phase]

    def result(self) -> DealResult:
        """Return the settlement of a finished deal, its chips continued from `chips`."""
        assert self.phase == OVER, "only a finished deal has a result"
        assert self.state is not None, "only a notation that was read has a result"
        result = self.state.result()
        for n in range(SEATS):
            result.chips[n] = self.chips[n] + result.money[n] + result.payments[n]
        return result

    def actions(self) -> list[tuple[int, int]]:
        """Return the actions that lead here, each with its player counted from 0."""
        return [(move // 64, move % 64) for move in self.moves]

    def draw(self) -> list[int]:
        """Return the draw that deals these cards when player 1 sits on seat 0 and the match begins."""
        first = [card for hand in self.hands for card in hand[:6]]
        return self.talon + first + [card for hand in self.hands for card in hand[6:]]

    def options(self) -> dict[str, object]:
        """Return the options of a match of this deal alone, player 1 on seat 0."""
        chips = ",".join(str(number) for number in self.chips)
        out: dict[str, object] = {"hands": 1, "first_povinnost": "0"}
        if chips != "100,100,100,100":
            out["chips"] = chips
        return out | self.settings.options()


# Writing


def write(notation: Notation) -> str:
    """Return the canonical form, the only one that is ever written (spec 2.1)."""
    return "/".join([*game_fields(notation), notation.settings.write()])


def game_fields(notation: Notation) -> list[str]:
    """Return the fields before the settings."""
    phase = notation.phase
    fields = [str(chips) for chips in notation.chips]
    fields += [cards_text(hand) for hand in notation.hands]
    fields.append(cards_text(notation.talon))
    if phase == PREVER:
        return fields
    if notation.prever:
        fields.append(f"P{notation.prever}")
        if phase == HALF:
            return fields
        fields.append(HALVES[notation.half])
    else:
        fields.append(_gift_text(notation.gifts[0], "2") + _gift_text(notation.gifts[1], "3"))
    if phase == DISCARD:
        return fields
    fields.append("".join([cards_text(cards) for cards in notation.discards]))
    if phase == MONEY:
        return fields
    fields.append(_money_text(notation.money))
    if phase == PARTNER:
        return fields
    if not notation.prever:
        fields.append(str(notation.partner - 10))
    if phase == VALAT:
        return fields
    fields.append(f"V{notation.valat}" if notation.valat else "")
    if phase == CONTRA:
        return fields
    fields.append("".join([f"C{player}" for player in notation.contras]))
    if phase == IOTE:
        return fields
    fields.append(f"I{notation.iote}" if notation.iote else "")
    for n in range(len(notation.tricks)):
        fields.append(f"{cards_text(notation.tricks[n])}{notation.winners[n]}")
    if notation.open:
        fields.append(cards_text(notation.open))
    return fields


def cards_text(cards: list[int]) -> str:
    """Return *cards* as one text without separators."""
    return "".join([CARDS[card] for card in cards])


def _gift_text(gift: int, player: str) -> str:
    if gift == GIVEN:
        return f"G{player}"
    return f"GR{player}" if gift == RETURNED else ""


def _money_text(money: list[i64]) -> str:
    out: list[str] = []
    for player in range(SEATS):
        codes = money[player]
        out += [f"{code}{player + 1}" for code in money_names(codes)]
    return "".join(out)


# From a match


def of_state(state: TarokyState) -> Notation:
    """Return the deal of *state* at its last boundary of a phase, or inside its trick."""
    view = state.view(WATCHER)
    seats = range(SEATS)
    return _of(
        view, [state.dealt(s) for s in seats], state.talon_cards(0, 6), [state.discards(s) for s in seats]
    )


def of_view(view: TarokyView) -> Notation:
    """Return the finished deal of *view*, in which every card is visible."""
    assert view.hands, "only a finished deal shows every card"
    return _of(view, view.hands, view.talon, view.all_discards)


def _of(view: TarokyView, hands: list[list[int]], talon: list[int], discards: list[list[int]]) -> Notation:
    order = [view.seat_of(player) for player in range(1, SEATS + 1)]
    paid = view.results[-1].payments if view.hands else [0, 0, 0, 0]
    out = Notation(
        [view.chips[seat] - view.brought[seat] - paid[seat] for seat in order],
        [hands[seat][:] for seat in order],
        talon[:],
    )
    out.phase = OVER if view.phase == DEALING else PREVER if view.phase == TALON else view.phase
    for option, key in (
        ("ace_high", "aceHigh"),
        ("contra_on_valat", "contraOnValat"),
        ("prever_priority", "preverPriority"),
    ):
        if view.options[option] != RULES_OPTIONS.options[option].default:
            out.settings.known[key] = view.options[option]
    phase = out.phase
    if phase == PREVER:
        return out
    if view.prever != NOBODY:
        out.prever = view.player(view.prever)
        out.half = view.half
    else:
        out.gifts = view.gifts[:]
    if phase > DISCARD:
        out.discards = [discards[seat][:] for seat in order]
    if phase > MONEY:
        out.money = view.money[:]
    out.partner = view.named
    if phase > VALAT and view.valat != NOBODY:
        out.valat = view.player(view.valat)
    if phase > CONTRA:
        out.contras = [view.player(seat) for seat in view.contras]
    if phase > IOTE and view.iote != NOBODY:
        out.iote = view.player(view.iote)
    if phase >= PLAYING:
        out.tricks = [trick.cards[:] for trick in view.tricks]
        out.winners = [view.player(trick.taker) for trick in view.tricks]
        out.open = view.trick[:]
    return out
