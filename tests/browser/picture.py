"""Takes docs/table.png, the README's picture: a Hearts table in mid-trick.

python -m tests.browser.picture
"""

from __future__ import annotations

import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import FloatRect, Page, ViewportSize, sync_playwright

from tests.browser.conftest import FLAGS, chromium
from tests.browser.test_hearts import QUICK
from tests.integration.servers import running

PICTURE = Path(__file__).parents[2] / "docs" / "table.png"
SEED = "picture"
"""The seed of the deals. The players choose by their hands, so the picture is always the same."""
NAMES = ["Ann", "Ben", "Cleo"]
DEAL = 2
CARDS = 8
"""The picture is taken when Ann is to play and has this many cards left."""
SIZE: ViewportSize = {"width": 1280, "height": 800}
SHOWN: FloatRect = {"x": 0, "y": 0, "width": 1280, "height": 778}
"""The height of the picture: without the footer, of which only a part would be visible."""

QUESTIONS = "[data-testid=confirm-pass], [data-testid=answer-keep-AH]"
LEGAL = ".fan-card[data-state=legal]"


def answer(page: Page) -> None:
    """Pass the first three cards, keep the ace of hearts, play the last card that may be played."""
    button = page.locator(QUESTIONS)
    if page.get_by_test_id("confirm-pass").count():
        for card in page.locator(".fan-card").all()[:3]:
            card.click()
    elif not button.count():
        button = page.get_by_test_id(page.locator(LEGAL).last.get_attribute("data-testid") or "")
    button.click()
    button.wait_for(state="detached")


def take() -> bytes:
    """Return the picture as the browser makes it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder) / "log", "serve", "--port", "0", "--data", folder) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        table = server.new_table(
            seats=["person", "person", "person", "bot heuristic"], table_options=QUICK, seed=SEED
        )
        pages: list[Page] = []
        for seat, name in enumerate(NAMES):
            context = browser.new_context(viewport=SIZE, reduced_motion="reduce")
            context.add_init_script(f"localStorage.setItem('croupier.name', '{name}')")
            pages.append(context.new_page())
            pages[seat].goto(f"{server.http}/table/{table}?sit={seat}")
            pages[seat].get_by_test_id("seat-0").wait_for()
        ann, ben, _ = pages
        while True:
            for page in pages:
                if not page.locator(f"{QUESTIONS}, {LEGAL}").count():
                    continue
                deal = f"Deal {DEAL} " in page.locator(".standing").inner_text()
                if page is ann and deal and page.locator(".fan-card").count() == CARDS:
                    ben.get_by_label("Write a message").fill("Who has the queen of spades?")
                    ben.get_by_role("button", name="Send").click()
                    ann.get_by_text("Who has the queen").wait_for()
                    return ann.screenshot(clip=SHOWN)
                answer(page)


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += size + 12


def rows(png: bytes) -> Iterator[bytearray]:
    """Yield the lines of an RGB image, three bytes per pixel."""
    head = dict(chunks(png))[b"IHDR"]
    assert head[8:] == bytes([8, 2, 0, 0, 0]), "expected 8 bits of RGB, not interlaced"
    width = int.from_bytes(head[:4]) * 3
    packed = zlib.decompress(b"".join(data for kind, data in chunks(png) if kind == b"IDAT"))
    above = bytearray(width)
    for start in range(0, len(packed), width + 1):
        method, line = packed[start], bytearray(packed[start + 1 : start + 1 + width])
        for at in range(width if method else 0):
            left, up, corner = (line[at - 3], above[at], above[at - 3]) if at > 2 else (0, above[at], 0)
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            line[at] = line[at] + (0, left, up, (left + up) // 2, nearest)[method] & 255
        yield line
        above = line


def smaller(png: bytes) -> bytes:
    """Return *png* at half its size: without the last bit, a browser's dither, and without filters."""
    seven_bits = bytes(value | 1 for value in range(256))
    lines = b"".join(b"\0" + line.translate(seven_bits) for line in rows(png))
    parts = [(b"IHDR", dict(chunks(png))[b"IHDR"]), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")]
    return png[:8] + b"".join(
        len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4) for kind, data in parts
    )


if __name__ == "__main__":
    PICTURE.write_bytes(smaller(take()))
    sys.stdout.write(f"{PICTURE}: {PICTURE.stat().st_size // 1024} KB\n")
