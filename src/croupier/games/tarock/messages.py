"""The messages of Tarock (spec B3 to B6, C5, C8), built only from what one seat has been told.

A message that tells whose turn it is includes the legal actions only in that seat's own copy: only its view
has the lists.
"""

from __future__ import annotations

from croupier.core.contract import Event, as_plain
from croupier.games.tarock import sides
from croupier.games.tarock.contracts import KLOP, THREE
from croupier.games.tarock.events import (
    Announced,
    AnnouncingEnded,
    AnnouncingStarted,
    BiddingEnded,
    BiddingStarted,
    CallingStarted,
    DealEnded,
    ExchangeEnded,
    ExchangeStarted,
    HandShown,
    KingCalled,
    MatchEnded,
    Played,
    PlayStarted,
    Spoke,
    sets_of,
)
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    ANNOUNCING,
    BIDDING,
    BONUSES,
    CALLING,
    CARDS,
    CONTRACT_NAMES,
    DEALING,
    EXCHANGING,
    ITEMS,
    OVER,
    PLAYING,
    SEATS,
    SUITS,
    names,
    of_mask,
    seat_or_none,
    shown,
)
from croupier.wire.opentarock.messages import Data

Message = tuple[str, Data]
"""The last part of an event's name, and its fields."""

PHASE_NAMES = {
    DEALING: "score",
    BIDDING: "bid",
    CALLING: "callking",
    EXCHANGING: "exchange",
    ANNOUNCING: "announce",
    PLAYING: "play",
    OVER: "score",
}


def message(event: Event, view: TarockView, auto: bool) -> Message | None:
    """Return the messages of *event* for the seat of *view*; *auto* if the server acted for a seat."""
    said = _said(event, view)
    if said is not None and auto and _reports(event, view):
        said[1]["auto"] = True
    return said


def _reports(event: Event, view: TarockView) -> bool:
    """Return True if *event* is an action of a seat, not only a consequence of one."""
    if isinstance(event, BiddingEnded):
        return bool(view.bids) and view.bids[-1][0] == event.seat
    return isinstance(event, Spoke | KingCalled | ExchangeEnded | Announced | Played)


def _said(event: Event, view: TarockView) -> Message | None:
    match event:
        case BiddingStarted():
            return "bid.next", bid_next(view, event.seat, event.contract, opening=True)
        case Spoke():
            return _spoke(event, view)
        case BiddingEnded():
            contract = CONTRACT_NAMES[event.contract]
            return "bid.winner", {"player_id": event.seat, "contract": contract}
        case CallingStarted():
            return "callking.start", {"player_id": event.seat}
        case KingCalled():
            return "callking.finished", {"player_id": event.seat, "suit": SUITS[event.suit]}
        case ExchangeStarted():
            return "exchange.start", exchange_start(view)
        case ExchangeEnded():
            discarded = shown(event.tarocks)
            fields: Data = {"picked": event.picked, "discarded": discarded, "player_id": event.seat}
            return "exchange.finished", fields
        case AnnouncingStarted():
            return "announce.next", announce_next(view, None, 0, 0)
        case Announced():
            return "announce.next", announce_next(view, event.seat, event.bonuses, event.kontras)
        case AnnouncingEnded():
            return "accounce.finished", {}  # the published protocol's spelling
        case PlayStarted():
            return "play.next", play_next(view, None, None)
        case Played():
            return "play.next", play_next(view, event.seat, event.card, event.winner, event.gift)
        case HandShown():
            return "reveal", {"player_id": event.seat, "hand": shown(event.hand)}
        case DealEnded():
            return "score", score(event)
        case MatchEnded():
            plain = event.plain()
            del plain["kind"]
            return "finished", plain
    return None


def _spoke(event: Spoke, view: TarockView) -> Message | None:
    """Return nothing for the winner's final bid, which bid.winner tells; a final pass is another seat's."""
    everyone = view.passed == (1 << SEATS) - 1
    if event.next < 0 and (event.contract >= 0 or everyone):
        return None
    return "bid.next", bid_next(view, event.seat, event.contract)


def bid_next(view: TarockView, seat: int, contract: int, opening: bool = False) -> Data:
    out: Data = {
        "player_id": seat,
        "contract": CONTRACT_NAMES[contract] if contract >= 0 else "pass",
        "next_player": seat_or_none(view.turn),
    }
    if opening:
        out["opening"] = True
    return {**out, **options_of(view)}


def exchange_start(view: TarockView) -> Data:
    talon = [names(cards) for cards in sets_of(view.talon, view.many)]
    return {"player_id": view.declarer, "talon": talon, "count": view.many, **options_of(view)}


def announce_next(view: TarockView, seat: int | None, bonuses: int, kontras: int) -> Data:
    out: Data = {
        "player_id": seat,
        "bonuses": of_mask(BONUSES, bonuses),
        "next_player": seat_or_none(view.turn),
    }
    if view.options["kontra"] is True:
        out["kontras"] = of_mask(ITEMS, kontras)
    return {**out, **options_of(view)}


