"""Reasons for or against a card in a trick game, derived from what a seat has seen.

The coach shows them as one sentence. Each is a plain object with its `kind`: ``stake`` (the points in the
current trick), ``trumps`` (how many trumps the others may hold) or ``void`` (a seat that has shown that it
has no card of a suit).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mypy_extensions import i64

from croupier.core.cards import bit, count
from croupier.core.contract import Plain


def shown_voids(tricks: Iterable[tuple[int, Sequence[int]]], suits: Sequence[i64], seats: int) -> list[int]:
    """Return for each seat, as a mask, the suits in which it could not follow.

    A trick is its leader and the cards in playing order; *suits* are sets of cards.
    """
    found = [0] * seats
    for leader, cards in tricks:
        if cards:
            led = _suit_of(cards[0], suits)
            for at, card in enumerate(cards):
                if _suit_of(card, suits) != led:
                    found[(leader + at) % seats] |= 1 << led
    return found


def play_reasons(
    me: int, voids: Sequence[int], suit_words: Sequence[str], hidden_trumps: i64, stake: int
) -> list[Plain]:
    """Return the facts of a trick game; *hidden_trumps* are the trumps that *me* has not seen."""
    found: list[Plain] = []
    if stake:
        found.append({"kind": "stake", "number": stake})
    if hidden_trumps:
        found.append({"kind": "trumps", "number": int(count(hidden_trumps))})
    for seat, mask in enumerate(voids):
        for suit, word in enumerate(suit_words):
            if seat != me and mask >> suit & 1:
                found.append({"kind": "void", "seat": seat, "suit": word})
    return found


def in_words(reasons: Iterable[Plain], players: Sequence[str]) -> str:
    """Return *reasons* as text for a terminal; empty if there are none."""
    parts: list[str] = []
    voids: dict[str, list[str]] = {}
    for one in reasons:
        number = one.get("number")
        if one["kind"] == "stake":
            parts.append(f"this trick holds {number} {'point' if number == 1 else 'points'}")
        elif one["kind"] == "trumps":
            parts.append(f"{number} {'trump is' if number == 1 else 'trumps are'} still out")
        else:
            voids.setdefault(str(one["suit"]), []).append(players[int(str(one["seat"]))])
    for suit, names in voids.items():
        parts.append(f"{_listed(names)} {'has' if len(names) == 1 else 'have'} no {suit} left")
    return _listed(parts)


def _listed(parts: Sequence[str]) -> str:
    """Return *parts* with commas, and "and" before the last one."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _suit_of(card: int, suits: Sequence[i64]) -> int:
    return next(number for number, suit in enumerate(suits) if suit & bit(card))
