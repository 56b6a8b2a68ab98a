"""Clients of every protocol, without I/O: frames in, frames out.

A player survives its connections: after a lost one, `hello` returns to the seat. A frame may open a
*question*; the code that drives the player decides whether it is answered once, twice or never, and when.
Each player keeps the decisions that the server has acknowledged, spelt as in the journal of the table.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeAlias

import msgspec

Decision: TypeAlias = tuple[str, ...]
"""The actions of one decision, as in the journal."""
Plain: TypeAlias = dict[str, Any]


class Player:
    """A client that answers at random, but correctly."""

    def __init__(self, name: str, chance: Random) -> None:
        self.name = name
        self.chance = chance
        self.question: Any = None
        """The open question with its possible answers; None if there is none."""
        self.acknowledged: list[Decision] = []
        self.decisions = 0
        """How many questions were answered."""
        self.refused: list[str] = []
        """The server's refusals of decisions."""
        self.over = False
        """True if the end of the match has been told."""
        self.table = ""
        """The table, once it is known."""

    @property
    def accepted(self) -> int:
        """Return how many answers the server has accepted, as far as the protocol shows this."""
        return len(self.acknowledged)

    def hello(self) -> list[str]:
        """Return the messages to send when a connection is open."""
        raise NotImplementedError

    def hear(self, frame: str) -> list[str]:
        """Process a frame; return the messages to send immediately."""
        raise NotImplementedError

    def answer(self) -> list[str]:
        """Return a correct answer to the question, and close the question."""
        question, self.question = self.question, None
        if question is None:
            return []
        self.decisions += 1
        return self._answer(question)

    def goodbye(self) -> list[str]:
        """Return the messages with which the player leaves permanently; nothing if the protocol has none."""
        return []

    def _answer(self, question: Any) -> list[str]:
        raise NotImplementedError


def _json(message: Plain) -> str:
    return msgspec.json.encode(message).decode()


def _plain(frame: str) -> Plain:
    return msgspec.json.decode(frame, type=dict[str, Any])


class HousePlayer(Player):
    """A client of the house protocol, for any game."""

    def __init__(self, name: str, chance: Random, seat: int | None = None) -> None:
        super().__init__(name, chance)
        self.seat = seat
        self.last: int | None = None
        self.events: dict[int, Plain] = {}
        """The events by number."""
        self.gaps = 0
        """How often a number was omitted or had another event."""
        self.views = 0
        self._joined = False
        self._ids = 0
        self._sent: dict[int, tuple[int, Decision]] = {}
        self._decided: dict[int, Decision] = {}
        """The acknowledged decisions by turn."""

    def hello(self) -> list[str]:
        self._joined = False
        self.question = None
        self._sent.clear()
        join: Plain = {"type": "join", "name": self.name, "token": f"secret of {self.name}"}
        if self.seat is not None:
            join["seat"] = self.seat
        if self.last is not None:
            join["last"] = self.last
        return [_json(join)]

    def hear(self, frame: str) -> list[str]:
        found = _plain(frame)
        kind = found["type"]
        if kind == "joined":
            self._joined = True
        elif not self._joined:
            pass  # before the join the connection is a watcher, with the numbers of a watcher
        elif kind == "event":
            self._event(found["number"], found["event"])
        elif kind == "view":
            self.views += 1
            self.last = found["number"]
        elif kind == "ask":
            self.question = found["turn"], found["legal"]
        elif kind == "accepted" and found["id"] in self._sent:
            turn, decision = self._sent.pop(found["id"])
            if turn in self._decided:
                self.gaps += self._decided[turn] != decision
            else:
                self._decided[turn] = decision
                self.acknowledged.append(decision)
        elif kind == "refused":
            self._sent.pop(found["id"], None)
            self.refused.append(found["key"])
        elif kind == "closed":
            self.over = True
        return []

    def _event(self, number: int, event: Plain) -> None:
        if self.over:
            return  # others may take the seats for the next match
        if self.last is not None and number > self.last + 1:
            self.gaps += 1
        elif number in self.events:
            self.gaps += self.events[number] != event
        self.events[number] = event
        self.last = number if self.last is None else max(self.last, number)
        self.over = event["kind"] == "match_ended"

    def _answer(self, question: Any) -> list[str]:
        turn, legal = question
        many = 3 if legal[0].startswith("pass ") else 1  # passing cards is one decision
        if len(legal) == 2:  # mostly "no" to yes-or-no questions, so that more questions follow
            legal = [legal[self.chance.random() < 0.2]]
        actions = self.chance.sample(legal, many)
        self._ids += 1
        self._sent[self._ids] = turn, tuple(actions)
        return [_json({"type": "act", "turn": turn, "actions": actions, "id": self._ids})]

    def goodbye(self) -> list[str]:
        return [_json({"type": "leave"})]


