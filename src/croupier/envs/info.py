"""What environments tell people in addition to the arrays, all of it from the view of one seat."""

from __future__ import annotations

from typing import Any

from croupier import games
from croupier.core.contract import State, View
from croupier.core.words import aligned
from croupier.envs.setup import Setup


def names_of(setup: Setup) -> list[str]:
    """Return the seats as words."""
    return [f"seat {seat}" for seat in range(setup.seats)]


def info_of(setup: Setup, state: State, seat: int) -> dict[str, Any]:
    """Return mask, legal actions in words, phase, score table and result of an episode for *seat*.

    The result, the payoffs of all seats, is None while a seat owes a decision.
    """
    view = state.view(seat)
    legal = [setup.game.actions.name(action) for action in view.legal if action not in setup.reserved]
    return {
        "seat": seat,
        "action_mask": setup.mask(view),
        "legal": legal,
        "phase": view.facts().get("phase"),
        "scores": games.words_of(setup.game).scores(view, names_of(setup)),
        "result": None if state.to_act() else state.payoffs(),
    }


def drawn(setup: Setup, view: View) -> str:
    """Return the table as the terminal shows it to the seat of *view*."""
    words, names = games.words_of(setup.game), names_of(setup)
    hand = ["  ".join(" ".join(code for code, _ in row) for row in words.hand(view) if row)]
    label = f"{words.held}: "
    lines = [*words.table(view, names), *(label + line for line in hand if line)]
    if view.legal:
        lines.append(words.question(view, names))
    return "\n".join([*lines, "", *aligned(words.scores(view, names))])
