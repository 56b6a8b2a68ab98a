"""Hidden cards dealt anew: every distribution inside given bounds as likely as any other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from random import Random

from croupier.core.cards import cards_of, mask_of


def deal_out(cards: int, rooms: Sequence[int], possible: Sequence[int], rng: Random) -> list[int]:
    """Deal *cards* to hands with so many *rooms*, each card only to hands it is *possible* in.

    Cards are alike that may go to the same hands; so it is enough to draw how many of each kind go
    where, weighted by the ways to do it, and then which ones.
    """
    kinds: dict[int, list[int]] = {}
    for card in cards_of(cards):
        where = sum(1 << hand for hand in range(len(rooms)) if possible[hand] >> card & 1)
        kinds.setdefault(where, []).append(card)
    # The pickiest first: the last kind, which fits in most hands, then has no choice left.
    order = sorted(kinds, key=lambda where: (where.bit_count(), where))

    @cache
    def ways(at: int, left: tuple[int, ...]) -> int:
        """Return how many ways there are to deal the kinds from *at* on into the rooms *left*."""
        if at == len(order):
            return int(not any(left))
        return sum(
            arrangements(split) * ways(at + 1, _minus(left, split))
            for split in _splits(len(kinds[order[at]]), order[at], left, at + 1 == len(order))
        )

    left = tuple(rooms)
    if not ways(0, left):
        raise ValueError("the bounds contradict each other: the hidden cards fit nowhere")
    hands: list[list[int]] = [[] for _ in rooms]
    for at, where in enumerate(order):
        kind = kinds[where]
        splits = list(_splits(len(kind), where, left, at + 1 == len(order)))
        weights = [arrangements(split) * ways(at + 1, _minus(left, split)) for split in splits]
        split = splits[_pick(weights, rng)]
        rng.shuffle(kind)
        for hand, many in zip(hands, split, strict=True):
            hand += [kind.pop() for _ in range(many)]
        left = _minus(left, split)
    return [int(mask_of(hand)) for hand in hands]


def arrangements(split: Sequence[int]) -> int:
    """Return how many ways there are to part different cards into heaps of these sizes."""
    total = 0
    product = 1
    for many in split:
        total += many
        product *= comb(total, many)
    return product


def _splits(many: int, where: int, left: tuple[int, ...], last: bool) -> Iterator[tuple[int, ...]]:
    """Yield how *many* cards may be shared out among the hands of the mask *where*."""
    if last:
        if sum(left) == many and all(where >> hand & 1 or not room for hand, room in enumerate(left)):
            yield left
        return
    yield from _shares(many, where, left, 0)


def _shares(many: int, where: int, left: tuple[int, ...], hand: int) -> Iterator[tuple[int, ...]]:
    if hand == len(left):
        if many == 0:
            yield ()
        return
    most = min(many, left[hand]) if where >> hand & 1 else 0
    for here in range(most + 1):
        for rest in _shares(many - here, where, left, hand + 1):
            yield (here, *rest)


def _minus(left: tuple[int, ...], split: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(room - many for room, many in zip(left, split, strict=True))


def _pick(weights: Sequence[int], rng: Random) -> int:
    at = rng.randrange(sum(weights))
    for place, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return place
    raise AssertionError("weights that do not add up")
