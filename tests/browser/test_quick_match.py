"""Quick matches and rematches in a real browser: two people with separate profiles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visitor
from tests.browser.looks import look
from tests.browser.tables import OVER, play_by_click
from tests.browser.test_hearts import QUESTIONS, asked, one_deal, pass_by_clicks
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[Server]:
    """A server whose quick matches wait long enough for any test."""
    wait = ("--quick-match-wait", "3600")
    running = Server(tmp_path / "server.log", "serve", "--port", "0", "--data", str(tmp_path / "data"), *wait)
    running.start()
    yield running
    running.stop()
    assert "Traceback" not in running.log


@pytest.fixture
def people(browser: Browser) -> Iterator[tuple[Page, Page]]:
    """Two people, the second with a phone."""
    ann, bob = Visitor(browser), Visitor(browser, viewport={"width": 360, "height": 740}, has_touch=True)
    for one, name in ((ann, "Ann"), (bob, "Bob")):
        one.page.add_init_script(f"localStorage.setItem('croupier.name', {name!r})")
    bob.page.add_init_script("navigator.share = async (what) => void (window.shared = what.url)")
    yield ann.page, bob.page
    ann.close()
    bob.close()


def test_two_people_meet_by_quick_match_and_let_bots_sit(
    patient: Server, people: tuple[Page, Page], browser: Browser
) -> None:
    ann, bob = people
    for page in people:
        page.goto(patient.http)
        page.get_by_role("button", name="Play Hearts with people").click()
        expect(page.get_by_role("timer")).to_have_text(re.compile(r"^Bots take the free seats in \d+ s$"))
    assert ann.url == bob.url
    expect(ann.get_by_test_id("seat-1")).to_contain_text("Bob")
    expect(bob.get_by_test_id("chosen-rules")).to_contain_text("Hearts to 100")
    expect(ann.get_by_label("Invite a person")).to_have_value(ann.url)
    expect(ann.get_by_text("Copy", exact=True)).to_be_visible()
    bob.get_by_text("Share", exact=True).tap()
    bob.wait_for_function("url => window.shared === url", arg=bob.url)
    ann.get_by_label("Write a message").fill("Good luck!")
    ann.keyboard.press("Enter")
    expect(bob.get_by_role("log")).to_contain_text("Ann Good luck!")
    look(ann, "waiting for players")
    bob.get_by_test_id("bot-2").tap()
    expect(ann.get_by_test_id("bot-2")).to_have_count(0)
    ann.get_by_test_id("bot-3").focus()
    ann.keyboard.press("Enter")
    for page in people:
        assert asked(page) == "pass"
    # A third person takes the seat of a bot with the next deal.
    cyd = Visitor(browser)
    cyd.page.add_init_script("localStorage.setItem('croupier.name', 'Cyd')")
    cyd.page.goto(patient.http)
    cyd.page.get_by_test_id("quick-match-hearts").click()
    expect(cyd.page.get_by_test_id("promised")).to_be_visible()
    expect(ann.get_by_test_id("seat-2")).to_contain_text("Cyd from the next deal")
    cyd.close()
    expect(ann.get_by_test_id("seat-2")).not_to_contain_text("Cyd")


def play_together(people: tuple[Page, Page]) -> None:
    """Let both people answer what they are asked until the match is over."""
    for page in people:
        assert asked(page) == "pass"
        pass_by_clicks(page)
    either = ", ".join(QUESTIONS.values())
    while not all(page.locator(OVER).count() for page in people):
        for page in people:
            if not page.locator(either).count() or page.locator(OVER).count():
                continue
            if asked(page) == "expose":
                page.get_by_test_id("answer-keep-AH").click()
                expect(page.get_by_test_id("answer-keep-AH")).to_have_count(0)
            elif asked(page) == "play":
                play_by_click(page)
        people[0].wait_for_timeout(20)


def test_the_next_match_begins_when_both_people_have_agreed(
    server: Server, people: tuple[Page, Page]
) -> None:
    ann, bob = people
    table = one_deal(server, ["person", "person", "bot dummy", "bot dummy"])
    for page in people:
        page.goto(f"{server.http}/table/{table}?sit")
    play_together(people)
    expect(bob.get_by_role("timer")).to_have_count(0)
    ann.get_by_test_id("next-game").click()
    expect(bob.get_by_role("timer")).to_have_text(
        re.compile(r"^Ann: another match\? Your seat is kept for \d+ s\.$")
    )
    expect(ann.get_by_role("timer")).to_have_text(re.compile(r"^Bob may answer for another \d+ s$"))
    bob.get_by_test_id("next-game").click()
    for page in people:
        assert asked(page) == "pass"
