"""Any game in the house protocol. `python house_bot.py NAME SEAT TOKEN URL` plays one match, then stops."""

import asyncio
import random
import sys
from typing import Any

import aiohttp

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "SHCD"]
# How gladly to be rid of a card: the queen of spades, what she falls to, hearts, high cards.
DANGER = {card: i + 20 * ("H" in card) for i, card in enumerate(CARDS)} | {"QS": 99, "AS": 98, "KS": 97}


def choose(game: str, legal: list[str], view: dict[str, Any]) -> list[str]:
    """Return the actions to take: some of the words in *legal*."""
    return hearts(legal, view) if game == "hearts" else [random.choice(legal)]


def hearts(legal: list[str], view: dict[str, Any]) -> list[str]:
    """Pass the worst cards, duck under the trick, throw away the worst when we cannot follow."""
    cards = {word.split()[1]: word for word in legal}
    if view["phase"] == "passing":
        return [cards[card] for card in sorted(cards, key=DANGER.__getitem__)[-3:]]
    if view["phase"] == "exposing":
        return ["keep AH"]
    if view["leader"] == view["seat"]:
        return [cards[min(cards, key=CARDS.index)]]
    led = view["table"][view["leader"]][1]
    if led not in {card[1] for card in cards}:
        return [cards[max(cards, key=DANGER.__getitem__)]]  # cannot follow
    highest = max(CARDS.index(card) for card in view["table"] if card and card[1] == led)
    lower = [card for card in cards if CARDS.index(card) < highest]
    return [cards[max(lower, key=CARDS.index) if lower else min(cards, key=CARDS.index)]]


async def play(socket: aiohttp.ClientWebSocketResponse, **join: object) -> bool:
    """Play on one connection; return whether the match is over."""
    await socket.send_json({"type": "join", **join})
    game = ""
    async for message in socket:
        frame = message.json()
        if frame["type"] == "table":
            game = frame["game"]
        elif frame["type"] == "ask":
            actions = choose(game, frame["legal"], frame["view"])
            await socket.send_json({"type": "act", "turn": frame["turn"], "actions": actions})
        elif frame["type"] == "refused" and frame["key"] != "stale":
            sys.exit(f"refused: {frame['words']}")
        elif frame.get("event", {}).get("kind") == "match_ended":
            end = frame["event"]
            print(*(["totals by seat:", *end["totals"]] if game == "hearts" else [end]))
            return True
    return False


async def main(name: str, seat: str, token: str, url: str) -> None:
    async with aiohttp.ClientSession() as session:
        while True:  # the same name and token bring us back to our seat
            try:
                async with session.ws_connect(url, max_msg_size=0) as socket:
                    if await play(socket, name=name, seat=int(seat), token=token):
                        return
            except aiohttp.ClientError:
                await asyncio.sleep(0.5)


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] if len(sys.argv) == 5 else sys.exit(__doc__))))
