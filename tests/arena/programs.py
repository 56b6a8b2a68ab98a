"""Programs for arenas: one that plays any game over the house protocol, and others that do not."""

from __future__ import annotations

from pathlib import Path

from croupier.arena.plan import Contestant

BODY = """
import asyncio, os, sys
import aiohttp

async def main():
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(os.environ["CROUPIER_URL"], max_msg_size=0) as socket:
            await socket.send_json({"type": "join", "name": os.environ["CROUPIER_NAME"]})
            asked = 0
            async for message in socket:
                frame = message.json()
                if frame["type"] == "ask":
                    asked += 1
                    turn, actions = frame["turn"], frame["legal"][:1]
                    {fault}
                    await socket.send_json({"type": "act", "turn": turn, "actions": actions})

asyncio.run(main())
"""

FAULTS = {
    "good": "",
    "illegal": "actions = [frame['legal'][0]] * 40",
    "word": "actions = ['dance']",
    "rubbish": "await socket.send_str('what?')",
    "bytes": "await socket.send_bytes(bytes(range(256)))",
    "hang": "await asyncio.sleep(100)",
    "busy": "while True: pass",
    "crash": "raise ValueError('gave up')",
    "quit": "sys.exit(0)",
    "closes": "await socket.close(); await asyncio.sleep(100)",
    "leaves": "await socket.send_json({'type': 'leave'})",
    "eats": "food = [bytearray(1 << 20) for _ in range(8000)]",
    "child": "import subprocess; subprocess.run([sys.executable, '-c', "
    "'import time; x = bytearray(350 << 20); time.sleep(100)'])",
    "prints": "print('x' * 1_000_000)",
    "stale": "await socket.send_json({'type': 'act', 'turn': turn + 5, 'actions': actions})",
    "talks": "await socket.send_json({'type': 'say', 'text': 'my hand is bad'})",
    "nest": "import subprocess; asked > 1 or open(str(subprocess.Popen([sys.executable, '-c', "
    "'import time; time.sleep(100)'], start_new_session=True).pid) + '.pid', 'w').close()",
    "late": "asked > 2 and sys.exit(3)",
}


def program(folder: Path, fault: str, name: str = "program") -> Contestant:
    """Return a contestant that commits *fault* when it is asked."""
    file = folder / f"{fault}.py"
    file.write_text(BODY.replace("{fault}", FAULTS[fault]))
    return Contestant(name, command=("{python}", str(file)))
