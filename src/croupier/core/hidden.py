"""Redeals hidden cards: every distribution within given bounds is equally likely, or as likely as odds say.

Cards that may go to the same hands form a *kind*. So it is enough to draw how many of each kind go to each
hand, weighted by the number of ways to deal the rest, and then which cards. The ways are counted hand by hand
and cached, because a search asks for many worlds with the same bounds.

With odds, pairs of cards then change hands many times, each time with the probability that makes a
distribution as likely as the product of the odds of its cards (Metropolis' algorithm).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, cards_of, count
from croupier.core.dice import Dice

ROOM: Final = 5
"""The bits for the free places of a hand: up to 31 cards, and up to 8 hands."""
MEMORY: Final = 24
"""The number of bounds for which counts are cached."""
HOLDERS: Final = 4
"""Who may hold a hidden card: the next three seats in playing order, or nobody (a talon, discards)."""
ELSEWHERE: Final = 3
CHANCES: Final = 0x4000_0000
"""Probabilities are multiples of one in this many."""
EXCHANGES: Final = 12
"""How many exchanges are tried for each card."""


class Odds:
    """How likely a seat considers each holder of each card: `HOLDERS` positive numbers per card."""

    def __init__(self, seat: int, odds: list[float]) -> None:
        self.seat = seat
        """The seat that cannot see the cards, one of four."""
        self.odds: vec[float] = vec[float](odds)

    def of(self, seat: int) -> int:
        """Return the number of *seat* as a holder."""
        return (seat - self.seat) % HOLDERS - 1


def _pascal(rows: int) -> list[list[float]]:
    table = [[1.0]]
    for n in range(rows):
        last = table[n]
        table.append([1.0, *(last[k] + last[k + 1] for k in range(n)), 1.0])
    return table


CHOOSE: Final = _pascal(62)
"""``CHOOSE[n][k]`` ways to choose k cards of n."""


class Ways:
    """The number of ways to deal kinds of cards; *where* has the possible hands of each kind, as masks."""

    def __init__(self, where: list[int], sizes: list[int], hands: int) -> None:
        self.where = where
        self.sizes = sizes
        self.hands: i64 = hands
        self.later: list[list[int]] = [[0] * hands]
        """How many cards of the kinds after each one may go to each hand."""
        for mask, size in zip(reversed(where), reversed(sizes), strict=True):
            after = self.later[-1]
            self.later.append([after[hand] + (size if mask >> hand & 1 else 0) for hand in range(hands)])
        self.later.reverse()
        self.known: dict[int, float] = {}

    def least(self, at: i64, hand: i64, left: i64) -> i64:
        """Return how many of kind *at* must go to *hand*, because later kinds cannot fill it."""
        room = left >> ROOM * hand & 31
        later: i64 = self.later[at + 1][hand]
        if room <= later:
            return 0
        return room - later

    def most(self, at: i64, hand: i64, many: i64, left: i64) -> i64:
        """Return how many of the *many* cards of kind *at* fit into *hand*."""
        mask: i64 = self.where[at]
        if not mask >> hand & 1:
            return 0
        room = left >> ROOM * hand & 31
        return many if many < room else room

    def count(self, at: i64, hand: i64, many: i64, left: i64) -> float:
        """Return the number of ways to deal when *many* cards of kind *at* remain for *hand* and the hands
        after it.
        """
        if hand == self.hands:
            if many > 0:
                return 0.0
            at += 1
            if at == len(self.where):
                return 1.0 if left == 0 else 0.0
            return self.count(at, 0, self.sizes[at], left)
        key = int(((at << 3 | hand) << 6 | many) << 40 | left)
        found = self.known.get(key, -1.0)
        if found < 0.0:
            found = 0.0
            take = self.least(at, hand, left)
            most = self.most(at, hand, many, left)
            while take <= most:
                rest = self.count(at, hand + 1, many - take, left - (take << ROOM * hand))
                found += CHOOSE[many][take] * rest
                take += 1
            self.known[key] = found
        return found

    def draw(self, at: i64, hand: i64, many: i64, left: i64, dice: Dice) -> i64:
        """Return how many cards *hand* gets, weighted by the number of ways."""
        goal = self.count(at, hand, many, left) * (dice.below(CHANCES) / CHANCES)
        take = self.least(at, hand, left)
        most = self.most(at, hand, many, left)
        found = take
        while take <= most:
            ways = CHOOSE[many][take] * self.count(at, hand + 1, many - take, left - (take << ROOM * hand))
            if ways > 0.0:
                found = take
                goal -= ways
                if goal < 0.0:
                    break
            take += 1
        return found


_remembered: dict[tuple[int, ...], Ways] = {}


def _ways(where: list[int], sizes: list[int], hands: int) -> Ways:
    key = (hands, *where, *sizes)
    ways = _remembered.get(key)
    if ways is None:
        if len(_remembered) >= MEMORY:
            _remembered.clear()
        ways = Ways(where, sizes, hands)
        _remembered[key] = ways
    return ways


def deal_out(
    cards: int,
    rooms: Sequence[int],
    possible: Sequence[int],
    rng: Random,
    odds: Odds | None = None,
    holders: Sequence[int] = (),
) -> list[int]:
    """Deal *cards* to hands with the given *rooms*, each card only to hands where it is *possible*.

    With *odds*, distributions are weighted by them; *holders* are the numbers of the hands there.
    """
    hands = len(rooms)
    kinds = _kinds(cards, possible)
    # The kinds with the fewest hands first: the last kind, which fits most hands, then has no choice left.
    where = sorted(kinds, key=_pickiness) if len(kinds) > 1 else list(kinds)
    sizes = [int(count(kinds[mask])) for mask in where]
    ways = _ways(where, sizes, hands)
    left: i64 = 0
    for hand in range(hands):
        room: i64 = rooms[hand]
        left |= room << ROOM * hand
    fits = ways.count(0, 0, sizes[0], left) > 0.0 if sizes else left == 0
    if not fits:
        raise ValueError("the bounds contradict each other: the hidden cards fit nowhere")
    dice = Dice(rng.getrandbits(62))
    dealt = [0] * hands
    for at in range(len(where)):
        kind = cards_of(kinds[where[at]])
        many: i64 = len(kind)
        for hand in range(hands):
            take = ways.draw(at, hand, many, left, dice)
            left -= take << ROOM * hand
            mine: i64 = 0
            while take > 0:
                # The last card takes the place of the one dealt: a partial shuffle.
                place = dice.below(many)
                many -= 1
                take -= 1
                mine |= bit(kind[place])
                kind[place] = kind[many]
            dealt[hand] |= int(mine)
    if odds is not None:
        _exchange(dealt, possible, odds.odds, holders, dice)
    return dealt


def _exchange(
    dealt: list[int], possible: Sequence[int], odds: vec[float], holders: Sequence[int], dice: Dice
) -> None:
    """Exchange pairs of cards until the distribution is as likely as the *odds* say."""
    found: list[int] = []
    lie: list[int] = []
    for hand in range(len(dealt)):
        for card in cards_of(dealt[hand]):
            found.append(card)
            lie.append(hand)
    cards: vec[i64] = vec[i64](found)
    hand_of: vec[i64] = vec[i64](lie)
    may: vec[i64] = vec[i64](list(possible))
    who: vec[i64] = vec[i64](list(holders))
    many: i64 = len(found)
    left: i64 = EXCHANGES * many
    while left > 0:
        left -= 1
        i = dice.below(many)
        j = dice.below(many)
        here = hand_of[i]
        there = hand_of[j]
        if here == there or not may[there] >> cards[i] & 1 or not may[here] >> cards[j] & 1:
            continue
        one = cards[i] * HOLDERS
        other = cards[j] * HOLDERS
        now = odds[one + who[here]] * odds[other + who[there]]
        then = odds[one + who[there]] * odds[other + who[here]]
        if then < now and float(dice.below(CHANCES)) * now >= then * float(CHANCES):
            continue
        hand_of[i] = there
        hand_of[j] = here
    for hand in range(len(dealt)):
        dealt[hand] = 0
    k: i64 = 0
    while k < many:
        dealt[hand_of[k]] |= int(bit(cards[k]))
        k += 1


def _kinds(cards: i64, possible: Sequence[int]) -> dict[int, int]:
    """Return the cards of each kind as a set, by the mask of the hands that may get them."""
    kinds: dict[int, int] = {0: int(cards)} if cards else {}
    for hand, some in enumerate(possible):
        split: dict[int, int] = {}
        for mask, members in kinds.items():
            if members & some:
                split[mask | 1 << hand] = members & some
            if members & ~some:
                split[mask] = members & ~some
        kinds = split
    return kinds


def _pickiness(mask: int) -> tuple[int, int]:
    return mask.bit_count(), mask
