import asyncio
import random

import aiohttp  # pip install aiohttp

URL = "ws://127.0.0.1:8080/"
ME = {"playerName": "my program", "token": "brings me back to my seat"}


def answer(event: str, data: dict) -> dict | None:
    mine = data.get("self") or {}
    reply = {"dealNumber": data.get("dealNumber"), "roundNumber": data.get("roundNumber")}
    match event:
        case "pass_cards":
            return {"eventName": "pass_my_cards", "data": reply | {"cards": mine["cards"][:3]}}
        case "expose_cards":
            return {"eventName": "expose_my_cards", "data": reply | {"cards": []}}
        case "your_turn":
            card = random.choice(mine["candidateCards"])
            return {"eventName": "pick_card", "data": reply | {"turnCard": card}}
    return None


async def main() -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(URL, max_msg_size=0) as socket:
        await socket.send_json({"eventName": "join", "data": ME})
        async for message in socket:
            frame = message.json()
            reply = answer(frame["eventName"], frame["data"])
            if reply:
                await socket.send_json(reply)
            elif frame["eventName"] in ("join_error", "player_name_dup", "game_end"):
                print(frame)
                return


asyncio.run(main())
