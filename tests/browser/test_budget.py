"""The compressed size of the scripts that a page needs before it can be used."""

from __future__ import annotations

import gzip

import pytest
from playwright.sync_api import Browser, Page, Response

from croupier.games import game as find_game
from croupier.games import names
from tests.browser.conftest import TIMEOUT
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

EARLY = """() => {
    const all = performance.getEntriesByType('resource');
    const chunk = all.find(one => /(Lobby|Table)Page-.*[.]js$/.test(one.name));
    const data = all.find(one => one.name.endsWith('/api/house'));
    return chunk.startTime < data.startTime;
}"""
"""Without being announced, the chunk is asked for after the house has answered."""

KB = 1024
LOBBY = 61 * KB
TABLE = 120 * KB


def fetched(page: Page, address: str, until: str) -> int:
    """Open *address*, wait for *until*, and return how many compressed bytes of scripts were loaded."""
    scripts: list[Response] = []
    page.on("response", lambda response: scripts.append(response) if response.url.endswith(".js") else None)
    page.goto(address)
    page.locator(until).first.wait_for()
    assert {script.headers.get("content-encoding") for script in scripts} == {"gzip"}
    assert all("immutable" in script.headers["cache-control"] for script in scripts), "fetched once"
    assert page.evaluate(EARLY), "the page's own chunk does not wait for the first script"
    return sum(len(gzip.compress(script.body())) for script in scripts)


def visit(browser: Browser, language: str) -> Page:
    page = browser.new_context(locale=language).new_page()
    page.set_default_timeout(TIMEOUT)
    return page


@pytest.mark.parametrize("language", ["en", "cs"])
def test_the_lobby_and_every_table_keep_to_their_budget(
    house: Server, browser: Browser, language: str
) -> None:
    house.new_table()  # so that the lobby lists one
    page = visit(browser, language)
    found = {"lobby": fetched(page, house.http, "[data-testid=table-row]")}
    assert found["lobby"] < LOBBY, found
    page.context.close()
    for game in names():
        bots = ["bot heuristic"] * (find_game(game).seats[-1] - 1)
        table = house.new_table(game=game, seats=["person", *bots])
        page = visit(browser, language)
        found[game] = fetched(page, f"{house.http}/table/{table}?sit=0", ".felt, .felt-board")
        page.context.close()
    assert max(found[game] for game in names()) < TABLE, found
