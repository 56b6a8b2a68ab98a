"""For authors and operators: a program's messages and errors explained, the rules, the server's figures."""

from __future__ import annotations

import asyncio
import contextlib
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.games import game as find_game
from croupier.games import names
from tests.browser.conftest import DESK, TIMEOUT, Visitor
from tests.browser.looks import complaints, fits_phone
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

TOKEN = "an operator's token"


@pytest.fixture
def operated(tmp_path: Path) -> Iterator[Server]:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    data = str(tmp_path / "data")
    running = Server(
        tmp_path / "server.log", "serve", "--port", "0", "--data", data, "--operator-token-file", str(file)
    )
    running.start()
    yield running
    running.stop()
    assert "Traceback" not in running.log


def look(page: Page, name: str) -> None:
    page.set_viewport_size(DESK)
    assert complaints(page) == [], name
    fits_phone(page, name)


@contextlib.contextmanager
def sending(url: str, *frames: object) -> Iterator[None]:
    """Be a program that says *frames*, and stays for a while."""
    seen = threading.Event()

    async def run() -> None:
        async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
            for frame in frames:
                await (socket.send_str(frame) if isinstance(frame, str) else socket.send_json(frame))
            await asyncio.to_thread(seen.wait, TIMEOUT / 1000)

    # Not in this thread: the browser's own loop runs in it.
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(lambda: asyncio.run(run()))
        yield
        seen.set()
        done.result()


def test_a_program_copied_from_the_page_plays_and_is_seen(
    server: Server, visitor: Visitor, tmp_path: Path
) -> None:
    page = visitor.page
    page.goto(server.http)
    page.get_by_test_id("connect-hearts").click()
    expect(page).to_have_url(re.compile("/connect/hearts$"))
    page.get_by_test_id("protocol-house").check()
    expect(page.get_by_test_id("example")).to_contain_text("/house/TABLE")
    page.get_by_test_id("connect-open").click()
    expect(page.get_by_test_id("connect-table")).to_be_visible()
    expect(page.get_by_test_id("example")).to_contain_text(re.compile(r"/house/\w+\?log=[0-9a-f]{32}"))
    program = tmp_path / "program.py"
    program.write_text(page.get_by_test_id("example").inner_text())
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.DEVNULL) as process:
        lines = page.get_by_test_id("connect-lines")
        expect(lines).to_contain_text('"join"')
        expect(lines).to_contain_text('"ask"')
        expect(lines).to_contain_text('"accepted"')
        expect(page.get_by_test_id("log-why")).to_have_count(0)
        look(page, "the log of a program")
        process.kill()
    expect(page.get_by_test_id("log-why")).to_contain_text("without a close message")
    # What was seen is still there after a reload, and the address is the same.
    page.reload()
    expect(page.get_by_test_id("connect-lines")).to_contain_text("without a close message")


ERRORS: list[tuple[str, str, list[object], str]] = [
    ("hearts", "/", [{"eventName": "hello", "data": {}}], "Anything else is ignored"),
    ("tarock", "/tarock", [{"command": "lobby.room.leave"}], "Create or join a room first"),
    ("coinche", "/coinche", ["NAME x"], "4 to 20 letters and digits"),
    ("taroky", "/taroky", [{"command": "nothing"}], "This protocol has no such command"),
    ("sagrada", "/sagrada", ["place"], "The line is not valid at this moment"),
]


@pytest.mark.parametrize(("game", "path", "frames", "words"), ERRORS, ids=[error[0] for error in ERRORS])
def test_errors_of_every_protocol_are_explained(
    house: Server, visitor: Visitor, game: str, path: str, frames: list[object], words: str
) -> None:
    page = visitor.page
    page.goto(f"{house.http}/connect/{game}")
    address = page.locator(".copyable input").input_value()
    assert re.fullmatch(re.escape(house.ws + path) + r"\?log=[0-9a-f]{32}", address)
    expect(page.get_by_test_id("connection-banner")).to_have_attribute("data-state", "open")
    with sending(address, *frames):
        expect(page.get_by_test_id("log-why").first).to_contain_text(words)
    page.get_by_label("Errors only").check()
    expect(page.get_by_test_id("log-count")).to_contain_text("error")
    look(page, game)
    # The page of another user does not show it.
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.get_by_text("No messages yet. Start the program")).to_be_visible()


