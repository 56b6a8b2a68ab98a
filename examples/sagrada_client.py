"""The glass workshop over TCP. `python sagrada_client.py NICK HOST PORT [TOKEN]` plays one game."""

import socket
import sys
from collections.abc import Iterator
from itertools import product

CELLS = list(product(range(1, 5), range(1, 6)))


class Player:
    def __init__(self, nick: str, host: str, port: str, token: str = "") -> None:
        self.nick, self.token = nick, token
        self.socket = socket.create_connection((host, int(port)))
        self.lines = self.socket.makefile(encoding="ascii", newline="\r")
        self.tools: list[str] = []
        self.window: dict[tuple[int, int], str] = {}
        self.refused: list[tuple[tuple[int, int], str]] = []  # used to learn the prints by trying

    def send(self, *fields: object) -> None:
        self.socket.sendall(("\t".join(map(str, fields)) + "\r").encode())

    def hear(self) -> list[str]:
        line = self.lines.readline()
        return line.rstrip("\r").split("\t") if line else sys.exit("the server closed the connection")

    def ask(self, *fields: object) -> list[str]:
        self.send(*fields)
        return self.hear()

    def cells(self, die: str) -> Iterator[tuple[int, int]]:
        trouble = [cell for cell, _ in self.refused]
        for cell in sorted(set(CELLS) - set(self.window), key=trouble.count):
            row, column = cell
            near = [(r, c) for r, c in self.window if abs(r - row) <= 1 and abs(c - column) <= 1]
            beside = [self.window[r, c] for r, c in near if r == row or c == column]
            allowed = near if self.window else row in (1, 4) or column in (1, 5)
            clash = any(set(die) & set(other) for other in beside)
            if allowed and not clash and (cell, die) not in self.refused:
                yield cell

    def place(self, die: str) -> bool:
        for cell in self.cells(die):
            if self.ask("place", die, *cell) == ["ok"]:
                self.window[cell] = die
                return True
            self.refused.append((cell, die))
        return False

    def turn(self) -> None:
        pool = self.ask("extract")[1:]  # after the roll it returns the remaining dice
        if not any(self.place(die) for die in sorted(set(pool), key="".join(self.window.values()).count)):
            if "6" in self.tools and self.ask("active_tool_card", 6) == ["ok"]:
                self.place(self.ask("reroll_dice", pool[0])[1])
            elif "7" in self.tools and self.ask("active_tool_card", 7) == ["ok"]:
                any(self.place(die) for die in self.ask("reroll_all")[1:])
        self.send("pass")

    def play(self) -> list[str]:
        while True:
            verb, *fields = self.hear()
            if verb.startswith("welcome"):
                self.send("login", self.nick)
            elif verb == "login" and fields[1] == "token":
                self.send("token", self.token)
            elif verb == "game":
                self.tools = dict(pair.split("=") for pair in fields[0].split(";"))["tools"].split(",")
            elif verb == "schemas":
                self.ask("schema", fields[0])
            elif verb == "round" and fields[1] == self.nick:
                self.send("extract")
            elif verb == "your-turn":
                self.turn()
            elif verb in ("endGame", "failed"):
                return fields or sys.exit(f"cannot log in as {self.nick}: wrong token")


result = Player(*(sys.argv[1:] if len(sys.argv) in (4, 5) else sys.exit(__doc__))).play()
print(*(f"{nick} {score}" for nick, score in zip(result[::2], result[1::2], strict=True)), sep="\n")
