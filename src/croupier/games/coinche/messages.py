"""The notifications of the Coinche protocol: facts as lines, with a sentence for people (spec 13)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from mypy_extensions import i64

from croupier.core.cards import cards_of
from croupier.core.contract import Event
from croupier.core.options import Value
from croupier.games.coinche import replies
from croupier.games.coinche.events import (
    Announced,
    AuctionEnded,
    Called,
    DealEnded,
    DealStarted,
    Dealt,
    MatchEnded,
    PassedOut,
    Played,
    TrickTaken,
)
from croupier.games.coinche.parsing import is_nickname
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import (
    BIDDING,
    CARD_WORDS,
    COINCHE,
    CONTRACT,
    KINDS,
    LEVELS,
    PASS,
    PLAY,
    RULES_OPTIONS,
    SEATS,
    SUITS,
    SURCOINCHE,
    TEAMS,
    contract_words,
)
from croupier.wire.bot_names import NAMES
from croupier.wire.talk import Place, TableInfo

LINE_LIMIT: Final = 1024
"""The maximum length of a server's line in bytes, including CR LF."""

FIXED: Final = " The cards are fixed in advance: a player may know them."
"""The addition to the welcome if all tables of the server are seeded, and to the line of a seat."""
WELCOME: Final = "100 coinche/1 :Welcome. Choose a nickname with NAME <nickname>; HELP lists all commands."

HELP: Final = (
    "110 NAME <nickname> :give or change your nickname, 4 to 20 letters and digits",
    "110 MSG <text> :send a message to everyone at the table",
    (
        "110 CONTRACT <80..160|capot|generale> <Hearts|Diamonds|Clubs|Spades|TA|SA> "
        ":bid, like CONTRACT 90 Hearts or contract 100 s; TA is all trumps, SA no trumps"
    ),
    "110 COINCHE :double the contract of the other team",
    "110 SURCOINCHE :redouble your team's contract that was coinched",
    "110 PASS :do not bid; you may bid again until three players in a row have passed",
    (
        "110 PLAY <7|8|9|10|J|Q|K|A> <Hearts|Diamonds|Clubs|Spades> "
        ":play a card, like PLAY 10 Hearts or play t h; line 334 lists the cards you may play"
    ),
    "110 LAST :show the last trick",
    "110 HAND :show your cards",
    "110 STATE :show the whole deal so far: contract, tricks, score, whose turn it is",
    (
        "110 HELP :show this help; trumps rank J 9 A 10 K Q 8 7 and count 20 14 11 10 4 3 0 0, "
        "other suits A 10 K Q J 9 8 7 and 11 10 4 3 2 0 0 0; with TA all suits rank like trumps and count "
        "14 9 6 5 3 1 0 0, with SA all rank like other suits and count 19 10 4 3 2 0 0 0"
    ),
    "110 QUIT :leave the table and the game",
)

NOTIFICATIONS: Final[Mapping[str, str]] = {
    "100": "coinche/1: welcome",
    "101": "seat nick: sits down",
    "102": "seat nick quit|lost|kicked: has gone",
    "103": "seat old new: renamed",
    "104": "seated 4: waiting for players",
    "105": "seat nick: is back",
    "106": "seat nick, then the text of a message",
    "107": "seat nick bot|human: who plays there",
    "108": "seat table token: your seat",
    "109": "seat nick seconds: the time is running out",
    "110": "a command and what it does, after HELP; RESTART seconds: the operator has announced a restart",
    "112": "seat nick timeout: the time is up",
    "300": "game target 1=nick …: a game starts",
    "301": "option=value …: the rules that differ from the defaults",
    "310": "deal dealer first: a new deal",
    "311": "deal [cards]: your hand",
    "312": "deal: all players passed",
    "320": "seat nick seconds: must speak",
    "321": "seat option suit: bids a contract",
    "322": "seat: passes",
    "323": "seat: coinche",
    "324": "seat: surcoinche",
    "325": "seat option suit factor: the auction is over",
    "326": "least words …: what you may say",
    "330": "seat nick seconds trick: must play",
    "331": "seat rank suit: plays a card",
    "332": "seat belote|rebelote suit: announces it",
    "333": "trick seat points: the trick is taken",
    "334": "[cards]: what you may play",
    "340": "deal made|failed, then points, belotes and scores, each A B",
    "341": "total A, total B, target",
    "350": "winner, total A, total B: the game is over",
    "351": "reason: the game is stopped",
    "360": "begin: the lines of STATE follow",
    "361": "end: of the lines of STATE",
}
"""Every notification by its code: what is written before the text for people, and what it means."""

_DOUBLED: Final = ("", ", coinched", ", surcoinched")


def clip(line: str) -> str:
    """Return *line*, cut to the maximum length of the protocol."""
    raw = line.encode(errors="replace")
    if len(raw) <= LINE_LIMIT - 2:
        return raw.decode()
    return raw[: LINE_LIMIT - 2].decode(errors="ignore")


# Names. Players of other protocols may have any name; a line needs a nickname.


