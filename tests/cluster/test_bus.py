"""The bus in memory, in virtual time."""

from __future__ import annotations

import asyncio
from random import Random

from croupier.cluster.bus import Network
from croupier.cluster.messages import EVERYONE
from croupier.testing import clock


def _network() -> Network:
    loop = asyncio.get_running_loop()
    network = Network(loop.call_later, Random(1))
    network.now = loop.time
    return network


def test_messages_to_one_node_arrive_in_order_whatever_their_delay() -> None:
    async def play() -> list[bytes]:
        network = _network()
        network.delay = (0.0, 1.0)
        heard: list[bytes] = []
        one, two = network.bus(1), network.bus(2)
        two.received = heard.append
        for number in range(20):
            one.publish(2, b"%d" % number)
        await asyncio.sleep(2.0)
        return heard

    assert clock.run(play()) == [b"%d" % number for number in range(20)]


def test_a_message_to_all_reaches_the_others() -> None:
    async def play() -> list[int]:
        network = _network()
        heard: list[int] = []
        for node in (1, 2, 3):
            network.bus(node).received = lambda data, node=node: heard.append(node)  # type: ignore[misc]
        network.send(1, EVERYONE, b"news")
        await asyncio.sleep(1.0)
        return heard

    assert clock.run(play()) == [2, 3]


def test_a_network_can_cut_lose_and_double() -> None:
    async def play() -> list[bytes]:
        network = _network()
        heard: list[bytes] = []
        one, two = network.bus(1), network.bus(2)
        two.received = heard.append
        network.cut.add(2)
        assert not two.connected
        one.publish(2, b"cut")
        network.cut.clear()
        network.loss = 1.0
        one.publish(2, b"lost")
        network.loss, network.doubling = 0.0, 1.0
        one.publish(2, b"twice")
        await asyncio.sleep(1.0)
        await two.close()
        one.publish(2, b"too late")
        await asyncio.sleep(1.0)
        return heard

    assert clock.run(play()) == [b"twice", b"twice"]
