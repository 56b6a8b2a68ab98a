import asyncio
import random

import aiohttp  # pip install aiohttp

URL = "ws://127.0.0.1:8080/coinche"
NAME = "program1"  # 4 to 20 letters and digits; use the same name to return to the seat


def answer(line: str) -> str | None:
    code = line[:3]
    if code == "326":  # legal calls: the lowest bid, then words
        return "PASS"
    if code == "334":  # legal cards, in square brackets
        cards = line[line.index("[") + 1 : line.index("]")].split(", ")
        return f"PLAY {random.choice(cards)}"
    return None


async def main() -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(URL) as socket:
        await socket.send_str(f"NAME {NAME}")
        async for message in socket:
            line = message.data
            reply = answer(line)
            if reply:
                await socket.send_str(reply)
            elif line[0] in "45" or line[:3] == "350":  # refused, or game over
                print(line)
                if line[0] != "4":
                    return


asyncio.run(main())
