"""Whether a page shuts nobody out: what axe finds, and whether it fits the width; light and dark."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe().axe_script
WIDTHS = [360, 768, 1600, 1280]


def complaints(page: Page, *rules: str) -> list[str]:
    """Return what axe finds serious, by all its rules or by these."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    # What it does not complain of is most of what it finds, and slow to carry over.
    found = page.evaluate("options => axe.run(options).then(found => found.violations)", options)
    return [
        f"{item['id']}: {node['html'][:120]}"
        for item in found
        if item["impact"] in ("serious", "critical")
        for node in item["nodes"]
    ]


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def look(page: Page, name: str) -> None:
    """Check the page as it stands: every width fits, and axe has nothing to say of a phone or a desk.

    Dark differs from light in its colours alone, so there only the contrast is looked at again.
    """
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert overflow(page) <= 0, f"{name} is wider than {width}"
        if width not in (360, 1280):
            continue
        found = complaints(page)
        assert not found, f"{name} at {width}: {found}"
        page.emulate_media(color_scheme="dark")
        found = complaints(page, "color-contrast")
        assert not found, f"{name} at {width} in the dark: {found}"
        page.emulate_media(color_scheme="light")


def fits_phone(page: Page, name: str) -> None:
    """Check the page on a phone alone: for one that differs little from others which were looked at."""
    page.set_viewport_size({"width": 360, "height": 740})
    assert overflow(page) <= 0, f"{name} is wider than a phone"
    found = complaints(page)
    assert not found, f"{name} on a phone: {found}"
