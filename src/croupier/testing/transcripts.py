"""Transcripts: messages of clients and the expected answers, as text files next to the wire they test.

    # a comment
    ann> {"eventName": "join", …}     ann sends this (after connecting, if necessary)
    ann< {"eventName": "new_peer", …} ann's next frame must be this
    ann<~ {"data": {"turn": 2}}       the next frame is the previous one with these changes
    ann+                              ann connects
    ann-                              ann's connection is lost
    ann! 4001                         the server closes ann's connection with this code
    = 1.5                             this many seconds pass

Changes are a JSON merge patch (RFC 7396: null removes a member) in which an object also patches a list, by
index; ``{"$ref": "/data/players/0"}`` is replaced by the value at that path. All frames of a client with at
least one ``<`` are checked, and there must be no more; the frames of other clients are not checked. JSON
frames are compared as values, with members in order unless the frame is given by its changes; other lines are
compared as text.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import msgspec

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

_STEP: Final = re.compile(r"(?P<client>[\w.-]*)(?P<sign><~|[<>+!=-])(?: (?P<text>.*))?")


class Party(Protocol):
    """A client of the wire under test."""

    @property
    def frames(self) -> list[str]:
        """Return all frames it was sent so far."""
        ...

    def send(self, message: object) -> None: ...
    def drop(self) -> None: ...


class Stage(Protocol):
    """The environment in which a transcript is played."""

    def connect(self, name: str) -> Party: ...
    def advance(self, seconds: float) -> None: ...
    def closed_with(self, party: Party) -> int | None:
        """Return the close code of the server, or None."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    line: int
    client: str
    sign: str
    text: str


def read(path: Path) -> list[Step]:
    """Return the steps of a transcript, with changes expanded to whole frames."""
    steps: list[Step] = []
    last: dict[str, Json] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        found = _STEP.fullmatch(line)
        if found is None:
            raise ValueError(f"{path.name}:{number}: expected a step like 'ann> {{…}}', found {line[:40]!r}")
        client, sign, text = found["client"], found["sign"], found["text"] or ""
        if sign == "<~":
            frame = patched(last[client], msgspec.json.decode(text))
            last[client] = frame = resolved(frame, frame)
            text = msgspec.json.encode(frame).decode()
        elif sign == "<" and text.startswith("{"):
            last[client] = msgspec.json.decode(text)
        steps.append(Step(number, client, sign, text))
    return steps


def patched(value: Json, patch: Json) -> Json:
    """Return *value* with the merge patch *patch*."""
    if not isinstance(patch, dict) or set(patch) == {"$ref"}:
        return copy.deepcopy(patch)
    if isinstance(value, list):
        items = value[:]
        for index, change in patch.items():
            items[int(index)] = patched(items[int(index)], change)
        return items
    members: dict[str, Json] = dict(value) if isinstance(value, dict) else {}
    for name, change in patch.items():
        if change is None:
            members.pop(name, None)
        else:
            members[name] = patched(members.get(name), change)
    return members


def resolved(value: Json, root: Json) -> Json:
    """Return *value* with every reference replaced by the value it points to in *root*."""
    if isinstance(value, list):
        return [resolved(item, root) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$ref"}:
        found = root
        for name in str(value["$ref"]).split("/")[1:]:
            assert isinstance(found, dict | list), value
            found = found[int(name)] if isinstance(found, list) else found[name]
        return copy.deepcopy(found)
    return {name: resolved(member, root) for name, member in value.items()}


def play(steps: Iterable[Step], stage: Stage, adapt: Callable[[str], str] = str) -> Mapping[str, Party]:
    """Play *steps* on *stage* and compare; *adapt* changes each expected frame for a variant of the wire."""
    steps = list(steps)
    judged = {step.client for step in steps if step.sign in ("<", "<~")}
    parties: dict[str, Party] = {}
    seen = dict.fromkeys(judged, 0)
    for step in steps:
        if step.sign == "=":
            stage.advance(float(step.text))
            continue
        if step.sign == "+" or step.client not in parties:
            parties[step.client] = stage.connect(step.client)
            seen[step.client] = 0
            if step.sign == "+":
                continue
        party = parties[step.client]
        if step.sign == ">":
            party.send(step.text)
        elif step.sign == "-":
            party.drop()
        elif step.sign == "!":
            assert stage.closed_with(party) == int(step.text), (
                f"line {step.line}: {step.client} was not closed with this code"
            )
        else:
            at = seen[step.client]
            assert at < len(party.frames), (
                f"line {step.line}: {step.client} was sent nothing, expected {step.text}"
            )
            compare(step, adapt(step.text), party.frames[at])
            seen[step.client] = at + 1
    for name in judged:
        rest = parties[name].frames[seen[name] :]
        assert not rest, f"{name} was also sent {rest[0]} and {len(rest) - 1} more"
    return parties


def compare(step: Step, expected: str, found: str) -> None:
    """Fail unless the frames are equal as far as the step specifies."""
    where = f"line {step.line}, to {step.client}"
    if not expected.startswith("{"):
        assert found == expected, where
        return
    wanted, got = msgspec.json.decode(expected), msgspec.json.decode(found)
    assert got == wanted, where
    if step.sign == "<":
        # Equal values; encoding them again compares the order of members.
        assert msgspec.json.encode(got) == msgspec.json.encode(wanted), (
            f"{where}: members in a different order"
        )
