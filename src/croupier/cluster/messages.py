"""What one node sends to another over the bus: batches of frames, signed with the key of the house.

A frame belongs to a forwarded connection and has a number in its sequence, or it belongs to none (connection
0). A batch holds all frames for one node that were made in one iteration of the event loop.

    batch: signature (16 bytes), format (1), sender (8), receiver (8, 0 for all nodes), frames
    frame: kind (1), connection (8), number (4), length (4), payload
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from hmac import compare_digest
from struct import Struct, error
from typing import Final, NamedTuple

FORMAT: Final = 1
"""Batches in another format are not read; the log names the node that sent them."""
SIGNATURE: Final = 16
EVERYONE: Final = 0
"""The receiver of a batch for all nodes."""

_HEAD: Final = Struct("!BQQ")
_FRAME: Final = Struct("!BQII")

# From the node that accepted a connection to the one that serves it.
OPEN: Final = 1
INPUT: Final = 2
INPUT_END: Final = 3
"""The peer has closed its direction."""
GONE: Final = 4
"""The connection has ended."""
TAKEN: Final = 5
"""How many bytes the peer has taken since the last such frame."""
# And back.
OUTPUT: Final = 6
OUTPUT_END: Final = 7
"""Close this direction after everything that was sent."""
CLOSE: Final = 8
"""Close the connection after everything that was sent."""
ABORT: Final = 9
PAUSE: Final = 10
RESUME: Final = 11
# Both ways.
RESET: Final = 12
"""The connection is not known here or has a gap."""
BEAT: Final = 13
"""The sender is alive; the payload has the number of frames that it has sent on each connection."""
TELL: Final = 14
"""An announcement: JSON. Its number counts the announcements of the sender, from 1."""


class Frame(NamedTuple):
    """One message."""

    kind: int
    connection: int
    number: int
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class Batch:
    """The frames of one node for another, or for all."""

    sender: int
    receiver: int
    frames: list[Frame]


class BadBatch(ValueError):
    """The bytes are not a batch of this house, or have another format."""


def write(key: bytes, batch: Batch) -> bytes:
    """Return *batch* as bytes, signed with *key*."""
    parts = [_HEAD.pack(FORMAT, batch.sender, batch.receiver)]
    for frame in batch.frames:
        parts.append(_FRAME.pack(frame.kind, frame.connection, frame.number, len(frame.payload)))
        parts.append(frame.payload)
    body = b"".join(parts)
    return _signature(key, body) + body


def read(key: bytes, data: bytes) -> Batch:
    """Return the batch in *data*; raise BadBatch if it was not signed with *key* or cannot be understood."""
    body = data[SIGNATURE:]
    if len(body) < _HEAD.size or not compare_digest(data[:SIGNATURE], _signature(key, body)):
        raise BadBatch("a message without the signature of this house")
    format, sender, receiver = _HEAD.unpack_from(body)
    if format != FORMAT:
        raise BadBatch(f"a message of node {sender} in format {format}, expected {FORMAT}")
    try:
        return Batch(sender, receiver, list(_frames(body)))
    except error:
        raise BadBatch(f"an incomplete message of node {sender}") from None


def _frames(body: bytes) -> Iterable[Frame]:
    at = _HEAD.size
    while at < len(body):
        kind, connection, number, length = _FRAME.unpack_from(body, at)
        at += _FRAME.size
        yield Frame(kind, connection, number, body[at : at + length])
        at += length


def _signature(key: bytes, body: bytes) -> bytes:
    return blake2b(body, digest_size=SIGNATURE, key=key).digest()
