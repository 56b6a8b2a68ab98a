"""Traffic logs contain no tokens and no passwords."""

from __future__ import annotations

import pytest

from croupier.net.traffic_log import masked


@pytest.mark.parametrize(
    ("protocol", "frame", "shown"),
    [
        (
            "house",
            '{"type": "join", "token": "secret", "seat": 1}',
            '{"type": "join", "token": "…", "seat": 1}',
        ),
        ("house", '{"token":"a\\"b","name":"token"}', '{"token":"…","name":"token"}'),
        ("house", '{"token": "cut off', '{"token": "…'),
        ("house", '{"type": "say", "text": "hello"}', '{"type": "say", "text": "hello"}'),
        ("hearts", '{"data":{"playerName":"a","token" : "x"}}', '{"data":{"playerName":"a","token" : "…"}}'),
        ("tarock", '{"command":"user.login","password":"x y"}', '{"command":"user.login","password":"…"}'),
        ("taroky", '{"token":7}', '{"token":7}'),
        ("coinche", "NAME anna secret words", "NAME anna …"),
        ("coinche", " name anna\tsecret", " name anna\t…"),
        ("coinche", "NAME anna", "NAME anna"),
        ("coinche", "MSG name anna secret", "MSG name anna secret"),
        ("coinche", "108 1 t1 abc :You are at seat 1.", "108 1 t1 … :You are at seat 1."),
        ("coinche", "108 1 t1 - :You are at seat 1.", "108 1 t1 - :You are at seat 1."),
        ("sagrada", "token\tsecret", "token\t…"),
        ("sagrada", "token secret words", "token …"),
        ("sagrada", "login\tanna\tk3J9xQ0aLm27TzPw5cVd", "login\tanna\t…"),
        ("sagrada", "login anna k3J9xQ0aLm27TzPw5cVd", "login anna …"),
        ("sagrada", "login\tanna\ttoken", "login\tanna\ttoken"),
        ("sagrada", "login\tanna", "login\tanna"),
        ("sagrada", "tokens\tanna\t2", "tokens\tanna\t2"),
    ],
)
def test_only_secrets_are_masked(protocol: str, frame: str, shown: str) -> None:
    assert masked(protocol, frame) == shown
