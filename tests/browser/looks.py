"""Accessibility of a page: what axe finds, and whether the page fits the width; light and dark."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe().axe_script
WIDTHS = [360, 768, 1600, 1280]


def complaints(page: Page, *rules: str) -> list[str]:
    """Return the serious findings of axe, by all its rules or by these."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    # Most of the result are rules without findings, which are slow to transfer.
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
    """Check the current page: it fits every width, and axe finds nothing on a phone or a desktop.

    Dark differs from light only in its colours, so only the contrast is checked again there.
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
    """Check the page only on a phone: for a page that differs little from others that were checked."""
    page.set_viewport_size({"width": 360, "height": 740})
    assert overflow(page) <= 0, f"{name} is wider than a phone"
    found = complaints(page)
    assert not found, f"{name} on a phone: {found}"
