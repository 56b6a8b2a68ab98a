"""Observations and action masks as numpy arrays, unpacked from the words that a `Writer` holds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from croupier.core.contract import State, View
from croupier.core.layout import WORD, Layout, Writer
from croupier.core.options import BadOptions
from croupier.envs.native import look

Array: TypeAlias = NDArray[Any]
"""``float32`` or ``uint8``, as the caller of an environment chose."""
Encode: TypeAlias = Callable[[View, Writer], None]
DTYPES: Final = ("float32", "uint8")
TOP: Final = 255
"""The highest number of a ``uint8`` observation."""


class Bits:
    """The zeros and ones of the rows of *out*."""

    def __init__(self, out: Writer, bits: int) -> None:
        self.bits = bits
        # A vec is a buffer, which numpy's type stubs do not declare; it is read again for each array.
        words = np.frombuffer(out.words, np.int64)  # type: ignore[call-overload]
        octets = words.view(np.uint8).reshape(-1, out.width, 8)
        self._octets = octets[:, :, : WORD // 8] if sys.byteorder == "little" else octets[:, :, :0:-1]

    def array(self) -> NDArray[np.uint8]:
        """Return a new array of zeros and ones, a row for each row of the writer."""
        packed = self._octets.reshape(len(self._octets), -1)
        return np.unpackbits(packed, axis=1, count=self.bits, bitorder="little")


class Observations:
    """Rows of observations: written by a game, read as an array.

    As ``uint8``, sets are zeros and ones, and numbers are scaled from the bounds of their field to 0 to 255.
    """

    def __init__(self, layout: Layout, encode: Encode, rows: int, dtype: str) -> None:
        if dtype not in DTYPES:
            raise BadOptions(f"dtype={dtype!r}: expected one of {', '.join(DTYPES)}")
        self.layout = layout
        self.encode = encode
        self.rows = rows
        self.dtype = np.dtype(dtype)
        self.out = layout.writer(rows)
        self._bits = Bits(self.out, layout.bits)
        self._numbers = np.frombuffer(self.out.numbers, np.float64).reshape(rows, -1)  # type: ignore[call-overload]
        self._low, self._high = np.array(list(self.out.low)), np.array(list(self.out.high))

    def space(self) -> spaces.Box:
        """Return the space of one observation."""
        bits = self.layout.bits
        if self.dtype == np.uint8:
            most = np.concatenate([np.ones(bits), np.full(len(self._high), TOP)]).astype(np.uint8)
            return spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
        low = np.concatenate([np.zeros(bits), self._low]).astype(np.float32)
        high = np.concatenate([np.ones(bits), self._high]).astype(np.float32)
        return spaces.Box(low, high, dtype=np.float32)

    def array(self) -> Array:
        """Return all rows as a new array."""
        bits = self.layout.bits
        found: Array = np.empty((self.rows, self.layout.size), self.dtype)
        found[:, :bits] = self._bits.array()
        if self.dtype == np.uint8:
            found[:, bits:] = np.rint((self._numbers - self._low) * (TOP / (self._high - self._low)))
        else:
            found[:, bits:] = self._numbers
        return found

    def of_view(self, view: View) -> Array:
        """Return the observation that *view* gives its seat; needs a single row."""
        self.out.begin(0)
        self.encode(view, self.out)
        self.out.end()
        found: Array = self.array()[0]
        return found

    def of_state(self, state: State, seat: int) -> Array:
        """Return the observation of *seat*; needs a single row."""
        look(state, seat, self.out, 0, self.encode)
        found: Array = self.array()[0]
        return found


class Masks:
    """Rows of legal actions: written by a game, read as an array."""

    def __init__(self, actions: int, reserved: frozenset[int], rows: int) -> None:
        self.reserved = sorted(reserved)
        self.out = Writer(actions, rows, [], [])
        self._bits = Bits(self.out, actions)

    def array(self) -> NDArray[np.uint8]:
        """Return all rows as a new array of zeros and ones."""
        found = self._bits.array()
        if self.reserved:
            found[:, self.reserved] = 0
        return found

    def of_state(self, state: State, seat: int) -> NDArray[np.int8]:
        """Return the mask of *seat*; needs a single row."""
        self.out.begin(0)
        state.write_legal(seat, self.out)
        self.out.end()
        found: NDArray[np.int8] = self.array()[0].view(np.int8)
        return found
