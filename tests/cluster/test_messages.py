from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cluster.messages import INPUT, BadBatch, Batch, Frame, read, write

KEY = b"key of the house"

FRAMES = st.lists(
    st.builds(
        Frame,
        st.integers(0, 255),
        st.integers(0, 2**64 - 1),
        st.integers(0, 2**32 - 1),
        st.binary(max_size=50),
    ),
    max_size=5,
)


@given(FRAMES)
def test_a_batch_is_read_as_it_was_written(frames: list[Frame]) -> None:
    batch = Batch(3, 4, frames)
    assert read(KEY, write(KEY, batch)) == batch


@given(st.binary(max_size=100))
def test_a_forged_message_is_refused(data: bytes) -> None:
    with pytest.raises(BadBatch, match="signature"):
        read(KEY, data)


def test_a_message_of_another_house_is_refused() -> None:
    with pytest.raises(BadBatch, match="signature"):
        read(KEY, write(b"another key", Batch(1, 2, [Frame(INPUT, 1, 0, b"play QS")])))


def test_another_format_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.cluster.messages.FORMAT", 2)
    data = write(KEY, Batch(7, 0, []))
    monkeypatch.undo()
    with pytest.raises(BadBatch, match="node 7 in format 2, expected 1"):
        read(KEY, data)
