"""The report: one self-contained HTML page, and the records it links to in a directory beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from math import isfinite
from pathlib import Path
from urllib.parse import quote

from croupier.arena import plots
from croupier.arena.plan import Result, Verdict
from croupier.arena.ratings import LEVEL, Difference, Standing, Summary
from croupier.bots.duel import Mean
from croupier.core.options import spell

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --paper: #fff; --faint: #68707c; --line: #d5d9df;
  --good: #0b6e3b; --plain: #68707c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --paper: #14181e; --faint: #98a1ae;
  --line: #343b46; --good: #5fcf95; --plain: #98a1ae; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td { font-variant-numeric: tabular-nums; }
.sure { color: var(--good); font-weight: 600; }
.faint { color: var(--faint); }
.wide { overflow-x: auto; }
svg { width: 100%; max-width: 760px; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .axis { stroke: var(--line); }
svg .bar { stroke: var(--plain); stroke-width: 2; }
svg .bar.sure { stroke: var(--good); }
svg .dot { fill: var(--plain); }
svg .dot.sure { fill: var(--good); }
a { color: inherit; }
"""

HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title><style>{style}</style></head><body>"""
RATINGS = "openskill (Plackett-Luce), one game per deal; the bars are 95 % intervals."
DIFFERENCES = (
    "Points per match by which the first is better than the second, with 95 % intervals. Green: between "
    f"contestants of equal strength the probability is below {LEVEL:.0%} (corrected for the number of pairs)."
)


def records_folder(page: Path) -> Path:
    """Return the directory for the records of the report *page*."""
    return page.with_name(f"{page.stem}.records")


def write(summary: Summary, page: Path, title: str) -> int:
    """Write the page and the records it links to; return the number of records."""
    folder = records_folder(page)
    links: list[str] = []
    for result in summary.results:
        if not result.record:
            links.append("")
            continue
        folder.mkdir(exist_ok=True)
        name = record_name(result)
        file = folder / name
        if not file.exists():  # the name is derived from the content, so an existing file is correct
            _replace(file, result.record)
        links.append(f"{quote(folder.name)}/{name}")
    _replace(page, html(summary, title, links))
    return sum(map(bool, links))


def record_name(result: Result) -> str:
    """Return the file name of a result's record."""
    digest = sha256(result.record.encode()).hexdigest()[:10]
    return f"deal-{result.play.deal}-{result.play.rotation + 1}-{digest}.record"


def _replace(path: Path, text: str) -> None:
    """Write a file atomically."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def html(summary: Summary, title: str, links: Sequence[str]) -> str:
    """Return the page; *links* has the address of the record for each result, or nothing."""
    arena = summary.arena
    options = ", ".join(f"{name} {spell(value)}" for name, value in arena.options.items())
    state = (
        "" if summary.over else f" <strong>In progress: {len(summary.results)} of {summary.total}.</strong>"
    )
    told = (
        f"{arena.game}, {arena.seats} seats, {arena.format}, {arena.deals} deals per meeting, each in every "
        f"rotation of the seats: {len(summary.results)} matches."
    )
    gaps = [(f"{one.first} – {one.second}", one.gap, one.significant) for one in summary.differences]
    parts = [
        HEAD.format(title=escape(title), style=STYLE),
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(told)}{state}</p>",
        f'<p class="faint">Options: {escape(options or "defaults")}. Seed: {escape(arena.seed)}.</p>',
        "<h2>Standings</h2>",
        _standings(summary.standings),
        "<h2>Ratings</h2>",
        f'<p class="faint">{RATINGS}</p>',
        plots.intervals("Ratings", [(line.name, line.rating, False) for line in summary.standings]),
        "<h2>Differences</h2>",
        f'<p class="faint">{DIFFERENCES}</p>',
        plots.intervals("Differences", gaps, zero=True),
        _differences(summary.differences),
        *_verdicts(summary.results, links),
        "<h2>Matches</h2>",
        _matches(summary.results, links),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def shown(value: Mean | None) -> str:
    """Return a mean with its interval, if it has one."""
    if value is None:
        return "–"
    return str(value) if isfinite(value.margin) else f"{value.value:+.2f}"


def verdict_words(verdicts: dict[str, int]) -> str:
    """Return the number of verdicts of each kind."""
    return ", ".join(f"{kind} {many}" for kind, many in verdicts.items()) or "–"


def first_verdicts(results: Iterable[Result]) -> list[Result]:
    """Return the first match that each contestant lost by a verdict of each kind."""
    found: dict[tuple[str, str], Result] = {}
    for result in results:
        if result.verdict is not None:
            found.setdefault((result.play.seats[result.verdict.seat], result.verdict.kind), result)
    return list(found.values())


def verdict_lines(result: Result) -> list[str]:
    """Return the verdict of a match as text, with the last output of the program."""
    verdict = result.verdict
    assert verdict is not None
    name = result.play.seats[verdict.seat]
    head = f"{name}, deal {result.play.deal}: {verdict.kind}: {verdict.words}"
    return [head, *(f"    {line}" for line in verdict.output)]


def chance_words(chance: float) -> str:
    """Return a probability with two digits."""
    return "< 0.001" if chance < 0.001 else f"{chance:.3f}"


def _standings(lines: Iterable[Standing]) -> str:
    return _table(
        ["", "Contestant", "Points", "Rating", "Won-drawn-lost", "Points per match", "Matches", "Verdicts"],
        [
            [
                str(number),
                escape(line.name),
                f"{line.points:g}",
                f"{line.rating.value:.1f} ± {line.rating.margin:.1f}",
                f"{line.won}-{line.drawn}-{line.lost}",
                shown(line.gap),
                str(line.matches),
                escape(verdict_words(line.verdicts)),
            ]
            for number, line in enumerate(lines, 1)
        ],
    )


def _differences(found: Iterable[Difference]) -> str:
    return _table(
        ["First", "Second", "Deals", "Difference", "Probability if equal"],
        [
            [
                escape(one.first),
                escape(one.second),
                str(one.duplicates),
                f'<span class="{"sure" if one.significant else ""}">{shown(one.gap)}</span>',
                chance_words(one.chance),
            ]
            for one in found
        ],
    )


def _verdicts(results: Sequence[Result], links: Sequence[str]) -> list[str]:
    rows = [
        [
            escape(result.play.seats[result.verdict.seat]),
            escape(result.verdict.kind),
            _why(result.verdict),
            _link(link, f"deal {result.play.deal}"),
        ]
        for result, link in zip(results, links, strict=True)
        if result.verdict is not None
    ]
    return ["<h2>Verdicts</h2>", _table(["Contestant", "Verdict", "Why", "Match"], rows)] if rows else []


def _why(verdict: Verdict) -> str:
    quoted = "\n".join(verdict.output)
    return escape(verdict.words) + (f"<pre>{escape(quoted)}</pre>" if quoted else "")


def _matches(results: Sequence[Result], links: Sequence[str]) -> str:
    rows = [
        [
            str(result.play.meeting.round),
            _link(link, str(result.play.deal)),
            escape(", ".join(result.play.seats)),
            escape(result.verdict.kind) if result.verdict else " ".join(map(str, result.scores)),
        ]
        for result, link in zip(results, links, strict=True)
    ]
    table = _table(["Round", "Deal", "Seats", "Score"], rows)
    return f"<details><summary>{len(rows)} matches, each with its record</summary>{table}</details>"


def _link(address: str, words: str) -> str:
    return f'<a href="{escape(address)}">{escape(words)}</a>' if address else escape(words)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(word)}</th>" for word in heads)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>'
