"""Section D of the spec, played by the rules: every command, every list of legal actions, the result.

The wire's tests check the messages themselves; this test checks that views and events hold their contents.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from croupier.core.contract import IllegalAction, as_plain
from croupier.games.tarock.events import (
    Announced,
    AnnouncingEnded,
    AnnouncingStarted,
    BiddingEnded,
    BiddingStarted,
    CallingStarted,
    DealEnded,
    Dealt,
    ExchangeEnded,
    ExchangeStarted,
    KingCalled,
    Played,
    PlayStarted,
    Spoke,
)
from croupier.games.tarock.scoring import points
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.tests.positions import mask, told, transcript
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    ACTIONS,
    BONUSES,
    CONTRACT_NAMES,
    SUITS,
    WHOLE,
    names,
    of_mask,
    seat_or_none,
    shown,
)

LINES = (Path(__file__).parent / "transcripts" / "deal.txt").read_text().splitlines()

CODES = {
    "not_yours": "invalid_card",
    "must_follow": "invalid_card",
}
"""The protocol's codes for keys of the rules that differ."""


def actions(message: dict[str, Any]) -> list[str]:
    """Return the words for a command."""
    match message["command"]:
        case "game.tarock.bid":
            return [f"bid {message['contract']}"]
        case "game.tarock.callking":
            return [f"call {message['suit']}"]
        case "game.tarock.exchange":
            return [f"take {message['picked']}", *(f"discard {card}" for card in message["cards"])]
        case "game.tarock.announce":
            return [*(f"announce {bonus}" for bonus in message["bonuses"]), "done"]
        case "game.tarock.play":
            return [f"play {message['card']}"]
    raise AssertionError(message)


class Telling:
    """A match whose events are turned into messages, one dictionary for all and one for the next seat."""

    def __init__(self) -> None:
        self.state = transcript()
        self.views = {seat: TarockView(seat) for seat in range(4)}
        self.queues: dict[int, list[dict[str, Any]]] = {seat: [] for seat in range(4)}
        self.tell()

    def tell(self) -> None:
        for event in told(self.state):
            for seat, view in self.views.items():
                if event.heard_by(seat):
                    view.hear(event)
                    message = self.message(event, view)
                    if message:
                        self.queues[seat].append(message)

    def message(self, event: Any, view: TarockView) -> dict[str, Any]:
        """Return the contents of the wire's message of *event*, from it and the told view alone."""
        prompted = view.turn == view.seat
        match event:
            case Dealt():
                return {
                    "event": "deal",
                    "hand": shown(event.hand),
                    "id": event.seat,
                    "deal": view.deal,
                    "dealer": view.dealer,
                    "forehand": view.forehand(),
                    "totals": view.totals,
                    "radelci": view.radelci,
                }
            case BiddingStarted() | Spoke():
                if event.next < 0:
                    return {}
                contract = CONTRACT_NAMES[event.contract] if event.contract >= 0 else "pass"
                out = {
                    "event": "bid.next",
                    "player_id": event.seat,
                    "contract": contract,
                    "next_player": event.next,
                }
                if isinstance(event, BiddingStarted):
                    out["opening"] = True
                if prompted:
                    out["valid_bids"] = [CONTRACT_NAMES[contract] for contract in view.valid_bids()]
                    out["can_pass"] = view.can_pass()
                return out
            case BiddingEnded():
                contract = CONTRACT_NAMES[event.contract]
                return {"event": "bid.winner", "player_id": event.seat, "contract": contract}
            case CallingStarted():
                return {"event": "callking.start", "player_id": event.seat}
            case KingCalled():
                return {"event": "callking.finished", "player_id": event.seat, "suit": SUITS[event.suit]}
            case ExchangeStarted():
                talon = [names(cards) for cards in event.sets()]
                out = {
                    "event": "exchange.start",
                    "player_id": event.seat,
                    "talon": talon,
                    "count": event.many,
                }
                if prompted:
                    out["invalid_cards"] = names(view.invalid_cards())
                    out["invalid_by_set"] = [names(cards) for cards in view.invalid_by_set()]
                return out
            case ExchangeEnded():
                discarded = shown(event.tarocks)
                return {
                    "event": "exchange.finished",
                    "picked": event.picked,
                    "discarded": discarded,
                    "player_id": event.seat,
                }
            case AnnouncingStarted() | Announced():
                out = {
                    "event": "announce.next",
                    "player_id": event.seat if isinstance(event, Announced) else None,
                    "bonuses": of_mask(BONUSES, event.bonuses) if isinstance(event, Announced) else [],
                    "next_player": seat_or_none(event.next),
                }
                if prompted and event.next >= 0:
                    out["valid_bonuses"] = of_mask(BONUSES, view.valid_bonuses())
                return out
            case AnnouncingEnded():
                return {"event": "accounce.finished"}
            case PlayStarted() | Played():
                return self.play(event, view, prompted)
            case DealEnded():
                return self.score(event)
        return {}

    def play(self, event: PlayStarted | Played, view: TarockView, prompted: bool) -> dict[str, Any]:
        if isinstance(event, PlayStarted):
            out: dict[str, Any] = {"player_id": None, "card": None, "trick_finished": False}
            out["next_player"] = event.leader
        else:
            out = {"player_id": event.seat, "card": names([event.card])[0]}
            out["trick_finished"] = event.winner >= 0
            out["next_player"] = seat_or_none(event.next)
            if event.winner >= 0:
                out["winner"] = event.winner
        if prompted:
            out["valid_cards"] = names(view.valid_cards())
        return {"event": "play.next", **out}

    def score(self, event: DealEnded) -> dict[str, Any]:
        plain = as_plain(event.result.fact())
        own = event.result.points()
        del plain["doubled"]
        return {
            "event": "score",
            "deal": event.deal,
            **plain,
            "points": {"declarer": own[0], "opponents": own[1]},
            "radelc": event.result.doubled != 0,
            "totals": event.totals,
            "discards": names(event.discards),
            "talon_rest": names(event.rest),
        }


