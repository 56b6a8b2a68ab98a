"""Tarock in a terminal: what happened and what is asked in words, and what somebody typed as actions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from croupier.core.cards import bit
from croupier.core.contract import Event, RulesError, View
from croupier.games.tarock.contracts import CONTRACTS
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
from croupier.games.tarock.scoring import DealResult, Line
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    ANNOUNCE,
    ANNOUNCING,
    BID,
    BIDDING,
    BONUSES,
    CALL,
    CALLING,
    CARDS,
    CODES,
    CONTRACT_NAMES,
    DEALING,
    DISCARD,
    DONE,
    EXCHANGING,
    ITEMS,
    KONTRA,
    OVER,
    PLAYING,
    SEATS,
    SUIT,
    SUIT_WORDS,
    SUITS,
    TAKE,
    names,
    of_mask,
    shown,
)

Names: TypeAlias = Sequence[str]

CASUAL: Final[Mapping[str, object]] = {"deals": 4}
"""The options that suit one person who sits down for a while."""

PATIENT: Final[Mapping[str, object]] = {"turn_timeout_ms": 600_000}
"""Table options that leave time to whoever thinks in words."""

HELD: Final = "hand"
"""What lies before a player."""

LAST: Final = "last trick"
"""What one may want to look at again."""

_SIGNS: Final = {"C": ("♣", "green"), "S": ("♠", "cyan"), "H": ("♥", "red"), "D": ("♦", "red")}


def _roman(number: int) -> str:
    """Return *number* as it stands on a tarock; fourteen and nineteen are XIV and XIX there."""
    return _TENS[number // 10] + ("IV" if number == 14 else _ONES[number % 10])


_TENS: Final = ["", "X", "XX"]
_ONES: Final = ["", "I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "IX"]
FACES: Final = {
    code: (
        (code[1:] + _SIGNS[code[0]][0], _SIGNS[code[0]][1])
        if code[0] in _SIGNS
        else ("Škis" if code == "TS" else _roman(int(code[1:])), "yellow")
    )
    for code in CARDS
}
"""Each card as a terminal with colours shows it: tarocks by their Roman numbers."""

HELP: Final = """\
Cards are suit and value: CK is the king of clubs, H1 the one of hearts, T5 the tarock five, TS the škis.
To play, type a card. To bid, type a contract (two, one, solo_three, beggar ...) or pass. To call a king,
type its suit (C, S, H, D). To exchange, type the number of a set and the cards you lay away: 1 HQ CJ.
To announce, type bonuses (trula, kings, kings_ultimo, pagat_ultimo, valat), "kontra game", or nothing.
In the red suits the one is the highest plain card and the four the lowest. 36 of 70 points win a contract.
Follow suit; who cannot must play a tarock. In klop and beggar you must beat what lies there if you can."""


# What happened.


def describe(event: Event, names_: Names) -> str:
    """Return *event* in words, nothing if what follows tells it better."""
    match event:
        case MatchStarted():
            deals = event.options["deals"]
            return "A match of 1 deal" if deals == 1 else f"A match of {deals} deals"
        case DealStarted():
            extra = ", klop unless somebody bids solo without or higher" if event.compulsory else ""
            return f"Deal {event.deal}, dealt by {names_[event.dealer]}{extra}"
        case Dealt():
            return f"Dealt to {names_[event.seat]}: {_row(shown(event.hand))}"
        case Spoke():
            if event.contract < 0:
                return f"{names_[event.seat]} passed"
            return f"{names_[event.seat]} bid {_contract(event.contract)}"
        case BiddingEnded():
            return f"The contract is {_contract(event.contract)} by {names_[event.seat]}"
        case KingCalled():
            return f"{names_[event.seat]} called the king of {SUIT_WORDS[event.suit]}"
        case ExchangeStarted():
            return "The talon: " + _sets(event.sets())
        case SetTaken():
            return f"{names_[event.seat]} took set {event.picked}"
        case LaidAway():
            return f"{names_[event.seat]} laid away {CARDS[event.card]}"
        case ExchangeEnded():
            tarocks = f", {_row(shown(event.tarocks))} among them" if event.tarocks else ""
            return f"{names_[event.seat]} laid the cards away{tarocks}"
        case Announced():
            return _said(event, names_)
        case HandShown():
            return f"{names_[event.seat]} showed {_row(shown(event.hand))}"
        case PlayStarted():
            return f"{names_[event.leader]} to lead"
        case Played():
            gift = f" and got {CARDS[event.gift]}" if event.gift >= 0 else ""
            taken = f"; {names_[event.winner]} took the trick{gift}" if event.winner >= 0 else ""
            return f"{names_[event.seat]} played {CARDS[event.card]}{taken}"
        case DealEnded():
            return _account(event, names_)
        case MatchEnded():
            winners = [names_[seat] for seat in event.ranking[0]]
            return f"The match is over, won by {' and '.join(winners)}: {_points(event.final, names_)}"
        case BiddingStarted() | CallingStarted() | AnnouncingStarted() | Claimed() | AnnouncingEnded():
            return ""
    raise AssertionError(f"an event of another game: {event!r}")


def _said(event: Announced, names_: Names) -> str:
    parts: list[str] = []
    if event.bonuses:
        parts.append("announced " + " and ".join(of_mask(BONUSES, event.bonuses)))
    if event.kontras:
        parts.append("doubled " + " and ".join(of_mask(ITEMS, event.kontras)))
    return f"{names_[event.seat]} {' and '.join(parts) or 'announced nothing'}"


def _account(event: DealEnded, names_: Names) -> str:
    result = event.result
    kind = CONTRACTS[int(result.contract)]
    if kind.name == "klop":
        head = f"Klop is over: {_points(result.points(), names_)} points"
    else:
        side = names_[int(result.declarer)]
        if result.partner >= 0:
            side += f" and {names_[int(result.partner)]}"
        outcome = "won" if result.won else "lost"
        head = f"{side} {outcome} {_contract(kind.number)}"
        if result.points():
            head += f" with {result.points()[0]} points"
        head += ": " + ", ".join(_line(line) for line in result.lines())
    doubled = ", doubled by a radelc" if result.doubled and kind.name != "klop" else ""
    lost = "".join(
        f", {names_[seat]} lost the mond" for seat, cost in enumerate(result.mond_penalties()) if cost
    )
    return f"{head}{doubled}{lost}. Scores: {_points(result.scores(), names_)}"


def _line(line: Line) -> str:
    if line.item == 0:
        words = f"game {line.value}" + (f" and {line.difference}" if line.difference else "")
    else:
        words = ("announced " if line.announced else "") + ITEMS[line.item] + ("" if line.made else " failed")
    words += f" ×{line.kontra}" if line.kontra > 1 else ""
    return f"{words} {line.score:+d}"


def tell(event: Event, view: View, names_: Names) -> str:
    """Return what somebody who plays wants to read of *event*: tricks whole, own choices not again."""
    assert isinstance(view, TarockView)
    match event:
        case Dealt() | PlayStarted() | LaidAway():
            return ""
        case Played():
            return last(view, names_) if event.winner >= 0 else ""
        case Spoke() | KingCalled() | SetTaken() | ExchangeEnded() | Announced() if event.seat == view.seat:
            return ""
    return describe(event, names_)


# What lies on the table.


def hand(view: View) -> list[list[tuple[str, bool]]]:
    """Return the cards of the view's seat, a row each suit, each with whether it may be chosen now."""
    assert isinstance(view, TarockView)
    allowed = 0
    for action in view.legal:
        if action < BID:
            allowed |= int(bit(action))
        elif DISCARD <= action < ANNOUNCE:
            allowed |= int(bit(action - DISCARD))
    rows: list[list[tuple[str, bool]]] = []
    for suit in (4, 0, 1, 2, 3):
        cards = shown(view.hand & SUIT[suit])
        if cards:
            rows.append([(code, allowed >> CODES[code] & 1 == 1) for code in reversed(cards)])
    return rows