class TrendPlayer(Player):
    """A client of the Trend protocol of Hearts."""

    def __init__(self, name: str, chance: Random, number: int | None = None) -> None:
        super().__init__(name, chance)
        self.number = number
        self._sent: Decision = ()

    def hello(self) -> list[str]:
        self.question = None
        self._sent = ()
        join: Plain = {"playerName": self.name, "token": f"secret of {self.name}"}
        if self.number is not None:
            join["playerNumber"] = self.number
        return [_json({"eventName": "join", "data": join})]

    def hear(self, frame: str) -> list[str]:
        found = _plain(frame)
        name, data = found["eventName"], found["data"]
        match name:
            case "pass_cards" | "expose_cards" | "your_turn":
                self.question = name, data
            case "turn_end" if data["turnPlayer"] == self.name and not data["serverRandom"]:
                self._confirm((f"play {data['turnCard']}",))
            case "pass_cards_end" | "receive_opponent_cards":
                picked = data.get("self", {}).get("pickedCards", [])
                if sorted(self._sent) == sorted(f"pass {card}" for card in picked):
                    self._confirm(self._sent)
            case "game_end":
                self.over = True
        return []

    def _confirm(self, decision: Decision) -> None:
        if self._sent and decision == self._sent:
            self.acknowledged.append(decision)
            self._sent = ()

    def _answer(self, question: Any) -> list[str]:
        name, data = question
        cards = data["self"]["candidateCards"]
        answer: Plain = {"dealNumber": data["dealNumber"]}
        match name:
            case "pass_cards":
                picked = self.chance.sample(cards, 3)
                self._sent = tuple(f"pass {card}" for card in picked)
                return [_json({"eventName": "pass_my_cards", "data": {**answer, "cards": picked}})]
            case "expose_cards":
                shown = cards if self.chance.random() < 0.5 else []
                return [_json({"eventName": "expose_my_cards", "data": {**answer, "cards": shown}})]
        card = self.chance.choice(cards)
        self._sent = (f"play {card}",)
        answer |= {"roundNumber": data["roundNumber"], "turnCard": card}
        return [_json({"eventName": "pick_card", "data": answer})]


class CoinchePlayer(Player):
    """A client of the lines of Coinche."""

    def __init__(self, name: str, chance: Random) -> None:
        super().__init__(name, chance)
        self.token = ""
        self._lines: deque[str] = deque()
        """The lines whose replies are due."""

    def hello(self) -> list[str]:
        self.question = None
        self._lines = deque(["NAME"])
        return [f"NAME {self.name} {self.token}".strip()]

    def hear(self, frame: str) -> list[str]:
        line = frame.rstrip("\r\n")
        code, fields = line[:3], line.split(" :")[0].split()
        if code[:1] in "245":
            sent = self._lines.popleft() if self._lines else ""
            if code == "200" and sent.startswith(("PLAY", "PASS", "CONTRACT")):
                self.acknowledged.append((sent,))
            elif code[0] in "45":
                self.refused.append(line)
        elif code == "108":
            self.table = fields[2]
            self.token = fields[3] if len(fields) > 3 and fields[3] != "-" else ""
        elif code in ("326", "334"):
            self.question = line
        elif code in ("112", "340"):
            self.question = None
        elif code in ("350", "351"):
            self.over = True
        return []

    def _answer(self, question: Any) -> list[str]:
        if question.startswith("334"):
            cards = question[question.index("[") + 1 : question.index("]")].split(", ")
            line = f"PLAY {self.chance.choice(cards)}"
        else:
            suit = self.chance.choice(("Hearts", "Spades", "Diamonds", "Clubs"))
            bids = question.startswith("326 80 ") and self.chance.random() < 0.6
            line = f"CONTRACT 80 {suit}" if bids else "PASS"
        self._lines.append(line)
        return [line]

    def repeated(self) -> None:
        """Note that the last answer is sent again: it gets a reply of its own."""
        self._lines.append("")

    def goodbye(self) -> list[str]:
        return ["QUIT"]


