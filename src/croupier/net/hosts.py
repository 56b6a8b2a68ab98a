"""The names under which a server may be addressed.

A page of another site can have its own name resolved to the address of this server (DNS rebinding), and is
then of the same origin for the browser. Its requests still carry that name in the header Host.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit


class Hosts:
    """Knows the names of a server; any IP address is accepted, because it cannot be rebound."""

    def __init__(self, listening: str, public: Iterable[str]) -> None:
        """*listening* is the address that the server listens on, *public* what the operator has named."""
        machine = socket.gethostname().partition(".")[0]
        names = ("localhost", socket.gethostname(), machine, f"{machine}.local", listening, *public)
        self._names = {_plain(name) for name in names}

    def knows(self, header: str) -> bool:
        """Return True if *header*, the header Host, has one of the names; the port does not matter."""
        try:
            name = _plain(urlsplit(f"//{header}").hostname or "")
        except ValueError:
            return False
        return name in self._names or name.endswith(".localhost") or _is_address(name)


def _plain(name: str) -> str:
    return name.lower().rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
