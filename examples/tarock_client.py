"""Tarock in the protocol of 2014. Arguments: NAME, ROOM (an id to join, or people to wait for), URL."""

import asyncio
import sys
from typing import Any

import aiohttp

DEALS = 12  # a match, unless the room has other rules
NEVER_LAID = ("CK", "SK", "HK", "DK", "T1", "T21", "TS")


class Player:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.hand: list[str] = []
        self.tries: list[dict[str, Any]] = []  # the last command, and alternatives if it is refused
        self.id, self.deals, self.led = -1, 0, ""

    async def attempt(self, command: str, field: str, values: list[Any], **others: Any) -> None:
        self.tries = [{"command": f"game.tarock.{command}", field: value, **others} for value in values]
        await self.socket.send_json(self.tries[0])

    async def answered(self, frame: dict[str, Any]) -> None:
        sent = self.tries.pop(0) if self.tries else {}
        if "error" in frame:
            await self.socket.send_json(self.tries[0] if self.tries else sys.exit(f"refused: {frame}"))
        elif "card" in sent:
            self.hand.remove(sent["card"])

    async def told(self, event: str, frame: dict[str, Any]) -> None:
        mine = frame.get("next_player", frame.get("player_id")) == self.id
        if event == "deal":
            self.hand, self.id = frame["hand"], frame["id"]
        elif event == "bid.next" and mine:  # a strong hand bids as low as possible; the last player must bid
            strong = sum(card[0] == "T" for card in self.hand) > 6 and "one" in frame["valid_bids"]
            await self.attempt("bid", "contract", ["pass", *frame["valid_bids"][:1]][:: -1 if strong else 1])
        elif event == "callking.start" and mine:
            await self.attempt("callking", "suit", sorted("CSHD", key=lambda suit: suit + "K" in self.hand))
        elif event == "exchange.start" and mine:
            whole = self.hand + frame["talon"][0]
            free = [card for card in whole if card not in [*frame["invalid_cards"], *NEVER_LAID]]
            laid = sorted(free, key=lambda card: card[0] == "T")[: len(frame["talon"][0])]
            self.hand = [card for card in whole if card not in laid]
            await self.attempt("exchange", "cards", [laid], picked=0)
        elif event == "announce.next" and mine:
            await self.attempt("announce", "bonuses", [[]])
        elif event == "play.next":
            self.led = "" if frame["trick_finished"] else self.led or (frame["card"] or "")[:1]
            self.deals += frame["next_player"] is None
            if mine:  # try the suit led first, then tarocks; the server refuses illegal cards
                cards = sorted(self.hand, key=lambda card: (card[0] != self.led, card[0] != "T"))
                await self.attempt("play", "card", cards)


async def main(name: str, room: str, url: str) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        player, missing = Player(socket), int(room) if room.isdigit() else 0
        await socket.send_json({"command": "user.login", "nickname": name, "profile": "seed"})
        command = "lobby.room.create" if missing else "lobby.room.join"
        await socket.send_json({"command": command, "name": name, "room_id": room})
        while player.deals < DEALS:
            frame = await socket.receive_json()
            event = frame.get("event", "")
            if not event:
                await player.answered(frame)
            elif event == "lobby.game.start":
                await socket.send_json({"command": "lobby.player.ready", "state": frame["state"]})
            await player.told(event.removeprefix("game.tarock."), frame)
            if missing and (event == "lobby.room.join" or frame.get("response") == "lobby.room.create"):
                print("in the room:", frame.get("room") or frame["player"], flush=True)
                missing -= 1
                if not missing:
                    await socket.send_json({"command": "lobby.game.start"})
    print(f"{name} has played {DEALS} deals")


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] if len(sys.argv) == 4 else sys.exit(__doc__))))
