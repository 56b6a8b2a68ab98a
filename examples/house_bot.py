"""Any game in the house protocol. `python house_bot.py NAME SEAT TOKEN URL` plays one match, then exits."""

import asyncio
import contextlib
import random
import sys
from typing import Any

from croupier.client import Ask, ClientError, Event, TooLate, connect

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "SHCD"]
# The danger of a card: the queen of spades, the cards that catch it, hearts, high cards.
DANGER = {card: i + 20 * ("H" in card) for i, card in enumerate(CARDS)} | {"QS": 99, "AS": 98, "KS": 97}


def choose(game: str, legal: list[str], view: dict[str, Any]) -> list[str]:
    """Return the actions to take: items of *legal*."""
    return hearts(legal, view) if game == "hearts" else [random.choice(legal)]


def hearts(legal: list[str], view: dict[str, Any]) -> list[str]:
    """Pass the worst cards, play low, discard the worst card if we cannot follow suit."""
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


async def main(name: str, seat: str, token: str, url: str) -> None:
    async with connect(url, name=name, seat=int(seat), token=token) as player:
        game = player.table.game
        async for message in player:
            match message:
                case Ask():
                    with contextlib.suppress(TooLate):
                        await player.act(*choose(game, message.legal, message.view))
                case Event(kind="match_ended"):
                    end = message.event
                    print(*(["totals by seat:", *end["totals"]] if game == "hearts" else [end]))
                    return


if __name__ == "__main__":
    try:
        asyncio.run(main(*(sys.argv[1:] if len(sys.argv) == 5 else sys.exit(__doc__))))
    except ClientError as error:
        sys.exit(str(error))
