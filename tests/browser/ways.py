"""The ways in which people use a page: by mouse, by finger, by keyboard alone."""

from __future__ import annotations

from typing import Any, ClassVar

from playwright.sync_api import Locator, Page, Position

from tests.browser.conftest import DESK, PHONE
from tests.browser.tables import settled

CORNER: Position = {"x": 11, "y": 18}
"""The part of a card that its neighbour in the hand leaves free."""

NEXT_KEY = """label => {
    const target = label.control ?? label;
    const active = document.activeElement;
    if (active === target) return null;
    const hand = target.closest('.fan');
    if (hand && (active === document.body || hand.contains(active))) return 'ArrowRight';
    if (target.type === 'radio' && active.name === target.name) return 'ArrowRight';
    const behind = active.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING;
    return behind ? 'Shift+Tab' : 'Tab';
}"""
"""The key that moves the focus towards an element: arrows inside a hand or a choice, else Tab."""
STEPS = 300


class Way:
    """By mouse; subclasses override what differs."""

    context: ClassVar[dict[str, Any]] = {"viewport": DESK}

    def press(self, target: Locator) -> None:
        target.click(position=self.place(target))

    def write(self, field: Locator, text: str) -> None:
        self.press(field)
        field.fill(text)

    def choose(self, field: Locator, value: str) -> None:
        field.focus()  # as a press does: an input elsewhere is then complete
        field.select_option(value)

    @staticmethod
    def place(target: Locator) -> Position | None:
        return CORNER if target.evaluate("it => it.matches('.fan-card')") else None


class Finger(Way):
    context: ClassVar[dict[str, Any]] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}

    def press(self, target: Locator) -> None:
        target.tap(position=self.place(target))


class Keys(Way):
    def press(self, target: Locator) -> None:
        self.reach(target)
        switch = target.evaluate("it => ['radio', 'checkbox'].includes((it.control ?? it).type)")
        target.page.keyboard.press("Space" if switch else "Enter")

    def write(self, field: Locator, text: str) -> None:
        self.reach(field)
        field.page.keyboard.press("Control+a")
        field.page.keyboard.type(text)

    def choose(self, field: Locator, value: str) -> None:
        self.reach(field)
        field.page.keyboard.press("Home")
        while field.input_value() != value:
            field.page.keyboard.press("ArrowDown")

    @staticmethod
    def reach(target: Locator) -> None:
        """Move the focus to *target*, after the page itself has moved it to a new question."""
        target.wait_for()
        settled(target.page)
        for _ in range(STEPS):
            key = target.evaluate(NEXT_KEY)
            if key is None:
                return
            target.page.keyboard.press(key)
        raise AssertionError(f"no key leads to {target}")


MOUSE = Way()
FINGER = Finger()
KEYS = Keys()


def free_widths(page: Page) -> list[int]:
    """Return how many pixels of every card in hand a finger can reach: not covered, and inside the page."""
    widths: list[int] = page.locator(".fan-card").evaluate_all(
        """cards => cards.map(card => {
            card.scrollIntoView({block: 'nearest'});
            const box = card.getBoundingClientRect();
            const y = box.top + Math.min(20, box.height / 3);
            let width = 0;
            for (let x = Math.ceil(box.left); x < box.right; x++) {
                width += document.elementFromPoint(x, y)?.closest('.fan-card') === card;
            }
            return width;
        })"""
    )
    return widths