def table(view: View, names_: Names) -> list[str]:
    """Return what everybody sees of the deal that is being played."""
    assert isinstance(view, TarockView)
    out: list[str] = []
    if view.phase == BIDDING:
        said = [f"{names_[seat]} {_contract(bid) if bid >= 0 else 'pass'}" for seat, bid in view.bids]
        standing = "klop" if view.compulsory else "three"
        return ["Bids: " + ", ".join([f"{names_[view.forehand()]} ({standing})", *said])]
    if view.contract >= 0 and view.phase not in (DEALING, OVER):
        game = f"Contract: {_contract(view.contract)} by {names_[view.declarer]}"
        if view.king >= 0:
            game += f" with the king of {SUIT_WORDS[view.king]}"
        out.append(game)
    if view.phase == EXCHANGING:
        out.append("Talon: " + _sets(sets_of(view.talon, view.many)))
    if view.phase == PLAYING and view.leader >= 0:
        order = [(view.leader + i) % SEATS for i in range(len(view.trick))]
        lie = [f"{names_[seat]} {CARDS[card]}" for seat, card in zip(order, view.trick, strict=True)]
        if view.revealed:
            out.append(f"Open hand of {names_[view.declarer]}: {_row(shown(view.revealed))}")
        trick = ", ".join(lie) or f"{names_[view.leader]} to lead"
        out.append(f"Trick {len(view.tricks) + 1}: {trick}")
    return out


