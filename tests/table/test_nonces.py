"""Players add randomness to the next deal, after the server has committed to its own."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.core.chance import Stream, commitment, joint_seed
from croupier.core.record import Finding, verify
from croupier.games.hearts import GAME
from croupier.table import journal
from croupier.table.setup import setup_of
from croupier.testing.house import Client, VirtualTable
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec

Frame = dict[str, Any]
QUICK = {"command_interval": 0, "round_interval": 0, "deal_interval": 0, "game_interval": 0}
ALONE = ("open", "bot dummy", "bot dummy", "bot dummy")


def table(*seats: str, **how: Any) -> VirtualTable:
    options = GAME.table_options.read(QUICK)
    spec = TableSpec(seats, {"deals": 2, "match_games": 1}, options, **how)
    return VirtualTable(setup_of("t1", GAME, spec))


def connect(wired: VirtualTable) -> tuple[Client, Any]:
    """Return a new connection, and the commitment of the next deal that it was told, if any."""
    client = wired.connect(HouseConversation)
    first = client.read()[0]
    assert first["type"] == "table"
    return client, first["next_deal"]


def ask(client: Client, **message: object) -> Frame:
    """Send a request; return its answer."""
    client.read()
    client.send({"id": 1, **message})
    return next(frame for frame in client.read() if frame.get("id") == 1 and frame["type"] != "table")


def commits(client: Client) -> list[Frame]:
    frames: list[Frame] = [msgspec.json.decode(frame) for frame in client.frames]
    return [frame for frame in frames if frame["type"] == "commit"]


def committed(wired: VirtualTable) -> list[journal.Committed]:
    return [entry for entry in wired.journal if isinstance(entry, journal.Committed)]


def finish(wired: VirtualTable) -> list[Finding]:
    """Play the match to its end with late answers, and verify its record."""
    wired.advance(5000)
    begun = next(at for at, entry in enumerate(wired.journal) if isinstance(entry, journal.Began))
    written = journal.record_of(GAME, wired.table.rules_options, None, wired.journal[begun:])
    return verify(written, GAME)


def test_a_player_adds_to_the_first_deal_by_joining_and_to_the_next_during_it() -> None:
    wired = table(*ALONE)
    client, digest = connect(wired)
    joined = ask(client, type="join", name="ann", nonce="mine", digest=digest)
    assert joined["type"] == "joined"
    [told] = commits(client)
    assert (told["digest"], told["nonces"]) == (digest, ["mine", "", "", ""])
    [entry] = committed(wired)
    assert (entry.nonces, commitment(bytes.fromhex(entry.seed))) == (["mine", "", "", ""], digest)
    drew = next(entry for entry in wired.journal if isinstance(entry, journal.Drew))
    draw = GAME.new(wired.table.rules_options, 4).awaiting()
    assert draw is not None
    joint = Stream(joint_seed(bytes.fromhex(entry.seed), entry.nonces)).draw(draw)
    assert drew.items == [GAME.draw_name(item) for item in joint]
    assert drew.items != [GAME.draw_name(item) for item in Stream(bytes.fromhex(entry.seed)).draw(draw)]
    assert ask(client, type="nonce", nonce="more", digest=told["next"])["type"] == "accepted"
    assert [finding.kind for finding in finish(wired)] == ["proved", "proved"]
    assert committed(wired)[1].nonces == ["more", "", "", ""]


def test_the_published_commitment_is_kept_if_nobody_adds_anything() -> None:
    wired = table(*ALONE)
    client, digest = connect(wired)
    ask(client, type="join", name="ann")
    [told] = commits(client)
    assert (told["digest"], "nonces" in told) == (digest, False)
    [entry] = committed(wired)
    assert "nonces" not in journal.encode(entry), "as earlier versions wrote it"
    findings = finish(wired)
    assert [finding.words for finding in findings] == ["the seed matches the commitment and gives 1 draw"] * 2
    assert commits(client)[1]["digest"] == told["next"]


def test_what_cannot_be_added_is_refused() -> None:
    wired = table("open", "open", "bot dummy", "bot dummy")
    watcher, digest = connect(wired)
    ann, _ = connect(wired)
    nonce = {"type": "nonce", "nonce": "mine", "digest": digest}
    assert ask(watcher, **nonce)["key"] == "not_joined"
    assert ask(ann, type="join", name="ann", nonce="late", digest="0" * 64)["type"] == "joined", "ignored"
    for wrong in ("", "a b", "a" * 65, "é", 7, None):
        assert ask(ann, **{**nonce, "nonce": wrong})["key"] == "bad_message"
    assert ask(ann, **{**nonce, "digest": "0" * 64})["key"] == "stale"
    assert ask(ann, **nonce)["type"] == "accepted"
    assert ask(ann, **nonce)["type"] == "accepted", "the same again changes nothing"
    assert ask(ann, **{**nonce, "nonce": "another"})["key"] == "already_added"
    assert len([entry for entry in wired.journal if isinstance(entry, journal.Contributed)]) == 1


def test_a_seat_that_becomes_free_takes_its_nonce_with_it() -> None:
    wired = table("open", "open", "bot dummy", "bot dummy")
    ann, digest = connect(wired)
    ask(ann, type="join", name="ann", nonce="mine", digest=digest)
    ask(ann, type="leave")
    bob, _ = connect(wired)
    ask(bob, type="join", name="bob", seat=0)
    assert ask(bob, type="nonce", nonce="bobs", digest=digest)["type"] == "accepted"
    cyd, _ = connect(wired)
    ask(cyd, type="join", name="cyd", nonce="cyds", digest=digest)
    assert committed(wired)[0].nonces == ["bobs", "cyds", "", ""]


def test_nonces_survive_a_restart_together_with_the_commitment() -> None:
    wired = table("open", "open", "bot dummy", "bot dummy", auto_cycle=True)
    ann, digest = connect(wired)
    ask(ann, type="join", name="ann", token="t", nonce="mine", digest=digest)
    wired.restart()
    assert wired.table.next_deal == digest
    back, again = connect(wired)
    assert again == digest
    ask(back, type="join", name="ann", token="t", nonce="mine", digest=digest)
    bob, _ = connect(wired)
    ask(bob, type="join", name="bob", token="u")
    [told] = commits(bob)
    assert (told["digest"], told["nonces"]) == (digest, ["mine", "", "", ""])
    ask(bob, type="nonce", nonce="bobs", digest=told["next"])
    wired.restart()
    assert wired.table.next_deal == told["next"]
    assert wired.table.committed is not None
    assert wired.table.committed.nonces == ("mine", "", "", "")
    assert [finding.kind for finding in finish(wired)] == ["proved", "proved"]
    assert committed(wired)[1].nonces == ["", "bobs", "", ""]


def test_nothing_can_be_added_to_given_cards() -> None:
    wired = table(*ALONE, seed="7")
    client, digest = connect(wired)
    assert digest is None
    ask(client, type="join", name="ann", nonce="mine", digest="0" * 64)
    assert ask(client, type="nonce", nonce="mine", digest="0" * 64)["key"] == "stale"
    assert commits(client)[0] == {"type": "commit", "deal": 1, "digest": commits(client)[0]["digest"]}
