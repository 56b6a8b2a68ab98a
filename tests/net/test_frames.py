"""WebSocket frames compared with the examples of RFC 6455 and read by another library."""

from __future__ import annotations

import pytest

from croupier.net.frames import close_frame, text_frame
from croupier.wire.talk import Disconnect


def test_the_example_of_the_standard() -> None:  # RFC 6455, 5.7
    assert text_frame("Hello") == bytes([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])


@pytest.mark.parametrize(
    ("size", "head"),
    [
        (0, "8100"),
        (125, "817d"),
        (126, "817e007e"),
        (65535, "817effff"),
        (65536, "817f0000000000010000"),
    ],
)
def test_lengths_have_three_forms(size: int, head: str) -> None:  # 5.2
    assert text_frame(b"x" * size) == bytes.fromhex(head) + b"x" * size


def test_text_goes_out_as_utf8() -> None:
    assert text_frame("ä♥") == b"\x81\x05" + "ä♥".encode()
    assert text_frame("ä♥".encode()) == text_frame("ä♥")


def test_a_close_frame_has_a_code_and_a_reason_that_fits() -> None:  # 5.5, 7.1.6
    assert close_frame(Disconnect(1000, "bye")) == b"\x88\x05\x03\xe8bye"
    long = close_frame(Disconnect(4001, "ä" * 100))
    assert len(long) <= 2 + 125
    assert long[1] == len(long) - 2
    assert long[4:].decode() == "ä" * 61, "cut between two letters"
