"""A deal of every game in the terminal in every language: nothing is left in English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import pytest

from croupier.bots import strengths
from croupier.cli import play as command
from croupier.cli.language import preferred
from croupier.cli.play import ME, Sitting
from croupier.cli.screen import Screen
from croupier.core.contract import Game, RulesError
from croupier.core.words import Texts, Words, answer
from croupier.games import BUILT_IN, part, texts, words_of
from croupier.games import game as find_game
from croupier.reviews import hint as hints
from croupier.table.setup import setup_of
from croupier.texts import LANGUAGES, house
from croupier.wire.table_spec import TableSpec
from tests.cli.command import run

GAP = re.compile(r"\{\w+(?:\|[^{}]*)?\}")
COMMANDS = ("?", "hint", "h", "s", "l", "what is this")
"""Typed once at each kind of question."""


class Player:
    """Answers every question with something that the words understand, after trying the commands."""

    def __init__(self) -> None:
        self.sitting: Sitting | None = None
        self.asked: list[str] = []
        self._tried: set[int] = set()
        self._queue: list[str] = []

    def __call__(self, _: str = "") -> str:
        sitting = self.sitting
        assert sitting is not None
        if self._queue:
            return self._queue.pop(0)
        if sitting._asked is None:  # between games, and after the match
            return "m" if sitting._over else ""
        view = sitting.table.view(ME)
        kind = view.legal[0] // 8
        if kind not in self._tried and len(self._tried) < 6:
            self._tried.add(kind)
            self._queue = [*COMMANDS[1:], self._answer(sitting)]
            return COMMANDS[0]
        return self._answer(sitting)

    def _answer(self, sitting: Sitting) -> str:
        view = sitting.table.view(ME)
        for text in self._candidates(sitting):
            try:
                actions = answer(sitting.words, view, text)
            except RulesError:
                continue
            if actions and actions[0] in view.legal and self._accepted(sitting, actions):
                return text
        raise AssertionError(f"no text stands for one of {view.legal}")

    def _accepted(self, sitting: Sitting, actions: tuple[int, ...]) -> bool:
        """Return True if the rules accept *actions* and nothing else is needed for the same answer."""
        assert sitting.table.state is not None
        trial = sitting.table.state.clone()
        try:
            for action in actions:
                trial.apply(ME, action)
        except RulesError:
            return False
        return True

    def _candidates(self, sitting: Sitting) -> Iterator[str]:
        view = sitting.table.view(ME)
        names = [sitting.table.game.actions.name(action) for action in view.legal]
        cards = [code for row in sitting.words.hand(view) for code, legal in row if legal]
        placing = (
            word for word in re.findall(r"place \w+ \d \d", sitting.words.question(view, sitting._names()))
        )
        ways = chain(
            placing, ("n", "p", "pass"), (" ".join(cards[:many]) for many in range(1, 7)), names, ("0", "")
        )
        yield from ways


def sitting_at(game: Game, words: Words, player: Player) -> Sitting:
    seats = ["person", *["bot random"] * (max(2, min(game.seats)) - 1)]
    spec = TableSpec(seats=seats, options=game.options.read(game.short), seed="3", single=True)
    sitting = Sitting(setup_of("terminal", game, spec), Screen(words, plain=True))
    player.sitting = sitting
    return sitting


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make searches short."""
    for kind in strengths.SIMULATIONS:
        monkeypatch.setitem(strengths.SIMULATIONS, kind, 4)
    monkeypatch.setattr(hints, "SECONDS", 0.2)
    monkeypatch.setattr("os.cpu_count", lambda: 1)


