"""Finds the process at the other end of a TCP connection on this machine (Linux only)."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

NETLINK_SOCK_DIAG: Final = 4
SOCK_DIAG_BY_FAMILY: Final = 20
NLM_F_REQUEST: Final = 1
HEADER: Final = struct.Struct("=IHHII")
"""Length, type, flags, number and process of a netlink message."""
REQUEST: Final = struct.Struct("=BBBBI")
"""Family, protocol, extensions, padding, states; an `ID` follows."""
ID: Final = struct.Struct("!HH16s16s12s")
"""Ports and addresses of a socket, its own end first, then its interface and cookie."""
INODE: Final = struct.Struct("=4x48x4x4x4x4xI")
"""Where the answer has the inode."""
ANY_COOKIE: Final = b"\0\0\0\0" + b"\xff" * 8


def inode(connection: socket.socket) -> int:
    """Return the inode of the socket at the other end of *connection*; 0 if that is not on this machine."""
    if sys.platform != "linux":
        return 0
    try:
        ends = [end[:2] for end in (connection.getpeername(), connection.getsockname())]
        addresses = [socket.inet_pton(connection.family, host).ljust(16, b"\0") for host, _ in ends]
        wanted = REQUEST.pack(connection.family, socket.IPPROTO_TCP, 0, 0, 0xFFFFFFFF)
        wanted += ID.pack(*(port for _, port in ends), *addresses, ANY_COOKIE)
        head = HEADER.pack(HEADER.size + len(wanted), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, 0, 0)
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_SOCK_DIAG) as kernel:
            kernel.send(head + wanted)
            answer = kernel.recv(1 << 12)
    except OSError:  # the connection has ended, or this system does not report it
        return 0
    if HEADER.unpack_from(answer)[1] != SOCK_DIAG_BY_FAMILY:
        return 0
    return int(INODE.unpack_from(answer, HEADER.size)[0])


def holds(pids: Iterable[int], wanted: int) -> bool:
    """Return True if one of the processes has the socket with this inode open."""
    link = Path(f"socket:[{wanted}]")
    for pid in pids:
        try:
            files = sorted(Path(f"/proc/{pid}/fd").iterdir(), key=lambda file: int(file.name), reverse=True)
        except OSError:
            continue  # it has just ended, or its files cannot be read
        for file in files:  # the newest first: it is probably the one
            try:
                if file.readlink() == link:
                    return True
            except OSError:
                continue  # just closed
    return False


@cache
def tells() -> bool:
    """Return True if this system reports which process has a connection."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()),
        server.accept()[0] as accepted,
    ):
        found = inode(accepted)
        return found > 0 and holds([os.getpid()], found)
