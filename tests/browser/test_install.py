"""The pages can be installed: a manifest with icons, and a service worker that caches only the shell."""

from __future__ import annotations

import json
import urllib.request

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Visitor
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_the_pages_can_be_installed(server: Server, browser: Browser) -> None:
    visitor = Visitor(browser, service_workers="allow")
    page = visitor.page
    page.goto(server.http)
    manifest = json.loads(visitor.context.new_cdp_session(page).send("Page.getAppManifest")["data"])
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        with urllib.request.urlopen(server.http + icon["src"]) as answer:
            assert answer.headers["Content-Type"] == "image/png"
    page.evaluate("() => navigator.serviceWorker.ready")
    page.reload()
    page.get_by_test_id("lobby-play-hearts").wait_for()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.reload()
    page.get_by_test_id("lobby-play-hearts").wait_for()
    kept = page.evaluate(
        """async () => (await (await caches.open((await caches.keys())[0])).keys())
            .map(request => new URL(request.url).pathname)"""
    )
    assert "/" in kept
    assert not [path for path in kept if path != "/" and not path.startswith("/assets/")]

    # Without the server the shell still starts, and shows what is wrong.
    server.kill()
    page.reload()
    page.locator(".brand").wait_for()
    visitor.close()
