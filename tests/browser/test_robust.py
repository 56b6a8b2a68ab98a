"""Pages survive restarts, wrong addresses, closed tables and unusual names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visitor
from tests.browser.looks import overflow
from tests.browser.tables import sit_down
from tests.browser.test_hearts import QUICK, asked, one_deal
from tests.integration.servers import Server, steady_port

pytestmark = [pytest.mark.slow, pytest.mark.browser]

BOTS = ["bot heuristic"] * 4
LONG = "W" * 64
FROM_RIGHT = "דנה כהן־לוי מירושלים"


@pytest.fixture
def port() -> int:
    return steady_port()


def serving(tmp_path: Path, port: int, data: str = "data") -> Server:
    """Return a server that comes back on the same port."""
    return Server(tmp_path / "server.log", "serve", "--port", str(port), "--data", str(tmp_path / data))


def finished_match(server: Server, deals: int) -> str:
    """Let bots play a match and return its id."""
    table = server.new_table(seats=BOTS, options={"deals": deals, "match_games": 1}, table_options=QUICK)
    while not (found := [row for row in server.ask("/api/matches")[1] if row["table"] == table]):
        pass
    return str(found[0]["id"])


def test_the_lobby_and_a_replay_outlive_a_restart(tmp_path: Path, port: int, browser: Browser) -> None:
    server = serving(tmp_path, port)
    server.start()
    lobby, replay = Visitor(browser), Visitor(browser)
    try:
        match = finished_match(server, deals=4)
        lobby.page.goto(server.http)
        expect(lobby.page.get_by_test_id("match-row")).to_have_count(1)
        replay.page.goto(f"{server.http}/replay/{match}")
        expect(replay.page.get_by_test_id("replay-position")).to_have_attribute(
            "aria-valuetext", re.compile("step 1 of [1-9]")
        )
        server.kill()
        banner = lobby.page.get_by_test_id("connection-banner")
        expect(banner).to_be_visible()
        replay.page.get_by_test_id("replay-deal").select_option("4")
        expect(replay.page.get_by_role("alert")).to_contain_text("not responding")
        server.start()
        expect(banner).to_be_hidden()
        expect(lobby.page.get_by_test_id("lobby-play-hearts")).to_be_visible()
        lobby.page.get_by_test_id("lobby-play-hearts").click()
        assert asked(lobby.page) == "pass"
        expect(replay.page.get_by_role("alert")).to_have_count(0)
        expect(replay.page.get_by_test_id("replay-position")).to_have_attribute(
            "aria-valuetext", re.compile("step 1 of [1-9]")
        )
        replay.page.get_by_test_id("replay-forward").click()
        expect(replay.page.get_by_test_id("replay-position")).to_have_value("1")
    finally:
        lobby.close()
        replay.close()
        server.stop()


def test_the_game_nodes_page_outlives_a_restart(tmp_path: Path, port: int, visitor: Visitor) -> None:
    node = Server(tmp_path / "node.log", "hearts-node", "--port", str(port))
    node.start()
    page = visitor.page
    try:
        page.goto(node.http)
        page.get_by_test_id("node-seat-0").get_by_label("Human player").check()
        page.get_by_role("button", name="Start Game").click()
        expect(page.get_by_test_id("node-seat-0")).to_contain_text("you")
        node.kill()
        expect(page.get_by_test_id("connection-banner")).to_be_visible()
        node.start()
        expect(page.get_by_test_id("connection-banner")).to_be_hidden()
        # A node remembers nothing: its seats are for programs again, and this browser has none.
        expect(page.get_by_test_id("node-seat-0")).not_to_contain_text("you")
        expect(page.get_by_test_id("node-seat-0").get_by_label("Empty seat")).to_be_checked()
        expect(page.get_by_test_id("node-status")).not_to_contain_text("Started")
    finally:
        node.stop()


def test_a_server_that_stops_says_so_and_is_waited_for(tmp_path: Path, port: int, visitor: Visitor) -> None:
    server = serving(tmp_path, port)
    server.start()
    page = visitor.page
    try:
        sit_down(page, server, one_deal(server))
        assert asked(page) == "pass"
        places = [page.locator(place) for place in (".fan", "[data-testid=seat-0]", "[data-testid=seat-2]")]
        before = [place.bounding_box() for place in places]
        assert server.stop() == 0
        banner = page.get_by_test_id("connection-banner")
        expect(banner).to_contain_text("The server is stopping; your game continues when it is back")
        expect(page.get_by_test_id("closed-banner")).to_have_count(0)
        assert [place.bounding_box() for place in places] == before
        for button in ("undo", "ask-hint"):
            expect(page.get_by_test_id(button)).to_be_disabled()
        server.start()
        expect(banner).to_be_hidden()
        assert asked(page) == "pass"
        for button in ("undo", "ask-hint"):
            expect(page.get_by_test_id(button)).to_be_enabled()
    finally:
        server.stop()


def test_a_table_that_is_gone_is_called_closed(tmp_path: Path, port: int, visitor: Visitor) -> None:
    server = serving(tmp_path, port)
    server.start()
    page = visitor.page
    other = serving(tmp_path, port, "other data")
    try:
        sit_down(page, server, one_deal(server))
        assert asked(page) == "pass"
        server.kill()
        other.start()
        banner = page.get_by_test_id("closed-banner")
        expect(banner).to_contain_text("This table is closed")
        expect(page.get_by_test_id("connection-banner")).to_have_count(0)
        banner.get_by_role("link").click()
        expect(page.get_by_test_id("lobby-play-hearts")).to_be_visible()
    finally:
        server.kill()
        other.stop()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/replay/nothing-1", "Match not found"),
        ("/table/nothing", "Table not found"),
        ("/t/nothing/watch", "Table not found"),
    ],
)
def test_a_wrong_address_leads_back_to_the_lobby(
    server: Server, visitor: Visitor, path: str, words: str
) -> None:
    page = visitor.page
    page.goto(server.http + path)
    expect(page.get_by_role("heading", level=1)).to_have_text(words)
    page.get_by_role("link", name="Go to the lobby").click()
    expect(page.get_by_test_id("lobby-play-hearts")).to_be_visible()


def test_a_replay_of_a_running_match_can_be_tried_again(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    table = one_deal(server)
    sit_down(page, server, table)
    assert asked(page) == "pass"
    page.goto(f"{server.http}/replay/{table}-1")
    expect(page.get_by_role("alert")).to_contain_text("the match is not finished")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def called(browser: Browser, name: str) -> Visitor:
    visitor = Visitor(browser)
    visitor.context.add_init_script(f"localStorage.setItem('croupier.name', {name!r})")
    visitor.page.set_viewport_size({"width": 360, "height": 740})
    return visitor


def test_long_names_and_names_from_right_to_left_fit_a_phone(server: Server, browser: Browser) -> None:
    # The server plays for both when their time is up, so that every page of a match appears without input.
    clocks = {"human_pass_timeout": 6000, "human_expose_timeout": 100, "human_pick_timeout": 100}
    table = server.new_table(
        seats=["person", "person", "bot dummy", "bot dummy"],
        options={"deals": 1, "match_games": 1},
        table_options={**QUICK, **clocks},
    )
    long, right = called(browser, LONG), called(browser, FROM_RIGHT)

    def fits(page: Page, where: str) -> None:
        assert overflow(page) <= 0, where
        shown = page.evaluate(
            """() => [...document.querySelectorAll('body *')].filter(one => {
                const box = one.getBoundingClientRect();
                return box.width && box.right > innerWidth + 1
                    && getComputedStyle(one).position !== 'absolute'
                    && !one.closest('.sheet-scroll, svg, .sr-only, .fan, .open-cards');
            }).map(one => one.outerHTML.slice(0, 100))"""
        )
        assert shown == [], where

    sit_down(long.page, server, table)
    right.page.goto(f"{server.http}/table/{table}")
    expect(right.page.get_by_test_id("seat-0")).to_contain_text(LONG)
    fits(right.page, "gathering")
    right.page.get_by_test_id("sit-1").click()
    for visitor, other in ((long, FROM_RIGHT), (right, LONG)):
        assert asked(visitor.page) == "pass"
        expect(visitor.page.locator(".seat-name", has_text=other)).to_be_visible()
        fits(visitor.page, "passing")
    for visitor in (long, right):
        expect(visitor.page.get_by_test_id("see-replay")).to_be_visible()
        fits(visitor.page, "result")
    # A name written from right to left does not change the order of its sentence.
    expect(long.page.get_by_test_id("log")).to_contain_text(f"\u2068{FROM_RIGHT}\u2069 plays the")
    long.page.get_by_test_id("see-replay").click()
    long.page.get_by_test_id("replay-forward").click()
    fits(long.page, "replay")
    long.page.goto(server.http)
    expect(long.page.get_by_test_id("match-row")).to_have_count(1)
    fits(long.page, "lobby")
    long.close()
    right.close()