def last(view: View, names_: Names) -> str:
    """Return the trick before this one."""
    assert isinstance(view, TarockView)
    if not view.tricks:
        return "No trick has been taken in this deal"
    trick = view.tricks[-1]
    order = [(trick.leader + i) % SEATS for i in range(SEATS)]
    cards = ", ".join(f"{names_[seat]} {CARDS[card]}" for seat, card in zip(order, trick.cards, strict=True))
    gift = f" and got {CARDS[trick.gift]}" if trick.gift >= 0 else ""
    return f"{cards}: {names_[trick.taker]} took it{gift}"


def scores(view: View, names_: Names) -> list[list[str]]:
    """Return the scores as a table, its head first."""
    assert isinstance(view, TarockView)
    head = ["player", *(f"{n} {_short(result)}" for n, result in enumerate(view.results, 1))]
    rows = [[*head, "radelci", "total"]]
    for seat, name in enumerate(names_):
        row = [name, *(str(result.scores()[seat]) for result in view.results)]
        rows.append([*row, str(view.radelci[seat]), str(view.totals[seat])])
    return rows


def _short(result: DealResult) -> str:
    return _contract(int(result.contract))


# What is asked, and what was answered.


def question(view: View, names_: Names) -> str:
    """Return what the view's seat is to decide."""
    assert isinstance(view, TarockView)
    if view.phase == BIDDING:
        bids = [_contract(contract) for contract in view.valid_bids()]
        return "Bid " + " or ".join(filter(None, [", ".join(bids), "pass" if view.can_pass() else ""]))
    if view.phase == CALLING:
        return "Call a king: C, S, H or D"
    if view.phase == EXCHANGING:
        left = view.many - len(view.laid)
        if view.picked < 0:
            return f"Take a set by its number, and lay away {_many(left)} now or after it"
        return f"Lay away {_many(left)}, like {_example(view, left)}"
    if view.phase == ANNOUNCING:
        able = of_mask(BONUSES, view.valid_bonuses())
        able += [f"kontra {item}" for item in of_mask(ITEMS, view.valid_kontras())]
        return f"Announce {', '.join(able)}, or Enter for nothing" if able else "Enter: nothing to announce"
    return "Play a card"


