import asyncio
import random

import aiohttp  # pip install aiohttp

URL = "ws://127.0.0.1:8080/house/TABLE"
ME = {"type": "join", "name": "my program", "token": "brings me back to my seat"}


async def main() -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(URL) as socket:
        await socket.send_json(ME)
        async for message in socket:
            frame = message.json()
            match frame["type"]:
                case "ask":  # frame["view"] contains everything this seat may know
                    action = random.choice(frame["legal"])
                    await socket.send_json({"type": "act", "turn": frame["turn"], "actions": [action]})
                case "refused" | "closed":
                    print(frame)
                case "event" if frame["event"]["kind"] == "match_ended":
                    print(frame["event"])
                    return


asyncio.run(main())
