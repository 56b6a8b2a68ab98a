"""The texts of the project contain none of the listed phrases (CONTRIBUTING.md, "Plain English").

Each pattern has a suggestion. Every folder is checked; the review of a text remains the work of a person.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT: Final = Path(__file__).parents[1]

SKIPPED: Final = {"LICENSE", "build", "data", "dist", "htmlcov", "node_modules", "pages", "test-results"}
"""What is not ours or not text of the project; names with a leading dot are skipped too."""


def folders() -> list[str]:
    """Return every file at the top and every folder of the first or second level, relative to the root."""
    found: list[str] = []
    for path in sorted(ROOT.iterdir()):
        if path.name in SKIPPED or path.name.startswith("."):
            continue
        inside = path.is_dir() and path.name in ("src", "tests", "web")
        top = path / "croupier" if path.name == "src" else path
        found += [
            one.relative_to(ROOT).as_posix()
            for one in (sorted(top.iterdir()) if inside else [path])
            if one.name not in SKIPPED and one.name != "__pycache__"
        ]
    return found


CHECKED: Final = folders()

SUFFIXES: Final = {
    ".py",
    ".md",
    ".ts",
    ".tsx",
    ".css",
    ".sh",
    ".toml",
    ".service",
    ".timer",
    ".conf",
    ".html",
    ".yaml",
    ".yml",
    ".cfg",
    ".sql",
}
NAMES: Final = {"Makefile", "Containerfile"}
TRANSLATED: Final = re.compile(r"(^|/)(cs|de|fr|sl)(\.\w+)?\.(ts|md)$")
GENERATED: Final = re.compile(r"<!-- table: .*?<!-- end of table -->", re.DOTALL)
"""Tables that are generated from the code of the games, which is checked itself."""

PATTERNS: Final = {
    r"\bwho(m|se)?ever\b": "the player who, anyone who, if you",
    r"\bwhatever\b": "any, everything that, independent of",
    r"\bwhichever\b": "any, the first of",
    r"\bsay whether\b": "return whether",
    r"\bsays? so\b": "report it, and what is reported",
    r"\bso many\b": "at most N, this many",
    r"\b(or|and) the like\b": "or similar",
    r"\bone's (own )?\b": "your, their, the player's",
    r"\b(he|him|his|himself)\b": "they (singular)",
    r"\bsomebody('s)?\b": "a player, another player, a person",
    r"\b(any|every)body('s)?\b": "anyone, everyone, all players",
    r"\b(is|are|was|were) called so\b": "has this name",
    r"\b(get|gets|got|getting) up\b(?! to)": "leave",
    r"\bla(y|ys|id|ying) away\b": "discard",
    r"\bcall(s|ed|ing)? it off\b": "cancel",
    r"\b(another|one|name|port|address|that|file|number) would do\b": "choose another ..., use ...",
    r"\b(leave|leaves|left|leaving) (it )?out\b": "omit",
    r"\bbr(eaks|oke|oken) off\b": "abort, interrupt, fail",
    r"\bnobody's\b|\bnone of \w+ business\b": "the rule or the reason",
    r"\bfor ever\b": "without limit, forever",
    r"\banew\b": "again",
    r"\bbut for\b": "except",
    r"\b(bettered|foretold|goodbyes?)\b": "a technical term",
    r"\b(fares|thinks? less|begun beside|goes on where it was)\b": "a technical term",
    r"\b(orphans|keeper|go-between|clerk|scribe|logbook)\b": "supervisor, accounts, ratings, traffic log",
    r"\b(points|moves|steps|frames|lines|messages) a (second|CPU-second|match|deal|line)\b": "per",
    r"\ba (deal|column|row|line|message) a (line|seat|suit)\b|\bone a (line|seat|second)\b": "per",
    r"\bwhile the server runs or not\b": "even while the server runs",
    r"\bnobody is\b(?! here)": "no player, no one, or the active voice",
    r"\bby and by\b": "gradually, later",
    r"\b(is|are|was|were) (not )?written down\b": "is stored, is saved, is documented",
    r"\blies in\b": "is in",
    r"\b(hence|thus|thereof|forthwith|henceforth|lest)\b": "so, therefore",
    r"\bthe (maximum|minimum) of\b|\bthe most (characters|bytes|chips)\b": "the maximum number of",
    r"\bthe least (number|time|pause)\b|\bleast pause\b": "the minimum",
    r"\bbits an? \w+\b|\b(KB|MB|ms|bytes) an? (connection|move|table|seat|line|frame)\b": "per",
    r"\bfrom which on\b": "at which, at least",
    r"\b(an)?other \w+ than\b": "other than, differs from",
    r"\bthe own\b": "your own, the player's own",
    r"\bon the whole\b": "in total",
    r"\bspeaks? for or against\b": "reasons for or against",
    r": there is none\b": "not found",
    r"\bone after the other\b": "one after another",
    r"\blies? (open|on|over|under)\b": "is visible, is on, covers",
    r"\b(server|database|bus|nats) (is|was) away\b": "unavailable, unreachable",
    r"\b(is|are|was|were) told so\b": "is told, gets",
    r"\b(\w+, )?by an? \w+ for example\b": "for example by",
    r"\b(hidden|secret|omitted) are the\b": "the subject first: the ... are hidden",
    r"\bcannot (tell|be told) (from|apart)\b": "cannot distinguish, looks the same as",
    r"\b(what|everything that) (goes|went) wrong\b": "the fault, the error",
    r"\b(goes?|going|went) on (playing|with|without)\b|\band goes on\b": "continue",
    r"\b(nothing|everything|anything) of ours\b": "nothing of Croupier",
    r"\bwhat became of\b": "the result of, the outcome for",
    r"\bof which (either|one|both|a few)\b": "a new sentence: one of them ...",
    r"\breplace [^.;,(]{1,50} by\b": "replace ... with",
    r"\breally obtained\b": "measured",
    r"\bfrom when until when\b": "the period",
}
"""What is searched for, ignoring case, and what to write instead."""

NO_PROSE: Final = {("src/croupier/wire/identity.py", "whatever"): "a common password that is refused"}
"""Words in a file that are data, each with the reason."""


class Found(NamedTuple):
    file: str
    line: int
    words: str
    instead: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.words!r}: write {self.instead}"


def files(where: str) -> Iterator[Path]:
    """Yield the files below *where* that contain English text."""
    path = ROOT / where
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if SKIPPED & set(file.relative_to(ROOT).parts):
            continue
        name = file.relative_to(ROOT).as_posix()
        if not file.is_file() or TRANSLATED.search(name):
            continue
        if (file.suffix in SUFFIXES or file.name in NAMES) and "/fixtures/" not in name:
            yield file


def prose(file: Path) -> str:
    """Return the text of *file*, of Python only comments and strings, without generated tables.

    The result is empty if no pattern matches in the file, which is quickly known."""
    text = file.read_text(encoding="utf-8")
    if not ANY.search(text.lower()):
        return ""
    if file.suffix != ".py":
        return GENERATED.sub(lambda table: "\n" * table[0].count("\n"), text)
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            for number, line in enumerate(token.string.split("\n"), token.start[0]):
                lines[number - 1] += line + " "
    return "\n".join(lines)


def found_in(name: str, text: str) -> list[Found]:
    """Return the places in *text* where a pattern matches."""
    return [
        Found(name, number, match[0], instead)
        for number, line in enumerate(text.splitlines(), 1)
        for pattern, instead in COMPILED
        for match in pattern.finditer(line)
        if (name, match[0]) not in NO_PROSE
    ]


COMPILED: Final = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in PATTERNS.items()]


def any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return one pattern that matches where any of *patterns* does, in lower case.

    A match at the beginning of a word is tried there alone, and without groups the first letters decide:
    this is fifteen times as fast as joining the patterns as they are."""
    plain = [
        re.sub(r"\((?!\?)", "(?:", one) for many in patterns for one in re.split(r"\|(?=\\b)", many.lower())
    ]
    at_words = [one.removeprefix(r"\b") for one in plain if one.startswith(r"\b")]
    elsewhere = [one for one in plain if not one.startswith(r"\b")]
    return re.compile("|".join([rf"\b(?=[a-z])(?:{'|'.join(at_words)})", *elsewhere]))


