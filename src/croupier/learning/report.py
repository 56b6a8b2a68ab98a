"""The curves of a training as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from croupier.learning.trainer import Row, Settings

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c2430; --paper: #fff; --line: #d5d9df; --curve: #0b6e3b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --paper: #14181e; --line: #343b46;
  --curve: #5fcf95; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .2rem .6rem; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; }
svg { width: 100%; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.axis { stroke: var(--line); }
.curve { stroke: var(--curve); fill: none; stroke-width: 2; }
.spread { fill: var(--curve); opacity: .15; }
"""
POLICY: Final = """<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'">"""
WIDTH: Final = 760
HEIGHT: Final = 220
LEFT: Final = 60
BELOW: Final = 24


def page(settings: Settings, rows: Sequence[Row], machine: Sequence[str]) -> str:
    """Return the page for the evaluations so far; *machine* says where and when it was measured."""
    title = f"Training of {settings.game}"
    curves: list[tuple[str, list[tuple[float, float]]]] = []
    quick = [row.quick for row in rows if row.quick is not None]
    if len(quick) == len(rows):
        curves.append(
            ("Network, without search, against the best bot without search: points per deal", quick)
        )
    expert = [row.expert for row in rows if row.expert is not None]
    if len(expert) == len(rows):
        curves.append(("master against expert, as many simulations: points per deal", expert))
    entropy = [(row.entropy, 0.0) for row in rows]
    error = [(row.error, 0.0) for row in rows]
    if settings.beliefs:
        curves.append(("Uncertainty about a card (entropy)", entropy))
        curves.append(("Mean of -log(the probability that the true holder had)", error))
    else:
        curves.append(("Uncertainty of the decisions (entropy)", entropy))
        curves.append(("Mean square error of the expected results", error))
    at = [float(row.deals) for row in rows]
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        POLICY,
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(line)}</p>" for line in machine),
        *(f"<h2>{escape(name)}</h2>{_curve(at, values)}" for name, values in curves),
        _table(rows),
        "<p>Differences are over duplicate deals, with 95 % intervals.</p></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _curve(at: Sequence[float], values: Sequence[tuple[float, float]]) -> str:
    """Return a curve of *values*, each with the half width of its interval, over the deals played."""
    low = min(value - margin for value, margin in values)
    high = max(value + margin for value, margin in values)
    if min(margin for _, margin in values) > 0:
        low, high = min(low, 0.0), max(high, 0.0)
    span, last = high - low or 1.0, at[-1] - at[0] or 1.0

    def x(deals: float) -> float:
        return LEFT + (deals - at[0]) / last * (WIDTH - LEFT - 10)

    def y(value: float) -> float:
        return 8 + (high - value) / span * (HEIGHT - BELOW - 16)

    upper = [
        f"{x(deals):.1f},{y(value + margin):.1f}" for deals, (value, margin) in zip(at, values, strict=True)
    ]
    lower = [
        f"{x(deals):.1f},{y(value - margin):.1f}" for deals, (value, margin) in zip(at, values, strict=True)
    ]
    middle = [f"{x(deals):.1f},{y(value):.1f}" for deals, (value, _) in zip(at, values, strict=True)]
    marks = [low, high] if low > 0 or high < 0 else [low, 0.0, high]
    lines = [
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH}" y1="{y(mark):.1f}" y2="{y(mark):.1f}"/>'
        f'<text x="{LEFT - 6}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark:.3g}</text>'
        for mark in marks
    ]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{"".join(lines)}'
        f'<polygon class="spread" points="{" ".join([*upper, *reversed(lower)])}"/>'
        f'<polyline class="curve" points="{" ".join(middle)}"/>'
        f'<text x="{LEFT}" y="{HEIGHT - 6}">{at[0]:,.0f} deals</text>'
        f'<text x="{WIDTH - 4}" y="{HEIGHT - 6}" text-anchor="end">{at[-1]:,.0f} deals</text></svg>'
    )


def _table(rows: Sequence[Row]) -> str:
    head = ["round", "deals", "without search", "master against expert", "entropy", "error"]
    lines = ["<table><tr>" + "".join(f"<th>{name}</th>" for name in head) + "</tr>"]
    for row in rows:
        cells = [
            str(row.round),
            f"{row.deals:,}",
            shown(row.quick),
            shown(row.expert),
            f"{row.entropy:.3f}",
            f"{row.error:.3f}",
        ]
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return "\n".join([*lines, "</table>"])


def shown(difference: tuple[float, float] | None) -> str:
    """Return a difference with its interval in words; empty without one."""
    if difference is None:
        return ""
    return f"{difference[0]:+.2f} ± {difference[1]:.2f}"
