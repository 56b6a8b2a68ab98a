"""The reader of Taroky Notation: everything is checked against the rules, not only against the grammar.

Fields are read from left to right. Each is taken by the slot that is due or, if that slot is optional, by a
later one (spec 2.2). Within a field the form is checked first (existing cards, the right number of them),
then the meaning. Everything read is applied to a state at once, so that the rules decide what may follow.
"""

from __future__ import annotations

from typing import Final, NoReturn

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.games.taroky.legality import money_cards, partner_choice
from croupier.games.taroky.notation import LONGEST, Notation, NotationError, write
from croupier.games.taroky.settings import BadSetting, Settings, read_settings
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.vocabulary import (
    CARD,
    CARDS,
    CODES,
    CONTRA,
    DISCARD,
    DREW,
    FIVES,
    GIVEN,
    HALF,
    HALVES,
    IOTE,
    LIMIT,
    MONEY,
    MONEY_CODES,
    NAME,
    NO,
    NOBODY,
    OPTIONAL_MONEY,
    OVER,
    PAGAT,
    PARTNER,
    PLAYING,
    PREVER,
    RETURNED,
    RULES_OPTIONS,
    SEATS,
    TRICKS,
    VALAT,
    YES,
    TarokyRules,
)

READ: Final = CODES | {f"{suit}A": CODES[f"{suit}1"] for suit in "SCHD"}
"""The card of each token; a seven or ace may be called A."""
PLAYERS: Final = {"1": 1, "2": 2, "3": 3, "4": 4}
HEADER: Final = 9
"""The fields every notation has: chips, hands, talon."""
HEADER_SLOTS: Final = ["chips"] * 4 + ["hand1", "hand2", "hand3", "hand4", "talon"]
TRICK_SLOTS: Final = [f"trick{n}" for n in range(TRICKS + 1)]


def _rules(ace_high: bool, contra_on_valat: bool, last: bool) -> TarokyRules:
    raw: dict[str, object] = {
        "hands": 1,
        "first_povinnost": "0",
        "start_chips": 0,
        "ace_high": ace_high,
        "contra_on_valat": contra_on_valat,
        "prever_priority": "last" if last else "first",
    }
    return TarokyRules(RULES_OPTIONS.read(raw))


RULES: Final = [_rules(n & 1 == 1, n & 2 == 2, n & 4 == 4) for n in range(8)]
"""A cache of the rules, by the settings that change them."""


def rules_of(settings: Settings) -> TarokyRules:
    """Return the rules of one deal under *settings*, player 1 on seat 0 and without chips."""
    n = 1 if settings.on("aceHigh", False) else 0
    n += 2 if settings.on("contraOnValat", True) else 0
    n += 4 if settings.known.get("preverPriority") == "last" else 0
    return RULES[n]


def parse(text: str) -> Notation:
    """Return the notation in *text*, checked and played; raise NotationError if it is not valid."""
    if len(text) > LONGEST:
        detail = f"{len(text)} characters, expected at most {LONGEST}"
        raise NotationError(0, 1, "header", "too_long", detail)
    return _Reader(text.strip()).read()


