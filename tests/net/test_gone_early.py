"""A client that disconnects while its WebSocket is being prepared leaves no traceback in the log."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import pytest
from aiohttp import web

from croupier.net.websocket import upgrade, upgraded
from tests.integration.servers import TIMEOUT


async def test_a_client_that_has_gone_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    asked, done = asyncio.Event(), asyncio.Event()

    async def serve(request: web.Request) -> web.StreamResponse:
        asked.set()
        while request.transport is not None:  # noqa: ASYNC110 - there is no event for this
            await asyncio.sleep(0.001)
        try:
            upgrade(request, 1024)
        finally:
            done.set()
        return upgraded()

    app = web.Application()
    app.router.add_get("/", serve)
    site = web.AppRunner(app, access_log=None)
    await site.setup()
    await web.TCPSite(site, "127.0.0.1", 0).start()
    async with aiohttp.ClientSession() as session, asyncio.timeout(TIMEOUT):
        url = f"http://127.0.0.1:{site.addresses[0][1]}/"
        calling = asyncio.ensure_future(session.ws_connect(url))
        await asked.wait()
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        await done.wait()
    await site.cleanup()
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []
