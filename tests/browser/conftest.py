"""A real Chromium and a real server for the tests of the pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from croupier.games import names
from tests.integration.servers import Server

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMEOUT = 60_000
"""Milliseconds that anything may take on a busy machine."""
DESK: ViewportSize = {"width": 1400, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}

expect.set_options(timeout=TIMEOUT)


def chromium() -> str:
    """Return where the browser is."""
    path = os.environ.get("CROUPIER_CHROMIUM") or shutil.which("chromium-headless-shell")
    assert path, "chromium-headless-shell is missing: 'make test' installs it"
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "server.log", "serve", "--port", "0", "--data", str(tmp_path / "data"))
    running.start()
    yield running
    running.stop()
    assert "Traceback" not in running.log


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests that do not need their own."""
    folder = tmp_path_factory.mktemp("house")
    running = Server(folder / "server.log", "serve", "--port", "0", "--data", str(folder / "data"))
    running.start()
    yield running
    running.stop()
    assert "Traceback" not in running.log


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Server]:
    intervals = ["--command-interval", "0", "--round-interval", "0", "--deal-interval", "0"]
    running = Server(tmp_path / "node.log", "hearts-node", "--port", "0", *intervals, "--option", "deals=1")
    running.start()
    yield running
    running.stop()
    assert "Traceback" not in running.log


def knows_all_games(context: BrowserContext) -> None:
    """Mark every game as known to the visitor, so that nothing is explained."""
    context.add_init_script(f"localStorage.setItem('croupier.guide', {' '.join(names())!r})")


class Visitor:
    """A visitor with a separate browser profile, so that names and seats are not shared.

    Nothing moves for them unless a test is about motion: a click waits until its target stands still.
    """

    def __init__(self, browser: Browser, new: bool = False, **how: Any) -> None:
        """A *new* visitor does not know the games yet."""
        self.context: BrowserContext = browser.new_context(
            **{"viewport": DESK, "service_workers": "block", "reduced_motion": "reduce", **how}
        )
        if not new:
            knows_all_games(self.context)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(TIMEOUT)
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.console: list[str] = []
        """The errors and warnings in the console."""
        self.page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "blocked by Playwright" not in message.text:
            self.console.append(message.text)

    def close(self) -> None:
        self.context.close()
        assert not self.trouble, self.trouble


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    one = Visitor(browser)
    yield one
    one.close()
