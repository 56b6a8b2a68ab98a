"""Events and states of a game as lines of the protocol (spec 6 to 10).

Every function gets the told view of its reader, so no line can hold what the reader may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil

from croupier.core.contract import Event
from croupier.core.options import Value
from croupier.games.sagrada.events import (
    MatchEnded,
    MatchStarted,
    Moved,
    ObjectiveDealt,
    ObjectivesShown,
    Placed,
    PoolRerolled,
    Returned,
    Rolled,
    RoundEnded,
    RoundStarted,
    Swapped,
    TakenInHand,
    ToolUsed,
    TurnStarted,
    WindowsOffered,
    WindowsShown,
)
from croupier.games.sagrada.placement import Window
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import CHOOSING, DICE, EXTRACTING, OVER, TURNS, UNSET, names
from croupier.wire.talk import TableInfo


def line(verb: str, *fields: object) -> str:
    """Return a line without its end."""
    return "\t".join([verb, *(str(field) for field in fields)])


def restart_line(seconds: float | None, text: str) -> str:
    """Return the line about a restart in *seconds*; None: there will be none."""
    if seconds is None:
        return line("restart", "-")
    words = " ".join(text.encode("ascii", "replace").decode().split())
    return line("restart", round(seconds), *([words] if words else []))


def dice_line(verb: str, dice: Iterable[int]) -> str:
    """Return a line of dice."""
    return line(verb, *names(dice))


def hand_line(die: int) -> str:
    """Return the line that shows a player the die in their hand."""
    return line("dice_from_pool" if die >= UNSET else "new_dice", DICE[die])


def round_line(view: GlassView, nicks: Sequence[str]) -> str:
    return line("round", view.round, nicks[view.start])


def game_line(info: TableInfo, view: GlassView, nicks: Sequence[str]) -> str:
    """Return the line that describes a game; clients without events learn the tools only here."""
    tools = ",".join(str(tool) for tool in view.tools)
    turn = turn_seconds(view, info.table_options)
    rounds = view.options["rounds"]
    about = f"id={info.id};players={','.join(nicks)};tools={tools};rounds={rounds};turn={turn}"
    return line("game", about)


def turn_seconds(view: GlassView, options: Mapping[str, Value]) -> Value:
    """Return how long a turn may last, 0 for no limit."""
    return 0 if view.seats == 1 else options["turn_time"]


def private_lines(view: GlassView) -> list[str]:
    """Return the reader's private objective, or both in the solo variant."""
    return [line("privateGoal", number) for number in view.privates]


def seed_lines(event: Event, info: TableInfo, view: GlassView, nicks: Sequence[str]) -> list[str]:
    """Return the lines of *event* that every client gets."""
    match event:
        case MatchStarted():
            return [game_line(info, view, nicks)]
        case ObjectiveDealt():
            return private_lines(view)
        case WindowsOffered():
            return [line("schemas", *event.patterns)]
        case ObjectivesShown():
            return [line("publicGoal", *event.publics)]
        case RoundStarted():
            return [round_line(view, nicks)]
        case Rolled():
            return [dice_line("dice", event.dice)]
        case RoundEnded():
            return [dice_line("endRound", event.dice) if event.dice else line("endRound", "-")]
        case MatchEnded():
            result = [(nicks[seat], event.scores[seat].total) for seat in event.ranking]
            return [line("endGame", *(field for pair in result for field in pair))]
    return []


def event_lines(event: Event, info: TableInfo, view: GlassView, nicks: Sequence[str]) -> list[str]:
    """Return the further lines of *event* for a client with events on."""
    match event:
        case WindowsShown():
            return [tools_line(view), *window_lines(view, nicks)]
        case TurnStarted():
            seconds = turn_seconds(view, info.table_options)
            return [line("turn", nicks[event.seat], TURNS[event.turn], seconds)]
        case ToolUsed():
            return _used(event, view, nicks)
        case Placed():
            placed = line("placed", nicks[event.seat], DICE[event.die], *_at(event.cell))
            return [placed, pool_line(view)] if event.taken >= 0 else [placed]
        case Moved():
            return [
                line("moved", nicks[event.seat], *_at(source), *_at(target))
                for source, target in zip(event.sources, event.targets, strict=True)
            ]
        case TakenInHand() | PoolRerolled() | Returned():
            return [pool_line(view)]
        case Swapped():
            return [track_line(view, event.round)]
        case RoundEnded():
            return [track_line(view, event.number)] if event.dice else []
        case MatchEnded():
            return [
                line("score", nick, *score.publics, score.private, score.tokens, score.empty, score.total)
                for nick, score in zip(nicks, event.scores, strict=True)
            ]
    return []


def _used(event: ToolUsed, view: GlassView, nicks: Sequence[str]) -> list[str]:
    nick = nicks[event.seat]
    if view.seats == 1:  # paid with a die; the tool has left the game
        return [line("tool_used", nick, event.tool, 1), tools_line(view), pool_line(view)]
    return [
        line("tool_used", nick, event.tool, event.cost),
        line("tokens", nick, event.tokens),
        tools_line(view),
    ]


def tools_line(view: GlassView) -> str:
    """Return the tools with the cost of their next use; in the solo variant those left, at one die each."""
    if view.seats == 1:
        return line("tools", *(f"{tool}:1" for tool in view.tools if tool not in view.used_tools))
    return line("tools", *(f"{tool}:{view.cost(tool)}" for tool in view.tools))


def window_lines(view: GlassView, nicks: Sequence[str]) -> list[str]:
    """Return the lines of all windows."""
    return [
        line("window", nick, window.pattern.number, tokens, _grid(window))
        for nick, window, tokens in zip(nicks, view.windows, view.tokens, strict=True)
    ]


def _grid(window: Window) -> str:
    cells = [DICE[die] if die >= 0 else ".." for die in window.dice()]
    return "/".join("".join(cells[at : at + 5]) for at in range(0, 20, 5))


def pool_line(view: GlassView) -> str:
    return dice_line("pool", view.pool)


def track_line(view: GlassView, number: int) -> str:
    """Return the line of the slot of round *number*."""
    return line("track", number, *names(view.track[number - 1]))


def _at(cell: int) -> tuple[int, int]:
    return cell // 5 + 1, cell % 5 + 1


# Complete states.


def state_block(info: TableInfo, seat: int, view: GlassView, nicks: Sequence[str], now: float) -> list[str]:
    """Return everything that the player of *seat* may know (spec 10)."""
    block = [line("state", info.id, view.round, phase_name(view), *_clock(info, view, nicks, now))]
    block.append(tools_line(view))
    if view.publics:
        block.append(line("publicGoal", *view.publics))
    block += private_lines(view)
    block += window_lines(view, nicks) if view.windows else []
    block += [track_line(view, number) for number, slot in enumerate(view.track, 1) if slot]
    block.append(pool_line(view))
    if view.turn_seat == seat:
        block += [line("active", view.active)] if view.active else []
        block += [line("hand", DICE[view.hand])] if view.hand >= 0 else []
    return [*block, "end_state"]


def phase_name(view: GlassView) -> str:
    """Return the protocol's name of the phase."""
    if view.phase in (CHOOSING, EXTRACTING, OVER):
        return {CHOOSING: "schema", EXTRACTING: "extract", OVER: "over"}[view.phase]
    return TURNS[view.turn] if view.turn >= 0 else "extract"


def _clock(info: TableInfo, view: GlassView, nicks: Sequence[str], now: float) -> tuple[str, str]:
    """Return the player whose decision is awaited, if it is only one, and the seconds left."""
    seat = view.turn_seat if view.turn_seat >= 0 else view.start if view.phase == EXTRACTING else -1
    asked = [info.asked(each) for each in ([seat] if seat >= 0 else range(view.seats))]
    ends = [each.deadline for each in asked if each is not None and each.deadline is not None]
    left = str(max(0, ceil(max(ends) - now))) if ends else "-"
    return (nicks[seat] if seat >= 0 else "-"), left


def rejoin_block(info: TableInfo, seat: int, view: GlassView, nicks: Sequence[str]) -> list[str]:
    """Return the lines for a returning player, up to whose turn it is (spec 12.4)."""
    block = [line("lobbyplayers:", *nicks), game_line(info, view, nicks), *private_lines(view)]
    if view.phase == CHOOSING:
        return block if view.chosen >> seat & 1 else [*block, line("schemas", *view.offered)]
    block += [line("publicGoal", *view.publics), round_line(view, nicks)]
    return block if view.phase == EXTRACTING else [*block, dice_line("dice", view.pool)]