def nickname(place: Place) -> str:
    """Return the nickname of the player in *place*: their name if it is valid as a nickname."""
    return _nickname(place.seat, place.name)


@lru_cache(maxsize=256)  # few: the names of strangers would be kept
def _nickname(seat: int, name: str) -> str:
    if is_nickname(name) or not name:
        return name
    if name in NAMES:
        return f"bot{seat + 1}"  # fixed by the protocol
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(sign for sign in plain if sign.isascii() and sign.isalnum())[:18]
    return f"{letters}{'' if len(letters) > 3 else 'seat'}{seat + 1}"


def nicknames(info: TableInfo) -> list[str]:
    """Return the nicknames of the players of *info*, by seat."""
    return [nickname(place) for place in info.places]


def team(number: int, names: Sequence[str]) -> str:
    """Return the names of a team's players."""
    return f"{names[number]} and {names[number + 2]}"


# The table.


def sits(seat: int, name: str) -> str:
    return f"101 {seat + 1} {name} :{name} sits at seat {seat + 1}"


def left(seat: int, name: str, how: str) -> str:
    words = {"quit": "leaves", "lost": "has lost the connection", "kicked": "was removed from the table"}
    return f"102 {seat + 1} {name} {how} :{name} {words[how]}"


def renamed(seat: int, old: str, new: str) -> str:
    return f"103 {seat + 1} {old} {new} :{old} is now called {new}"


def waiting(seated: int, info: TableInfo) -> str:
    more = SEATS - seated
    words = f"waiting for {more} more player(s)" if more else "waiting for the game to start"
    if more and info.table_options["fill_bots_seconds"]:
        words += (
            f"; bots take the free seats if no player joins for {info.table_options['fill_bots_seconds']} s"
        )
    return f"104 {seated} {SEATS} :{words}"


def back(seat: int, name: str) -> str:
    return f"105 {seat + 1} {name} :{name} is back"


def said(seat: int, name: str, text: str) -> str:
    return f"106 {seat + 1} {name} :{_safe(text)}"


def restart(seconds: float | None, text: str) -> str:
    """Return the line about a restart in *seconds*; None: there will be none."""
    if seconds is None:
        return "110 RESTART - :the server does not restart"
    words = f"the server restarts in {seconds:.0f} s" + (f": {_safe(text)}" if text else "")
    return clip(f"110 RESTART {seconds:.0f} :{words}")


def _safe(text: str) -> str:
    """Return *text*, which may be from another protocol, without characters that a line must not contain."""
    return "".join(" " if unicodedata.category(sign) == "Cc" and sign != "\t" else sign for sign in text)


def plays(seat: int, name: str, who: str) -> str:
    words = "a bot plays" if who == "bot" else f"{name} plays"
    return f"107 {seat + 1} {name} {who} :{words} at seat {seat + 1} from now on"


def your_seat(seat: int, info: TableInfo, token: str) -> str:
    notice = FIXED if info.fixed_deal else ""
    return f"108 {seat + 1} {info.id} {token} :You are at seat {seat + 1} of table {info.id}.{notice}"


def warned(seat: int, name: str, seconds: int) -> str:
    return f"109 {seat + 1} {name} {seconds} :{name} has {seconds} second(s) left"


def timed_out(seat: int, name: str) -> str:
    return f"112 {seat + 1} {name} timeout :the time of {name} is up"


# The game.


def game_starts(info: TableInfo) -> list[str]:
    """Return 300, and 301 if the table's rules are not the default ones."""
    names = nicknames(info)
    seats = " ".join(f"{seat}={name}" for seat, name in enumerate(names, 1))
    target = info.rules_options["target"]
    teams = f"{team(0, names)} against {team(1, names)}"
    lines = [f"300 g{info.match} {target} {seats} :Game g{info.match} to {target} points: {teams}"]
    changed = RULES_OPTIONS.changed(info.rules_options)
    if changed:
        options = " ".join(f"{name}={_spelt(value)}" for name, value in changed.items())
        lines.append(f"301 {options} :the rules that differ from the defaults")
    return lines


