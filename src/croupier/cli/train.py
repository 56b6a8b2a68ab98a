"""`croupier train`: trains the network of a game for the strength `master`."""

from __future__ import annotations

import platform
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from croupier.learning.trainer import Map, Settings


@click.command()
@click.argument("game", metavar="GAME")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the checkpoint, the network and the report.  [default: GAME-training]",
)
@click.option(
    "--beliefs",
    is_flag=True,
    help="Learn who holds the hidden cards, instead of decisions.",
)
@click.option("--rounds", default=300, show_default=True, type=click.IntRange(1), help="Rounds of self-play.")
@click.option(
    "--imitate",
    default=20,
    show_default=True,
    type=click.IntRange(0),
    help="Rounds before them in which the network imitates the game's heuristic.",
)
@click.option(
    "--deals", default=8, show_default=True, type=click.IntRange(1), help="Deals of each match in a round."
)
@click.option("--matches", default=128, show_default=True, type=click.IntRange(1), help="Matches in a shard.")
@click.option(
    "--shards",
    default=2,
    show_default=True,
    type=click.IntRange(1),
    help="Parts of a round.",
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Seed of all chance.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the rules; by default those of a short match, and for beliefs those of a usual one.",
)
@click.option(
    "--evaluate", default=25, show_default=True, type=click.IntRange(1), help="Rounds between evaluations."
)
@click.option(
    "--quick-deals",
    default=1000,
    show_default=True,
    type=click.IntRange(2),
    help="Duplicate deals of an evaluation against the best bot without search.",
)
@click.option(
    "--expert-deals",
    default=40,
    show_default=True,
    type=click.IntRange(0),
    help="Duplicate deals of an evaluation of master against expert.",
)
@click.option(
    "-j",
    "--jobs",
    default=1,
    show_default=True,
    type=click.IntRange(1, 1024),
    help="Processes on this machine.",
)
@click.option(
    "--on",
    "place",
    type=click.Choice(["here", "ray"]),
    default="here",
    show_default=True,
    help="Where deals are played: on this machine, or on the Ray cluster at RAY_ADDRESS.",
)
def train(
    game: str,
    output: Path | None,
    beliefs: bool,
    rounds: int,
    imitate: int,
    deals: int,
    matches: int,
    shards: int,
    seed: int,
    options: tuple[str, ...],
    evaluate: int,
    quick_deals: int,
    expert_deals: int,
    jobs: int,
    place: str,
) -> None:
    """Train a network of GAME for the strength master, with the rules as they are installed.

    Any game with an encoding can be trained, including games of installed packages. The folder gets a
    checkpoint, the network (master.network, or master.beliefs) and report.html with the curves. After Ctrl-C
    or a crash the same command resumes, with the same result as without the interruption; with more --rounds
    it continues. The results do not depend on --jobs and --on.

    To offer the strength master, copy the network into the folder of the game. See docs/training.md.
    """
    from croupier import games
    from croupier.core.contract import RulesError

    try:
        chosen = games.game(game)
        given = {} if beliefs else dict(chosen.short)
        for option in options:
            name, sign, value = option.partition("=")
            if not sign:
                raise click.UsageError(f"--option {option}: expected NAME=VALUE")
            given[name] = value
        read = dict(chosen.options.read(given))
    except (games.UnknownGame, RulesError) as error:
        raise click.ClickException(str(error)) from None
    try:
        from croupier.learning.trainer import Settings
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"{error.name} is not installed: run pip install 'croupier[train]'"
        ) from None
    settings = Settings(
        chosen.name,
        max(chosen.seats),
        read,
        beliefs=beliefs,
        seed=seed,
        imitate=imitate if chosen.adviser() is not None and not beliefs else 0,
        rounds=rounds,
        shards=shards,
        matches=matches,
        deals=deals,
        evaluate=evaluate,
        quick_deals=quick_deals,
        expert_deals=expert_deals,
    )
    _run(settings, output or Path(f"{chosen.name}-training"), jobs, place)


def _run(settings: Settings, folder: Path, jobs: int, place: str) -> None:
    from croupier.core import contract
    from croupier.learning import report
    from croupier.learning.trainer import Row, Training, TrainingFailed

    try:
        training = Training.resumed(folder, settings) or Training(folder, settings)
    except TrainingFailed as error:
        raise click.ClickException(str(error)) from None
    if contract.__file__.endswith(".py"):
        click.echo("the rules are not compiled: training takes much longer", err=True)
    total = settings.imitate + settings.rounds
    if training.round:
        click.echo(f"{folder}: resuming after round {training.round} of {total}")

    def told(row: Row | None) -> None:
        if row is None:
            return
        words = f"round {row.round} of {total}: {row.deals:,} deals"
        if row.quick is not None:
            words += f"; without search {report.shown(row.quick)}"
        else:
            words += f"; error {row.error:.4f}"
        if row.expert is not None:
            words += f", master against expert {report.shown(row.expert)}"
        click.echo(words)
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        machine = [
            f"{today}, {platform.processor() or platform.machine()}, Python {platform.python_version()}"
        ]
        page = report.page(training.settings, training.rows, machine)
        (folder / "report.html").write_text(page, encoding="utf-8")

    try:
        with _place(place, jobs) as spread:
            training.run(spread, told)
    except KeyboardInterrupt:
        click.echo(f"stopped in round {training.round + 1}; the same command resumes", err=True)
        raise click.Abort from None
    click.echo(f"{folder}: the network is in {training.file}, the curves are in report.html")


def _place(place: str, jobs: int) -> AbstractContextManager[Map]:
    from croupier.learning.places import here, on_ray

    if place == "here":
        return here(jobs)
    from croupier.arena.jobs import ArenaFailed
    from croupier.arena.ray import connected

    try:
        return on_ray(*connected(None))
    except ArenaFailed as error:
        raise click.ClickException(str(error)) from None
