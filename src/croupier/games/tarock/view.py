"""What one seat or a watcher knows of a match of Tarock: a fold of the events it has heard.

A view can also compute its seat's legal actions, with the functions that the rules use: wires send them
together with the event that makes it the seat's turn.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, cards_of, mask_of
from croupier.core.contract import Event, View
from croupier.core.options import Value
from croupier.core.tricks import TakenTrick
from croupier.games.tarock import facts, sides
from croupier.games.tarock.announcing import announceable, kept_by, only_above
from croupier.games.tarock.contracts import (
    COLOR_VALAT,
    CONTRACTS,
    KLOP,
    MANY,
    THREE,
    lowest_bid,
    may_pass,
)
from croupier.games.tarock.events import (
    Announced,
    AnnouncingEnded,
    AnnouncingStarted,
    BiddingEnded,
    BiddingStarted,
    CallingStarted,
    Claimed,
    DealEnded,
    DealStarted,
    Dealt,
    ExchangeEnded,
    ExchangeStarted,
    HandShown,
    KingCalled,
    LaidAway,
    MatchEnded,
    MatchStarted,
    Played,
    PlayStarted,
    SetTaken,
    Spoke,
    sets_of,
)
from croupier.games.tarock.legality import best_of, discardable, playable, suit_of
from croupier.games.tarock.scoring import DealResult, final_scores, ranking
from croupier.games.tarock.vocabulary import (
    ANNOUNCING,
    B_KING,
    BIDDING,
    BONUSES,
    CALLING,
    CARDS,
    CONTRACT_NAMES,
    DEALING,
    EXCHANGING,
    HAND,
    ITEMS,
    NOBODY,
    OVER,
    PHASES,
    PLAYING,
    SEATS,
    SUITS,
    TAROCKS,
    TRICKS,
    TarockRules,
    names,
    of_mask,
    seat_or_none,
    shown,
)


class Trick(TakenTrick):
    """A finished trick, in klop with the talon card that its winner got."""

    def __init__(self, leader: int, cards: list[int], taker: int, gift: int) -> None:
        super().__init__(leader, cards, taker)
        self.gift = gift

    def spoils(self) -> i64:
        return mask_of(self.cards) | (bit(self.gift) if self.gift >= 0 else 0)

    def fact(self) -> facts.Trick:
        return facts.Trick(
            leader=self.leader,
            cards=names(self.cards),
            winner=self.taker,
            gift=CARDS[self.gift] if self.gift >= 0 else None,
        )


class Turn:
    """A seat's turn to announce: bonuses and doubled items as masks."""

    def __init__(self, seat: int, bonuses: int, kontras: int) -> None:
        self.seat = seat
        self.bonuses = bonuses
        self.kontras = kontras

    def fact(self) -> facts.Turn:
        return facts.Turn(
            seat=self.seat, bonuses=of_mask(BONUSES, self.bonuses), kontras=of_mask(ITEMS, self.kontras)
        )


