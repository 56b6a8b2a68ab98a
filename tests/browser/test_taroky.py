"""Taroky in a real browser: a partner game, a prever, secret questions, notations pasted and copied."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Position, expect

from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A, GAME_B
from tests.browser import tables
from tests.browser.conftest import Visitor
from tests.browser.looks import look
from tests.browser.tables import LEGAL, OVER, hand, kept_by_reload, match_of, play_by_click
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

QUICK = {"card_pause": 0, "trick_pause": 0, "deal_pause": 0, "secret_pause": 0}
LASTING = {**QUICK, "deal_pause": 600_000}
"""The settlement stays on the table."""
ALONE = ["person", "bot default", "bot default", "bot default"]
"""These bots call nothing, so that the player decides the kind of game."""

CORNER: Position = {"x": 10, "y": 30}
"""The part of a card that its neighbour in a hand of sixteen leaves free."""

QUESTIONS = {
    "over": OVER,
    "settled": "[data-testid=settlement]",
    "answer": "[data-testid=answer-yes]:not(:disabled)",
    "partner": "[data-testid^=partner-1]:not(:disabled)",
    "discard": "[data-testid=confirm-discard]",
    "play": LEGAL,
}


def taroky(server: Server, seats: list[str] | None = None, **more: Any) -> str:
    """Open a table for one deal without pauses, the first seat Povinnost, and return its id."""
    wish: dict[str, Any] = {"options": {"hands": 1, "first_povinnost": "0"}, "table_options": QUICK, **more}
    return server.new_table(game="taroky", seats=seats or ALONE, **wish)


def sit_down(page: Page, server: Server, table: str, seat: int = 0) -> None:
    page.goto(f"{server.http}/table/{table}?sit={seat}")


def asked(page: Page) -> str:
    """Wait until something is to be done, or the deal is over, and return it."""
    return tables.asked(page, QUESTIONS)


def phase(page: Page) -> str:
    return page.locator(".taroky-board h3").inner_text()


def moved_on(page: Page, before: str) -> None:
    """Wait until the question is another one."""
    page.wait_for_function(
        "before => document.querySelector('.prompt-text [role=status]')?.innerText !== before", arg=before
    )


def question(page: Page) -> str:
    return page.locator(".prompt-text [role=status]").inner_text()


def discard(page: Page) -> None:
    """Discard the required number of cards from the end of the legal ones."""
    before = page.locator(".fan-card").count()
    button = page.get_by_test_id("confirm-discard")
    for card in reversed(page.locator(".fan-card[data-state=legal]").all()):
        if button.is_enabled():
            break
        card.click(position=CORNER)
    button.click()
    page.wait_for_function("before => document.querySelectorAll('.fan-card').length < before", arg=before)


def play_on(page: Page, until: int = 0, **answers: str) -> list[str]:
    """Answer by clicks (no, unless told otherwise) until the deal is over; return the questions."""
    met: list[str] = []
    while (what := asked(page)) not in ("over", "settled"):
        before = question(page)
        if what == "answer":
            met.append(phase(page))
            answer = answers.get(met[-1].lower(), "no")
            page.get_by_test_id(f"answer-{answer}").click()
            moved_on(page, before)
        elif what == "partner":
            met.append("Partner")
            page.locator(QUESTIONS["partner"]).first.click()
            moved_on(page, before)
        elif what == "discard":
            met.append("Discards")
            discard(page)
        else:
            if hand(page).count() <= until:
                return met
            play_by_click(page, CORNER)
    return met


def test_a_partner_game_to_its_settlement(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    table = taroky(house, options={"hands": 2, "first_povinnost": "0"}, table_options=LASTING, seed="1")
    sit_down(page, house, table)
    met = play_on(page, prever="no")
    assert met[:2] == ["Prever", "Discards"]
    assert "Partner" in met
    assert "Valat" in met
    settlement = page.get_by_test_id("settlement")
    expect(settlement).to_contain_text("Settlement of deal 1")
    expect(settlement).to_contain_text(re.compile(r"\d+ is \d+ (above 53: won|below 53: lost)"))
    expect(page.locator(".taroky-steps li.sum")).to_be_visible()
    # What is on the table is what the notation pays.
    notation = page.get_by_test_id("notation-panel").locator("input").input_value()
    result = parse(notation).result()
    chips = [int(text.replace("\u2212", "-")) for text in settlement.locator("tr.sum td").all_inner_texts()]
    assert chips == result.chips
    told = settlement.inner_text()
    page.reload()
    expect(settlement).to_have_text(told, use_inner_text=True)
    assert parse(notation).prever == 0


def test_a_prever_by_a_person_to_its_settlement(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    table = taroky(house, options={"hands": 2, "first_povinnost": "0"}, table_options=LASTING, seed="2")
    sit_down(page, house, table)
    assert asked(page) == "answer"
    page.get_by_test_id("answer-yes").click()
    looking = page.locator(".taroky-talon .looking .card:not(.back)")
    expect(looking).to_have_count(3)
    expect(page.locator(".prompt-text")).to_contain_text("costs double")
    kept_by_reload(page)
    page.get_by_test_id("answer-no").click()
    expect(page.locator(".prompt-text")).to_contain_text("four times")
    expect(page.locator(".taroky-talon .card:not(.back)")).to_have_count(6)
    page.get_by_test_id("answer-yes").click()
    met = play_on(page)
    assert met[0] == "Discards"
    assert "Partner" not in met
    settlement = page.get_by_test_id("settlement")
    expect(settlement).to_contain_text("The lone player settles with each of the three")
    expect(page.locator(".taroky-flight")).to_have_count(3)
    notation = parse(page.get_by_test_id("notation-panel").locator("input").input_value())
    assert (notation.prever, notation.half) == (1, 2)


def test_every_question_is_answered_by_keyboard_alone(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    # After the talon of the first annotated game: discards, partner, valat, contra, the I, play.
    text = "/".join([*GAME_A.split("/")[:9], ";pn=0"])
    _, made = house.ask("/api/notation/table", {"text": text, "seats": ALONE, "table_options": QUICK})
    page.goto(f"{house.http}/table/{made['id']}?sit=0")
    met: list[str] = []
    while (what := asked(page)) != "play":
        before = question(page)
        if what in ("answer", "partner"):
            met.append(phase(page))
            page.wait_for_function("() => document.activeElement?.closest('.answers')")
            if what == "answer":
                # A hasty Enter calls nothing.
                expect(page.get_by_test_id("answer-no")).to_be_focused()
                page.keyboard.press("ArrowRight")
                expect(page.get_by_test_id("answer-yes")).to_be_focused()
                page.keyboard.press("ArrowLeft")
            page.keyboard.press("Enter")
            moved_on(page, before)
        else:
            met.append("Discards")
            page.locator('.fan [tabindex="0"]').focus()
            for _ in range(40):
                if page.get_by_test_id("confirm-discard").is_enabled():
                    break
                if page.evaluate("document.activeElement.dataset.state") == "legal":
                    page.keyboard.press("ArrowUp")
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
            expect(page.locator(".fan-card")).to_have_count(12)
    assert met == ["Prever", "Discards", "Partner", "Valat", "I on the end"]


def test_talon_cards_are_drawn_passed_on_and_refused(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    seats = ["bot default", "person", "bot default", "bot default"]
    sit_down(page, house, taroky(house, seats), seat=1)
    assert asked(page) == "answer"
    page.get_by_test_id("answer-no").click()
    expect(page.locator(".taroky-board h3")).to_have_text("Talon")
    assert asked(page) == "answer"
    kept_by_reload(page)
    play_on(page, until=12, talon="no")  # the bot gives it back
    expect(page.get_by_test_id("log")).to_contain_text("You pass the talon card on.")
    expect(page.get_by_test_id("log")).to_contain_text("gives the card back to")
    expect(page.get_by_test_id("log")).to_contain_text("from the talon.")


def test_povinnost_with_hardly_a_tarock_may_keep_it_to_himself(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, taroky(house, seed="money 79"))
    assert asked(page) == "answer"
    page.get_by_test_id("answer-no").click()
    assert asked(page) == "discard"
    kept_by_reload(page)
    discard(page)
    assert (asked(page), phase(page)) == ("answer", "Money cards")
    kept_by_reload(page)
    page.get_by_test_id("answer-no").click()
    assert asked(page) == "partner"


def test_nothing_on_the_pages_of_others_tells_who_is_asked(
    house: Server, visitor: Visitor, browser: Browser
) -> None:
    # Contra comes next; players 2 and 4 are asked, Povinnost's partner is not.
    text = "/".join([*GAME_A.split("/")[:14], ";pn=0"])
    assert parse(text).phase_name() == "contra"
    seats = ["bot default", "person", "person", "bot default"]
    slow = {**QUICK, "secret_pause": 60_000}
    _, made = house.ask("/api/notation/table", {"text": text, "seats": seats, "table_options": slow})
    other = Visitor(browser)
    watcher = Visitor(browser)
    watcher.page.goto(f"{house.http}/t/{made['id']}/watch")
    other.page.goto(f"{house.http}/table/{made['id']}?sit=2")
    expect(other.page.get_by_test_id("seat-2")).to_contain_text("you")
    visitor.page.goto(f"{house.http}/table/{made['id']}?sit=1")
    assert asked(visitor.page) == "answer"
    pages = [other.page, watcher.page]
    for page in pages:
        expect(page.locator(".taroky-board h3")).to_have_text("Contra")
        expect(page.locator('[data-acting="true"]')).to_have_count(0)
    before = [page.locator("main").inner_html() for page in pages]
    kept_by_reload(visitor.page)
    for page, html in zip(pages, before, strict=True):
        page.wait_for_function("html => document.querySelector('main').innerHTML === html", arg=html)
    visitor.page.get_by_test_id("answer-no").click()
    expect(visitor.page.get_by_test_id("log")).to_contain_text("You do not call contra.")
    assert [page.locator("main").inner_html() for page in pages] == before
    other.close()
    watcher.close()


def test_a_refused_card_is_named_as_people_do(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    # Hearts were led and player 4 holds one heart.
    text = GAME_A.partition("/H2HKH4T061/")[0] + "/H2HK/;pn=3"
    _, made = house.ask("/api/notation/table", {"text": text, "table_options": QUICK})
    page.goto(f"{house.http}/table/{made['id']}?sit=3")
    expect(page.locator(".fan-card[data-state=legal]")).to_have_count(1)
    page.get_by_test_id("card-T22").click(force=True)
    alert = page.locator(".prompt [role=alert]")
    expect(alert).to_contain_text("hearts were led and you can follow")
    expect(alert.get_by_role("img", name="Škýz")).to_be_visible()


def test_a_notation_is_pasted_checked_and_replayed(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(house.http)
    page.get_by_test_id("tool-notation").click()
    text = page.get_by_test_id("notation-text")
    text.fill(GAME_A.replace("T204", "T203"))
    wrong = page.get_by_test_id("notation-wrong")
    expect(wrong).to_contain_text("player 4 takes the trick")
    expect(wrong).to_contain_text("wrong_winner")
    expect(wrong.locator("mark")).to_have_text("3")
    text.fill(GAME_A)
    expect(page.get_by_test_id("notation-payments").locator("tr.total")).to_contain_text("134")
    expect(page.get_by_test_id("notation-reasons")).to_contain_text("24")
    expect(wrong).to_be_hidden()
    page.get_by_test_id("notation-replay").click()
    expect(page).to_have_url(re.compile("/replay/"))
    page.get_by_label("End of the deal").click()
    expect(page.get_by_test_id("settlement")).to_contain_text("66 points in 6 tricks against 40")
    panel = page.get_by_test_id("notation-panel")
    assert parse(panel.locator("input").input_value()).result().chips == [134, 70, 126, 70]


def test_a_notation_is_played_on_and_copied_when_the_deal_is_over(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    fields = GAME_B.split("/")[:27]
    page.goto(f"{house.http}/notation")
    page.get_by_test_id("notation-text").fill("/".join([*fields, ";pn=1"]))
    expect(page.get_by_test_id("notation-summary")).to_contain_text("player 1 is to act")
    expect(page.get_by_test_id("notation-me")).to_have_value("1")
    page.get_by_test_id("notation-play").click()
    expect(page).to_have_url(re.compile("/table/"))
    expect(page.locator(".fan-card")).to_have_count(1)
    expect(page.get_by_test_id("score-sheet")).to_contain_text("104")
    play_on(page)
    page.get_by_test_id("see-replay").wait_for()
    page.get_by_test_id("notation-panel").locator("button").click()
    expect(page.get_by_test_id("notation-panel")).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.split("/")[:27] == fields
    assert parse(copied).result().chips == match_of(page, house)["result"]
    page.get_by_test_id("see-replay").click()
    expect(page.get_by_test_id("replay-forward")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_test_id("notation-panel").get_by_role("link", name="Download all deals").click()
    assert download.value.path().read_text().splitlines() == [copied]


def test_every_phase_is_accessible_and_fits_every_width(house: Server, browser: Browser) -> None:
    visitor = Visitor(browser)
    page = visitor.page

    table = taroky(house, options={"hands": 2, "first_povinnost": "0"}, table_options=LASTING)
    sit_down(page, house, table)
    assert asked(page) == "answer"
    look(page, "prever")
    page.get_by_test_id("answer-yes").click()
    page.locator(".taroky-talon .looking .card:not(.back)").first.wait_for()
    look(page, "talon")
    page.get_by_test_id("answer-yes").click()
    assert asked(page) == "discard"
    look(page, "discards")
    discard(page)
    assert asked(page) == "answer"
    look(page, "valat")
    play_on(page, until=8)
    look(page, "play")
    play_on(page)
    look(page, "settlement")
    page.goto(f"{house.http}/notation")
    look(page, "empty notation")
    page.get_by_test_id("notation-text").fill("100/x")
    page.get_by_test_id("notation-wrong").wait_for()
    look(page, "wrong notation")
    page.get_by_test_id("notation-text").fill(GAME_B)
    page.get_by_test_id("notation-summary").wait_for()
    look(page, "notation")
    page.get_by_test_id("notation-replay").click()
    page.get_by_label("End of the deal").click()
    page.get_by_test_id("settlement").wait_for()
    look(page, "replay")
    visitor.close()
