"""WebSocket frames as the server sends them (RFC 6455, 5.2): whole messages, neither masked nor compressed.

The library that reads frames can also write them, but only with a coroutine for each; these are bytes.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from croupier.wire.talk import Disconnect, Frame

PING: Final = b"\x89\x00"
_TEXT: Final = 0x81
_CLOSE: Final = 0x88
_PONG: Final = 0x8A
_SHORT: Final = Struct(">BB").pack
_MEDIUM: Final = Struct(">BBH").pack
_LONG: Final = Struct(">BBQ").pack
_REASON_BYTES: Final = 123
"""The longest reason that fits into a close frame, in bytes."""


class _Last:
    """The last text that was made into a frame: all watchers of a table get the same one in succession."""

    def __init__(self) -> None:
        self.text: Frame = b""
        self.frame = _SHORT(_TEXT, 0)


_last: Final = _Last()


def text_frame(text: Frame) -> bytes:
    """Return *text* as one frame; several connections share that of the same object."""
    if text is not _last.text:
        _last.frame = _text_frame(text)
        _last.text = text
    return _last.frame


def _text_frame(text: Frame) -> bytes:
    payload = text if isinstance(text, bytes) else text.encode()
    size = len(payload)
    if size < 126:
        return _SHORT(_TEXT, size) + payload
    if size < 65536:
        return _MEDIUM(_TEXT, 126, size) + payload
    return _LONG(_TEXT, 127, size) + payload


def pong_frame(payload: bytes) -> bytes:
    """Return the answer to a ping, which has at most 125 bytes."""
    return _SHORT(_PONG, len(payload)) + payload


def close_frame(disconnect: Disconnect) -> bytes:
    """Return a close frame; a reason that is too long is cut between two characters."""
    reason = disconnect.reason.encode()[:_REASON_BYTES].decode(errors="ignore").encode()
    return _SHORT(_CLOSE, 2 + len(reason)) + disconnect.code.to_bytes(2, "big") + reason
