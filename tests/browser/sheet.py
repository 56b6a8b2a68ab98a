"""Takes pictures of every game, phase, size, theme and language, and makes one page of them to look through.

python -m tests.browser.sheet FOLDER [--games hearts] [--languages en,de] [--themes light] [--sizes 390x664]

The folder then has a picture for each combination, and index.html with all of them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final, Literal, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.browser.conftest import FLAGS, TIMEOUT, chromium, knows_all_games
from tests.browser.players import PLAYERS, Player, asked
from tests.browser.tables import settled
from tests.integration.servers import Server, running

SIZES: Final = ("1440x900", "1024x768", "768x1024", "844x390", "390x664", "360x640")
LANGUAGES: Final = ("en", "de", "fr", "sl", "cs")
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
SEEN: Final = {"playing": 3, "play": 3, "turn": 3}
"""A picture is taken of each phase when it is asked for the first time, and of these also the third time."""


PLAYED: Final[ViewportSize] = {"width": 390, "height": 664}
"""The size in which a deal is played: no card is covered or turned."""


class Choice(NamedTuple):
    """Which pictures are wanted."""

    games: list[str]
    sizes: list[str]
    themes: list[Literal["light", "dark"]]
    languages: list[str]


class Picture(NamedTuple):
    """One picture, by what it shows."""

    game: str
    phase: str
    size: str
    theme: str
    language: str

    @property
    def file(self) -> str:
        return "-".join(self).replace(" ", "_") + ".png"


def take(page: Page, folder: Path, game: str, phase: str, choice: Choice) -> Iterator[Picture]:
    """Take pictures of the current page in all languages, sizes and themes."""
    for language in choice.languages:
        page.evaluate("language => localStorage.setItem('croupier.language', language)", language)
        page.reload()
        page.wait_for_function("language => document.documentElement.lang === language", arg=language)
        page.locator("[data-question], [data-testid=see-replay], .tiles").first.wait_for()
        for size in choice.sizes:
            width, height = map(int, size.split("x"))
            page.set_viewport_size(ViewportSize(width=width, height=height))
            for theme in choice.themes:
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                settled(page)
                picture = Picture(game, phase, size, theme, language)
                page.screenshot(path=folder / picture.file)
                yield picture


def of_game(page: Page, server: Server, player: Player, folder: Path, choice: Choice) -> Iterator[Picture]:
    """Play a deal of one game, and take a picture of each of its phases."""
    page.goto(f"{server.http}/table/{player.open(server)}?sit=0")
    seen: dict[str, int] = {}
    while (what := asked(page)) != "over":
        seen[what] = seen.get(what, 0) + 1
        if seen[what] in (1, SEEN.get(what)):
            yield from take(page, folder, player.game, f"{len(seen)} {what} {seen[what]}", choice)
        page.set_viewport_size(PLAYED)
        player.take_turn(page)
    yield from take(page, folder, player.game, f"{len(seen) + 1} over", choice)


def contact_sheet(pictures: list[Picture]) -> str:
    """Return the page with all *pictures*: a row for each phase and size."""
    parts = ["<!doctype html><meta charset=utf-8><title>Contact sheet</title>", STYLE]
    for game in dict.fromkeys(one.game for one in pictures):
        parts.append(f"<h1>{escape(game)}</h1>")
        mine = [one for one in pictures if one.game == game]
        for phase, size in dict.fromkeys((one.phase, one.size) for one in mine):
            parts.append(f"<h2>{escape(phase)}, {size}</h2><div>")
            for one in mine:
                if (one.phase, one.size) == (phase, size):
                    label = escape(f"{one.theme}, {one.language}")
                    parts.append(
                        f'<figure><a href="{one.file}"><img loading=lazy src="{one.file}" alt=""></a>'
                        f"<figcaption>{label}</figcaption></figure>"
                    )
            parts.append("</div>")
    return "\n".join(parts)


STYLE: Final = """<style>
body { font: 14px system-ui; background: #777; color: #fff; margin: 1rem; }
div { display: flex; flex-wrap: wrap; gap: 8px; }
figure { margin: 0; }
img { height: 260px; border: 1px solid #333; }
h1 { text-transform: capitalize; }
h2 { font-size: 1rem; margin: 1rem 0 0.3rem; }
</style>"""


def pictures(browser: Browser, server: Server, folder: Path, choice: Choice) -> Iterator[Picture]:
    """Take all pictures of the lobby and of the games."""
    for game in ["lobby", *(player.game for player in PLAYERS)]:
        if game not in choice.games:
            continue
        context = browser.new_context(service_workers="block", has_touch=True, reduced_motion="reduce")
        knows_all_games(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        if game == "lobby":
            page.goto(server.http)
            yield from take(page, folder, game, "lobby", choice)
        else:
            (player,) = [one for one in PLAYERS if one.game == game]
            yield from of_game(page, server, player, folder, choice)
        context.close()


def chosen(arguments: list[str]) -> tuple[Path, Choice]:
    """Return the folder and the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.sheet")
    parser.add_argument("folder", type=Path)
    every: dict[str, list[str]] = {
        "games": ["lobby", *(player.game for player in PLAYERS)],
        "sizes": list(SIZES),
        "themes": list(THEMES),
        "languages": list(LANGUAGES),
    }
    for name, values in every.items():
        parser.add_argument(f"--{name}", default=",".join(values), help=f"some of {','.join(values)}")
    given = parser.parse_args(arguments)
    wanted = {name: getattr(given, name).split(",") for name in every}
    for name in ("games", "themes", "languages"):
        unknown = set(wanted[name]) - set(every[name])
        if unknown:
            parser.error(f"--{name} {','.join(sorted(unknown))}: expected some of {','.join(every[name])}")
    return given.folder, Choice(**wanted)


def make(browser: Browser, folder: Path, choice: Choice) -> Path:
    """Take the pictures, write the page and return where it is."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data) / "log", "serve", "--port", "0", "--data", data) as server,
    ):
        taken = list(pictures(browser, server, folder, choice))
    page = folder / "index.html"
    page.write_text(contact_sheet(taken), encoding="utf-8")
    return page


def main(arguments: list[str]) -> None:
    """Take the pictures that the command line asks for."""
    folder, choice = chosen(arguments)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = make(browser, folder, choice)
        browser.close()
    sys.stdout.write(f"{page}: {len(list(folder.glob('*.png')))} pictures\n")


if __name__ == "__main__":
    main(sys.argv[1:])
