import asyncio
import random

import aiohttp  # pip install aiohttp

URL = "ws://127.0.0.1:8080/tarock"
NAME = "my program"


def answer(frame: dict, me: int) -> dict | None:
    event = frame.get("event", "").removeprefix("game.tarock.")
    if not event or frame.get("next_player") != me:
        return None
    match event:
        case "bid.next":  # always pass if possible, so that there is no talon to take
            return {
                "command": "game.tarock.bid",
                "contract": "pass" if frame["can_pass"] else frame["valid_bids"][0],
            }
        case "announce.next":
            return {"command": "game.tarock.announce", "bonuses": []}
        case "play.next":
            return {"command": "game.tarock.play", "card": random.choice(frame["valid_cards"])}
    return None


async def main() -> None:
    me = -1
    async with aiohttp.ClientSession() as session, session.ws_connect(URL) as socket:
        await socket.send_json({"command": "user.login", "nickname": NAME})
        await socket.send_json({"command": "lobby.room.create", "name": NAME, "rules": {"deals": 4}})
        await socket.send_json({"command": "lobby.game.start"})  # bots take the other seats
        async for message in socket:
            frame = message.json()
            if frame.get("event") == "game.tarock.deal":
                me = frame["id"]
            reply = answer(frame, me)
            if reply:
                await socket.send_json(reply)
            elif "error" in frame or frame.get("event") == "game.tarock.finished":
                print(frame)
                return


asyncio.run(main())
