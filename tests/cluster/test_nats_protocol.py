"""What a node and a NATS server say to each other."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cluster import nats_protocol
from croupier.cluster.nats_protocol import BadLine, Item, Line, Reader, hello, message

SAID = (
    b'INFO {"server_id":"x","tls_required":false}\r\n'
    b"PONG\r\n"
    b"MSG croupier.a.1 1 5\r\nhel\r\n\r\n"
    b"ping\r\n"
    b"MSG croupier.a.all 2 0\r\n\r\n"
    b"-ERR 'Authorization Violation'\r\n"
)
ITEMS: list[Item] = [
    Line("INFO", b'{"server_id":"x","tls_required":false}'),
    Line("PONG", b""),
    b"hel\r\n",
    Line("PING", b""),
    b"",
    Line("-ERR", b"'Authorization Violation'"),
]


def test_lines_and_messages_are_told_apart() -> None:
    assert Reader().feed(SAID) == ITEMS


@given(st.data())
def test_items_do_not_depend_on_how_the_bytes_are_cut(data: st.DataObject) -> None:
    reader, rest, found = Reader(), SAID, list[Item]()
    while rest:
        many = data.draw(st.integers(1, len(rest)))
        found += reader.feed(rest[:many])
        rest = rest[many:]
    assert found == ITEMS


@given(st.lists(st.binary(max_size=40)))
def test_whatever_arrives_is_read_or_refused(parts: list[bytes]) -> None:
    reader = Reader()
    try:
        for part in parts:
            reader.feed(part)
    except BadLine:
        pass


@pytest.mark.parametrize("line", [b"MSG a 1 x\r\n", b"MSG \r\n", b"MSG a 1 -1\r\n", b"MSG a 1 \xb2\r\n"])
def test_a_message_without_a_size_is_refused(line: bytes) -> None:
    with pytest.raises(BadLine, match="instead of a message"):
        Reader().feed(line)


def test_a_line_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_protocol, "MOST", 100)
    reader = Reader()
    reader.feed(b"x" * 100)
    with pytest.raises(BadLine, match="more than 100 bytes"):
        reader.feed(b"x")


def test_a_message_has_its_size() -> None:
    assert message(b"croupier.a.1", b"hello") == b"PUB croupier.a.1 5\r\nhello\r\n"


@pytest.mark.parametrize(
    ("url", "user"),
    [
        ("nats://bus", b""),
        ("nats://anna:pa%2Fss@bus", b'"user":"anna","pass":"pa/ss"'),
        ("nats://t0ken@bus", b'"auth_token":"t0ken"'),
    ],
)
def test_the_user_is_taken_from_the_address(url: str, user: bytes) -> None:
    said = hello(urlsplit(url), "croupier", ["a.1", "a.all"])
    assert said.startswith(b"CONNECT {")
    assert user in said
    assert (b"auth_token" in said or b"pass" in said) == bool(user)
    assert said.endswith(b"}\r\nSUB a.1 1\r\nSUB a.all 2\r\nPING\r\n")
