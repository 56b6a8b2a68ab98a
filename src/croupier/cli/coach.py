"""The coach in a terminal: a hint, and the player's costly decisions of a finished match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from croupier.core.reasons import in_words

if TYPE_CHECKING:
    from croupier.cli.screen import Screen
    from croupier.core.contract import Plain
    from croupier.wire.house_messages import Finding, Hint

VISIBLE: Final = 0.05
"""Smaller differences are shown as none."""


def show_hint(screen: Screen, hint: Hint, names: Sequence[str]) -> None:
    """Print what expert would do, its expected gain and why."""
    screen.line(f"Expert: {', '.join(hint.actions)}; gain over the next best: {hint.gain:g}")
    why = in_words(hint.reasons, names) or f"the best in {hint.simulations} simulations"
    screen.line(f"Why: {why}")


def mistakes_of(findings: Iterable[Finding], costly: float, seat: int) -> list[Finding]:
    """Return the costly decisions of *seat* in one deal, the most expensive first."""
    least = max(costly, VISIBLE)
    own = [one for one in findings if one.seat == seat and not one.by and one.difference >= least]
    return sorted(own, key=lambda one: -one.difference)


def show_mistakes(screen: Screen, mistakes: Sequence[Finding], names: Sequence[str]) -> None:
    """Print the costly decisions of a player."""
    for one in mistakes:
        better, played = joined(one.best.actions), joined(one.played.actions)
        screen.line(mistake(one.deal, one.step, better, played, one.difference, one.reasons, names))
    if not mistakes:
        screen.line("You made no costly decision in this match.")


def mistake(
    deal: int,
    step: int,
    better: str,
    played: str,
    difference: float,
    reasons: Iterable[Plain],
    names: Sequence[str],
) -> str:
    """Return one costly decision as a line."""
    why = in_words(reasons, names)
    told = f"  deal {deal}, move {step + 1}: {better} instead of {played}, {difference:.1f} points"
    return f"{told} ({why})" if why else told


def joined(actions: Sequence[str]) -> str:
    """Return *actions* with a verb that they share only once.

    >>> joined(["pass QS", "pass AH"])
    'pass QS AH'
    """
    verbs = {action.split(" ")[0] for action in actions}
    if len(verbs) == 1 and all(" " in action for action in actions):
        return " ".join([*verbs, *(action.partition(" ")[2] for action in actions)])
    return ", ".join(actions)
