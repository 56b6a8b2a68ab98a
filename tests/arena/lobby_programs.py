"""Programs whose protocols begin in a lobby: one that plays Coinche over TCP, and others that do not."""

from __future__ import annotations

from pathlib import Path

from croupier.arena.plan import Contestant

BODY = """
import os, socket, sys, time

def connect():
    global peer
    peer = socket.create_connection((os.environ["CROUPIER_HOST"], int(os.environ["CROUPIER_PORT"])))
    say("NAME " + os.environ["CROUPIER_NAME"])
    return peer.makefile(encoding="utf-8", newline="\\r\\n")

def say(line):
    peer.sendall(line.encode() + b"\\r\\n")

peer = None
lines = connect()
asked = 0
while line := lines.readline():
    code = line[:3]
    if code == "326":
        answer = "PASS"
    elif code == "334":
        answer = "PLAY " + line[line.index("[") + 1 : line.index("]")].split(", ")[0]
    else:
        continue
    asked += 1
    {fault}
    say(answer)
"""

FAULTS = {
    "good": "",
    "illegal": "answer = 'SURCOINCHE'",
    "tries": "say('SURCOINCHE')",
    "insists": "[say('SURCOINCHE') for _ in range(10)]; time.sleep(100)",
    "rubbish": "say('what?'); time.sleep(100)",
    "bytes": "peer.sendall(bytes(range(256)) * 99 + b'\\r\\n'); time.sleep(100)",
    "hang": "time.sleep(100)",
    "quit": "sys.exit(7)",
    "leaves": "say('QUIT'); time.sleep(100)",
    "returns": "if asked == 2: lines.close(); peer.close(); lines = connect(); continue",
    "talks": "say('MSG my hand is bad'); say('NAME another')",
}


def coinche_program(folder: Path, fault: str) -> Contestant:
    """Return a contestant that commits *fault* when it is asked."""
    file = folder / f"{fault}.py"
    file.write_text(BODY.replace("{fault}", FAULTS[fault]))
    return Contestant("program", command=("{python}", str(file)), wire="lines")


FRAMES = """
import asyncio, os, aiohttp

async def main():
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(os.environ["CROUPIER_URL"]) as socket:
            {fault}
            await asyncio.sleep(100)

asyncio.run(main())
"""


def socket_program(folder: Path, fault: str) -> Contestant:
    """Return a contestant whose only action over its WebSocket is *fault*, a line of Python."""
    file = folder / "frames.py"
    file.write_text(FRAMES.replace("{fault}", fault))
    return Contestant("program", command=("{python}", str(file)), wire="own")
