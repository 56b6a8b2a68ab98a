"""Taroky. `python taroky_client.py NAME ROOM URL` plays a match and prints each hand as Taroky Notation.

ROOM is the id of a room to join, or the number of people to wait for in a new one; bots take the other seats.
"""

import asyncio
import sys
from typing import Any

import aiohttp

RULES = {"hands": 2, "botPlayTime": 0, "botThinkTime": 0, "dealPause": 0, "secretPause": 0}
COMMANDS = {"prever_talon": "half"}  # the other phases have the names of their commands


def answer(event: str, frame: dict[str, Any], me: str) -> dict[str, Any] | None:
    """Return the answer to an event that asks us something: careful calls, the first legal card."""
    mine = frame.get("next_player") == me
    match event:
        case "prever.start" | "prever.next" if mine:
            return {"command": "prever", "prever": False}
        case "talon.drawn" | "talon.next" if mine:
            return {"command": "talon", "action": "reject" if frame.get("action") == "pass" else "draw"}
        case "half.offer" if frame["player_id"] == me:
            return {"command": "half", "keep": True}
        case "discard.start" | "discard.next" if mine:
            return {"command": "discard", "cards": frame["valid_cards"][:1]}
        case "moneycards.choice":
            return {"command": "moneycards", "declare": True}
        case "partner.start" if mine:
            return {"command": "partner", "card": frame["valid_partners"][0]}
        case "valat.start" | "valat.next" if mine:
            return {"command": "valat", "call": False}
        case "contra.turn" | "iote.turn":  # the question is secret: only we know of it
            return {"command": event.removesuffix(".turn"), "call": False}
        case "play.turn":
            return {"command": "play", "card": frame["valid_cards"][0]}
    return None


class Player:
    def __init__(self, name: str, room: str) -> None:
        self.room = room
        self.missing = int(room) if room.isdigit() else 0
        self.login: dict[str, Any] = {"nickname": name}
        self.me = ""

    async def play(self, socket: aiohttp.ClientWebSocketResponse) -> bool:
        """Play on one connection; return whether the match is over."""
        await socket.send_json({"command": "user.login", **self.login})
        async for message in socket:
            frame = message.json()
            if "error" in frame:
                sys.exit(f"refused: {frame}")
            for reply in self.replies(frame):
                await socket.send_json(reply)
            if frame.get("event") == "game.taroky.result":
                print(frame["notation"], flush=True)
            elif frame.get("event") == "game.taroky.match":
                print("ranking:", *(f"{row['player_id']} {row['chips']}" for row in frame["ranking"]))
                return True
        return False

    def replies(self, frame: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what to send for a frame."""
        event = frame.get("event", "")
        match frame.get("response"):
            case "user.login":
                self.me, self.login = frame["user_id"], {"token": frame["token"]}
                name = "lobby.room.create" if self.missing else "lobby.room.join"
                new = {"command": name, "name": frame["nickname"], "room_id": self.room, "rules": RULES}
                return [] if frame["room"] else [new]
            case "game.taroky.state" if frame["your_turn"]:  # we have reconnected, and it is our turn
                phase = COMMANDS.get(frame["phase"], frame["phase"])
                return [{"command": f"game.taroky.{phase}", **frame["valid"][0]}]
        if event == "lobby.game.start":
            return [{"command": "lobby.player.ready", "state": frame["state"]}]
        if self.missing and (event == "lobby.room.join" or frame.get("response") == "lobby.room.create"):
            print("in the room:", frame.get("room") or frame["player"], flush=True)
            self.missing -= 1
            return [] if self.missing else [{"command": "lobby.game.start"}]
        found = answer(event.removeprefix("game.taroky."), frame, self.me)
        return [{**found, "command": f"game.taroky.{found['command']}"}] if found else []


async def main(name: str, room: str, url: str) -> None:
    player = Player(name, room)
    async with aiohttp.ClientSession() as session:
        while True:  # reconnect with the token to return to the seat
            try:
                async with session.ws_connect(url) as socket:
                    if await player.play(socket):
                        return
            except aiohttp.ClientError:
                await asyncio.sleep(0.5)


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] if len(sys.argv) == 4 else sys.exit(__doc__))))
