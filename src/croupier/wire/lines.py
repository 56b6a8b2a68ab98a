"""Lines out of bytes, however the bytes are cut: what telnet, nc and programs send."""

from __future__ import annotations

import re
from typing import Final

LF: Final = 10
CR: Final = 13
NUL: Final = 0
IAC: Final = 255
"""Telnet's escape; what belongs to it is removed and never answered."""
_SE: Final = 240
"""The lowest of telnet's commands."""
_SB: Final = 250
_WILL: Final = 251
_DONT: Final = 254
_SB_LIMIT: Final = 512
"""What has not come to its SE after so many bytes is no negotiation."""

# Lines end here; the ends that follow at once end nothing but empty lines.
_ENDS: Final = re.compile(rb"(?:\r[\n\0]|\n)+")
_BARE_ENDS: Final = re.compile(rb"(?:\r[\n\0]?|\n)+")


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
    """Cuts a stream of bytes into lines without their ends, and leaves out empty ones.

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
        self._length = 0
        """How long the line has been so far, also while it is being thrown away."""
        self._after_cr = False

    def feed(self, data: bytes) -> list[bytes | Overlong]:
        """Return the lines that *data* completes."""
        if self._escapes is not None:
            data = self._escapes.strip(data)
        lines: list[bytes | Overlong] = []
        if not data:
            return lines
        data = self._join_cr(data)
        begin = 0
        for ends in (_BARE_ENDS if self._bare_cr else _ENDS).finditer(data):
            self._add(data[begin : ends.start()], lines)
            self._end(2 if ends[0][0] == CR and not self._bare_cr else 1, lines)
            begin = ends.end()
        self._add(data[begin:], lines)
        return lines

    def _join_cr(self, data: bytes) -> bytes:
        """Return *data* after the CR that came before it, and without the one whose sequel is yet to come."""
        after_cr, self._after_cr = self._after_cr, data[-1] == CR
        if self._bare_cr:  # that one has ended its line already
            return data[1:] if after_cr and data[0] in (LF, NUL) else data
        if after_cr:
            data = b"\r" + data
        return data[:-1] if self._after_cr else data

    def _add(self, piece: bytes, lines: list[bytes | Overlong]) -> None:
        before, self._length = self._length, self._length + len(piece)
        if self._length < self._limit:
            self._line += piece
        elif before < self._limit:
            self._line.clear()
            lines.append(Overlong(False))
        if before < self._far <= self._length:
            lines.append(Overlong(True))

    def _end(self, size: int, lines: list[bytes | Overlong]) -> None:
        """A line ends, with so many bytes."""
        if 0 < self._length < self._limit:
            fits = self._length + size <= self._limit
            lines.append(bytes(self._line) if fits else Overlong(False))
        self._line.clear()
        self._length = 0


class _Escapes:
    """Telnet's negotiations: two or three bytes, or everything between SB and SE."""

    def __init__(self) -> None:
        self._state = 0  # text, after IAC, after WILL … DONT, inside SB, after IAC inside SB
        self._inside = 0
        """How many bytes since SB."""

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
                    self._inside = 0
                elif _WILL <= byte <= _DONT:
                    self._state = 2
                else:
                    self._state = 0
                    if byte == IAC or byte < _SE:  # twice: the byte itself; else it was no escape
                        text.append(byte)
            elif self._state == 2:
                self._state = 0
            else:
                self._inside += 1
                if self._inside > _SB_LIMIT or (self._state == 4 and byte == _SE):
                    self._state = 0
                else:
                    self._state = 4 if self._state == 3 and byte == IAC else 3
        return bytes(text)
