"""Section 8 of the spec, frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.core.options import Value
from croupier.games.hearts import GAME
from croupier.games.hearts.vocabulary import CODES
from croupier.games.hearts.wire import HeartsConversation, HeartsWatch
from croupier.table.setup import setup_of
from croupier.testing import transcripts
from croupier.testing.house import Client, VirtualTable
from croupier.wire.table_spec import TableSpec

TRANSCRIPTS = Path(__file__).parent / "transcripts"
OWNER_ONLY = {"cards", "pickedCards", "receivedCards", "candidateCards"}

# What each position was dealt, from the initialCards of the transcript's last frame.
DEALT = [
    "AH 9H 8H 4H 3H KC 9C 7C 6C JD TD 9D 7D",
    "AS JS 8S JH 7H 5H 2H QC 2C QD 5D 4D 3D",
    "QS 9S 6S 5S 4S 3S KH JC TC 4C 3C KD 8D",
    "KS TS 7S 2S QH TH 6H AC 8C 5C AD 6D 2D",
]


class HeartsStage:
    """Four programs at one table, without pauses except before the next deal."""

    def __init__(self, profile: str) -> None:
        pauses: dict[str, Value] = {"command_interval": 0, "round_interval": 0, "wire_profile": profile}
        setup = setup_of("default", GAME, TableSpec(["open"] * 4, table_options=pauses, seed="1"))
        self.wired = VirtualTable(setup, [[CODES[card] for card in " ".join(DEALT).split()]])

    def connect(self, name: str) -> Client:
        return self.wired.connect(HeartsWatch if name == "watcher" else HeartsConversation)

    def advance(self, seconds: float) -> None:
        self.wired.advance(seconds)

    def closed_with(self, party: transcripts.Party) -> int | None:
        assert isinstance(party, Client)
        return party.disconnected.code if party.disconnected else None


def in_doc(frame: str) -> str:
    """Return *frame* as profile doc has it: nothing about cards that have not been played."""
    message = msgspec.json.decode(frame)
    data = message["data"]
    for player in [*data.get("players", []), data.get("self", {})]:
        if player.get("roundCard") == "":
            del player["roundCard"], player["serverRandom"]
    return msgspec.json.encode(message).decode()


@pytest.mark.parametrize(("profile", "adapt"), [("compat", str), ("doc", in_doc)])
def test_one_deal_as_ann_saw_it(profile: str, adapt: Callable[[str], str]) -> None:
    stage = HeartsStage(profile)
    watcher = stage.connect("watcher")
    parties = transcripts.play(transcripts.read(TRANSCRIPTS / "deal.txt"), stage, adapt)
    # A player who joined later saw fewer new_peer frames, and only ann was asked about AH.
    assert {name: len(party.frames) for name, party in parties.items()} == {
        "ann": 103,
        "bob": 101,
        "cyd": 100,
        "dan": 99,
    }
    for name, party in [*parties.items(), ("watcher", watcher)]:
        for frame in party.frames:
            assert_private(name, msgspec.json.decode(frame))


def assert_private(receiver: str, frame: dict[str, Any]) -> None:
    """Check that no player sees a private key of another player before the deal has ended (3.3)."""
    if frame["eventName"] == "deal_end":
        return
    for player in frame["data"].get("players", []):
        if player["playerName"] != receiver:
            assert not OWNER_ONLY & set(player), frame["eventName"]
    assert "self" not in frame["data"] or frame["data"]["self"]["playerName"] == receiver
