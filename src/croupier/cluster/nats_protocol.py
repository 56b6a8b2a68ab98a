"""What a node and a NATS server say to each other, without I/O: as much of NATS core as the bus needs.

Lines end with CRLF; only PUB and MSG carry a payload. See https://docs.nats.io/reference/reference-protocols.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias
from urllib.parse import SplitResult, unquote

import msgspec

MOST: Final = 8 * 1024 * 1024
"""The maximum size of a line or message in bytes; nats-server sends at most 1 MiB by default."""
PING: Final = b"PING\r\n"
PONG: Final = b"PONG\r\n"

_MESSAGE: Final = b"MSG "


class Line(NamedTuple):
    """A line of the server that is not a message."""

    word: str
    rest: bytes


Item: TypeAlias = bytes | Line
"""The payload of a message, or something else."""


class BadLine(ValueError):
    """The server does not speak NATS."""


class Reader:
    """Divides the bytes of a server into items."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Item]:
        """Return what *data* completes; raise BadLine if that is not NATS."""
        if self._rest:
            data = self._rest + data
        items: list[Item] = []
        begin = 0
        while (end := data.find(b"\r\n", begin)) >= 0:
            if data.startswith(_MESSAGE, begin):
                after = end + 2 + _size(data[begin:end])
                if len(data) < after + 2:
                    break
                items.append(data[end + 2 : after])
                begin = after + 2
            else:
                word, _, rest = data[begin:end].partition(b" ")
                items.append(Line(word.decode("ascii", "replace").upper(), rest))
                begin = end + 2
        self._rest = data[begin:]
        if len(self._rest) > MOST:
            raise BadLine(f"more than {MOST} bytes without an end")
        return items


def _size(line: bytes) -> int:
    """Return the size of the payload after ``MSG subject sid size``."""
    size = line[line.rindex(b" ") + 1 :]
    if not size.isdigit():
        raise BadLine(f"{line[:80]!r} instead of a message")
    return int(size)


def hello(url: SplitResult, name: str, subjects: list[str]) -> bytes:
    """Return the first message to a server, with the user of *url*, and the subscriptions to *subjects*."""
    said: dict[str, object] = {
        "verbose": False,
        "pedantic": False,
        "echo": False,
        "protocol": 1,  # the server names the other servers of its cluster
        "lang": "python",
        "version": "1",
        "name": name,
    }
    if url.password is not None:
        said |= {"user": unquote(url.username or ""), "pass": unquote(url.password)}
    elif url.username is not None:
        said["auth_token"] = unquote(url.username)
    parts = [b"CONNECT ", msgspec.json.encode(said), b"\r\n"]
    parts += [f"SUB {subject} {number}\r\n".encode() for number, subject in enumerate(subjects, 1)]
    return b"".join([*parts, PING])


def message(subject: bytes, payload: bytes) -> bytes:
    """Return a message for the subscribers of *subject*."""
    return b"PUB %b %d\r\n%b\r\n" % (subject, len(payload), payload)
