"""The lines that add up to a deal's score, and what is at stake before it is played (R8)."""

from __future__ import annotations

from croupier.games.coinche import facts
from croupier.games.coinche.scoring import Tally, rounded, score
from croupier.games.coinche.vocabulary import CAPOT, HAND, CoincheRules


class Line:
    """Points by team with their reason: *what* is ``points``, ``total``, ``contract`` or ``belote``."""

    def __init__(self, what: facts.What, scores: list[int]) -> None:
        self.what = what
        self.scores = scores

    def fact(self) -> facts.Line:
        return facts.Line(what=self.what, scores=self.scores[:])


def _all_to(team: int, points: int) -> list[int]:
    return [points, 0] if team == 0 else [0, points]


def lines(
    team: int,
    level: int,
    doubled: int,
    made: bool,
    points: list[int],
    tricks: list[int],
    belote: list[int],
    rules: CoincheRules,
) -> list[Line]:
    """Return the lines of a deal's score; *team* is the one that played the contract."""
    winner = team if made else 1 - team
    factor = int(rules.factor(doubled))
    contract = Line("contract", _all_to(winner, int(rules.value(level)) * factor))
    if rules.contract_only:  # R8.6
        return [contract]
    if made and doubled == 0:
        told = [Line("points", [int(rounded(taken, rules)) for taken in points]), contract]
        shared = belote
    else:
        whole = made and tricks[team] == HAND
        total = int(rounded(rules.total_all if whole else rules.total, rules))
        told = [Line("total", _all_to(winner, total * factor if rules.multiplies_all else total)), contract]
        shared = _all_to(winner, sum(belote)) if rules.belote_moves else belote  # R8.7
    return [*told, Line("belote", shared)] if any(shared) else told


def needed(level: int, rules: CoincheRules) -> int | None:
    """Return the points a contract needs, None if tricks decide (R8.2)."""
    if level >= CAPOT:
        return None
    return 82 if rules.eighty_needs_82 and level == 0 else int(rules.value(level))


def stakes(level: int, rules: CoincheRules) -> list[facts.Stake]:
    """Return the value of a contract as it is, coinched and surcoinched, without belotes.

    ``made`` is what its team scores if it makes the contract, None if that depends on the points taken;
    ``failed`` is what the other team scores if it does not.
    """
    tally = Tally(0, 0, 0, 0)
    tally.all_tricks = level >= CAPOT
    worth: list[facts.Stake] = []
    for doubled in range(3):
        factor = int(rules.factor(doubled))
        open_end = doubled == 0 and not rules.contract_only
        worth.append(
            facts.Stake(
                factor=factor,
                contract=int(rules.value(level)) * factor,
                made=None if open_end else int(score(level, doubled, True, tally, rules)[0]),
                failed=int(score(level, doubled, False, tally, rules)[1]),
            )
        )
    return worth
