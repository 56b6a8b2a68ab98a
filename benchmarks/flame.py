"""A flame graph as an SVG: the root at the top, each frame as wide as its samples, a colour for each part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.sax.saxutils import escape

from benchmarks.stacks import PARTS, Stack, part_of

WIDTH: Final = 1600
ROW: Final = 18
TOP: Final = 70
LETTER: Final = 6.6
THINNEST: Final = 0.5
"""Narrower frames are omitted."""
COLOURS: Final = dict(
    zip(
        PARTS,
        ("#8fc1e3", "#b5d99c", "#e8c07d", "#e79a8b", "#c9a6dd", "#8fd3c1", "#d0d0d0"),
        strict=True,
    )
)


@dataclass(slots=True)
class _Node:
    count: int = 0
    below: dict[str, _Node] = field(default_factory=dict)

    def depth(self) -> int:
        return 1 + max((node.depth() for node in self.below.values()), default=0)


def svg(title: str, stacks: Mapping[Stack, int]) -> str:
    """Return the picture of *stacks*."""
    root = _Node()
    for stack, count in stacks.items():
        node = root
        node.count += count
        for frame in stack:
            node = node.below.setdefault(frame, _Node())
            node.count += count
    height = TOP + ROW * root.depth()
    size = f'width="{WIDTH}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="11">',
        f'<rect {size} fill="#ffffff"/>',
        f'<text x="8" y="22" font-size="15">{escape(title)}</text>',
        *_legend(),
    ]
    if root.count:
        _draw(lines, ("all samples",), root, 0.0, root.count)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _legend() -> list[str]:
    lines: list[str] = []
    for number, (part, colour) in enumerate(COLOURS.items()):
        x = 8 + number * 110
        lines.append(f'<rect x="{x}" y="36" width="14" height="14" fill="{colour}"/>')
        lines.append(f'<text x="{x + 20}" y="48">{part}</text>')
    return lines


def _draw(lines: list[str], stack: Stack, node: _Node, x: float, total: int) -> None:
    """Draw the last frame of *stack* from *x* on, and what is below it."""
    width = WIDTH * node.count / total
    if width < THINNEST:
        return
    name, part = stack[-1], part_of(stack)
    words = f"{name}: {node.count} of {total} samples, {100 * node.count / total:.1f} %, {part}"
    room = int((width - 4) / LETTER)
    shown = name if len(name) <= room else f"{name[: room - 1]}…" if room > 3 else ""
    y = TOP + ROW * (len(stack) - 1)
    lines.append(
        f'<g><title>{escape(words)}</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 1}" '
        f'fill="{COLOURS[part]}" rx="1"/><text x="{x + 2:.1f}" y="{y + 12}">{escape(shown)}</text></g>'
    )
    for inner, below in sorted(node.below.items()):
        _draw(lines, (*stack, inner), below, x, total)
        x += WIDTH * below.count / total
