"""Plots as inline SVG; the colours come from the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import floor, isfinite, log10
from typing import Final

from croupier.bots.duel import Mean

WIDTH: Final = 760
LEFT: Final = 220
RIGHT: Final = 90
ROW: Final = 26
FOOT: Final = 28
TICKS: Final = 6


def intervals(label: str, rows: Sequence[tuple[str, Mean, bool]], zero: bool = False) -> str:
    """Return means as dots on their intervals, one row each; *zero* is always visible on the axis."""
    if not rows:
        return ""
    ends = [0.0] if zero else []
    for _, value, _ in rows:
        margin = value.margin if isfinite(value.margin) else 0.0
        ends += [value.value - margin, value.value + margin]
    low, high = min(ends), max(ends)
    if low == high:
        low, high = low - 1, high + 1

    def x(value: float) -> float:
        return round(LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT), 1)

    height = ROW * len(rows)
    parts = [f'<svg viewBox="0 0 {WIDTH} {height + FOOT}" role="img" aria-label="{escape(label)}">']
    for tick in ticks(low, high):
        parts.append(f'<line class="axis" x1="{x(tick)}" x2="{x(tick)}" y1="0" y2="{height}"/>')
        parts.append(f'<text x="{x(tick)}" y="{height + 18}" text-anchor="middle">{tick:g}</text>')
    for number, (name, value, sure) in enumerate(rows):
        y = ROW * number + ROW // 2
        kind = " sure" if sure else ""
        short = name if len(name) <= 28 else name[:27] + "…"
        parts.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(short)}</text>')
        if isfinite(value.margin):
            ends_at = f'x1="{x(value.value - value.margin)}" x2="{x(value.value + value.margin)}"'
            parts.append(f'<line class="bar{kind}" {ends_at} y1="{y}" y2="{y}"/>')
        parts.append(f'<circle class="dot{kind}" cx="{x(value.value)}" cy="{y}" r="4"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 12}" y="{y + 4}">{value.value:.2f}</text>')
    return "".join([*parts, "</svg>"])


def ticks(low: float, high: float) -> list[float]:
    """Return a few round numbers from *low* to *high*."""
    rough = (high - low) / TICKS
    size = 10.0 ** floor(log10(rough))
    step = next(size * many for many in (1, 2, 5, 10) if size * many >= rough)
    first = floor(low / step) + 1 if low % step else round(low / step)
    return [round(number * step, 10) for number in range(first, floor(high / step) + 1)]
