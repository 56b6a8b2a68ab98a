"""Lines out of bytes, however the bytes are cut: what telnet, nc and programs send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

LF: Final = 10
CR: Final = 13
NUL: Final = 0
IAC: Final = 255
"""Telnet's escape; what belongs to it is removed and never answered."""
_SB: Final = 250
_SE: Final = 240
_WILL: Final = 251
_DONT: Final = 254


class Overlong:
    """In place of a line that passed its limit; *far* when even patience has an end."""

    __slots__ = ("far",)

    def __init__(self, far: bool) -> None:
        self.far = far

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Overlong) and other.far == self.far

    def __hash__(self) -> int:
        return hash(self.far)

    def __repr__(self) -> str:
        return f"Overlong(far={self.far})"


class LineReader:
    """Cuts a stream of bytes into lines without their ends.

    LF and CR LF end a line, and so does CR NUL; with *bare_cr* a CR alone does too. With *telnet* the
    escapes of that protocol are taken out first.
    """

    def __init__(self, limit: int, far: int = 0, bare_cr: bool = False, telnet: bool = False) -> None:
        """A line of more than *limit* bytes, its end included, is Overlong; one of *far* without an end,
        if that is given, is Overlong again, and once only."""
        self._limit = limit
        self._far = far
        self._bare_cr = bare_cr
        self._escapes = _Escapes() if telnet else None
        self._line = bytearray()
        self._after_cr = False
        self._skipped = 0
        """How long a line that is being thrown away has been so far; 0 when none is."""

    def feed(self, data: bytes) -> Iterator[bytes | Overlong]:
        """Return the lines that *data* completes."""
        if self._escapes is not None:
            data = self._escapes.strip(data)
        for byte in data:
            yield from self._take(byte)

    def _take(self, byte: int) -> Iterator[bytes | Overlong]:
        if self._after_cr:
            self._after_cr = False
            if byte in (LF, NUL):
                if not self._bare_cr:
                    yield from self._end(2)
                return  # with bare_cr the line has ended already
            if not self._bare_cr:
                yield from self._add(CR)
        if byte == CR:
            self._after_cr = True
            if self._bare_cr:
                yield from self._end(1)
        elif byte == LF:
            yield from self._end(1)
        else:
            yield from self._add(byte)

    def _add(self, byte: int) -> Iterator[bytes | Overlong]:
        if self._skipped:
            self._skipped += 1
            if self._skipped == self._far:
                yield Overlong(True)
            return
        self._line.append(byte)
        if len(self._line) >= self._limit:
            self._skipped = len(self._line)
            self._line.clear()
            yield Overlong(False)

    def _end(self, length: int) -> Iterator[bytes | Overlong]:
        """A line ends, with so many bytes."""
        if self._skipped:
            self._skipped = 0
            return
        line = bytes(self._line)
        self._line.clear()
        yield line if len(line) + length <= self._limit else Overlong(False)


class _Escapes:
    """Telnet's negotiations: two or three bytes, or everything between SB and SE."""

    def __init__(self) -> None:
        self._state = 0  # text, after IAC, after WILL … DONT, inside SB, after IAC inside SB

    def strip(self, data: bytes) -> bytes:
        if self._state == 0 and IAC not in data:
            return data
        text = bytearray()
        for byte in data:
            if self._state == 0:
                if byte == IAC:
                    self._state = 1
                else:
                    text.append(byte)
            elif self._state == 1:
                if byte == _SB:
                    self._state = 3
                elif _WILL <= byte <= _DONT:
                    self._state = 2
                else:
                    self._state = 0
                    if byte == IAC:  # twice: the byte itself
                        text.append(byte)
            elif self._state == 2:
                self._state = 0
            elif self._state == 3:
                if byte == IAC:
                    self._state = 4
            else:
                self._state = 0 if byte == _SE else 3
        return bytes(text)
