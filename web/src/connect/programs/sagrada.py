import asyncio
import random

import aiohttp  # pip install aiohttp

URL = "ws://127.0.0.1:8080/sagrada"
NAME = "program1"  # start the program twice with different names: a game needs two players


async def main() -> None:
    dice: list[str] = []
    async with aiohttp.ClientSession() as session, session.ws_connect(URL) as socket:
        async for message in socket:
            verb, *fields = message.data.split("\t")
            reply: list[object] = []
            if verb.startswith("welcome"):
                reply = ["login", NAME]
            elif verb == "schemas":  # four windows to choose from
                reply = ["schema", fields[0]]
            elif verb == "round" and fields[1] == NAME:
                reply = ["extract"]
            elif verb == "dice":
                dice = fields
            elif verb == "your-turn":
                reply = ["place", random.choice(dice), random.randint(1, 4), random.randint(1, 5)]
            elif verb in ("invalid_dice", "constrains_violated") or (verb == "ok" and dice):
                reply = ["pass"]
            elif verb in ("endGame", "failed"):
                print(message.data)
                return
            if reply:
                await socket.send_str("\t".join(map(str, reply)))


asyncio.run(main())
