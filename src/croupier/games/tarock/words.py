"""Tarock in a terminal: events and questions in words, typed text as actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from croupier.core.contract import WATCHER, Event, RulesError, View
from croupier.core.words import NO_TRICK, Texts, by_player, cards_in_suits, how_many_cards, roman, trick
from croupier.games.tarock.contracts import CONTRACTS
from croupier.games.tarock.events import (
    Announced,
    BiddingEnded,
    BiddingStarted,
    DealEnded,
    Dealt,
    ExchangeEnded,
    ExchangeStarted,
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
    SUIT,
    SUIT_WORDS,
    SUITS,
    TAKE,
    names,
    of_mask,
    shown,
)

Players: TypeAlias = Sequence[str]

TEXTS: Final = Texts(__package__)

HELD: Final = "hand"
"""The title of what a player holds."""

LAST: Final = "last trick"
"""The title of what `last` returns."""

_SIGNS: Final = {"C": ("♣", "green"), "S": ("♠", "cyan"), "H": ("♥", "red"), "D": ("♦", "red")}
FACES: Final = {
    code: (
        (code[1:] + _SIGNS[code[0]][0], _SIGNS[code[0]][1])
        if code[0] in _SIGNS
        else ("Škis" if code == "TS" else roman(int(code[1:])), "yellow")
    )
    for code in CARDS
}
"""Each card's text and colour in a terminal; tarocks have Roman numbers."""

_SPELT: Final = {
    **{face.upper(): code for code, (face, _) in FACES.items()},
    **{code[1:] + code[0]: code for code in CARDS if code[0] in _SIGNS},
    **{sign + code[1:]: code for code in CARDS for suit, (sign, _) in _SIGNS.items() if code[0] == suit},
    "IV": "T4",
    "T22": "TS",
    "SKIS": "TS",
}
"""Other ways to type a card, by what is typed."""

HELP: Final = """\
Cards are suit and value: CK or K♣ is the king of clubs, H1 the one of hearts, T5 or V a tarock, TS the škis.
To play, type a card. To bid, type a contract (two, one, solo_three, beggar ...) or pass. To call a king,
type its suit (C, S, H, D). To exchange, type the number of a set and the cards you discard: 1 HQ CJ.
To announce, type bonuses (trula, kings, kings_ultimo, pagat_ultimo, valat), "kontra game", or nothing.
In the red suits the one is the highest plain card and the four the lowest. 36 of 70 points win a contract.
Follow suit or, if you cannot, play a tarock. In klop and beggar you must beat the best card if you can."""


# Events.


def describe(event: Event, players: Players) -> str:
    """Return *event* in words; "" if a later event says the same."""
    return _said(event, players, WATCHER)


def _said(event: Event, players: Players, me: int) -> str:
    words: dict[str, object] = {}
    match event:
        case Dealt():
            return f"{players[event.seat]}: {_row(shown(event.hand))}"
        case LaidAway():
            return f"{players[event.seat]}: {CARDS[event.card]}"
        case PlayStarted():
            return trick(players, event.leader, [])
        case BiddingStarted():
            return ""
        case DealEnded():
            return _account(event, players, me)
        case MatchStarted():
            words = {"deals": event.options["deals"]}
        case Spoke() | BiddingEnded() if event.contract >= 0:
            words = dict.fromkeys(("bid", "contract"), _contract(event.contract))
        case KingCalled():
            words = {"suit": f"{SUITS[event.suit]}K"}
        case ExchangeStarted():
            words = {"talon": _sets(event.sets())}
        case Announced():
            words = {"what": _announcement(event)}
        case Played() if event.winner >= 0:
            played = TEXTS.said(event, players, me)
            return f"{played} {_taken(event.winner, event.gift, players, me)}"
        case MatchEnded():
            words = {"final": by_player(players, event.final)}
    return TEXTS.said(event, players, me, **words)


def _taken(winner: int, gift: int, players: Players, me: int) -> str:
    given = CARDS[gift] if gift >= 0 else None
    return TEXTS.told({"kind": "trick_taken", "seat": winner, "gift": given}, players, me)


def _announcement(event: Announced) -> str:
    bonuses = [TEXTS(f"item.{bonus}") for bonus in of_mask(BONUSES, event.bonuses)]
    kontras = [TEXTS("kontraOn", item=TEXTS(f"item.{item}")) for item in of_mask(ITEMS, event.kontras)]
    return " and ".join([*bonuses, *kontras]) or TEXTS("nothing")


def _account(event: DealEnded, players: Players, me: int) -> str:
    result = event.result
    kind = CONTRACTS[int(result.contract)]
    if kind.name == "klop":
        head = f"Klop is over: {by_player(players, result.points())} points"
    else:
        side = players[int(result.declarer)]
        if result.partner >= 0:
            side += f" and {players[int(result.partner)]}"
        outcome = "won" if result.won else "lost"
        head = f"{side} {outcome} {_contract(kind.number)}"
        if result.points():
            head += f" with {result.points()[0]} points"
        head += ": " + ", ".join(_line(line) for line in result.lines())
    doubled = ", doubled by a radelc" if result.doubled and kind.name != "klop" else ""
    lost = "".join(
        f", {players[seat]} lost the mond" for seat, cost in enumerate(result.mond_penalties()) if cost
    )
    scores = by_player(players, result.scores())
    return TEXTS.said(event, players, me, outcome=f"{head}{doubled}{lost}.", scores=scores)


def _line(line: Line) -> str:
    if line.item == 0:
        words = f"game {line.value}" + (f" and {line.difference}" if line.difference else "")
    else:
        words = ("announced " if line.announced else "") + ITEMS[line.item] + ("" if line.made else " failed")
    words += f" ×{line.kontra}" if line.kontra > 1 else ""
    return f"{words} {line.score:+d}"


