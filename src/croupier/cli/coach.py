"""The coach in a terminal: a hint, and the player's costly decisions of a finished match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from croupier.core.reasons import in_words

if TYPE_CHECKING:
    from croupier.cli.screen import Screen
    from croupier.core.contract import Plain
    from croupier.core.words import Texts
    from croupier.wire.house_messages import Finding, Hint

VISIBLE: Final = 0.05
"""Smaller differences are shown as none."""


def show_hint(screen: Screen, hint: Hint, names: Sequence[str]) -> None:
    """Print what expert would do, its expected gain and why."""
    texts = screen.texts
    screen.line(f"{texts('coach.expert')} {', '.join(hint.actions)}")
    screen.line(texts("coach.gain", n=f"{hint.gain:g}"))
    screen.line(in_words(hint.reasons, names, texts) or texts("coach.why.none", n=hint.simulations))


def mistakes_of(findings: Iterable[Finding], costly: float, seat: int) -> list[Finding]:
    """Return the costly decisions of *seat* in one deal, the most expensive first."""
    least = max(costly, VISIBLE)
    own = [one for one in findings if one.seat == seat and not one.by and one.difference >= least]
    return sorted(own, key=lambda one: -one.difference)


def show_mistakes(screen: Screen, mistakes: Sequence[Finding], names: Sequence[str]) -> None:
    """Print the costly decisions of a player."""
    for one in mistakes:
        better, played = joined(one.best.actions), joined(one.played.actions)
        told = (one.deal, one.step, better, played, one.difference, one.reasons, names)
        screen.line(mistake(screen.texts, *told))
    if not mistakes:
        screen.line(screen.texts("coach.mistakes.none"))


def mistake(
    texts: Texts,
    deal: int,
    step: int,
    better: str,
    played: str,
    difference: float,
    reasons: Iterable[Plain],
    names: Sequence[str],
) -> str:
    """Return one costly decision as a line."""
    where, cost = texts("coach.where", deal=deal, step=step + 1), texts("coach.cost", n=f"{difference:.1f}")
    told = f"  {where} {better} {texts('coach.instead')} {played}. {cost}."
    return f"{told} {in_words(reasons, names, texts)}".rstrip()


def joined(actions: Sequence[str]) -> str:
    """Return *actions* with a verb that they share only once.

    >>> joined(["pass QS", "pass AH"])
    'pass QS AH'
    """
    verbs = {action.split(" ")[0] for action in actions}
    if len(verbs) == 1 and all(" " in action for action in actions):
        return " ".join([*verbs, *(action.partition(" ")[2] for action in actions)])
    return ", ".join(actions)