class RoomPlayer(Player):
    """A client of Tarock or Taroky that joins the room or table *room*."""

    GAME: str = ""

    def __init__(self, name: str, chance: Random, room: str) -> None:
        super().__init__(name, chance)
        self.room = room
        self.table = room
        self.token = ""
        self.gaps = 0
        """How often an event did not have the next number."""
        self._seq: int | None = None
        self._ids = 0
        self._sent: dict[int, Decision] = {}

    def hello(self) -> list[str]:
        self.question = None
        self._seq = None
        self._sent.clear()
        who: Plain = {"token": self.token} if self.token else {"nickname": self.name}
        return [_json({"command": "user.login", **who})]

    def hear(self, frame: str) -> list[str]:
        found = _plain(frame)
        match found.get("response"):
            case "user.login":
                self.token = found["token"]
                if found["room"] is None:
                    return [_json({"command": "lobby.room.join", "room_id": self.room})]
        decision = self._sent.pop(found.get("request_id", 0), None)
        if decision is not None:
            if "response" in found:
                self.acknowledged.append(decision)
            else:
                self.refused.append(found["error"])
        event = str(found.get("event", ""))
        if event.startswith("game."):
            self._count(found.get("seq"))
            self._told(event.removeprefix(f"game.{self.GAME}."), found)
        elif event == "lobby.game.finished":
            self.over = True
        return []

    def _count(self, seq: int | None) -> None:
        if seq is not None:
            self.gaps += self._seq is not None and seq != self._seq + 1
            self._seq = seq

    def _told(self, event: str, found: Plain) -> None:
        raise NotImplementedError

    def _command(self, name: str, fields: Plain, decision: Decision) -> list[str]:
        self._ids += 1
        self._sent[self._ids] = decision
        return [_json({"command": f"game.{self.GAME}.{name}", **fields, "request_id": self._ids})]

    def goodbye(self) -> list[str]:
        return [_json({"command": "lobby.room.leave"})]


class TarockPlayer(RoomPlayer):
    """A client of Tarock."""

    GAME = "tarock"

    def __init__(self, name: str, chance: Random, room: str) -> None:
        super().__init__(name, chance, room)
        self.id = -1
        self.hand: list[str] = []

    def _told(self, event: str, found: Plain) -> None:
        match event:
            case "deal" | "sync":
                self.id, self.hand = found["id"], list(found["hand"])
            case "bid.next" | "announce.next" | "play.next":
                if found["player_id"] == self.id and found.get("card") in self.hand:
                    self.hand.remove(found["card"])
                self.question = (event, found) if found["next_player"] == self.id else None
            case "callking.start" | "exchange.start":
                self.question = (event, found) if found["player_id"] == self.id else None
            case "bid.winner" | "score":
                self.question = None

    def _answer(self, question: Any) -> list[str]:
        event, asked = question
        match event:
            case "bid.next":
                bids = asked["valid_bids"] and (not asked["can_pass"] or self.chance.random() < 0.3)
                contract = self.chance.choice(asked["valid_bids"][:6]) if bids else "pass"
                return self._command("bid", {"contract": contract}, (f"bid {contract}",))
            case "callking.start":
                suit = self.chance.choice("CSHD")
                return self._command("callking", {"suit": suit}, (f"call {suit}",))
            case "exchange.start":
                return self._exchange(asked)
            case "announce.next":
                said = [bonus for bonus in asked["valid_bonuses"] if self.chance.random() < 0.2]
                actions = (*(f"announce {bonus}" for bonus in said), "done")
                return self._command("announce", {"bonuses": said}, actions)
        card = self.chance.choice(asked["valid_cards"])
        return self._command("play", {"card": card}, (f"play {card}",))

    def _exchange(self, asked: Plain) -> list[str]:
        picked = self.chance.randrange(len(asked["talon"]))
        whole = [*self.hand, *asked["talon"][picked]]
        free = [card for card in whole if card not in asked["invalid_by_set"][picked]]
        free.sort(key=lambda card: (card.startswith("T"), self.chance.random()))
        laid = free[: asked["count"]]
        self.hand = [card for card in whole if card not in laid]
        actions = (f"take {picked}", *(f"discard {card}" for card in laid))
        return self._command("exchange", {"picked": picked, "cards": laid}, actions)


