"""What one seat or a watcher knows of a match of Taroky: a fold of the events it has heard."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, mask_of
from croupier.core.contract import Event, View
from croupier.core.options import Value
from croupier.core.tricks import TakenTrick
from croupier.games.taroky import facts
from croupier.games.taroky.events import (
    ContraAsked,
    ContraCalled,
    ContraDeclined,
    ContraEnded,
    DealEnded,
    DealStarted,
    Dealt,
    Discarded,
    DiscardEnded,
    DiscardStarted,
    HalfEnded,
    HalfOffered,
    HalfSeen,
    HalfShown,
    IoteCalled,
    IoteDeclined,
    IoteEnded,
    LaidAway,
    MatchEnded,
    MatchStarted,
    MoneyCalled,
    MoneyEnded,
    PartnerNamed,
    Played,
    PreverAnswered,
    PreverEnded,
    TalonAnswered,
    TalonCards,
    TalonDrawn,
    TalonEnded,
    TrickTaken,
    ValatAnswered,
    ValatEnded,
    seat_or_none,
)
from croupier.games.taroky.scoring import DealResult
from croupier.games.taroky.vocabulary import (
    CONTRA,
    DEALING,
    DISCARD,
    DREW,
    GIFTS,
    GIVEN,
    HALF,
    IOTE,
    LEVELS,
    MONEY,
    NOBODY,
    OFFERED,
    OVER,
    PARTNER,
    PHASES,
    PLAYING,
    PREVER,
    RETURNED,
    SEATS,
    TAKEN,
    TALON,
    TRUMP,
    VALAT,
    money_names,
    names,
    shown,
)

GIFT_OF = {"draw": DREW, "pass": OFFERED, "accept": GIVEN, "reject": RETURNED}


class Trick(TakenTrick):
    """A finished trick."""

    def fact(self) -> facts.Trick:
        return facts.Trick(leader=self.leader, cards=names(self.cards), taker=self.taker)


class TarokyView(View):
    """What a seat knows. Seats stay the same for the whole match; `player` counts from Povinnost."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.options: dict[str, Value] = {}
        self.phase = DEALING
        self.deal = 0
        self.chips: list[int] = []
        self.results: list[DealResult] = []
        """The results of the settled deals."""
        self.clear(NOBODY)

    def clear(self, povinnost: int) -> None:
        """Reset everything that belongs to one deal."""
        self.povinnost = povinnost
        # Known to this seat alone.
        self.initial: list[int] = []
        """The twelve cards in the order they were dealt."""
        self.hand: i64 = 0
        self.drawn: list[int] = []
        """The talon cards the seat has taken."""
        self.seen: list[int] = []
        """The half of the talon that it looks at while it decides."""
        self.laid: list[int] = []
        """Its discards, in order."""
        self.asked = 0
        """The levels of contra it has been asked for, as a mask."""
        self.refused = 0
        """The levels of contra it has said no to, as a mask."""
        self.kept_quiet = False
        """Whether it holds T01 and has not announced it."""
        # Known to everyone.
        self.counts: list[int] = [12, 12, 12, 12]
        self.turn = povinnost
        """The seat known to be asked, or NOBODY."""
        self.prevers: list[bool] = []
        """The answers to prever from Povinnost on."""
        self.prever = NOBODY
        self.gifts: list[int] = [0, 0]
        """The outcome for the talon card of player 2, and of player 3."""
        self.draws: list[int] = [0, 0, 0, 0]
        """How many talon cards each seat has taken."""
        self.step = 0
        """The half of the talon that the prever player looks at, 1 or 2."""
        self.shown: list[int] = []
        """The talon cards everyone has seen."""
        self.half = 0
        self.left = 0
        """How many cards the seat whose turn it is has yet to discard."""
        self.discards: list[int] = [0, 0, 0, 0]
        """How many cards each seat has discarded."""
        self.thrown: list[list[int]] = [[], [], [], []]
        """The trumps each seat has discarded, which are shown."""
        self.money: list[i64] = []
        """The money cards called, from Povinnost on."""
        self.brought: list[int] = [0, 0, 0, 0]
        """The chips that each seat has got or paid for money cards in this deal."""
        self.named = 0
        """The trump Povinnost has named, 15 to 19."""
        self.valats: list[bool] = []
        """The answers to valat from Povinnost on."""
        self.valat = NOBODY
        self.contras: list[int] = []
        """The seats that called contra, rhea and supra."""
        self.iote = NOBODY
        self.leader = NOBODY
        self.trick: list[int] = []
        """The cards of the current trick, beginning with the leader's."""
        self.tricks: list[Trick] = []
        # Open from the end of a deal until the next one starts.
        self.hands: list[list[int]] = []
        self.talon: list[int] = []
        self.all_discards: list[list[int]] = []

    def player(self, seat: int) -> int:
        """Return the number of *seat* in this deal: 1 is Povinnost."""
        return (seat - self.povinnost) % SEATS + 1

    def seat_of(self, player: int) -> int:
        """Return the seat of player 1 to 4 in this deal."""
        return (self.povinnost + player - 1) % SEATS

    def partner(self) -> int:
        """Return the seat everyone knows to hold the named trump, or NOBODY."""
        if not self.named:
            return NOBODY
        wanted = TRUMP + self.named
        for trick in [*self.tricks, Trick(self.leader, self.trick, NOBODY)]:
            if wanted in trick.cards:
                return (trick.leader + trick.cards.index(wanted)) % SEATS
        return NOBODY

    def hear(self, event: Event) -> None:
        if isinstance(event, Played):
            self._played(event)
        elif isinstance(event, TrickTaken):
            self.tricks.append(Trick(self.leader, self.trick, event.taker))
            self.leader = event.taker
            self.trick = []
            self.turn = event.taker if event.number < 12 else NOBODY
        elif isinstance(event, MatchStarted):
            self.options = dict(event.options)
        elif isinstance(event, DealStarted):
            self.clear(event.povinnost)
            self.phase = PREVER
            self.deal = event.deal
            self.chips = event.chips[:]
        elif isinstance(event, Dealt):
            self.initial = event.cards[:]
            self.hand = mask_of(event.cards)
        elif isinstance(event, PreverAnswered):
            self.prevers.append(event.prever)
            self.turn = event.next
        elif isinstance(event, PreverEnded):
            self.prever = event.seat
            self.phase = TALON if event.seat == NOBODY else HALF
            self.turn = self.seat_of(2) if event.seat == NOBODY else event.seat
        elif isinstance(event, DealEnded):
            self._deal_ended(event)
        elif isinstance(event, MatchEnded):
            self.phase = OVER
        elif not self._hear_talon(event):
            self._hear_calls(event)

    def _hear_talon(self, event: Event) -> bool:
        if isinstance(event, TalonCards):
            self.drawn += event.cards
            self.hand |= mask_of(event.cards)
        elif isinstance(event, TalonDrawn):
            self.draws[event.seat] += event.count
            self.counts[event.seat] += event.count
        elif isinstance(event, TalonAnswered):
            giver = event.offered_by if event.offered_by != NOBODY else event.seat
            self.gifts[self.player(giver) - 2] = GIFT_OF[event.action]
            self.turn = event.next
        elif isinstance(event, TalonEnded):
            self.phase = DISCARD
        elif isinstance(event, HalfSeen):
            self.seen = event.cards[:]
        elif isinstance(event, HalfOffered):
            self.step = event.step
        elif isinstance(event, HalfShown):
            self.shown += event.cards
        elif isinstance(event, HalfEnded):
            self.half = event.half
            self.seen = []
            self.phase = DISCARD
        elif isinstance(event, DiscardStarted):
            self.turn = event.seat
            self.left = event.left
        elif isinstance(event, LaidAway):
            self.laid.append(event.card)
            self.hand &= ~bit(event.card)
        elif isinstance(event, Discarded):
            self.discards[event.seat] += 1
            self.counts[event.seat] -= 1
            if event.shown >= 0:
                self.thrown[event.seat].append(event.shown)
            self.turn = event.next
            self.left = event.left
        elif isinstance(event, DiscardEnded):
            self.phase = MONEY
            self.turn = NOBODY
        else:
            return False
        return True

    def _hear_calls(self, event: Event) -> None:
        if isinstance(event, MoneyCalled):
            self.money.append(event.codes)
            self.chips = event.chips[:]
            for seat in range(SEATS):
                self.brought[seat] += 3 * event.value if seat == event.seat else -event.value
        elif isinstance(event, MoneyEnded):
            self.phase = PARTNER if self.prever == NOBODY else VALAT
            self.turn = self.povinnost
        elif isinstance(event, PartnerNamed):
            self.named = event.trump
            self.phase = VALAT
            self.turn = self.povinnost
        elif isinstance(event, ValatAnswered):
            self.valats.append(event.call)
            self.turn = event.next
        elif isinstance(event, ValatEnded):
            self.valat = event.seat
            self.phase = CONTRA
            self.turn = NOBODY
        elif isinstance(event, ContraAsked):
            self.asked |= 1 << event.level
        elif isinstance(event, ContraDeclined):
            self.refused |= 1 << event.level
        elif isinstance(event, ContraCalled):
            self.contras.append(event.seat)
        elif isinstance(event, ContraEnded):
            self.phase = IOTE
        elif isinstance(event, IoteDeclined):
            self.kept_quiet = True
        elif isinstance(event, IoteCalled):
            self.iote = event.seat
        elif isinstance(event, IoteEnded):
            self.phase = PLAYING
            self.leader = event.leader
            self.turn = event.leader

    def _played(self, event: Played) -> None:
        self.trick.append(event.card)
        self.counts[event.seat] -= 1
        self.turn = event.next
        if event.seat == self.seat:
            self.hand &= ~bit(event.card)

    def _deal_ended(self, event: DealEnded) -> None:
        self.phase = DEALING
        self.leader = NOBODY
        self.chips = event.result.chips[:]
        self.results.append(event.result)
        self.hands = [hand[:] for hand in event.hands]
        self.talon = event.talon[:]
        self.all_discards = [cards[:] for cards in event.discards]

    def typed_facts(self) -> facts.Facts:
        return facts.Facts(
            phase=PHASES[self.phase],
            deal=self.deal,
            povinnost=seat_or_none(self.povinnost),
            players=[self.player(seat) for seat in range(SEATS)] if self.povinnost >= 0 else [],
            chips=self.chips[:],
            initial=names(self.initial),
            hand=shown(self.hand),
            drawn=names(self.drawn),
            seen=names(self.seen),
            laid=names(self.laid),
            asked=[level for n, level in enumerate(LEVELS) if self.asked >> n & 1],
            refused=[level for n, level in enumerate(LEVELS) if self.refused >> n & 1],
            kept_quiet=self.kept_quiet,
            counts=self.counts[:],
            turn=seat_or_none(self.turn),
            prevers=self.prevers[:],
            prever=seat_or_none(self.prever),
            gifts=[GIFTS[gift] for gift in self.gifts],
            draws=self.draws[:],
            step=self.step,
            shown=names(self.shown),
            half=TAKEN[self.half - 1] if self.half else None,
            left=self.left,
            discards=self.discards[:],
            thrown=[names(cards) for cards in self.thrown],
            money=[money_names(codes) for codes in self.money],
            brought=self.brought[:],
            named=f"T{self.named}" if self.named else None,
            partner=seat_or_none(self.partner()),
            valats=self.valats[:],
            valat=seat_or_none(self.valat),
            contras=self.contras[:],
            multiplier=1 << len(self.contras),
            iote=seat_or_none(self.iote),
            leader=seat_or_none(self.leader),
            trick=names(self.trick),
            tricks=[trick.fact() for trick in self.tricks],
            results=[result.fact() for result in self.results],
            hands=[names(hand) for hand in self.hands],
            talon=names(self.talon),
            all_discards=[names(cards) for cards in self.all_discards],
            notation=self.notation(),
            options=dict(self.options),
        )

    def notation(self) -> str | None:
        """Return the finished deal as Taroky Notation, until the next one is dealt."""
        if not self.hands:
            return None
        from croupier.games.taroky.notation import (
            of_view,
            write,
        )  # imported here because notation.py imports this module

        return write(of_view(self))
