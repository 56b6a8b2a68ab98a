"""Splits a stream of bytes into lines, as sent by telnet, nc and programs."""

from __future__ import annotations

import re
from typing import Final

LF: Final = 10
CR: Final = 13
NUL: Final = 0
IAC: Final = 255
"""The escape byte of telnet; its commands are removed and not answered."""
_SE: Final = 240
"""The lowest code of telnet's commands."""
_SB: Final = 250
_WILL: Final = 251
_DONT: Final = 254
_SB_LIMIT: Final = 512
"""A subnegotiation without SE ends after this many bytes."""

# Ends of lines; several in a row only add empty lines, which are skipped.
_ENDS: Final = re.compile(rb"(?:\r[\n\0]|\n)+")
_BARE_ENDS: Final = re.compile(rb"(?:\r[\n\0]?|\n)+")


class Overlong:
    """Stands for a line that is longer than the limit; *far* means that it exceeds the second limit, too."""

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
    """Splits a stream of bytes into lines without their ends, and skips empty ones.

    A line ends with LF, CR LF or CR NUL; with *bare_cr* also with CR alone. With *telnet* the commands of
    that protocol are removed first.
    """

    def __init__(self, limit: int, far: int = 0, bare_cr: bool = False, telnet: bool = False) -> None:
        """A line of more than *limit* bytes, including its end, is replaced by Overlong; if it reaches *far*
        bytes without an end, a second Overlong follows (0: no second limit)."""
        self._limit = limit
        self._far = far
        self._bare_cr = bare_cr
        self._escapes = _Escapes() if telnet else None
        self._line = bytearray()
        self._length = 0
        """The length of the current line, including discarded bytes."""
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
        """Return *data* with a CR kept from the previous call, and without a CR at its end, which is kept."""
        after_cr, self._after_cr = self._after_cr, data[-1] == CR
        if self._bare_cr:  # the CR has already ended its line
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
        """End the current line, whose end has *size* bytes."""
        if 0 < self._length < self._limit:
            fits = self._length + size <= self._limit
            lines.append(bytes(self._line) if fits else Overlong(False))
        self._line.clear()
        self._length = 0


class _Escapes:
    """Removes telnet commands: two or three bytes, or everything between SB and SE."""

    def __init__(self) -> None:
        self._state = 0  # text, after IAC, after WILL … DONT, inside SB, after IAC inside SB
        self._inside = 0
        """The number of bytes since SB."""

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
                    if byte == IAC or byte < _SE:  # IAC IAC is the byte 255; codes below SE are not commands
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
