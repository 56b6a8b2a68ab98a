"""Valid messages of every protocol and every part of the HTTP API, and how they are damaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

FRAMES: Final = (
    b'{"type":"join","name":"eve","token":"t","seat":0,"last":3,"words":true,"views":"all","id":1}',
    b'{"type":"act","turn":1,"actions":["play QS"],"id":2}',
    b'{"type":"arrange","seats":["open","person","bot random","open"]}',
    b'{"type":"say","text":"hello"}',
    b'{"eventName":"join","data":{"playerName":"eve","playerNumber":1,"token":"t"}}',
    b'{"eventName":"pick_card","data":{"dealNumber":1,"roundNumber":1,"turnCard":"QS"}}',
    b'{"command":"user.login","nickname":"eve","request_id":1}',
    b'{"command":"lobby.room.create","name":"x","rules":{"deals":1},"options":{"private":true}}',
    b'{"command":"lobby.room.join","room_id":"r1"}',
    b'{"command":"game.tarock.play","card":"CK"}',
    b'{"command":"game.taroky.load","notation":"1/2/3/4//"}',
    b"NAME eve1",
    b"CONTRACT 80 Hearts",
    b"PLAY 7 Spades",
    b"login\teve",
    b"token\tabc",
    b"place\tR5\t1\t1",
    b"active_tool_card\t8",
)
"""Messages for WebSockets and line ports."""

OPERATOR_TOKEN: Final = "operator-of-g4-operator"
PASSWORD: Final = "correct horse battery"


class Request(NamedTuple):
    """A request to the HTTP API. Words in capitals, such as TABLE, stand for a token or an id that exists."""

    line: bytes
    body: bytes = b""
    token: bytes = b"SESSION"


_NEW_TABLE: Final = (
    b'{"game":"hearts","seats":["open","open","person","open"],"options":{"deals":1},"seed":"x"}'
)
_NEW_CUP: Final = (
    b'{"name":"Cup","game":"coinche","starts_in":3600,"format":"swiss","rounds":2,"token":"SESSION"}'
)
_OPERATOR: Final = b"OPERATOR"
_TOKENS: Final = (b"", b"RELAY", b"t")
REQUESTS: Final[Mapping[str, Sequence[Request]]] = {
    "tables and matches": (
        Request(b"GET /api/tables?limit=20&after=3"),
        Request(b"POST /api/tables", _NEW_TABLE),
        Request(b"GET /api/tables/TABLE/deals"),
        Request(b"POST /api/tables/TABLE/hint", b'{"token":"SESSION"}'),
        Request(b"POST /api/quick-match", b'{"game":"tarock"}'),
        Request(b"GET /api/games/sagrada/texts/en"),
        Request(b"GET /api/matches?limit=99999999999999999999&before=%00"),
        Request(b"GET /api/matches/MATCH/steps?deal=1&words=1"),
        Request(b"GET /api/matches/MATCH/record"),
        Request(b"GET /api/matches/MATCH/review?seat=0"),
        Request(b"POST /api/notation/check", b'{"notation":"1/2/3/4//"}'),
        Request(b"POST /api/notation/table", b'{"notation":"1/2/3/4//"}'),
        Request(b"GET /../../etc/passwd"),
    ),
    "accounts": (
        Request(b"POST /api/account", b'{"name":"eve2","password":"correct horse battery","guest":"t"}'),
        Request(b"POST /api/session", b'{"name":"mallory","password":"wrong horse battery"}'),
        Request(
            b"POST /api/account/recovery", b'{"name":"mallory","code":"AAAA-AAAA","password":"other horse"}'
        ),
        Request(b"POST /api/account/password", b'{"old":"wrong horse battery","new":"other horse battery"}'),
        Request(b"DELETE /api/account", b'{"password":"wrong horse battery"}'),
        Request(b"DELETE /api/session", token=b"a"),
        Request(b"GET /api/account"),
        Request(b"GET /api/players?game=hearts&limit=3"),
        Request(b"GET /api/players/mallory"),
        Request(b"GET /api/matches/MATCH/ratings"),
    ),
    "tournaments": (
        Request(b"GET /api/tournaments"),
        Request(b"POST /api/tournaments", _NEW_CUP),
        Request(b"GET /api/tournaments/CUP"),
        Request(b"GET /api/tournaments/CUP/results.csv"),
        Request(b"POST /api/tournaments/CUP/entry", b'{"name":"eve","token":"t"}'),
        Request(b"DELETE /api/tournaments/CUP/entry", b'{"name":"eve","token":"t"}'),
        Request(b"DELETE /api/tournaments/CUP", b'{"token":"t"}'),
    ),
    "operator": (
        Request(b"GET /api/operator", token=_OPERATOR),
        Request(b"GET /metrics", token=_OPERATOR),
        Request(b"GET /metrics"),
        Request(b"GET /api/operator/moderation", token=_OPERATOR),
        Request(b"GET /api/operator/audit?limit=5", token=_OPERATOR),
        Request(b"POST /api/operator/orders", b'{"act":"close","table":"x","by":"eve"}', _OPERATOR),
        Request(b"POST /api/operator/orders", b'{"act":"remove","name":"eve","table":"TABLE"}', _OPERATOR),
        Request(b"POST /api/operator/orders", b'{"act":"rename","name":"x","new":"y"}', _OPERATOR),
        Request(b"POST /api/operator/orders", b'{"act":"ban","who":"x","seconds":60}', _OPERATOR),
        Request(b"POST /api/operator/orders", b'{"act":"lift","id":"1"}', _OPERATOR),
        Request(b"POST /api/operator/orders", b'{"act":"mute","who":"eve","seconds":5}', b"x"),
    ),
    "relay": (
        *(
            Request(b"POST /relay", frame, token)
            for frame in FRAMES
            if b'"command"' in frame
            for token in _TOKENS
        ),
        Request(b"GET /events?token=RELAY", token=b""),
    ),
}
"""Requests by the part of the HTTP port that answers them."""

ORDINARY: Final[Mapping[str, Request]] = {
    "http": Request(b"GET /api/house"),
    "tables and matches": Request(b"GET /api/tables?limit=20"),
    "accounts": Request(b"GET /api/account"),
    "tournaments": Request(b"GET /api/tournaments"),
    "operator": Request(b"GET /api/operator", token=_OPERATOR),
    "relay": Request(b"POST /relay", b'{"command":"user.login","nickname":"eve"}', b"RELAY"),
}
"""A harmless request to each of these parts, which takes little work."""

_UPGRADE: Final = b"Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
_KEY: Final = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
BYTES: Final = (
    b"GET /api/tables HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n",
    b"POST /relay HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET /house/default HTTP/1.1\r\n" + _UPGRADE + _KEY + b"\x81\xff\xff",
    b"GET /coinche HTTP/1.1\r\n" + _UPGRADE + _KEY,
    b"GET /api/account HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
)
"""Requests for the HTTP port that are damaged anywhere."""
INSERTED: Final = (b"\x00", b'"', b"\\ud800", b"-1", b"1e999", b"\r\n", b"null", b"9" * 30)


def damaged(message: bytes, chance: Random) -> bytes:
    """Return *message* with some damage, or an unrelated message."""
    roll = chance.random()
    if roll < 0.15:
        return chance.randbytes(chance.randint(0, 60))
    if roll < 0.2:
        return b"[" * chance.choice((10, 2000))
    if roll < 0.25:
        return message * chance.randint(2, 60)
    data = bytearray(message)
    for _ in range(chance.choice((0, 1, 1, 3))):
        at = chance.randrange(len(data))
        what = chance.randrange(3)
        if what == 0:
            data[at] = chance.randrange(256)
        elif what == 1:
            del data[at : at + chance.randint(1, 5)]
        else:
            data[at:at] = chance.choice(INSERTED)
        if not data:
            return b""
    return bytes(data)


def filled(request: Request, known: Mapping[bytes, bytes]) -> Request:
    """Return *request* with the values of *known* in place of their names, which are in capitals."""
    line, body, token = request
    for name, value in known.items():
        line, body, token = line.replace(name, value), body.replace(name, value), token.replace(name, value)
    return Request(line, body, token)


def damaged_request(request: Request, chance: Random) -> Request:
    """Return *request* with some damage in its body, or in its path if it has none."""
    line, body, token = request
    if body:
        return Request(line, damaged(body, chance), token)
    method, path = line.split(b" ", 1)
    return Request(method + b" /" + damaged(path[1:], chance), b"", token)


def written(request: Request) -> bytes:
    """Return *request* as HTTP, with the right headers."""
    line, body, token = request
    lines = [line + b" HTTP/1.1", b"Host: 127.0.0.1", b"Content-Type: application/json"]
    lines += [b"Authorization: Bearer " + token] if token else []
    return b"\r\n".join([*lines, b"Content-Length: %d" % len(body), b"", body])
