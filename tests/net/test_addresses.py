"""The address of a client: of the peer, or as a trusted proxy reports it."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from croupier.http import TRUSTED_PROXIES, TrustedProxies, address_of, counted_as


def address(remote: str, told: str, trusted: str = "") -> str:
    app = web.Application()
    app[TRUSTED_PROXIES] = TrustedProxies([ip_network(one) for one in trusted.split()])
    headers = {"X-Forwarded-For": told} if told else {}
    return address_of(make_mocked_request("GET", "/", headers, app=app).clone(remote=remote))


def test_the_header_is_ignored_unless_the_peer_is_a_trusted_proxy() -> None:
    assert address("127.0.0.1", "192.0.2.1") == "127.0.0.1"
    assert address("198.51.100.7", "192.0.2.1", "127.0.0.1") == "198.51.100.7"
    assert address("127.0.0.1", "192.0.2.1", "127.0.0.1") == "192.0.2.1"


def test_entries_before_that_of_the_last_trusted_proxy_may_be_forged() -> None:
    told = "forged, 192.0.2.1, 10.1.2.3"
    assert address("127.0.0.1", told, "127.0.0.1") == "10.1.2.3"
    assert address("127.0.0.1", told, "127.0.0.1 10.0.0.0/8") == "192.0.2.1"


def test_a_trusted_proxy_that_tells_nothing_is_the_client_itself() -> None:
    assert address("127.0.0.1", "", "127.0.0.1") == "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::1", "::1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("not an address", "not an address"),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(address: str, counted: str) -> None:
    assert counted_as(address) == counted