def read(view: View, text: str) -> tuple[int, ...]:
    """Return the actions that *text* stands for; RulesError if it stands for none."""
    assert isinstance(view, TarockView)
    text = text.strip()
    if view.phase == BIDDING:
        return (_bid(text),)
    if view.phase == CALLING:
        suit = re.sub(r"^(call\s+)?", "", text, flags=re.IGNORECASE)[:1].upper()
        if suit not in SUITS or not suit:
            raise RulesError(f"{text!r}: expected C, S, H or D")
        return (CALL + SUITS.index(suit),)
    if view.phase == EXCHANGING:
        return _exchange(view, text)
    if view.phase == ANNOUNCING:
        return _announce(text)
    cards = _cards(re.sub(r"^play\s+", "", text, flags=re.IGNORECASE))
    if len(cards) != 1:
        raise RulesError(f"{_many(len(cards))}: expected one")
    return (cards[0],)


def _example(view: TarockView, many: int) -> str:
    """Return cards that may be laid away, the last ones that are marked in the hand."""
    return _row([CARDS[action - DISCARD] for action in view.legal[-many:]])


def _bid(text: str) -> int:
    word = re.sub(r"^bid\s+", "", text.lower()).replace("-", "_").replace(" ", "_")
    word = word.replace("colour", "color")
    if word in ("p", "pass"):
        return BID
    if word not in CONTRACT_NAMES:
        raise RulesError(f"{text!r}: expected pass or a contract like two, solo_three or beggar")
    return BID + 1 + CONTRACT_NAMES.index(word)


def _exchange(view: TarockView, text: str) -> tuple[int, ...]:
    found = re.match(r"^(?:take\s+|set\s+)?([0-5])(?=\s|,|$)", text, re.IGNORECASE)
    actions: list[int] = []
    if view.picked < 0:
        if found is None:
            sets = 6 // view.many - 1
            raise RulesError(f"{text!r}: expected a set, 0 to {sets}, and the cards to lay away")
        actions.append(TAKE + int(found[1]))
        text = text[found.end() :]
    cards = _cards(re.sub(r"^\s*discard\s+", "", text, flags=re.IGNORECASE))
    left = view.many - len(view.laid)
    if len(cards) not in (0, left) or (view.picked >= 0 and not cards):
        raise RulesError(f"{_many(len(cards))} to lay away: expected {left}")
    return (*actions, *(DISCARD + card for card in cards))


def _announce(text: str) -> tuple[int, ...]:
    actions: set[int] = set()
    doubling = False
    for word in text.lower().replace(",", " ").split():
        word = "kings_ultimo" if word == "king_ultimo" else word
        if word in ("announce", "nothing", "none", "no", "done", "and"):
            continue
        if word == "kontra":
            doubling = True
        elif doubling and word in ITEMS:
            actions.add(KONTRA + ITEMS.index(word))
        elif word in BONUSES:
            actions.add(ANNOUNCE + BONUSES.index(word))
        else:
            raise RulesError(f"{word!r}: expected {', '.join(BONUSES)}, kontra or nothing")
    return (*sorted(actions), DONE)


def _cards(text: str) -> list[int]:
    out: list[int] = []
    for word in text.replace(",", " ").split():
        code = word.upper()
        code = {"T22": "TS", "SKIS": "TS", "ŠKIS": "TS"}.get(code, code)
        if code not in CODES:
            raise RulesError(f"{word!r}: expected cards like CK or T5")
        out.append(CODES[code])
    return out


def _many(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _contract(number: int) -> str:
    return CONTRACT_NAMES[number].replace("_", " ")


def _row(cards: Sequence[str]) -> str:
    return " ".join(cards)


def _sets(sets: Sequence[Sequence[int]]) -> str:
    return ", ".join(f"{number}: {_row(names(cards))}" for number, cards in enumerate(sets))


def _points(scores_: Sequence[int], names_: Names) -> str:
    return ", ".join(f"{name} {score}" for name, score in zip(names_, scores_, strict=True))
