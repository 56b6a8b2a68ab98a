"""Accounts in a real browser: created, used in a match, shown in a profile; one person in two browsers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visitor
from tests.browser.looks import complaints, look
from tests.browser.tables import hand, sit_down
from tests.browser.test_hearts import asked, one_deal, play_on
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

NAME = "Anna Long-Name_of Leyden"
PASSWORD = "correct horse"


def fill_in(page: Page, how: str, name: str, password: str) -> None:
    """Open the dialog, unless it is open, and send its form."""
    if not page.get_by_role("dialog").count():
        page.get_by_test_id("my-name").click()
    page.get_by_test_id(f"account-{how}").check()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.keyboard.press("Enter")


def test_an_account_from_its_making_to_its_profile_and_its_end(server: Server, browser: Browser) -> None:
    visitor = Visitor(browser)  # axe reports colours in transition as too faint
    page = visitor.page
    page.goto(server.http)
    page.get_by_test_id("my-name").press("Enter")
    look(page, "making an account")
    fill_in(page, "make", NAME, "short")
    alert = page.get_by_role("dialog").get_by_role("alert")
    expect(alert).to_have_text("A password must have at least 8 characters.")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    fill_in(page, "make", "x", PASSWORD)
    expect(alert).to_contain_text("4 to 20")
    fill_in(page, "make", NAME, PASSWORD)
    expect(page.get_by_test_id("recovery-codes").get_by_role("listitem")).to_have_count(4)
    page.get_by_test_id("codes-kept").click()
    me = page.get_by_test_id("my-name")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(me).to_contain_text(NAME)
    expect(me).to_be_focused()

    sit_down(page, server, one_deal(server))
    play_on(page)
    expect(page.get_by_test_id("rating-change")).to_contain_text(re.compile(r"Rating \d+ ± \d+ \([+−]\d+\)"))
    me.click()
    assert complaints(page) == []
    page.get_by_test_id("my-profile").click()
    expect(page.get_by_test_id("player-name")).to_contain_text(NAME)
    expect(page.get_by_test_id("game-hearts")).to_contain_text(re.compile(r"1 match · [01] won\d+ ± "))
    expect(page.get_by_test_id("rating-told")).to_contain_text(re.compile("place [1-4], rating "))
    look(page, "the profile")
    page.get_by_test_id("to-ranking").click()
    expect(page.get_by_test_id("ranking-row")).to_have_count(2)
    page.get_by_label("Show bots").uncheck()
    expect(page.get_by_test_id("ranking-row")).to_have_count(1)
    assert complaints(page) == []
    page.get_by_role("link", name=NAME).click()
    row = page.get_by_test_id("result-row")
    expect(row).to_contain_text(NAME)
    row.get_by_role("link", name="Replay").click()
    expect(page.get_by_test_id("replay-forward")).to_be_visible()
    page.goto(server.http)
    page.get_by_test_id("match-row").get_by_role("link", name=NAME, exact=True).click()
    expect(page.get_by_test_id("player-name")).to_contain_text(NAME)

    me.click()
    page.get_by_test_id("delete-account").click()
    page.get_by_label("Password", exact=True).fill("a guess of mine")
    page.get_by_test_id("delete-do").click()
    expect(page.get_by_role("dialog").get_by_text("Wrong password.")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_test_id("delete-do").click()
    expect(me).to_contain_text("Guest")
    page.goto(f"{server.http}/player/{NAME}")
    expect(page.get_by_role("heading", name="Player not found")).to_be_visible()
    visitor.close()


def test_the_same_person_in_two_browsers(server: Server, visitor: Visitor, browser: Browser) -> None:
    assert server.ask("/api/account", {"name": NAME, "password": PASSWORD})[0] == 201
    page = visitor.page
    table = one_deal(server)
    sit_down(page, server, table)
    assert asked(page) == "pass"
    fill_in(page, "login", NAME, "wrong horse")
    alert = page.get_by_role("dialog").get_by_role("alert")
    expect(alert).to_have_text("Wrong name or password.")
    fill_in(page, "login", NAME, PASSWORD)
    expect(page.get_by_role("dialog")).to_have_count(0)
    # The seat was a guest's and now belongs to the account: the game continues, also after a reload.
    play_on(page, until=11)
    assert page.get_by_test_id("connection-banner").is_hidden()
    page.reload()
    assert asked(page) == "play"
    expect(hand(page)).to_have_count(11)

    other = Visitor(browser)
    other.page.goto(server.http)
    fill_in(other.page, "login", NAME.upper(), PASSWORD)
    other.page.get_by_test_id("yours").get_by_role("link").click()
    expect(other.page).to_have_url(re.compile(f"/table/{table}$"))
    assert asked(other.page) == "play"
    expect(hand(other.page)).to_have_count(11)
    expect(page.get_by_test_id("connection-banner")).to_be_visible()

    # A new password ends the other sessions; a page whose session has ended shows that and plays as a guest.
    other.page.get_by_test_id("my-name").click()
    other.page.get_by_test_id("change-password").click()
    other.page.get_by_label("Current password").fill(PASSWORD)
    other.page.get_by_label("New password").fill("battery staple")
    other.page.get_by_test_id("change-do").click()
    expect(other.page.get_by_role("dialog").get_by_role("status")).to_contain_text("Password changed.")
    page.reload()
    expect(page.get_by_test_id("session-ended")).to_contain_text("Your session has ended")
    expect(page.get_by_test_id("my-name")).to_contain_text("Guest")
    assert hand(page).count() == 0
    assert complaints(page) == []
    other.page.get_by_test_id("log-out").click()
    expect(other.page.get_by_test_id("my-name")).to_contain_text("Guest")
    expect(other.page).to_have_url(re.compile(r":\d+/$"))
    other.page.get_by_test_id("lobby-play-hearts").wait_for()
    expect(other.page.get_by_test_id("yours")).to_have_count(0)
    other.close()
