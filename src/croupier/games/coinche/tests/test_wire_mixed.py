"""A table at which a telnet client, a person in a browser, a program and a bot play together."""

from __future__ import annotations

from croupier.games.coinche.tests.clients import act, codes, fields, house, named
from croupier.testing.house import Client
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec


def answer(client: Client) -> bool:
    """Let a client of the house protocol answer if it is asked; return True if it was asked."""
    asks = [frame for frame in client.read() if frame["type"] == "ask"]
    if not asks:
        return False
    legal = asks[-1]["legal"]
    bids = [word for word in legal if word.startswith("CONTRACT 80")]
    word = bids[0] if bids else legal[0]
    client.send({"type": "act", "turn": asks[-1]["turn"], "actions": [word]})
    return True


def test_four_kinds_of_players_play_a_game_through() -> None:
    place = house()
    opened = place.open(TableSpec(("open", "person", "open", "bot heuristic"), {"target": 500}))
    telnet = named(place, "anna")
    page = place.visit(opened.id, HouseConversation)
    page.send({"type": "join", "name": "Béatrice", "token": "secret", "person": True})
    program = place.visit(opened.id, HouseConversation)
    program.send({"type": "join", "name": "prog", "token": "other"})
    assert [(p.name, p.kind) for p in opened.places] == [
        ("anna", "open"),
        ("Béatrice", "person"),
        ("prog", "open"),
        ("Pavel Lipa", "bot"),
    ]
    page.send({"type": "say", "text": "bonne chance"})
    assert "106 2 Beatrice2 :bonne chance" in telnet.frames
    assert telnet.frames[0].startswith("100")
    told = [fields(line) for line in telnet.frames]
    assert told[2:7] == [
        "108 1 t1 -",
        "101 4 bot4",
        "101 1 anna",
        "104 2 4",
        "101 2 Beatrice2",
    ]
    assert "300 g1 500 1=anna 2=Beatrice2 3=prog 4=bot4" in told
    telnet.send("MSG merci")
    assert any(frame.get("text") == "merci" for frame in page.read())
    page.drop()  # and reconnects at once with its token
    page = place.visit(opened.id, HouseConversation)
    page.send({"type": "join", "name": "Béatrice", "token": "secret", "person": True})
    assert [fields(line) for line in telnet.frames[-3:] if line.startswith("10")] == [
        "106 1 anna",
        "102 2 Beatrice2 lost",
        "105 2 Beatrice2",
    ]
    for _ in range(2000):
        if opened.phase != "playing":
            break
        assert act([telnet]) or answer(page) or answer(program), telnet.frames[-3:]
    lines = [line for line in telnet.frames if line[0] == "3"]
    deals = codes(lines).count(340)
    assert deals >= 1
    assert codes(lines).count(331) == 32 * deals
    assert codes(lines).count(330) == 32 * deals  # the bot's and the others' turns are told too
    assert codes(lines)[-1] == 350
    ended = [frame for frame in page.read() if frame.get("event", {}).get("kind") == "match_ended"]
    winner, *totals = fields(lines[-1]).split()[1:]
    assert ended[0]["event"]["winner"] == winner
    assert [str(total) for total in ended[0]["event"]["totals"]] == totals
