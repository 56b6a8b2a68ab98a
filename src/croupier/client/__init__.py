"""A client of the house protocol, for programs that play any game on a server.

    async with connect("http://127.0.0.1:8080", table, name="ann") as seat:
        async for message in seat:
            match message:
                case Ask():
                    await seat.act(random.choice(message.legal))
                case Event(kind="match_ended"):
                    break

`croupier.client.sync` is the same for scripts without asyncio. See docs/client.md.
"""

from croupier.client.errors import ClientError, Refusal, SeatLost, TooLate, Unreachable
from croupier.client.seat import Message, Reconnecting, Seat, connect
from croupier.client.server import Review, Server, open_table
from croupier.wire.house_messages import Ask, Closed, Commit, Event, Notice, Reveal, Said, Table, Turn, View

__all__ = [
    "Ask",
    "ClientError",
    "Closed",
    "Commit",
    "Event",
    "Message",
    "Notice",
    "Reconnecting",
    "Refusal",
    "Reveal",
    "Review",
    "Said",
    "Seat",
    "SeatLost",
    "Server",
    "Table",
    "TooLate",
    "Turn",
    "Unreachable",
    "View",
    "connect",
    "open_table",
]
