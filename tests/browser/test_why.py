"""Why a card is not allowed: told on a click and when the focus rests on it, in the page's language."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, WebSocket, expect

from tests.browser.conftest import Visitor
from tests.browser.players import PLAYERS, Player, asked
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

ILLEGAL = ".fan-card[data-state=illegal], .glass-pool-die[data-state=illegal]"
ENGLISH = re.compile(r"\b(are|before|has|is|may|only|the|were|you)\b", re.IGNORECASE)
"""No German word, but one in each refusal of these tests."""


@pytest.mark.parametrize("player", PLAYERS, ids=[player.game for player in PLAYERS])
def test_what_is_not_allowed_is_explained(house: Server, browser: Browser, player: Player) -> None:
    visitor = Visitor(browser, locale="de")
    page = visitor.page
    english: list[str] = []

    def read(frame: str | bytes) -> None:
        if (message := json.loads(frame))["type"] == "refused":
            english.append(message["words"])

    def follow(socket: WebSocket) -> None:
        socket.on("framereceived", read)

    page.on("websocket", follow)
    page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    while asked(page) and not page.locator(ILLEGAL).count():
        player.take_turn(page)
    words = page.locator(".prompt .refusal")
    expect(words).to_be_empty()
    # By keyboard: the focus is enough.
    page.keyboard.press("Tab")
    page.locator(ILLEGAL).first.focus()
    expect(words).not_to_be_empty()
    # The page shows the server's words until it has fetched its own.
    assert ENGLISH.search(english[-1])
    expect(words).not_to_contain_text(ENGLISH)
    told = words.text_content() or ""
    page.locator(ILLEGAL).first.click(force=True)
    expect(words).to_have_text(told)
    visitor.close()