def play_next(view: TarockView, seat: int | None, card: int | None, winner: int = -1, gift: int = -1) -> Data:
    out: Data = {
        "player_id": seat,
        "card": CARDS[card] if card is not None else None,
        "trick_finished": winner >= 0,
        "next_player": seat_or_none(view.turn),
    }
    if winner >= 0:
        out["winner"] = winner
    if gift >= 0:
        out["gift"] = CARDS[gift]
    return {**out, **options_of(view)}


def options_of(view: TarockView) -> Data:
    """Return the legal actions of the seat of *view*, if it is to act, as in its prompt."""
    if view.turn != view.seat:
        return {}
    if view.phase == BIDDING:
        bids = [CONTRACT_NAMES[contract] for contract in view.valid_bids()]
        return {"valid_bids": bids, "can_pass": view.can_pass()}
    if view.phase == EXCHANGING:
        return {
            "invalid_cards": names(view.invalid_cards()),
            "invalid_by_set": [names(cards) for cards in view.invalid_by_set()],
        }
    if view.phase == ANNOUNCING:
        out: Data = {"valid_bonuses": of_mask(BONUSES, view.valid_bonuses())}
        if view.options["kontra"] is True:
            out["valid_kontras"] = of_mask(ITEMS, view.valid_kontras())
        return out
    return {"valid_cards": names(view.valid_cards())} if view.phase == PLAYING else {}


def score(event: DealEnded) -> Data:
    result = event.result
    plain = as_plain(result.fact())
    points = result.points()
    shown_points: object = points or None
    if len(points) == 2:
        shown_points = {"declarer": points[0], "opponents": points[1]}
    return {
        "deal": event.deal,
        **{name: plain[name] for name in ("contract", "declarer", "partner", "king", "won")},
        "points": shown_points,
        "lines": plain["lines"],
        "radelc": result.doubled != 0,
        **{name: plain[name] for name in ("mond", "scores")},
        "totals": event.totals[:],
        "radelci": plain["radelci"],
        "discards": names(event.discards),
        "talon_rest": names(event.rest),
    }


def prompt(view: TarockView) -> Message | None:
    """Return the message that made it this seat's turn again."""
    if view.phase == BIDDING:
        if view.bids:
            seat, contract = view.bids[-1]
            return "bid.next", bid_next(view, seat, contract)
        standing = KLOP if view.compulsory else THREE
        return "bid.next", bid_next(view, view.forehand(), standing, opening=True)
    if view.phase == CALLING:
        return "callking.start", {"player_id": view.declarer}
    if view.phase == EXCHANGING:
        return "exchange.start", exchange_start(view)
    if view.phase == ANNOUNCING:
        if not view.turns:
            return "announce.next", announce_next(view, None, 0, 0)
        last = view.turns[-1]
        return "announce.next", announce_next(view, last.seat, last.bonuses, last.kontras)
    if view.phase == PLAYING:
        return "play.next", _last_card(view)
    return None


def _last_card(view: TarockView) -> Data:
    if view.trick:
        seat = (view.leader + len(view.trick) - 1) % SEATS
        return play_next(view, seat, view.trick[-1])
    if not view.tricks:
        return play_next(view, None, None)
    trick = view.tricks[-1]
    seat = (trick.leader + SEATS - 1) % SEATS
    return play_next(view, seat, trick.cards[-1], trick.taker, trick.gift)


def sync(view: TarockView) -> Data:
    """Return everything the seat of *view* may know (spec C8)."""
    announced = [
        {"player_id": turn.seat, "bonus": bonus}
        for turn in view.turns
        for bonus in of_mask(BONUSES, turn.bonuses)
    ]
    items = ["game", *(str(one["bonus"]) for one in announced)]
    kontra = {item: 1 << int(sides.step_of(view.steps, ITEMS.index(item))) for item in items}
    last = view.tricks[-1] if view.tricks else None
    return {
        "deal": view.deal,
        "dealer": view.dealer,
        "forehand": view.forehand(),
        "id": view.seat,
        "hand": shown(view.hand),
        "phase": PHASE_NAMES[view.phase],
        "bids": [
            {"player_id": seat, "contract": CONTRACT_NAMES[contract] if contract >= 0 else "pass"}
            for seat, contract in view.bids
        ],
        "contract": CONTRACT_NAMES[view.contract] if view.contract >= 0 else None,
        "declarer": seat_or_none(view.declarer),
        "king": SUITS[view.king] if view.king >= 0 else None,
        "talon": [names(cards) for cards in sets_of(view.talon, view.many)] if view.talon else None,
        "picked": seat_or_none(view.picked),
        "discarded": shown(view.discarded),
        "my_discards": names(view.laid),
        "announced": announced,
        "kontra": kontra,
        "trick": _cards(view.leader, view.trick),
        "last_trick": _cards(last.leader, last.cards) if last is not None else [],
        "tricks_won": view.won(),
        "revealed": shown(view.revealed) if view.revealed else None,
        "next_player": seat_or_none(view.turn),
        **options_of(view),
        "totals": view.totals[:],
        "radelci": view.radelci[:],
    }


def _cards(leader: int, cards: list[int]) -> list[Data]:
    return [{"player_id": (leader + at) % SEATS, "card": CARDS[card]} for at, card in enumerate(cards)]