def played(
    game: Game, words: Words, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return the lines of a short match, with help, hints, scores and the review of mistakes."""
    player = Player()
    monkeypatch.setattr("builtins.input", player)
    sitting = sitting_at(game, words, player)
    try:
        sitting.play(words.texts("sheet.you"))
        command._keep(sitting, Path("/dev/null"), sitting.screen)
    finally:
        sitting.close()
    out = capsys.readouterr()
    assert out.out
    return out.out.splitlines()


def english_sentences(game: str, other: Mapping[str, str]) -> list[re.Pattern[str]]:
    """Return patterns of the English texts of at least three words that *other* translates."""
    found = []
    for key, text in {**house("en"), **texts(game, "en")}.items():
        literal = GAP.sub(" ", text)
        if len(re.findall(r"[A-Za-z]{2,}", literal)) >= 3 and other.get(key) != text and "\n" not in text:
            gaps = [re.escape(piece) for piece in re.split(r"\{\w+(?:\|[^{}]*)?\}", text)]
            found.append(re.compile(".+".join(gaps)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_match_is_played_without_an_english_sentence(
    name: str, language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(name)
    lines = played(game, words_of(game, language), capsys, monkeypatch)
    own = {**house(language), **texts(name, language)}
    left = [(line, one.pattern) for one in english_sentences(name, own) for line in lines if one.search(line)]
    assert left == []
    for key in ("log.match_ended", "terminal.commands.hint", "coach.expert", "terminal.saved"):
        if key in own:
            opening = GAP.split(own[key])[0].strip()
            assert any(opening in line for line in lines), key


MARK = "¤"


def marked(text: str) -> str:
    """Return *text* with every word of the catalogue marked, so that all other words can be told apart."""
    pieces = re.split(r"(\{\w+(?:\|[^{}]*)?\})", text)
    return "".join(_gap(piece) if piece.startswith("{") else _mark(piece) for piece in pieces)


def _gap(gap: str) -> str:
    name, bar, forms = gap[1:-1].partition("|")
    return f"{{{name}|{'|'.join(map(_mark, forms.split('|')))}}}" if bar else gap


def _mark(text: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda word: MARK + word[0], text)


TYPED = re.compile(
    r"\b(solo_three|pass|place|tool|value|slot|kontra|two|one|three|solo|without|beggar|open|color|valat|klop|trula|kings|"
    r"game|kings_ultimo|pagat_ultimo|Enter|sc|c|p|y|n|TA|SA|capot|generale|play|expose|keep|bid|call|take|"
    r"discard|announce|done|card|partner|yes|no|CONTRACT|PLAY|PASS|COINCHE|window|draft|put|extract|lift|pay|"
    r"Hearts|Spades|Clubs|Diamonds|hint|h|s|l|m|what|is|this|random|dev|null)\b"
)
"""What is typed, or the name of an action; strengths are named as in `--bots`."""
CODE = re.compile(r"\b(?:[A-Z]?\d*[A-Z]|[SCHDT][A-Z]?\d{0,2}|\d+[A-Z]|[RGBYP][1-6]|[XVI]+)\b")


@pytest.mark.slow
@pytest.mark.parametrize("name", BUILT_IN)
def test_every_word_on_the_screen_comes_from_a_catalogue(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(name)
    module = part(game, "words")
    assert module is not None
    marks = {key: marked(text) for key, text in {**house("en"), **texts(name, "en")}.items()}
    words: Words = module.GameWords(game, Texts(marks, "en"))
    lines = played(game, words, capsys, monkeypatch)
    others = {word for bot in find_game(name).bots() for word in [bot]}
    left = set()
    for line in lines:
        rest = re.sub(rf"{MARK}\w+", "", line)
        for people in PEOPLE:
            rest = rest.replace(people, "")
        rest = CODE.sub("", TYPED.sub("", rest))
        left |= {(word, line) for word in re.findall(r"[^\W\d_]{2,}", rest) if word not in others}
    assert left == set()


PEOPLE = ("Mira Zupan", "Hugo Roux", "Pavel Lipa", "Benno Lark", "Yaro Kos", "Fifi Blanc")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_AT.UTF-8", "LC_MESSAGES": "fr_FR"}, "fr"),
        ({"LANG": "de_AT.UTF-8", "LC_MESSAGES": "fr_FR", "LC_ALL": "sl"}, "sl"),
        ({"LANG": "cs_CZ", "LC_ALL": ""}, "cs"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "deu"}, "en"),
        ({"LANG": "pt_PT", "LC_ALL": "C"}, "en"),
    ],
)
def test_the_language_of_the_terminal(environment: dict[str, str], language: str) -> None:
    assert preferred(environment) == language


def test_language_of_the_option_and_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    german = run("play", "--language", "de", input="q\n").stdout
    assert german.startswith("Hearts gegen ")
    assert german.endswith("Du hast den Tisch verlassen.\n")
    monkeypatch.setenv("LC_ALL", "sl_SI.UTF-8")
    assert run("play", input="q\n").stdout.endswith("Zapustili ste mizo.\n")
    done = run("play", "--language", "pt")
    assert done.returncode == 2
    assert "'pt' is not one of" in done.stderr