def test_the_deal_of_the_transcript() -> None:
    telling = Telling()
    messages = 0
    wanted: str | None = None
    for number, line in enumerate(LINES, 1):
        if line.startswith("#"):
            continue
        messages += 1
        who, text = line.split(" ", 1)
        message = json.loads(text)
        if who.endswith(">"):
            wanted = command(telling, int(who[0]), message)
            continue
        seats = [0, 1, 2, 3] if who == "*<" else [int(seat) for seat in who[:-1]]
        if "response" in message or "error" in message:
            assert message.get("error") == wanted, f"line {number}: {line}"
            continue
        message.pop("players", None)
        message["event"] = message["event"].removeprefix("game.tarock.")
        for seat in seats:
            assert telling.queues[seat].pop(0) == message, f"line {number}, seat {seat}"
    assert messages == 264
    assert telling.queues == {0: [], 1: [], 2: [], 3: []}


def command(telling: Telling, seat: int, message: dict[str, Any]) -> str | None:
    """Carry out *message* completely or not at all; return the code of its refusal."""
    trial = telling.state.clone()
    trial.events = []
    try:
        for words in actions(message):
            trial.apply(seat, ACTIONS.parse(words))
    except IllegalAction as error:
        return CODES.get(error.key, error.key)
    telling.state = trial
    telling.tell()
    return None


def played_out() -> TarockState:
    telling = Telling()
    for line in LINES:
        if not line.startswith("#") and line[1] == ">":
            command(telling, int(line[0]), json.loads(line.split(" ", 1)[1]))
    return telling.state


def test_the_result_of_the_transcript() -> None:
    state = played_out()
    result = state.results()[-1]
    assert result.scores() == [0, 80, 0, 80]
    assert result.points() == [55, 15]
    assert (result.declarer, result.partner, result.king, result.won) == (1, 3, 2, 1)
    # The check of the count at the end of section D.
    theirs = mask("S10 SJ D4 D3 D2 D1 DJ DN DQ DK T13 T17")
    ours = int(WHOLE) & ~theirs
    assert ours.bit_count() == 42
    assert points(theirs) == 15
    assert points(ours) == 55
    assert state.piles[1] | state.piles[3] | state.laid == ours


@pytest.mark.parametrize("seat", [0, 1, 2, 3, -2])
def test_the_view_at_the_end_of_the_transcript(seat: int) -> None:
    facts = played_out().view(seat).facts()
    assert facts["partner"] == 3
    assert facts["discards"] == ["HQ", "CJ"]
    assert facts["talon_rest"] == ["S10", "T17", "SJ", "D4"]