def test_the_page_tells_the_ports_that_are_open(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    doors: list[dict[str, Any]] = server.ask("/api/house")[1]["doors"]
    for game in ("coinche", "tarock"):
        page.goto(f"{server.http}/connect/{game}")
        page.get_by_test_id("connect-open").wait_for()
        ports = [str(door["port"]) for door in doors if door["game"] == game]
        for port in ports:
            expect(page.locator(".connect-doors")).to_contain_text(f"port {port},")
        if not ports:
            expect(page.get_by_text("has no TCP port")).to_be_visible()


def test_a_table_leads_to_its_own_addresses(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    table = server.new_table()
    page.goto(f"{server.http}/table/{table}")
    page.get_by_test_id("connect").click()
    expect(page.get_by_test_id("connect-table")).to_contain_text(table)
    expect(page.get_by_test_id("example")).to_contain_text(f"/t/{table}?log=")


@pytest.mark.parametrize("game", names())
def test_the_rules_are_beside_the_table(house: Server, visitor: Visitor, game: str) -> None:
    page = visitor.page
    table = house.new_table(game=game, seats=["person"] + ["bot heuristic"] * (find_game(game).seats[-1] - 1))
    page.goto(f"{house.http}/table/{table}")
    page.get_by_test_id("rules-open").click()
    rules = page.get_by_test_id("rules")
    expect(rules.get_by_role("heading", level=3).first).to_be_visible()
    expect(rules).to_be_focused()
    look(page, f"the rules of {game}")
    page.keyboard.press("Escape")
    expect(rules).to_have_count(0)
    expect(page.get_by_test_id("rules-open")).to_be_focused()


def test_an_operator_looks(operated: Server, browser: Browser) -> None:
    visitor = Visitor(browser)
    page = visitor.page
    page.goto(f"{operated.http}/operator")
    page.get_by_test_id("operator-token").fill("a wrong one")
    page.get_by_test_id("operator-look").click()
    expect(page.get_by_role("alert")).to_contain_text("does not accept this token")
    look(page, "the question for the token")
    page.get_by_test_id("operator-token").fill(TOKEN)
    page.get_by_test_id("operator-look").click()
    expect(page.get_by_test_id("operator-tables")).to_contain_text("Hearts")
    expect(page.locator(".plot-line")).to_have_count(6)
    look(page, "the figures")
    # They are refreshed automatically, also after a reload, until the token is removed.
    operated.new_table(game="tarock", seats=["bot heuristic"] * 4)
    expect(page.get_by_test_id("operator-tables")).to_contain_text("Tarock")
    page.reload()
    expect(page.get_by_test_id("operator-tables")).to_contain_text("Tarock")
    page.get_by_role("button", name="Forget the token").click()
    expect(page.get_by_test_id("operator-token")).to_be_visible()
    page.reload()
    expect(page.get_by_test_id("operator-token")).to_be_visible()
    visitor.close()


def test_players_mute_and_report_and_the_operator_acts(operated: Server, browser: Browser) -> None:
    table = operated.new_table(game="hearts", seats=["person", "person", "bot heuristic", "bot heuristic"])
    ann, ben, zoe = (Visitor(browser) for _ in range(3))
    for seat, (visitor, name) in enumerate(((ann, "Ann"), (ben, "Ben"))):
        visitor.context.add_init_script(f"localStorage.setItem('croupier.name', '{name}')")
        visitor.page.goto(f"{operated.http}/table/{table}?sit={seat}")
        expect(visitor.page.get_by_test_id("seat-0")).to_be_visible()

    def say(text: str) -> None:
        ben.page.get_by_label("Write a message").fill(text)
        ben.page.get_by_role("button", name="Send").click()
        expect(ben.page.get_by_text(text)).to_be_visible()

    say("something rude")
    page = ann.page
    page.get_by_role("button", name="Options for Ben").click()
    page.get_by_label("What is wrong?").fill("insults")
    look(page, "the options for a chat message")
    page.set_viewport_size(DESK)
    page.get_by_test_id("report").click()
    expect(page.get_by_role("status").filter(has_text="Ben was reported")).to_be_visible()
    page.get_by_test_id("mute").click()
    expect(page.get_by_text("something rude")).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("seat-0")).to_be_visible()
    say("something else")
    expect(page.get_by_test_id("muted")).to_contain_text("Ben is muted.")
    page.get_by_role("button", name="Unmute").click()
    expect(page.get_by_text("something else")).to_be_visible()

    desk = zoe.page
    desk.goto(f"{operated.http}/operator")
    desk.get_by_test_id("operator-token").fill(TOKEN)
    desk.get_by_test_id("operator-look").click()
    expect(desk.get_by_test_id("report-row")).to_contain_text("Ann reports Ben: insultsBen something rude")
    look(desk, "the operator's page with a report")
    desk.set_viewport_size(DESK)
    desk.get_by_label("Your name").fill("Zoe")
    form, send = desk.get_by_test_id("moderation-form"), desk.get_by_test_id("moderation-send")
    form.get_by_label("What").select_option("announce")
    form.get_by_label("Text of the announcement").fill("an update")
    send.click()
    expect(page.get_by_test_id("restart")).to_contain_text(
        re.compile(r"The server restarts in (10:00|9:\d\d)\.")
    )
    expect(page.get_by_test_id("restart")).to_contain_text("an update")
    look(page, "a table with a notice")
    page.set_viewport_size(DESK)
    desk.get_by_test_id("person-row").filter(has_text="Ben").get_by_role("button", name="Remove").click()
    form.get_by_label("Reason").fill("rude")
    send.click()
    expect(ben.page.get_by_test_id("closed-banner")).to_have_text(
        re.compile("The operator has removed you from this table: rude")
    )
    expect(desk.get_by_test_id("audit").get_by_role("row")).to_have_count(3)
    expect(desk.get_by_test_id("audit")).to_contain_text("Zoe")
    desk.get_by_test_id("report-row").get_by_role("button", name="Dismiss").click()
    expect(desk.get_by_test_id("report-row")).to_have_count(0)
    for visitor in (ann, ben, zoe):
        visitor.close()


def test_a_server_without_an_operator_says_so(server: Server, visitor: Visitor) -> None:
    visitor.page.goto(f"{server.http}/operator")
    expect(visitor.page.get_by_text("--operator-token-file")).to_be_visible()
    look(visitor.page, "no operator")
