"""A notation in words: the deal, its tricks, and the reason for every chip of its settlement."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.cards import cards_of, mask_of
from croupier.games.taroky.legality import money_value
from croupier.games.taroky.notation import Notation
from croupier.games.taroky.scoring import DealResult, points
from croupier.games.taroky.vocabulary import (
    CARDS,
    GIVEN,
    HALVES,
    LEVELS,
    MONEY,
    MONEY_VALUES,
    MONEY_WORDS,
    OVER,
    RETURNED,
    SEATS,
    SUIT,
    TRUMP,
    TRUMPS,
    names,
    shown,
)
from croupier.games.taroky.words import ROMAN

PLAYERS = [f"player {n}" for n in range(1, SEATS + 1)]
BALANCES = ("before the deal", "so far", "after the deal")
"""The rows of a settlement that show balances, not payments."""


def show_lines(notation: Notation) -> Iterator[str]:
    """Yield the deal, the calls and the tricks as lines of text."""
    yield "Chips: " + "  ".join(
        f"{name} {chips}" for name, chips in zip(PLAYERS, notation.chips, strict=True)
    )
    for name, hand in zip(PLAYERS, notation.hands, strict=True):
        yield f"{name:<10}{_by_suit(hand)}"
    yield f"{'talon':<10}{' '.join(names(notation.talon))}"
    yield from call_lines(notation)
    yield from _tricks(notation)
    if notation.phase != OVER:
        state = notation.state
        turn = f", player {int(state.turn) + 1} to act" if state is not None and state.turn >= 0 else ""
        yield f"Next: {notation.phase_name()}{turn}"
    text = notation.settings.write()
    if text:
        yield f"Settings: {text}"


def _money(codes: int) -> str:
    """Return a set of money cards in words, each with its value."""
    return " and ".join(f"{MONEY_WORDS[code]} ({MONEY_VALUES[code]})" for code in cards_of(codes))


def _by_suit(hand: list[int]) -> str:
    parts: list[str] = []
    for suit in (TRUMPS, *SUIT[:4]):
        held = shown(mask_of(hand) & suit)
        if held:
            parts.append(" ".join(reversed(held)))
    return "   ".join(parts)


def call_lines(notation: Notation) -> Iterator[str]:
    """Yield the lines of the talon, the discards, the calls and the partner."""
    phase = notation.phase
    if notation.prever:
        yield f"Prever: player {notation.prever}"
        if notation.half:
            took = ("", "cards 1 to 3", "cards 4 to 6", "cards 1 to 3 after all")[notation.half]
            yield f"Talon: {HALVES[notation.half]}, {took}"
    elif phase > 1:
        yield f"Partner game; talon: player 1 took four; {_gift(notation, 0)}; {_gift(notation, 1)}"
    if any(notation.discards):
        laid = [
            f"player {n + 1} {' '.join(names(cards))}" for n, cards in enumerate(notation.discards) if cards
        ]
        yield "Discards: " + ", ".join(laid)
    if phase > MONEY:
        called = [f"player {n + 1} {_money(int(codes))}" for n, codes in enumerate(notation.money) if codes]
        yield "Money cards: " + (", ".join(called) or "none")
    if notation.partner:
        holder = _holder(notation, TRUMP + notation.partner)
        yield f"Partner: {ROMAN[notation.partner]}, {holder}"
    if notation.valat:
        yield f"Valat: player {notation.valat}"
    for level, player in enumerate(notation.contras):
        yield f"{LEVELS[level].capitalize()}: player {player}"
    if notation.iote:
        yield f"I on the end: player {notation.iote}"


def _gift(notation: Notation, which: int) -> str:
    gift = notation.gifts[which]
    if gift == GIVEN:
        return f"player {which + 2} passed, player 4 accepted"
    return f"player {which + 2} passed, player 4 rejected" if gift == RETURNED else f"player {which + 2} drew"


def _holder(notation: Notation, card: int) -> str:
    state = notation.state
    assert state is not None
    if any(card in cards for cards in notation.discards):
        return "discarded: player 1 plays alone"
    side = [n for n in range(1, SEATS) if state.declarers >> n & 1]
    return f"player {side[0] + 1}" if side else "player 1, alone"


def _tricks(notation: Notation) -> Iterator[str]:
    if not notation.tricks and not notation.open:
        return
    yield "Trick   " + "".join(f"{name:<10}" for name in PLAYERS) + "points   (> leads, * takes)"
    leader = 0
    tricks = [*zip(notation.tricks, notation.winners, strict=True)]
    if notation.open:
        tricks.append((notation.open, 0))
    for number, (cards, winner) in enumerate(tricks, 1):
        cells = ["", "", "", ""]
        for at, card in enumerate(cards):
            player = (leader + at) % SEATS
            lead = ">" if at == 0 else " "
            cells[player] = f"{lead}{CARDS[card]}{'*' if player + 1 == winner else ''}"
        worth = f"{int(points(mask_of(cards))):>6}" if winner else ""
        yield f"{number:>5}   " + "".join(f"{cell:<10}" for cell in cells) + worth
        leader = winner - 1


def settle_lines(notation: Notation) -> Iterator[str]:
    """Yield the reason for every payment, and the chips as a table."""
    yield from reason_lines(notation)
    paid = payments(notation)
    width = max(len(name) for name, _ in paid)
    yield f"{'Chips':<{width}}  " + "".join(f"{name:>10}" for name in PLAYERS)
    for name, row in paid:
        signed = name not in BALANCES
        cells = (f"{amount:+}" if signed and amount else str(amount) for amount in row)
        yield f"{name:<{width}}  " + "".join(f"{cell:>10}" for cell in cells)


def reason_lines(notation: Notation) -> Iterator[str]:
    """Yield the reasons for payments: money cards, points, contra, the I; or what is still to come."""
    for n in range(SEATS):
        value = int(money_value(notation.money[n]))
        if value:
            words = _money(int(notation.money[n]))
            yield f"Money cards of player {n + 1}: {words}, {value} from each of the others"
    if notation.phase == OVER:
        yield from _result_lines(notation, notation.result())
    else:
        paid = "nothing" if notation.phase <= MONEY else "nothing but money cards"
        yield f"Not finished: next is {notation.phase_name()}, {paid} is paid yet"


def payments(notation: Notation) -> list[tuple[str, list[int]]]:
    """Return the chips of players 1 to 4 before the deal, everything paid since, and the chips after it."""
    paid: list[tuple[str, list[int]]] = [(BALANCES[0], notation.chips)]
    for n in range(SEATS):
        value = int(money_value(notation.money[n]))
        if value:
            paid.append((f"money of player {n + 1}", [3 * value if m == n else -value for m in range(SEATS)]))
    if notation.phase == OVER:
        result = notation.result()
        paid.append((f"settlement, X = {result.x}", result.payments))
        paid.append((BALANCES[2], result.chips))
    elif notation.phase > MONEY:
        paid.append((BALANCES[1], [sum(column) for column in zip(*(row for _, row in paid), strict=True)]))
    return paid


def _result_lines(notation: Notation, result: DealResult) -> Iterator[str]:
    side = [n + 1 for n in range(SEATS) if result.declarers >> n & 1]
    who = f"player {side[0]} alone" if len(side) == 1 else f"players {side[0]} and {side[1]}"
    kind = "prever" if notation.prever else "partner game"
    tricks = f"{result.tricks[0]} tricks against {result.tricks[1]}"
    yield f"Declarers in this {kind}: {who}; {result.points[0]} points against {result.points[1]}, {tricks}"
    factor = 3 if notation.prever else 2
    won = result.points[0] > 53
    for name, value in result.steps:
        match name:
            case "valat":
                how = f"announced by player {notation.valat}" if notation.valat else "not announced"
                yield f"Valat, {how}: {value:+}; points and the I do not count"
            case "distance":
                verdict = "won" if won else "lost"
                yield f"Points: {result.points[0]} is {value} from 53, so the declarers have {verdict}"
            case "base":
                distance = abs(result.points[0] - 53)
                product = (distance + 10) * factor
                yield f"Base: ({distance} + 10) × {factor} = {product}, tenths rounded half up: {value}"
            case "half":
                yield f"Prever lost with half {HALVES[notation.half]}: × {value}"
            case "contra":
                yield f"{', '.join(LEVELS[: len(notation.contras)])}: × {value}"
            case "iote":
                how = "announced" if notation.iote else "not announced"
                yield f"The I on the end, {how}: {value:+} for the declarers"
    yield f"X = {result.x}: what each opponent pays each declarer" + (
        "" if len(side) == 2 else ", the single player settling with all three"
    )
