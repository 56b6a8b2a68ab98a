"""The settings of a Taroky Notation: read in all spellings of the original, written in one (spec 2.7)."""

from __future__ import annotations

from typing import Final

from croupier.core.options import Value

KEYS: Final = [
    "lock",
    "timeout",
    "aceHigh",
    "botPlayTime",
    "botThinkTime",
    "difficulty",
    "contraOnValat",
    "preverPriority",
]
"""The known settings in the order they are written."""
SPELLINGS: Final = {key.lower(): key for key in KEYS} | {"locked": "lock", "acewins": "aceHigh"}
SWITCHES: Final = ("lock", "aceHigh", "contraOnValat")
TRUTHS: Final = {"true": True, "1": True, "false": False, "0": False}
DIFFICULTIES: Final = ["Beginner", "Easy", "Normal", "Hard", "Ruthless", "AI"]
LEVELS: Final = {name.lower(): level for level, name in enumerate(DIFFICULTIES)}
EXPECTED: Final = {
    "lock": "true or false",
    "timeout": "a number of milliseconds",
    "aceHigh": "true or false",
    "botPlayTime": "a number of milliseconds",
    "botThinkTime": "a number of milliseconds",
    "difficulty": "0…5 or one of " + ", ".join(DIFFICULTIES),
    "contraOnValat": "true or false",
    "preverPriority": "first or last",
}


class BadSetting(ValueError):
    """An invalid item of the settings: the reason, and its place in the field."""

    def __init__(self, reason: str, at: int, words: str) -> None:
        super().__init__(words)
        self.reason = reason
        self.at = at


class Settings:
    """A notation's data outside the rules: known settings, unknown ones unchanged, the saver."""

    def __init__(self) -> None:
        self.known: dict[str, Value] = {}
        self.unknown: list[tuple[str, str]] = []
        self.pn = -1
        """The player who saved the game, 0 is Povinnost; -1 if unknown."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Settings):
            return NotImplemented
        return self.known == other.known and self.unknown == other.unknown and self.pn == other.pn

    def __hash__(self) -> int:
        raise TypeError("settings can change, so they have no hash")

    def on(self, key: str, default: bool) -> bool:
        """Return the switch *key*, or *default* if it is not given."""
        value = self.known.get(key)
        return value if isinstance(value, bool) else default

    def write(self) -> str:
        """Return the settings field in its canonical form."""
        items: list[str] = []
        for key in KEYS:
            if key in self.known:
                value = self.known[key]
                items.append(f"{key}={_spelt(value)}")
        items += [f"{key}={value}" for key, value in self.unknown]
        text = ";".join(items)
        return f"{text};pn={self.pn}" if self.pn >= 0 else text

    def options(self) -> dict[str, object]:
        """Return the options of a match that these settings stand for."""
        out: dict[str, object] = {}
        if "aceHigh" in self.known:
            out["ace_high"] = self.known["aceHigh"]
        if "contraOnValat" in self.known:
            out["contra_on_valat"] = self.known["contraOnValat"]
        if "preverPriority" in self.known:
            out["prever_priority"] = self.known["preverPriority"]
        return out


def _spelt(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def read_settings(text: str) -> Settings:
    """Return the settings in *text*, the last field; raise BadSetting if it is not valid."""
    out = Settings()
    at = 0
    for item in text.split(";"):
        if item:
            _read_item(out, item, at)
        at += len(item) + 1
    if out.pn < 0 and out.unknown:
        # White space at the end of the last value would be lost when the text is read again.
        key, value = out.unknown[-1]
        out.unknown[-1] = (key, value.rstrip())
    return out


def _read_item(out: Settings, item: str, at: int) -> None:
    key, sign, value = item.partition("=")
    if not sign:
        raise BadSetting("bad_setting", at, f"{_short(item)}: expected key=value")
    if not _is_key(key):
        raise BadSetting("bad_setting", at, f"{_short(key)}: expected a key of letters, digits and _")
    there = at + len(key) + 1
    for n, sign in enumerate(value):
        if not " " <= sign <= "~":
            raise BadSetting("bad_setting", there + n, f"{key}: {sign!a}, expected printable ASCII")
    lower = key.lower()
    if lower == "pn":
        if value not in ("0", "1", "2", "3"):
            raise BadSetting("bad_pn", there, f"pn={_short(value)}: expected 0…3")
        out.pn = int(value)
    elif lower in SPELLINGS:
        name = SPELLINGS[lower]
        read = _read_value(name, value)
        if read is None:
            raise BadSetting("bad_setting", there, f"{key}={_short(value)}: expected {EXPECTED[name]}")
        out.known[name] = read
    else:
        # Of several equal keys the last counts, in its place.
        out.unknown = [pair for pair in out.unknown if pair[0].lower() != lower] + [(key, value)]


def _is_key(key: str) -> bool:
    return key[:1].isalpha() and key.isascii() and key.replace("_", "a").isalnum()


def _read_value(name: str, text: str) -> Value | None:
    if name in SWITCHES:
        return TRUTHS.get(text)
    if name == "preverPriority":
        return text if text in ("first", "last") else None
    if name == "difficulty" and text.lower() in LEVELS:
        return LEVELS[text.lower()]
    if not text.isascii() or not text.isdigit():
        return None
    number = int(text)
    if name == "difficulty":
        return number if number < len(DIFFICULTIES) else None
    # The original's examples give the timeout in seconds, its program in milliseconds.
    return number * 1000 if name == "timeout" and number < 1000 else number


def _short(text: str) -> str:
    return ascii(text) if len(text) <= 40 else ascii(text[:37]) + "..."