def _spelt(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def totals(values: Sequence[int], info: TableInfo) -> str:
    names = nicknames(info)
    words = f"{team(0, names)} {values[0]}, {team(1, names)} {values[1]}"
    return f"341 {values[0]} {values[1]} {info.rules_options['target']} :{words}"


def deal_starts(deal: int, dealer: int, first: int, names: Sequence[str]) -> str:
    words = f"Deal {deal}: {names[dealer]} deals, {names[first]} speaks first"
    return f"310 {deal} {dealer + 1} {first + 1} :{words}"


def hand(deal: int, cards: i64) -> str:
    return f"311 {deal} {bracketed(cards_of(cards))} :your hand"


def called(seat: int, action: int, name: str) -> str:
    if action >= CONTRACT:
        contract = contract_words((action - CONTRACT) // KINDS, (action - CONTRACT) % KINDS)
        return f"321 {seat + 1} {contract} :{name} bids {contract}"
    code, words = {PASS: (322, "passes"), COINCHE: (323, "coinches"), SURCOINCHE: (324, "surcoinches")}[
        action
    ]
    return f"{code} {seat + 1} :{name} {words}"


def auction_ends(bidder: int, contract: str, doubled: int, factor: int, names: Sequence[str]) -> str:
    words = f"{team(bidder % 2, names)} play {contract}{_DOUBLED[doubled]}"
    return f"325 {bidder + 1} {contract} {factor} :{words}"


def played(seat: int, card: int, name: str) -> str:
    return f"331 {seat + 1} {CARD_WORDS[card]} :{name} plays {CARD_WORDS[card]}"


def announced(seat: int, suit: int, again: bool, name: str) -> str:
    word = "rebelote" if again else "belote"
    return f"332 {seat + 1} {word} {SUITS[suit]} :{name} announces {word}"


def trick_taken(number: int, taker: int, points: int, name: str) -> str:
    return f"333 {number} {taker + 1} {points} :{name} wins trick {number}"


def deal_ended(event: DealEnded, view: CoincheView) -> str:
    made = "made" if event.made else "failed"
    pairs = (*event.points, *event.belote, *event.scores)
    contract = view.contract() + _DOUBLED[view.doubled].replace(",", "")
    mine = view.bidder % 2
    many = event.belote[mine] // 20
    belote = "" if not many else " and a belote" if many == 1 else f" and {many} belotes"
    words = f"{contract} {'is' if event.made else 'has'} {made}: {event.points[mine]} points{belote}"
    return f"340 {event.deal} {made} {' '.join(str(value) for value in pairs)} :{words}"


def match_ended(winner: int, values: Sequence[int], names: Sequence[str]) -> str:
    return f"350 {TEAMS[winner]} {values[0]} {values[1]} :{team(winner, names)} win the game"


def stopped(reason: str) -> str:
    words = {
        "quit": "a player has left, the game is stopped",
        "shutdown": "the table is closed",
    }
    known = reason if reason in words else "abandoned"
    return f"351 {known} :{words.get(known, 'everyone has left, the game is stopped')}"


def told(event: Event, info: TableInfo, view: CoincheView) -> list[str]:
    """Return the lines of *event*, which *view* has heard, except 300 and whose turn it is."""
    names = nicknames(info)
    match event:
        case DealStarted():
            return [deal_starts(event.deal, event.dealer, event.first, names)]
        case Dealt():
            return [hand(view.deal, event.hand)]
        case Called():
            return [called(event.seat, event.action, names[event.seat])]
        case AuctionEnded():
            contract = contract_words(event.level, event.denomination)
            return [auction_ends(event.bidder, contract, event.doubled, event.factor, names)]
        case PassedOut():
            words = "everyone passed, nothing is scored"
            return [f"312 {event.deal} :{words}", totals(event.totals, info)]
        case Played():
            return [played(event.seat, event.card, names[event.seat])]
        case Announced():
            return [announced(event.seat, event.suit, event.again, names[event.seat])]
        case TrickTaken():
            return [trick_taken(event.number, event.taker, event.points, names[event.taker])]
        case DealEnded():
            return [deal_ended(event, view), totals(event.totals, info)]
        case MatchEnded():
            return [match_ended(event.winner, event.totals, names)]
    return []


# Whose turn it is.


def turn(seat: int, seconds: int, view: CoincheView, names: Sequence[str]) -> str:
    """Return 320 or 330: *seat* must speak, or play."""
    name = names[seat]
    if view.phase == BIDDING:
        return f"320 {seat + 1} {name} {seconds} :{name} to speak"
    return f"330 {seat + 1} {name} {seconds} {view.trick} :{name} to play"


def hint(view: CoincheView) -> str:
    """Return 326 or 334: the legal actions of the seat of *view*, which is asked."""
    if view.phase != BIDDING:
        return f"334 {bracketed(action - PLAY for action in view.legal)} :playable cards"
    bids = [action - CONTRACT for action in view.legal if action >= CONTRACT]
    least = LEVELS[bids[0] // KINDS] if bids else "-"
    words = ["PASS"]
    words += ["CONTRACT"] if bids else []
    words += ["COINCHE"] if COINCHE in view.legal else []
    words += ["SURCOINCHE"] if SURCOINCHE in view.legal else []
    return f"326 {least} {' '.join(words)} :what you may do"


def bracketed(cards: Iterable[int]) -> str:
    """Return a list of cards as the protocol writes it."""
    return f"[{', '.join(CARD_WORDS[card] for card in cards)}]"


def last_trick(view: CoincheView, names: Sequence[str]) -> str:
    """Return the reply to LAST; a trick must have been taken."""
    trick = view.tricks[-1]
    seats = [(trick.leader + i) % SEATS for i in range(SEATS)]
    cards = ", ".join(
        f"{names[seat]} {CARD_WORDS[card]}" for seat, card in zip(seats, trick.cards, strict=True)
    )
    return replies.LAST_TRICK.format(cards, names[trick.taker])