class TarockView(View):
    """What a seat knows. Seats are 0 to 3 in playing order; the dealer moves on with every deal."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.options: dict[str, Value] = {}
        """The rules of the match, known when it starts."""
        self.phase = DEALING
        self.deal = 0
        self.dealer = NOBODY
        self.compulsory = False
        self.turn = NOBODY
        """The seat to act, which is public in this game."""
        # Known to this seat alone.
        self.dealt: i64 = 0
        self.hand: i64 = 0
        self.laid: list[int] = []
        """The seat's discards, in the order named."""
        self.claimed = 0
        """The bonuses chosen in the seat's unfinished turn, and ..."""
        self.raised = 0
        """... the items chosen to double."""
        # The auction.
        self.bids: list[list[int]] = []
        """Seat and contract (-1 for pass) of all bids, without forehand's standing bid."""
        self.passed = 0
        self.high = NOBODY
        self.holder = NOBODY
        self.contract = NOBODY
        self.declarer = NOBODY
        # The king and the talon.
        self.king = NOBODY
        """The suit that was called."""
        self.found = sides.UNKNOWN
        """What everyone knows of the partner: a seat, NOBODY (declarer is alone) or UNKNOWN."""
        self.foes = 0
        """The seats everyone knows to be opponents, while the partner is unknown."""
        self.talon: list[int] = []
        """The talon, if it was turned up."""
        self.many = 0
        """How many cards are exchanged."""
        self.picked = NOBODY
        self.discarded: i64 = 0
        """The tarocks declarer has discarded."""
        # Announcements.
        self.turns: list[Turn] = []
        self.announcers = 0
        self.steps = 0
        """Packed as in sides.py."""
        # The play.
        self.leader = NOBODY
        self.trick: list[int] = []
        """The cards on the table, beginning with the leader's."""
        self.tricks: list[Trick] = []
        self.counts: list[int] = [0, 0, 0, 0]
        self.revealed: i64 = 0
        """The remaining cards of an open beggar's shown hand."""
        # The match.
        self.totals: list[int] = [0, 0, 0, 0]
        self.radelci: list[int] = [0, 0, 0, 0]
        self.results: list[DealResult] = []
        # Open from the end of a deal until the next one starts.
        self.hands: list[i64] = []
        self.whole_talon: list[int] = []
        self.discards: list[int] = []

    # Derived facts.

    def forehand(self) -> int:
        """Return the seat after the dealer, or -1 before the first deal."""
        return (self.dealer + 1) % SEATS if self.dealer >= 0 else NOBODY

    def king_card(self) -> i64:
        """Return the called king as a set."""
        return bit(8 * self.king + 7) if self.king >= 0 else 0

    def partner(self) -> int:
        """Return what this seat knows of the partner: a seat, NOBODY or UNKNOWN."""
        return int(sides.found_by(self.seat, self._holds_king(), self.declarer, self.found))

    def side(self, seat: int) -> int:
        """Return the side of *seat*, as far as this seat knows it."""
        if self.contract <= KLOP or (CONTRACTS[self.contract].king and self.king < 0):
            return sides.DECLARERS if self.contract > KLOP and seat == self.declarer else sides.UNKNOWN
        foes = sides.foes_for(self.seat, self._holds_king(), self.declarer, self.foes)
        return int(sides.side_of(seat, self.declarer, self.partner(), foes))

    def _holds_king(self) -> bool:
        return self.hand & self.king_card() != 0

    def won(self) -> list[int]:
        """Return how many tricks every seat has won."""
        return [sum(1 for trick in self.tricks if trick.taker == seat) for seat in range(SEATS)]

    def rest(self) -> list[int]:
        """Return the cards of an open talon that declarer did not take, in order."""
        if self.picked < 0:
            return []
        first = self.picked * self.many
        return self.talon[:first] + self.talon[first + self.many :]

    def kept(self, seat: int) -> i64:
        """Return the cards *seat* must keep for its announced ultimos (R8.3)."""
        return kept_by(seat, self.announcers, self.king_card()) if len(self.tricks) < TRICKS - 1 else 0

    def rules(self) -> TarockRules:
        """Return the options of the match in the form that the rules use."""
        return TarockRules(self.options)

    # Legal actions of the seat when it is its turn.

    def lowest_bid(self) -> int:
        """Return the lowest contract that may be bid now; all higher ones are legal too."""
        low = lowest_bid(self.forehand(), self.turn, self.passed, self.high, self.holder, self.compulsory)
        return int(low)

    def valid_bids(self) -> list[int]:
        """Return the contracts that the seat whose turn it is may bid, ascending."""
        return list(range(self.lowest_bid(), MANY))

    def can_pass(self) -> bool:
        """Return True if the seat whose turn it is may pass."""
        return may_pass(self.turn, self.passed, self.high, self.compulsory)

    def invalid_by_set(self) -> list[list[int]]:
        """Return for each set the cards of hand and set that may not be discarded with it."""
        out: list[list[int]] = []
        free = self.options["discard_tarocks"] == "free"
        for cards in sets_of(self.talon, self.many):
            whole = self.hand | mask_of(cards)
            out.append(cards_of(whole & ~discardable(whole, self.many, free)))
        return out

    def invalid_cards(self) -> list[int]:
        """Return the cards of the hand that may not be discarded with any set."""
        out = self.hand
        for cards in self.invalid_by_set():
            out &= mask_of(cards)
        return cards_of(out)

    def valid_bonuses(self) -> int:
        """Return the bonuses this seat may announce now, as a mask."""
        return int(
            announceable(
                len(self.turns),
                self.contract,
                self.rules(),
                self.announcers,
                self.claimed,
                self.raised,
                self.hand,
                self.king_card(),
            )
        )

    def valid_kontras(self) -> int:
        """Return the items this seat may double now, as a mask."""
        if self.options["kontra"] is not True or self.seat < 0:
            return 0
        foes = sides.foes_for(self.seat, self._holds_king(), self.declarer, self.foes)
        pending = sides.with_claims(self.announcers, self.seat, self.claimed)
        found = self.partner()
        most = self.rules().steps
        items = sides.raisable(self.seat, self.declarer, found, foes, pending, self.steps, most)
        return int(only_above(items, self.raised))

    def valid_cards(self) -> list[int]:
        """Return the cards of the hand that may be played now."""
        led: i64 = suit_of(self.trick[0]) if self.trick else 0
        best: i64 = best_of(self.trick, self.trumps()) if self.trick else 0
        negative = CONTRACTS[self.contract].negative
        return cards_of(playable(self.hand, led, best, mask_of(self.trick), negative, self.kept(self.seat)))

    def trumps(self) -> i64:
        """Return the cards that beat the suit led."""
        return 0 if self.contract == COLOR_VALAT else TAROCKS

    # Events.

    def hear(self, event: Event) -> None:
        if isinstance(event, Played):
            self._played(event)
        elif isinstance(event, Spoke):
            self._spoke(event)
        elif isinstance(event, Announced):
            self._announced(event)
        elif isinstance(event, Claimed):
            if event.bonus >= 0:
                self.claimed |= 1 << event.bonus
            if event.item >= 0:
                self.raised |= 1 << event.item
        elif isinstance(event, Dealt):
            self.dealt = event.hand
            self.hand = event.hand
        elif isinstance(event, DealStarted):
            self._deal_started(event)
        elif isinstance(event, BiddingStarted):
            self.phase = BIDDING
            self.turn = event.next
        elif isinstance(event, BiddingEnded):
            self._bidding_ended(event.seat, event.contract)
        elif isinstance(event, CallingStarted):
            self.phase = CALLING
            self.turn = event.seat
        elif isinstance(event, KingCalled):
            self.king = event.suit
        elif isinstance(event, ExchangeStarted):
            self.phase = EXCHANGING
            self.turn = event.seat
            self.talon = event.talon[:]
            self.many = event.many
            if mask_of(event.talon) & self.king_card():
                self.found = NOBODY
        elif isinstance(event, SetTaken):
            self.picked = event.picked
            if event.seat == self.seat:
                self.hand |= mask_of(sets_of(self.talon, self.many)[event.picked])
        elif isinstance(event, LaidAway):
            self.laid.append(event.card)
            self.hand &= ~bit(event.card)
        elif isinstance(event, ExchangeEnded):
            self.discarded = event.tarocks
        elif isinstance(event, AnnouncingStarted):
            self.phase = ANNOUNCING
            self.turn = event.next
        elif isinstance(event, AnnouncingEnded):
            self.turn = NOBODY
        elif isinstance(event, HandShown):
            self.revealed = event.hand
        elif isinstance(event, PlayStarted):
            self.phase = PLAYING
            self.leader = event.leader
            self.turn = event.leader
        elif isinstance(event, DealEnded):
            self._deal_ended(event)
        elif isinstance(event, MatchStarted):
            self.options = dict(event.options)
        elif isinstance(event, MatchEnded):
            self.phase = OVER

    def _deal_started(self, event: DealStarted) -> None:
        self.phase = DEALING
        self.deal = event.deal
        self.dealer = event.dealer
        self.compulsory = event.compulsory
        self.turn = NOBODY
        self.dealt = 0
        self.hand = 0
        self.laid = []
        self.claimed = 0
        self.raised = 0
        self.bids = []
        self.passed = 0
        self.high = NOBODY
        self.holder = NOBODY
        self.contract = NOBODY
        self.declarer = NOBODY
        self.king = NOBODY
        self.found = sides.UNKNOWN
        self.foes = 0
        self.talon = []
        self.many = 0
        self.picked = NOBODY
        self.discarded = 0
        self.turns = []
        self.announcers = 0
        self.steps = 0
        self.leader = NOBODY
        self.trick = []
        self.tricks = []
        self.counts = [HAND, HAND, HAND, HAND]
        self.revealed = 0
        self.totals = event.totals[:]
        self.radelci = event.radelci[:]
        self.hands = []
        self.whole_talon = []
        self.discards = []

    def _spoke(self, event: Spoke) -> None:
        self.bids.append([event.seat, event.contract])
        self.turn = event.next
        if event.contract < 0:
            self.passed |= 1 << event.seat
        else:
            self.high = event.contract
            self.holder = event.seat

    def _bidding_ended(self, seat: int, contract: int) -> None:
        self.declarer = seat
        self.contract = contract
        if contract != KLOP and not CONTRACTS[contract].king:
            self.found = NOBODY

    def _announced(self, event: Announced) -> None:
        before = self.announcers
        self.announcers = int(sides.with_claims(before, event.seat, event.bonuses))
        if event.bonuses >> B_KING & 1:
            self.found = NOBODY if event.seat == self.declarer else event.seat
        for item in range(len(ITEMS)):
            if event.kontras >> item & 1:
                step = sides.step_of(self.steps, item)
                seat, declarer, found, foes = event.seat, self.declarer, self.found, self.foes
                announced = self.announcers
                self.found = int(sides.found_by_raise(seat, item, declarer, found, foes, announced, step))
                self.foes = int(sides.foes_by_raise(seat, item, declarer, found, foes, announced, step))
                self.steps += 1 << 3 * item
        self.turns.append(Turn(event.seat, event.bonuses, event.kontras))
        self.turn = event.next
        self.claimed = 0
        self.raised = 0

    def _played(self, event: Played) -> None:
        one = bit(event.card)
        self.trick.append(event.card)
        self.counts[event.seat] -= 1
        self.revealed &= ~one
        self.turn = event.next
        if event.seat == self.seat:
            self.hand &= ~one
        if one & self.king_card():
            self.found = NOBODY if event.seat == self.declarer else event.seat
        if event.winner >= 0:
            self.tricks.append(Trick(self.leader, self.trick, event.winner, event.gift))
            self.trick = []
            self.leader = event.winner

    def _deal_ended(self, event: DealEnded) -> None:
        self.phase = DEALING
        self.turn = NOBODY
        self.results.append(event.result)
        self.totals = event.totals[:]
        self.radelci = event.result.radelci()
        if self.contract != KLOP:
            self.found = int(event.result.partner)
        self.hands = event.hands[:]
        self.whole_talon = event.talon[:]
        self.discards = event.discards[:]

    # Facts.

    def typed_facts(self) -> facts.Facts:
        partner = self.partner()
        return facts.Facts(
            phase=PHASES[self.phase],
            deal=self.deal,
            dealer=seat_or_none(self.dealer),
            forehand=seat_or_none(self.forehand()),
            compulsory=self.compulsory,
            turn=seat_or_none(self.turn),
            dealt=shown(self.dealt),
            hand=shown(self.hand),
            my_discards=names(self.laid),
            claimed=of_mask(BONUSES, self.claimed),
            raised=of_mask(ITEMS, self.raised),
            standing=CONTRACT_NAMES[KLOP if self.compulsory else THREE] if self.deal else None,
            bids=[
                facts.Bid(seat=bid[0], bid=CONTRACT_NAMES[bid[1]] if bid[1] >= 0 else "pass")
                for bid in self.bids
            ],
            contract=CONTRACT_NAMES[self.contract] if self.contract >= 0 else None,
            declarer=seat_or_none(self.declarer),
            king=SUITS[self.king] if self.king >= 0 else None,
            partner=seat_or_none(partner),
            partner_known=partner != sides.UNKNOWN,
            opponents=[s for s in range(SEATS) if self.side(s) == sides.OPPONENTS],
            talon=[names(cards) for cards in sets_of(self.talon, self.many)],
            count=self.many,
            picked=seat_or_none(self.picked),
            layable=self._layable(),
            talon_rest=names(self.rest()),
            discarded=shown(self.discarded),
            turns=[turn.fact() for turn in self.turns],
            announced=[
                facts.Bonus(seat=turn.seat, bonus=bonus)
                for turn in self.turns
                for bonus in of_mask(BONUSES, turn.bonuses)
            ],
            kontra={item: 1 << int(sides.step_of(self.steps, number)) for number, item in enumerate(ITEMS)},
            leader=seat_or_none(self.leader),
            trick=names(self.trick),
            tricks=[trick.fact() for trick in self.tricks],
            tricks_won=self.won(),
            counts=self.counts[:],
            revealed=shown(self.revealed),
            totals=self.totals[:],
            radelci=self.radelci[:],
            results=[result.fact() for result in self.results],
            hands=[shown(hand) for hand in self.hands],
            whole_talon=names(self.whole_talon),
            discards=names(self.discards),
            final=self._final(),
            ranking=ranking(self._final()) if self.phase == OVER else [],
            options=dict(self.options),
        )

    def _layable(self) -> list[list[str]]:
        """Return for each set the possible discards, while this seat is choosing a set."""
        if self.phase != EXCHANGING or self.turn != self.seat or self.picked >= 0:
            return []
        return [
            shown((self.hand | mask_of(cards)) & ~mask_of(barred))
            for cards, barred in zip(sets_of(self.talon, self.many), self.invalid_by_set(), strict=True)
        ]

    def _final(self) -> list[int]:
        if self.phase != OVER:
            return []
        return final_scores(self.totals, self.radelci, self.rules())
