"""A strict client of the original protocol, without I/O: it reads one line after each command.

It plays at random, with every tool, and fails at the first line that the original does not allow there.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from random import Random
from typing import Final

DIE: Final = "[RGBYP][1-6]"
NICK: Final = r"[\w.-]{1,20}"
KNOWN: Final = {
    "welcome": r"welcome.*",
    "login": rf"login\t{NICK}\t(?:\w{{20}}|token)",
    "verified": "verified",
    "lobbyplayers:": rf"lobbyplayers:(?:\t{NICK})+",
    "newplayer:": rf"newplayer:\t{NICK}",
    "game": r"game\tid=[^;\t]+;players=[^;\t]+;tools=[0-9,]+;rounds=\d+;turn=\d+",
    "privateGoal": r"privateGoal\t[1-5]",
    "schemas": r"schemas(?:\t\d+){4}",
    "publicGoal": r"publicGoal(?:\t\d+){3}",
    "round": rf"round\t\d+\t{NICK}",
    "dice": rf"dice(?:\t{DIE})+",
    "your-turn": "your-turn",
    "endRound": rf"endRound(?:\t{DIE})+",
    "endGame": rf"endGame(?:\t{NICK}\t-?\d+)+",
}
"""The lines that a server sends without a request."""
REPLIES: Final = {
    "schema": "ok|invalid",
    "extract": rf"dice(?:\t{DIE})+",
    "place": "ok|invalid_dice|constrains_violated|bad_request",
    "move": "ok|constraints_violated|empty_cell|cell_already_occupied",
    "active_tool_card": "ok|not_enough_token|not_valid_choice",
    "deactive_tool_card": "ok|no",
    "swap_dice": "ok|invalid_dice",
    "reroll_dice": rf"new_dice\t{DIE}|invalid_dice",
    "flip_dice": rf"new_dice\t{DIE}|invalid_dice",
    "reroll_all": rf"dice_list(?:\t{DIE})+",
    "put_in_bag": r"dice_from_pool\t[RGBYP]0|invalid_dice",
    "set_value": "ok|not_valid",
}
"""The replies to commands."""

Dialogue = Generator[str, str, None]
"""Yields commands and receives their replies; a command with a leading ``!`` gets none."""


class Strict:
    """One player. `hear` processes a line of the server and returns the lines to send."""

    def __init__(self, nick: str, seed: str, token: str = "") -> None:
        self.nick = nick
        self.token = token
        self.result = ""
        """The line that ended the game."""
        self.used: set[int] = set()
        """The tools that took effect."""
        self.replies = 0
        self._rng = Random(f"{seed} {nick}")
        self._tools: list[int] = []
        self._track: list[str] = []
        self._window: dict[tuple[int, int], str] = {}
        self._talk: Dialogue | None = None
        self._asked = ""
        """The command whose reply comes next."""
        self._in_turn = False

    def hear(self, line: str) -> list[str]:
        verb, *fields = line.split("\t")
        if self._asked:
            allowed = REPLIES[self._asked.split("\t")[0]]
            assert re.fullmatch(allowed, line), f"{self.nick}: {self._asked!r} was answered {line!r}"
            self.replies += 1
            return self._go_on(line)
        assert not self._in_turn, f"{self.nick} was sent {line!r} in their turn"
        kind = verb.split(" ")[0]
        assert re.fullmatch(KNOWN.get(kind, ""), line), f"{self.nick} heard {line!r}"
        return self._react(kind, fields)

    def _react(self, kind: str, fields: list[str]) -> list[str]:
        if kind == "welcome":
            return [f"login\t{self.nick}"]
        if kind == "login":
            if fields[1] == "token":
                return [f"token\t{self.token}"]
            self.token = fields[1]
        elif kind == "game":
            about = dict(pair.split("=") for pair in fields[0].split(";"))
            self._tools = [int(tool) for tool in about["tools"].split(",")]
            self._track, self._window = [], {}
        elif kind == "schemas":
            return self._begin(self._choose(fields))
        elif kind == "round" and fields[1] == self.nick:
            return ["extract"]
        elif kind == "endRound":
            self._track += fields
        elif kind == "endGame":
            self.result = "\t".join(fields)
        elif kind == "your-turn":
            self._in_turn = True
            return self._begin(self._turn())
        return []

    def _begin(self, talk: Dialogue) -> list[str]:
        self._talk = talk
        return self._sent(next(talk))

    def _go_on(self, reply: str) -> list[str]:
        assert self._talk is not None
        self._asked = ""
        try:
            return self._sent(self._talk.send(reply))
        except StopIteration:
            sent = ["pass"] if self._in_turn else []
            self._in_turn = False
            return sent

    def _sent(self, command: str) -> list[str]:
        sent = []
        while command.startswith("!"):
            sent.append(command[1:])
            assert self._talk is not None
            command = self._talk.send("")
        self._asked = command
        return [*sent, command]

    # Choosing commands.

    def _choose(self, offered: list[str]) -> Dialogue:
        if self._rng.random() < 0.3:
            assert (yield "schema\t25") == "invalid"
        assert (yield f"schema\t{self._rng.choice(offered)}") == "ok"

    def _turn(self) -> Dialogue:
        pool = (yield "extract").split("\t")[1:]
        first = self._rng.random() < 0.4
        if first:
            yield from self._draft(pool)
        for tool in self._rng.sample(self._tools, len(self._tools)):
            if tool in self.used and self._rng.random() < 0.95:
                continue  # tokens are few
            if (yield f"active_tool_card\t{tool}") != "ok":
                continue
            yield from TOOLS[tool](self, pool, tool)
            if tool == 8 or (yield "deactive_tool_card") == "no":
                break
        if not first:
            yield from self._draft(pool)

    def _draft(self, pool: list[str]) -> Dialogue:
        for die in self._rng.sample(pool, len(pool)):
            for row, column in self._cells(die)[:4]:
                reply = yield f"place\t{die}\t{row}\t{column}"
                if reply == "ok":
                    self._window[row, column] = die
                    pool.remove(die)
                if reply in ("ok", "bad_request", "invalid_dice"):
                    return

    def _cells(self, die: str) -> list[tuple[int, int]]:
        """Return the cells where *die* might go, ignoring the printed demands."""
        found = []
        for row in range(1, 5):
            for column in range(1, 6):
                near = [
                    self._window.get((row + down, column + along))
                    for down in (-1, 0, 1)
                    for along in (-1, 0, 1)
                ]
                beside = [near[at] for at in (1, 3, 5, 7)]
                clash = any(other and set(other) & set(die) for other in beside)
                border = row in (1, 4) or column in (1, 5)
                if near[4] is None and not clash and (any(near) if self._window else border):
                    found.append((row, column))
        self._rng.shuffle(found)
        return found

    def _place_hand(self, die: str) -> Dialogue:
        """Place the die in hand: if no cell takes it, passing is allowed."""
        for row in range(1, 5):
            for column in range(1, 6):
                if (yield f"place\t{die}\t{row}\t{column}") == "ok":
                    self._window[row, column] = die
                    return

    # The tools.

    def _one_up_or_down(self, pool: list[str], tool: int) -> Dialogue:
        for die in pool:
            for step in (1, -1):
                value = int(die[1]) + step
                for row, column in self._cells(f"{die[0]}{value}")[:3]:
                    if (yield f"place\t{die}\t{row}\t{column}\t{step:+}") == "ok":
                        self._window[row, column] = f"{die[0]}{value}"
                        pool.remove(die)
                        self.used.add(tool)
                        return

    def _moves(self) -> Iterable[tuple[int, int, int, int]]:
        targets = [(row, column) for row in range(1, 5) for column in range(1, 6)]
        pairs = [(*source, *target) for source in self._window for target in targets]
        return self._rng.sample(pairs, min(len(pairs), 30))

    def _move(self, pool: list[str], tool: int) -> Dialogue:
        for cells in self._moves():
            if (yield "\t".join(["move", *map(str, cells), ""])) == "ok":
                self._moved([cells], tool)
                if tool != 12 or self._rng.random() < 0.3:
                    return

    def _moved(self, moves: list[tuple[int, int, int, int]], tool: int) -> None:
        dice = [self._window.pop(move[:2]) for move in moves]
        for move, die in zip(moves, dice, strict=True):
            self._window[move[2:]] = die
        self.used.add(tool)

    def _move_two(self, pool: list[str], tool: int) -> Dialogue:
        for first, second in zip(self._moves(), self._moves(), strict=False):
            yield "!" + "\t".join(["move", *map(str, first)])
            if (yield "\t".join(["move", *map(str, second)])) == "ok":
                self._moved([first, second], tool)
                return

    def _swap(self, pool: list[str], tool: int) -> Dialogue:
        for die in self._track[:8]:
            given = self._rng.choice(pool)
            if (yield f"swap_dice\t{given}\t{die}") == "ok":
                self._track[self._track.index(die)] = given
                self.used.add(tool)
                yield from self._place_hand(die)
                return

    def _change(self, pool: list[str], tool: int) -> Dialogue:
        verb = {6: "reroll_dice", 10: "flip_dice"}[tool]
        for die in pool:
            reply = yield f"{verb}\t{die}"
            if reply != "invalid_dice":
                pool.remove(die)
                self.used.add(tool)
                yield from self._place_hand(reply.split("\t")[1])
                return

    def _reroll_all(self, pool: list[str], tool: int) -> Dialogue:
        pool[:] = (yield "reroll_all").split("\t")[1:]
        self.used.add(tool)

    def _again(self, pool: list[str], tool: int) -> Dialogue:
        self.used.add(tool)  # it takes effect when the turn is passed
        yield from self._draft(pool)

    def _apart(self, pool: list[str], tool: int) -> Dialogue:
        for die in pool:
            for row in range(1, 5):
                column = self._rng.randint(1, 5)
                if (yield f"place\t{die}\t{row}\t{column}") == "ok":
                    self._window[row, column] = die
                    pool.remove(die)
                    self.used.add(tool)
                    return

    def _bag(self, pool: list[str], tool: int) -> Dialogue:
        reply = yield f"put_in_bag\t{pool.pop()}"
        self.used.add(tool)
        for value in self._rng.sample("123456", 6):
            if (yield f"set_value\t{value}") == "ok":
                yield from self._place_hand(f"{reply.split(chr(9))[1][0]}{value}")
                return


TOOLS: Final = {
    1: Strict._one_up_or_down,
    2: Strict._move,
    3: Strict._move,
    4: Strict._move_two,
    5: Strict._swap,
    6: Strict._change,
    7: Strict._reroll_all,
    8: Strict._again,
    9: Strict._apart,
    10: Strict._change,
    11: Strict._bag,
    12: Strict._move,
}
