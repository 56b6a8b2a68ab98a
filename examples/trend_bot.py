"""Hearts in the Trend protocol. `python trend_bot.py NAME NUMBER TOKEN URL` plays one game, then exits."""

import asyncio
import sys
from typing import Any

import aiohttp

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "SHCD"]
DANGER = {card: i + 20 * ("H" in card) for i, card in enumerate(CARDS)} | {"QS": 99, "AS": 98, "KS": 97}


def choose(legal: list[str], trick: list[str]) -> str:
    if trick and legal[0][1] != trick[0][1]:
        return max(legal, key=DANGER.__getitem__)  # cannot follow: discard QS, AS, KS, hearts, high cards
    highest = max((CARDS.index(card) for card in trick if card[1] == trick[0][1]), default=0)
    lower = [card for card in legal if CARDS.index(card) < highest]
    return max(lower, key=CARDS.index) if lower else min(legal, key=CARDS.index)


def answer(event: str, data: dict[str, Any]) -> dict[str, object]:
    reply = {"dealNumber": data["dealNumber"], "roundNumber": data["roundNumber"]}
    if event == "pass_cards":
        worst = sorted(data["self"]["cards"], key=DANGER.__getitem__)[-3:]
        return {"eventName": "pass_my_cards", "data": reply | {"cards": worst}}
    if event == "expose_cards":
        return {"eventName": "expose_my_cards", "data": reply | {"cards": []}}
    played = {player["playerName"]: player["roundCard"] for player in data["players"]}
    trick = [played[name] for name in data["roundPlayers"] if played[name]]
    card = choose(data["self"]["candidateCards"], trick)
    return {"eventName": "pick_card", "data": reply | {"turnCard": card}}


async def play(socket: aiohttp.ClientWebSocketResponse, **join: str) -> bool:
    await socket.send_json({"eventName": "join", "data": join})
    async for message in socket:
        event, data = message.json()["eventName"], message.json()["data"]
        if event in ("pass_cards", "expose_cards", "your_turn"):
            await socket.send_json(answer(event, data))
        elif event in ("player_name_dup", "join_error"):
            sys.exit(f"cannot join: {data['message']}")
        elif event == "game_end":
            print(*(f"{p['rank']}. {p['playerName']} {p['gameScore']}" for p in data["players"]), sep="\n")
            return True
    return False  # the connection was lost before the end of the game


async def main(name: str, number: str, token: str, url: str) -> None:
    async with aiohttp.ClientSession() as session:
        while True:  # reconnect with the same name and token
            try:
                async with session.ws_connect(url, max_msg_size=0) as socket:
                    if await play(socket, playerName=name, playerNumber=number, token=token):
                        return
            except aiohttp.ClientError:
                await asyncio.sleep(0.5)


asyncio.run(main(*(sys.argv[1:] if len(sys.argv) == 5 else sys.exit(__doc__))))
