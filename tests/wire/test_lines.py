"""Splitting bytes into lines, independent of how the bytes are divided."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.testing.strategies import cuts
from croupier.wire.lines import LineReader, Overlong


def read(reader: LineReader, *chunks: bytes) -> list[bytes | Overlong]:
    return [line for chunk in chunks for line in reader.feed(chunk)]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"a\nb\r\nc\r\0d\n", [b"a", b"b", b"c", b"d"]),
        (b"\r\0a\r\0\r\0b\n", [b"a", b"b"]),
        (b"a\rb\n", [b"a\rb"]),
        (b"no end", []),
    ],
)
def test_lf_cr_lf_and_cr_nul_end_a_line(data: bytes, lines: list[bytes]) -> None:
    assert read(LineReader(100), data) == lines


def test_a_bare_cr_ends_a_line_on_request() -> None:
    reader = LineReader(100, bare_cr=True)
    assert read(reader, b"a\rb\r\nc\n\rd\r") == [b"a", b"b", b"c", b"d"]
    assert read(reader, b"\n", b"e\r") == [b"e"], "the LF belongs to the CR before it"


@pytest.mark.parametrize("bare_cr", [False, True])
def test_empty_lines_are_skipped(bare_cr: bool) -> None:
    reader = LineReader(100, bare_cr=bare_cr)
    assert read(reader, b"\n\r\n\r\0", b"\r", b"\n", b"\n") == []
    assert read(reader, b"a\n\n\r\n\nb\r\n") == [b"a", b"b"]


def test_a_line_that_is_too_long_is_reported_once_and_skipped_to_its_end() -> None:
    reader = LineReader(5, far=12)
    assert read(reader, b"abcd\n") == [b"abcd"]
    assert read(reader, b"abcd\r\n", b"abc\r\n") == [Overlong(False), b"abc"], (
        "the end of the line counts, too"
    )
    assert read(reader, b"abcde", b"fgh") == [Overlong(False)]
    assert read(reader, b"\nabc\n") == [b"abc"]
    assert read(reader, b"a" * 11) == [Overlong(False)]
    assert read(reader, b"a" * 20) == [Overlong(True)]
    assert read(reader, b"\nx\n") == [b"x"]


@pytest.mark.parametrize(
    "escape",
    [b"\xff\xfb\x01", b"\xff\xf1", b"\xff\xfa\x18\x00xterm\xff\xf0", b"\xff\xfa\x18\xff\xff\x01\xff\xf0"],
)
def test_telnet_commands_are_removed(escape: bytes) -> None:
    data = b"hel" + escape + b"lo\n"
    assert read(LineReader(100, telnet=True), data) == [b"hello"]
    reader = LineReader(100, telnet=True)
    assert read(reader, *(data[i : i + 1] for i in range(len(data)))) == [b"hello"]


def test_a_doubled_escape_is_the_byte_itself() -> None:
    assert read(LineReader(100, telnet=True), b"a\xff\xffb\n") == [b"a\xffb"]


def test_an_invalid_escape_removes_no_other_byte() -> None:
    assert read(LineReader(100, telnet=True), b"a\xff\nb\xffc\n") == [b"a", b"bc"]


def test_a_negotiation_without_an_end_is_limited() -> None:
    reader = LineReader(512, 8192, telnet=True)
    assert read(reader, b"\xff\xfa" + b"x" * 2000) == [Overlong(False)]
    assert read(reader, b"\n\xff\xfa" + b"x" * 9000) == [Overlong(False), Overlong(True)]


@given(st.data(), st.binary(max_size=200), st.booleans(), st.booleans())
def test_lines_do_not_depend_on_how_the_bytes_are_divided(
    data: st.DataObject, stream: bytes, bare_cr: bool, telnet: bool
) -> None:
    whole = read(LineReader(20, 50, bare_cr, telnet), stream)
    parts = data.draw(cuts(stream))
    assert read(LineReader(20, 50, bare_cr, telnet), *parts) == whole
