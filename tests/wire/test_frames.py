from __future__ import annotations

import json
from collections.abc import Callable
from math import inf
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.wire.frames import (
    LIMIT,
    read_any_object,
    read_object,
    whole,
    whole_or_digits,
    words,
    write,
)

Reader: TypeAlias = Callable[[str], dict[str, object] | None]


@pytest.mark.parametrize(
    "data",
    [
        "", "x", "{", "[]", "7", "null", '"{}"', "{}x", "\ufeff{}", '{"a": NaN}', "{'a': 1}",
        b"\xff", b'{"a": "\xed\xa0\x80"}', "\ud800", '{"a": -Infinity}', "[" * 16000, '{"a":' * 3000,
        '{"a": "\x01"}', b"{\x00}\x00", '{"a": 1e999, "b": NaN}', '{"a": 1e999, "b": ' + "[" * 16000,
        "[1e999]",
    ],
    ids=repr,
)  # fmt: skip
def test_input_that_is_not_an_object_is_read_as_none(data: str | bytes) -> None:
    assert read_object(data) is None
    assert read_any_object(data) is None


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("{}", {}),
        (b' {"a": "\xc3\xa4"} ', {"a": "ä"}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('{"a": ' + "1" * 400 + "}", {"a": int("1" * 400)}),
        ('{"a": "\\ud83c\\udca1"}', {"a": "🂡"}),
    ],
)
def test_an_object_is_read_from_text_or_bytes(data: str | bytes, found: object) -> None:
    assert read_object(data) == found
    assert read_any_object(data) == found


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ('{"a": 1e999, "b": 7}', {"a": inf, "b": 7}),
        (b' {"a": -1E+400, "b": "\xc3\xa4"} ', {"a": -inf, "b": "ä"}),
        ('{"a": "\\udc00", "b": 1.5}', {"a": "\udc00", "b": 1.5}),
        ('{"\\ud800": {}}', {"\ud800": {}}),
        ('{"a": ' + "1" * 5000 + ', "a": "x"}', {"a": "x"}),
        ('{"a": [' + "1" * 5000 + ", -" + "9" * 5000 + "]}", {"a": [inf, -inf]}),
    ],
    ids=repr,
)
def test_json_that_cannot_be_written_back_is_read(data: str | bytes, found: object) -> None:
    assert read_object(data) is None
    assert read_any_object(data) == found


@pytest.mark.parametrize("read", [read_object, read_any_object])
def test_the_length_of_a_frame_is_limited(read: Reader) -> None:
    longest = '{"a": "' + "x" * (LIMIT - 9) + '"}'
    assert len(longest) == LIMIT
    assert read(longest) is not None
    assert read(longest + " ") is None


def test_the_limit_is_an_argument() -> None:
    assert read_object("{}", limit=1) is None


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_reading_never_raises(data: str | bytes) -> None:
    found = read_object(data)
    assert found is None or isinstance(found, dict)
    assert read_any_object(data) == found or found is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters() | st.just("\ud800"), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4))
def test_every_object_that_is_json_is_read(value: dict[str, object]) -> None:
    assert read_any_object(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, 0), (-3, -3), (True, None), (1.0, None), (None, None), ("7", 7), ("063", 63), ("000", 0),
        ("0" * 500 + "7", 7), ("-1", None), ("+1", None), (" 1", None), ("1_0", None), ("٣", None),
        ("²", None),
        ("", None), ("9" * 21, None), ([], None), ("1e1", None),
    ],
    ids=repr,
)  # fmt: skip
def test_numbers_and_digits(value: object, number: int | None) -> None:
    assert whole_or_digits(value) == number
    assert whole(value) == (None if isinstance(value, str) else number)


def test_words() -> None:
    assert words([]) == []
    assert words(["a", "b"]) == ["a", "b"]
    assert words(["a", 1]) is None
    assert words("ab") is None


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.booleans() | st.none()))
def test_written_objects_are_read_back(value: dict[str, object]) -> None:
    assert read_object(write(value), limit=1 << 30) == value
