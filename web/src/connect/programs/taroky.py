import asyncio
import random

import aiohttp  # pip install aiohttp

URL = "ws://127.0.0.1:8080/taroky"
NAME = "my program"
RULES = {"hands": 1, "botPlayTime": 0, "botThinkTime": 0}


def answer(frame: dict, me: str) -> dict | None:
    event = frame.get("event", "").removeprefix("game.taroky.")
    if event == "play.turn":
        return {"command": "game.taroky.play", "card": random.choice(frame["valid_cards"])}
    asked = frame.get("next_player") == me or (event == "half.offer" and frame["player_id"] == me)
    if event in ("moneycards.choice", "contra.turn", "iote.turn") or (
        asked and not event.startswith("play.")
    ):
        return {"command": "game.taroky.state"}  # the response lists the legal answers
    if frame.get("response") == "game.taroky.state" and frame["your_turn"]:
        phase = {"prever_talon": "half"}.get(frame["phase"], frame["phase"])
        return {"command": f"game.taroky.{phase}", **frame["valid"][0]}
    return None


async def main() -> None:
    me = ""
    async with aiohttp.ClientSession() as session, session.ws_connect(URL) as socket:
        await socket.send_json({"command": "user.login", "nickname": NAME})
        await socket.send_json({"command": "lobby.room.create", "name": NAME, "rules": RULES})
        await socket.send_json({"command": "lobby.game.start"})  # bots take the other seats
        async for message in socket:
            frame = message.json()
            me = frame.get("user_id", me)
            reply = answer(frame, me)
            if reply:
                await socket.send_json(reply)
            elif "error" in frame or frame.get("event") == "game.taroky.match":
                print(frame)
                return


asyncio.run(main())
