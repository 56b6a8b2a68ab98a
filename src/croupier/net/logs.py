"""Structured logs on standard error, and the watch over the event loop's stalls."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import Final

import structlog

log = logging.getLogger(__name__)

STALL: Final = 0.25
"""Seconds the loop may be late before somebody is told."""


def set_up(level: str, json: bool) -> None:
    """Send every log line through structlog: readable by people, or one JSON object a line."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=False)
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    logging.getLogger("aiohttp.access").setLevel(logging.WARNING)


async def watch_stalls() -> None:
    """Warn when the event loop was busy for longer than anybody's clock should notice."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + STALL
        await asyncio.sleep(STALL)
        late = loop.time() - due
        if late > STALL:
            log.warning("the event loop stalled for %.2f s", late)
