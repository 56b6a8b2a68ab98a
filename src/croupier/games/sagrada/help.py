"""Texts for people at a terminal: the welcome, and the commands of the line port."""

from __future__ import annotations

from typing import Final

from croupier.games.sagrada.messages import line

WELCOME: Final = "welcome to the glass workshop"
FIXED: Final = ", where the dice are fixed in advance: a player may know them"
"""The addition to the welcome if all games of the server are seeded."""
HOW: Final = (
    "; type: login NAME, schema, extract, place, pass; show draws the windows, help lists all commands"
)
"""The end of the welcome on the line port."""
HELP: Final = (
    ("login NAME", "log in; the game starts some time after the second player has logged in"),
    ("token TOKEN", "the token of a registered name, or the password of an account"),
    ("schema N", "choose one of the four windows offered"),
    ("show", "show the windows, tools and objectives"),
    ("extract", "draw the dice of a round, or show the remaining ones"),
    ("place DIE ROW COL", "like place R5 1 3; with tool 1 also +1 or -1"),
    ("pass", "end your turn"),
    ("active_tool_card N", "use a tool; deactive_tool_card puts it back"),
    ("move ROW COL ROW COL", "with tools 2, 3, 4, 12: from and to"),
    ("swap_dice DIE DIE", "with tool 5: a die of the pool, a die of the round track"),
    ("reroll_dice DIE", "with tool 6; flip_dice with tool 10, put_in_bag with tool 11"),
    ("reroll_all", "with tool 7"),
    ("set_value N", "with tool 11: the value of the die that you drew"),
    ("state", "show the whole state of the game, for programs"),
    ("events on", "also show what the others do; events off stops that"),
    ("newgame", "return to the lobby after a game"),
    ("logout", "disconnect; in a game your seat is kept"),
)
"""The commands of the line port, each with its meaning."""


def how(players: int, seconds: float) -> str:
    """Return the end of the welcome on the line port; a game starts *seconds* after *players* are there."""
    if players == 1:
        return HOW
    return f"; a game starts {seconds:g} s after {players} players have logged in, bots do not join{HOW}"


def help_lines() -> list[str]:
    """Return the answer to `help`."""
    width = max(len(command) for command, _ in HELP)
    return [line("help", f"{command:{width}}  {words}") for command, words in HELP]