class _Reader:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.fields = text.split("/")
        self.starts: list[int] = []
        start = 0
        for field in self.fields:
            self.starts.append(start)
            start += len(field) + 1
        last = self.fields[-1]
        self.end = len(self.fields)
        """How many fields the game has, without the settings."""
        self.settings = Settings()
        if not last or "=" in last or ";" in last:
            self.end -= 1
            self._read_settings(last)
        self.state = TarokyState(rules_of(self.settings))
        self.at = 0
        """The field that is read next."""
        self.moves: list[int] = []

    def _read_settings(self, field: str) -> None:
        try:
            self.settings = read_settings(field)
        except BadSetting as error:
            self.fail(self.starts[-1] + error.at, "settings", error.reason, str(error))

    def fail(self, offset: int, slot: str, reason: str, detail: str) -> NoReturn:
        """Refuse the text."""
        raise NotationError(offset, self.text.count("/", 0, offset) + 1, slot, reason, detail)

    def act(self, action: int) -> None:
        """Apply *action* for the seat that is asked."""
        seat = int(self.state.turn)
        self.moves.append(seat * 64 + action)
        self.state.apply(seat, action)

    def read(self) -> Notation:
        if self.end < HEADER:
            detail = f"{self.end} fields, expected four of chips, four hands and the talon"
            self.fail(len(self.text), "header", "too_few_fields", detail)
        out = self._header()
        out.settings = self.settings
        out.state = self.state
        out.moves = self.moves
        out.phase = self._body(out)
        # Omitted fields make the canonical form longer; it must not exceed the limit either.
        if len(self.text) > LONGEST - 100 and len(write(out)) > LONGEST:
            self.fail(0, "header", "too_long", f"its canonical form has more than {LONGEST} characters")
        return out

    def _body(self, out: Notation) -> int:
        """Read the fields after the talon and return the phase that comes after the last of them."""
        self.at = HEADER
        if self.at == self.end:
            return PREVER
        if self.fields[self.at].startswith("P"):
            self._prever(out)
            if self.at == self.end:
                return HALF
            self._half(out)
        else:
            self._pass(out)
        if self.at == self.end:
            return DISCARD
        self._discards(out)
        if self.at == self.end:
            return MONEY
        self._money(out)
        if self.at == self.end:
            return VALAT if out.prever else PARTNER
        if not out.prever:
            self._partner(out)
            if self.at == self.end:
                return VALAT
        self._valat(out)
        if self.at == self.end:
            return CONTRA
        self._contra(out)
        if self.at == self.end:
            return IOTE
        self._iote(out)
        while self.at < self.end:
            self._trick(out)
        return OVER if len(out.tricks) == TRICKS else PLAYING

    # Cards

    def _cards(self, start: int, end: int, slot: str) -> list[int]:
        """Return the cards between two offsets."""
        out: list[int] = []
        while start < end:
            card = self._card(start, end, slot)
            out.append(card)
            start += 3 if card >= PAGAT else 2
        return out

    def _card(self, start: int, end: int, slot: str) -> int:
        text = self.text
        width = 3 if text[start] == "T" else 2
        card = READ.get(text[start : start + width], NOBODY)
        if card == NOBODY or start + width > end:
            token = text[start : min(start + width, end)]
            if token[0] in "SCHDT" and start + width > end:
                self.fail(start, slot, "incomplete_card", f"{token!a}: the field ends inside a card")
            self.fail(start, slot, "bad_card", f"{token!a}: no such card, expected one like S1, HK or T05")
        return card

    def _bounds(self) -> tuple[int, int]:
        start = self.starts[self.at]
        return start, start + len(self.fields[self.at])

    # Header

    def _header(self) -> Notation:
        chips = [self._chips(n) for n in range(4)]
        hands: list[list[int]] = []
        order: list[int] = []
        talon: list[int] = []
        seen: i64 = 0
        for n in range(4, HEADER):
            self.at = n
            slot = HEADER_SLOTS[n]
            start, end = self._bounds()
            cards = self._cards(start, end, slot)
            expected = 6 if n == 8 else 12
            if len(cards) != expected:
                self.fail(start, slot, "wrong_card_count", f"{len(cards)} cards, expected {expected}")
            for k in range(expected):
                one = bit(cards[k])
                if seen & one:
                    detail = f"{CARDS[cards[k]]}: it was dealt before"
                    self.fail(start + _width(cards[:k]), slot, "duplicate_card", detail)
                seen |= one
            if n < 8:
                hands.append(cards)
                order += cards
            else:
                talon = cards
        if max(chips) <= LIMIT and min(chips) >= -LIMIT:
            self.state.stacks = vec[i64](chips)
        self.state.set_out(order, talon)
        return Notation(chips, hands, talon)

    def _chips(self, n: int) -> int:
        text = self.fields[n]
        digits = text[1:] if text.startswith("-") else text
        if not digits.isascii() or not digits.isdigit():
            self.fail(self.starts[n], "chips", "bad_chips", f"{text[:20]!a}: expected a number of chips")
        return int(text)

    # Prever and talon

    def _prever(self, out: Notation) -> None:
        field = self.fields[self.at]
        player = PLAYERS.get(field[1:], 0)
        if not player:
            self.fail(self.starts[self.at], "prever", "bad_prever", f"{field[:20]!a}: expected P1…P4")
        out.prever = player
        self.at += 1
        n = 1
        while self.state.phase == PREVER:
            self.act(YES if n == player else NO)
            n += 1

    def _half(self, out: Notation) -> None:
        field = self.fields[self.at]
        if field not in ("T", "B", "R"):
            detail = f"{field[:20]!a}: expected T, B or R"
            self.fail(self.starts[self.at], "prever_talon", "bad_prever_talon", detail)
        out.half = HALVES.index(field)
        self.at += 1
        if out.half > 1:
            self.act(NO)
        self.act(NO if out.half == 3 else YES)

    def _pass(self, out: Notation) -> None:
        field = self.fields[self.at]
        if not field or field[0] == "G":
            self._flags(out, field)
            self.at += 1
        for _ in range(SEATS):
            self.act(NO)
        for gift in out.gifts:
            if gift == DREW:
                self.act(YES)
            else:
                self.act(NO)
                self.act(YES if gift == GIVEN else NO)

    def _flags(self, out: Notation, field: str) -> None:
        start = self.starts[self.at]
        k = 0
        last = 1
        while k < len(field):
            width = 3 if field[k + 1 : k + 2] == "R" else 2
            flag = field[k : k + width]
            player = PLAYERS.get(flag[width - 1 :], 0)
            if flag[0] != "G" or player not in (2, 3) or player <= last:
                detail = f"{flag!a}: expected G2, GR2, G3 or GR3, each player once and 2 first"
                self.fail(start + k, "pass", "bad_pass", detail)
            out.gifts[player - 2] = GIVEN if width == 2 else RETURNED
            last = player
            k += width

    def _discards(self, out: Notation) -> None:
        start, end = self._bounds()
        cards = self._cards(start, end, "discard")
        expected = 3 if out.prever else 6
        if len(cards) != expected:
            self.fail(start, "discard", "wrong_card_count", f"{len(cards)} cards, expected {expected}")
        for k in range(expected):
            card = cards[k]
            player = int(self.state.turn)
            if not self.state.may & bit(card):
                at = start + _width(cards[:k])
                if not self.state.hands[player] & bit(card):
                    detail = f"{CARDS[card]}: player {player + 1} does not hold it"
                    self.fail(at, "discard", "card_not_held", detail)
                why = (
                    "five points are never discarded"
                    if bit(card) & FIVES
                    else "suit cards come before trumps"
                )
                self.fail(at, "discard", "illegal_discard", f"{CARDS[card]}: {why}")
            out.discards[player].append(card)
            self.act(CARD + card)
        self.at += 1

    # Calls

    def _money(self, out: Notation) -> None:
        start = self.starts[self.at]
        field = self.fields[self.at]
        due = [money_cards(self.state.hands[n]) for n in range(SEATS)]
        if self._is_money(field, out.prever):
            for k in range(0, len(field), 2):
                self._money_call(out, field[k : k + 2], start + k, due)
            self.at += 1
        for n in range(SEATS):
            missing = due[n] & ~out.money[n]
            if n == 0 and not out.prever:
                missing &= ~OPTIONAL_MONEY
            if missing:
                code = next(code for k, code in enumerate(MONEY_CODES) if missing >> k & 1)
                detail = f"{code}{n + 1}: player {n + 1} holds it and it was not called"
                self.fail(start, "moneycards", "moneycard_missing", detail)
        if self.state.phase == MONEY:
            self.act(YES if out.money[0] & OPTIONAL_MONEY else NO)

    def _is_money(self, field: str, prever: int) -> bool:
        """Return True if the slot of money cards takes *field* (spec 2.2)."""
        if not field or field[0] in "UBR3KP":
            return True
        if field[0] not in "TH":
            return False
        if not prever:
            return True
        if len(field) % 2:
            return False
        for k in range(0, len(field), 2):
            if field[k] not in MONEY_CODES or field[k + 1] not in PLAYERS:
                return False
        return True

    def _money_call(self, out: Notation, call: str, at: int, due: list[i64]) -> None:
        player = PLAYERS.get(call[1:], 0)
        code = MONEY_CODES.find(call[0])
        if code < 0 or not player:
            self.fail(at, "moneycards", "bad_moneycard", f"{call!a}: expected a code and a player, like T3")
        one = bit(code)
        if out.money[player - 1] & one:
            self.fail(at, "moneycards", "duplicate_moneycard", f"{call}: it was called before")
        if not due[player - 1] & one:
            detail = f"{call}: player {player} does not hold it"
            self.fail(at, "moneycards", "moneycard_not_held", detail)
        out.money[player - 1] |= one

    def _partner(self, out: Notation) -> None:
        start = self.starts[self.at]
        field = self.fields[self.at]
        if len(field) != 1 or field not in "56789":
            self.fail(start, "partner", "bad_partner", f"{field[:20]!a}: expected 9, 8, 7, 6 or 5")
        trump = int(field) + 10
        if trump != 19 and trump != partner_choice(self.state.hands[0]):
            lower = partner_choice(self.state.hands[0])
            may = f"9 or {lower - 10}" if lower else "9"
            self.fail(start, "partner", "partner_not_allowed", f"{field}: player 1 may name {may}")
        out.partner = trump
        self.act(NAME + trump - 15)
        self.at += 1

    def _valat(self, out: Notation) -> None:
        field = self.fields[self.at]
        if field.startswith("V"):
            out.valat = PLAYERS.get(field[1:], 0)
            if not out.valat:
                self.fail(self.starts[self.at], "valat", "bad_valat", f"{field[:20]!a}: expected V1…V4")
        if not field or out.valat:
            self.at += 1
        while self.state.phase == VALAT:
            self.act(YES if self.state.turn == out.valat - 1 else NO)

    def _contra(self, out: Notation) -> None:
        field = self.fields[self.at]
        if _is_contra(field):
            start = self.starts[self.at]
            for k in range(0, len(field), 2):
                player = PLAYERS[field[k + 1]]
                level = len(out.contras)
                if not self.state.contra_side(level) >> (player - 1) & 1:
                    detail = f"{field[k : k + 2]}: player {player} is on the side that cannot call it"
                    self.fail(start + k, "contra", "contra_wrong_side", detail)
                out.contras.append(player)
                while self.state.turn != player - 1:
                    self.act(NO)
                self.act(YES)
            self.at += 1
        while self.state.phase == CONTRA:
            self.act(NO)

    def _iote(self, out: Notation) -> None:
        field = self.fields[self.at]
        if not field or field[0] == "I":
            if field:
                self._iote_call(out, field, self.starts[self.at])
            self.at += 1
        if self.state.phase == IOTE:
            self.act(YES if out.iote else NO)

    def _iote_call(self, out: Notation, field: str, start: int) -> None:
        out.iote = PLAYERS.get(field[1:], 0)
        if not out.iote:
            self.fail(start, "iote", "bad_iote", f"{field[:20]!a}: expected I1…I4")
        if out.valat:
            self.fail(start, "iote", "iote_in_valat", f"{field}: valat was announced")
        if self.state.pagat != out.iote - 1:
            self.fail(start, "iote", "iote_not_holder", f"{field}: player {out.iote} does not hold T01")

    # Tricks

    def _trick(self, out: Notation) -> None:
        start, end = self._bounds()
        number = len(out.tricks) + 1
        if number > TRICKS:
            self.fail(start, "tricks", "too_many_tricks", f"trick {number}: a deal has {TRICKS}")
        slot = TRICK_SLOTS[number]
        if start == end:
            self.fail(start, slot, "empty_trick", "no cards, expected one to four")
        cards: list[int] = []
        at = start
        while at < end:
            if at == end - 1 and self.text[at].isdigit():
                break  # the winner
            card = self._card(at, end, slot)
            if len(cards) == SEATS:
                self.fail(at, slot, "trick_card_count", f"{CARDS[card]}: a fifth card")
            cards.append(card)
            at += 3 if card >= PAGAT else 2
        last = self.at == self.end - 1
        if len(cards) < SEATS and (at < end or not last or not cards):
            self.fail(start, slot, "trick_card_count", f"{len(cards)} cards, expected {SEATS}")
        self._plays(cards, start, slot)
        self.at += 1
        if len(cards) < SEATS:
            out.open = cards
            return
        winner = int(self.state.winner) + 1
        if at == end:
            self.fail(end, slot, "missing_winner", f"no winner, expected {winner}")
        if self.text[at] != str(winner):
            self.fail(at, slot, "wrong_winner", f"{self.text[at]!a}: player {winner} takes the trick")
        out.tricks.append(cards)
        out.winners.append(winner)

    def _plays(self, cards: list[int], start: int, slot: str) -> None:
        state = self.state
        for k, card in enumerate(cards):
            if not state.may & bit(card):
                at = start + _width(cards[:k])
                player = int(state.turn) + 1
                if not state.hands[player - 1] & bit(card):
                    detail = f"{CARDS[card]}: player {player} does not hold it"
                    self.fail(at, slot, "card_not_held", detail)
                follow = state.hands[player - 1] & state.led
                why = "can follow" if follow else "has to trump"
                self.fail(at, slot, "illegal_play", f"{CARDS[card]}: player {player} {why}")
            self.act(CARD + card)


def _is_contra(field: str) -> bool:
    """Return True if the slot of contra takes *field*: empty, or one to three pairs."""
    if len(field) % 2 or len(field) > 6:
        return False
    return all(field[k] == "C" and field[k + 1] in PLAYERS for k in range(0, len(field), 2))


def _width(cards: list[int]) -> int:
    """Return the number of characters that *cards* take."""
    width = 0
    for card in cards:
        width += len(CARDS[card])
    return width