def tell(event: Event, view: View, players: Players) -> str:
    """Return *event* in words for a player: whole tricks instead of cards, nothing they did themselves."""
    assert isinstance(view, TarockView)
    match event:
        case Dealt() | PlayStarted() | LaidAway():
            return ""
        case Played():
            return last(view, players) if event.winner >= 0 else ""
        case Spoke() | KingCalled() | SetTaken() | ExchangeEnded() | Announced() if event.seat == view.seat:
            return ""
    return _said(event, players, view.seat)


# The table.


def hand(view: View) -> list[list[tuple[str, bool]]]:
    """Return the cards of the view's seat, one row per suit, each with whether it may be chosen now."""
    assert isinstance(view, TarockView)
    allowed = [CARDS[action] for action in view.legal if action < BID]
    allowed += [CARDS[action - DISCARD] for action in view.legal if DISCARD <= action < ANNOUNCE]
    return cards_in_suits([shown(view.hand & SUIT[suit])[::-1] for suit in (4, 0, 1, 2, 3)], allowed)


def table(view: View, players: Players) -> list[str]:
    """Return what everyone sees of the deal that is being played."""
    assert isinstance(view, TarockView)
    out: list[str] = []
    if view.phase == BIDDING:
        said = [f"{players[seat]} {_contract(bid) if bid >= 0 else 'pass'}" for seat, bid in view.bids]
        standing = "klop" if view.compulsory else "three"
        return ["Bids: " + ", ".join([f"{players[view.forehand()]} ({standing})", *said])]
    if view.contract >= 0 and view.phase not in (DEALING, OVER):
        game = f"Contract: {_contract(view.contract)} by {players[view.declarer]}"
        if view.king >= 0:
            game += f" with the king of {SUIT_WORDS[view.king]}"
        out.append(game)
    if view.phase == EXCHANGING:
        out.append("Talon: " + _sets(sets_of(view.talon, view.many)))
    if view.phase == PLAYING and view.leader >= 0:
        if view.revealed:
            out.append(f"Open hand of {players[view.declarer]}: {_row(shown(view.revealed))}")
        out.append(f"Trick {len(view.tricks) + 1}: {trick(players, view.leader, names(view.trick))}")
    return out


def last(view: View, players: Players) -> str:
    """Return the trick before this one."""
    assert isinstance(view, TarockView)
    if not view.tricks:
        return NO_TRICK
    taken = view.tricks[-1]
    cards = trick(players, taken.leader, names(taken.cards))
    return f"{cards}. {_taken(int(taken.taker), int(taken.gift), players, view.seat)}"


def scores(view: View, players: Players) -> list[list[str]]:
    """Return the scores as a table, its head first."""
    assert isinstance(view, TarockView)
    head = ["player", *(f"{n} {_short(result)}" for n, result in enumerate(view.results, 1))]
    rows = [[*head, "radelci", "total"]]
    for seat, name in enumerate(players):
        row = [name, *(str(result.scores()[seat]) for result in view.results)]
        rows.append([*row, str(view.radelci[seat]), str(view.totals[seat])])
    return rows


def _short(result: DealResult) -> str:
    return _contract(int(result.contract))


# Questions and answers.


def question(view: View, players: Players) -> str:
    """Return what the view's seat is to decide."""
    assert isinstance(view, TarockView)
    if view.phase == BIDDING:
        bids = [_contract(contract) for contract in view.valid_bids()]
        return "Bid " + " or ".join(filter(None, [", ".join(bids), "pass" if view.can_pass() else ""]))
    if view.phase == CALLING:
        return f"{TEXTS('call.prompt')}. C, S, H or D"
    if view.phase == EXCHANGING:
        left = view.many - len(view.laid)
        if view.picked < 0:
            return f"Take a set by its number, and discard {how_many_cards(left)} now or after it"
        return f"{TEXTS('discard.prompt', n=left)}, like {_example(view, left)}"
    if view.phase == ANNOUNCING:
        able = of_mask(BONUSES, view.valid_bonuses())
        able += [f"kontra {item}" for item in of_mask(ITEMS, view.valid_kontras())]
        return f"Announce {', '.join(able)}, or Enter for nothing" if able else "Enter: nothing to announce"
    return TEXTS("play.lead" if not view.trick and view.leader == view.seat else "play.prompt")


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
        raise RulesError(f"{how_many_cards(len(cards))}: expected one")
    return (cards[0],)


def _example(view: TarockView, many: int) -> str:
    """Return cards that may be discarded, the last ones marked in the hand."""
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
            raise RulesError(f"{text!r}: expected a set, 0 to {sets}, and the cards to discard")
        actions.append(TAKE + int(found[1]))
        text = text[found.end() :]
    cards = _cards(re.sub(r"^\s*discard\s+", "", text, flags=re.IGNORECASE))
    left = view.many - len(view.laid)
    if len(cards) not in (0, left) or (view.picked >= 0 and not cards):
        raise RulesError(f"{how_many_cards(len(cards))} to discard: expected {left}")
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
        code = _SPELT.get(word.upper(), word.upper())
        if code not in CODES:
            raise RulesError(f"{word!r}: expected cards like CK or T5")
        out.append(CODES[code])
    return out


def _contract(number: int) -> str:
    return CONTRACT_NAMES[number].replace("_", " ")


def _row(cards: Sequence[str]) -> str:
    return " ".join(cards)


def _sets(sets: Sequence[Sequence[int]]) -> str:
    return ", ".join(f"{number}: {_row(names(cards))}" for number, cards in enumerate(sets))