class TarokyPlayer(RoomPlayer):
    """A client of Taroky."""

    GAME = "taroky"

    def __init__(self, name: str, chance: Random, room: str) -> None:
        super().__init__(name, chance, room)
        self.id = ""

    def hear(self, frame: str) -> list[str]:
        found = _plain(frame)
        if found.get("response") == "user.login":
            self.id = found["user_id"]
        elif found.get("response") == "game.taroky.state":
            phase = {"prever_talon": "half"}.get(found["phase"], found["phase"])
            self.question = (phase, found["valid"]) if found["your_turn"] else None
            self._seq = found["seq"]
        return super().hear(frame)

    def _told(self, event: str, found: Plain) -> None:
        mine = self.id in (found.get("next_player"), found.get("player_id"))
        next_is_mine = found.get("next_player") == self.id
        phase, _, word = event.partition(".")
        valid: list[Plain] | None = None
        match event:
            case "prever.start" | "prever.next" if next_is_mine:
                valid = [{"prever": False}, {"prever": True}]
            case "talon.drawn" | "talon.next" if next_is_mine:
                offered = found.get("action") == "pass"
                valid = [{"action": one} for one in (("reject", "accept") if offered else ("pass", "draw"))]
            case "half.offer" if mine:
                valid = [{"keep": False}, {"keep": True}]
            case "discard.start" | "discard.next" if next_is_mine:
                valid = [{"cards": [card]} for card in found["valid_cards"]]
            case "moneycards.choice":
                valid = [{"declare": False}, {"declare": True}]
            case "partner.start" if next_is_mine:
                valid = [{"card": card} for card in found["valid_partners"]]
            case "valat.start" | "valat.next" if next_is_mine:
                valid = [{"call": False}, {"call": True}]
            case "contra.turn" | "iote.turn":
                valid = [{"call": False}, {"call": True}]
            case "play.turn":
                valid = [{"card": card} for card in found["valid_cards"]]
        if valid is not None:
            self.question = phase, valid
        elif word in ("next", "start", "finished", "drawn") or event in ("deal", "result"):
            self.question = None

    def _answer(self, question: Any) -> list[str]:
        phase, valid = question
        fields = self.chance.choice(valid)
        if len(valid) == 2 and phase not in ("discard", "partner", "play"):
            fields = valid[self.chance.random() < 0.2]
        return self._command(phase, fields, (_TAROKY[phase](fields),))


def _yes(fields: Plain) -> str:
    return "yes" if next(iter(fields.values())) is True else "no"


_TAROKY: Final[dict[str, Callable[[Plain], str]]] = {
    **dict.fromkeys(("prever", "half", "moneycards", "valat", "contra", "iote"), _yes),
    "talon": lambda fields: "yes" if fields["action"] in ("accept", "draw") else "no",
    "partner": lambda fields: f"partner {int(fields['card'][1:]) - 10}",
    "discard": lambda fields: f"card {fields['cards'][0]}",
    "play": lambda fields: f"card {fields['card']}",
}


class GlassPlayer(Player):
    """A client of the Glass Workshop's lines; it drafts at random and never uses a tool."""

    def __init__(self, name: str, chance: Random) -> None:
        super().__init__(name, chance)
        self.token = ""
        self._pool: list[str] = []
        self._sent: deque[Decision] = deque()
        self._passing = False
        """True if the answer to a pass is due: the game continues."""
        self._passed = 0

    @property
    def accepted(self) -> int:
        return len(self.acknowledged) + self._passed

    def hello(self) -> list[str]:
        self.question = None
        self._passing = False
        self._sent.clear()
        return [f"login\t{self.name}"]

    def hear(self, frame: str) -> list[str]:
        verb, *fields = frame.rstrip("\r\n").split("\t")
        if self._passing and verb in ("your-turn", "endRound", "endGame"):
            self._passing = False
            self._passed += 1
        match verb:
            case "login" if fields[1] == "token":
                return [f"token\t{self.token}"]
            case "login":
                self.token = fields[1]
            case "game":
                found = dict(pair.split("=") for pair in fields[0].split(";"))
                self.table = found["id"]
            case "schemas":
                self.question = "schemas", fields
            case "round" if fields[1] == self.name:
                self.question = "extract", []
            case "dice":
                self._pool = fields
            case "your-turn":
                self.question = "turn", []
            case "ok" | "invalid" | "invalid_dice" | "constrains_violated" | "bad_request":
                decision = self._sent.popleft() if self._sent else ()
                if verb == "ok" and decision:
                    self.acknowledged.append(decision)
                elif verb == "bad_request":
                    self.refused.append(verb)
            case "endGame":
                self.over = True
        return []

    def _answer(self, question: Any) -> list[str]:
        kind, fields = question
        if kind == "schemas":
            window = self.chance.choice(fields)
            self._sent.append((f"window {window}",))
            return [f"schema\t{window}"]
        if kind == "extract":
            return ["extract"]
        self._passing = True
        if not self._pool or self.chance.random() < 0.3:
            return ["pass"]
        die, row, column = self.chance.choice(self._pool), *self.chance.choice(_EDGE)
        self._sent.append((f"draft {die}", f"put {row},{column}"))
        return [f"place\t{die}\t{row}\t{column}", "pass"]

    def goodbye(self) -> list[str]:
        return ["logout"]


_EDGE: Final = [(row, column) for row in range(1, 5) for column in range(1, 6)]


def own_player(game: str, name: str, chance: Random, seat: int, table: str) -> Player:
    """Return a player of the published protocol of *game*; in some, it needs a *seat* or the *table*."""
    match game:
        case "hearts":
            return TrendPlayer(name, chance, seat + 1)
        case "coinche":
            return CoinchePlayer(name, chance)
        case "tarock":
            return TarockPlayer(name, chance, table)
        case "taroky":
            return TarokyPlayer(name, chance, table)
    return GlassPlayer(name, chance)
