"""The scores of deals and games of Hearts (R9, R10)."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, count
from croupier.games.hearts.vocabulary import HEARTS, PENALTY, QUEEN, TEN_OF_CLUBS, HeartsRules


def points(taken: i64, exposed: bool, doubled: bool) -> i64:
    """Return the points of the score cards *taken*; *doubled* if TC is among them and counts."""
    total = count(taken & HEARTS)
    if exposed:
        total += total
    if taken & QUEEN:
        total += 13
    return total + total if doubled else total


def shoots(taken: i64) -> bool:
    """Return True if *taken* holds all fourteen penalty cards: the moon (R9.3)."""
    return taken & PENALTY == PENALTY


def deal_score(taken: i64, moon: bool, exposed: bool, rules: HeartsRules) -> i64:
    """Return the score of a seat for *taken*; *moon* is True if a player has shot the moon in this deal."""
    doubled = rules.ten_of_clubs and taken & bit(TEN_OF_CLUBS) != 0
    if not moon:
        return -points(taken, exposed, doubled)  # R9.1
    if rules.moon_pays and shoots(taken):
        return 4 * points(taken, exposed, doubled)  # R9.3
    if rules.moon_pays or shoots(taken):
        return 0
    return -points(PENALTY, exposed, doubled)  # R9.4: the others pay for all fourteen


def deal_scores(taken: vec[i64], exposed: bool, rules: HeartsRules) -> list[int]:
    """Return every seat's score in a deal, from the score cards each has *taken* (R9)."""
    moon = False
    for mine in taken:
        moon = moon or shoots(mine)
    return [int(deal_score(mine, moon, exposed, rules)) for mine in taken]


def ranks(scores: list[int]) -> list[int]:
    """Return the ranks of *scores*, 1 for the highest; equal scores share a rank (R10)."""
    return [1 + sum(1 for other in scores if other > score) for score in scores]