ANY: Final = any_of(PATTERNS)


@pytest.mark.parametrize("where", CHECKED)
def test_the_text_is_plain_english(where: str) -> None:
    found = [
        one
        for file in files(where)
        if file != Path(__file__)
        for one in found_in(file.relative_to(ROOT).as_posix(), prose(file))
    ]
    assert not found, "\n" + "\n".join(map(str, found))


def test_a_finding_has_file_line_words_and_a_suggestion() -> None:
    found = found_in("docs/x.md", "Fine.\nWhoever announced it calls it off.\n")
    assert [str(one) for one in found] == [
        "docs/x.md:2: 'Whoever': write the player who, anyone who, if you",
        "docs/x.md:2: 'calls it off': write cancel",
    ]


ASCII = st.characters(codec="ascii")  # "İ" has no lower case of one letter


@given(st.sampled_from(list(PATTERNS)).flatmap(lambda one: st.from_regex(one, alphabet=ASCII)))
def test_every_pattern_is_searched_for(text: str) -> None:
    assert ANY.search(text.lower())


def test_only_comments_and_strings_of_python_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text('whoever = 1\nx = "whoever"  # whoever\n')
    assert [one.line for one in found_in("x.py", prose(file))] == [2, 2]


def test_generated_tables_are_not_checked(tmp_path: Path) -> None:
    file = tmp_path / "x.md"
    file.write_text("<!-- table: x -->\nwhoever\n<!-- end of table -->\nwhoever\n")
    assert [one.line for one in found_in("x.md", prose(file))] == [4]
