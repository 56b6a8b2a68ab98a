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
from croupier.core.words import Texts


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


def in_words(reasons: Iterable[Plain], players: Sequence[str], texts: Texts) -> str:
    """Return *reasons* as a sentence; empty if there are none."""
    parts: list[str] = []
    voids: dict[str, list[str]] = {}
    for one in reasons:
        if one["kind"] == "void":
            voids.setdefault(str(one["suit"]), []).append(players[int(str(one["seat"]))])
        else:
            parts.append(texts(f"coach.why.{one['kind']}", n=one["number"]))
    for suit, names in voids.items():
        suit_words = texts(f"coach.suit.{suit}")
        parts.append(texts("coach.why.void", names=texts.all_of(names), n=len(names), suit=suit_words))
    return texts("coach.why", list=texts.all_of(parts)) if parts else ""


def _suit_of(card: int, suits: Sequence[i64]) -> int:
    return next(number for number, suit in enumerate(suits) if suit & bit(card))
