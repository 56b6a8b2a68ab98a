"""Collect changes/*.md in CHANGELOG.md and set the version; run by `make release VERSION=1.2.3`.

    python scripts/release.py VERSION [ROOT]

Each file changes/TOPIC.KIND.md is one entry; KIND is added, changed or fixed. The files are removed, the new
section is put at the top of CHANGELOG.md, and the version is set in src/croupier/__init__.py. Nothing is
committed.
"""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path

KINDS = ("added", "changed", "fixed")
TITLE = "# Changes\n"


class CannotRelease(Exception):
    """A release is not possible; the message has the reason."""


def section(version: str, day: str, changes: Path) -> str:
    """Return *changes* as a section of the change log."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for path in sorted(changes.glob("*.md")):
        _, _, kind = path.stem.rpartition(".")
        if kind not in found:
            raise CannotRelease(
                f"{path}: expected a name like topic.added.md, topic.changed.md or topic.fixed.md"
            )
        found[kind].append(" ".join(path.read_text(encoding="utf-8").split()))
    if not any(found.values()):
        raise CannotRelease(f"{changes}: no changes to release")
    parts = [
        f"### {kind.title()}\n\n" + "".join(f"- {words}\n" for words in found[kind])
        for kind in KINDS
        if found[kind]
    ]
    return f"## {version} ({day})\n\n" + "\n".join(parts)


def release(root: Path, version: str, day: str) -> None:
    """Release *version* of the project in *root*."""
    if re.fullmatch(r"\d+\.\d+\.\d+", version) is None:
        raise CannotRelease(f"{version!r}: expected a version like 1.2.3")
    log = root / "CHANGELOG.md"
    before = log.read_text(encoding="utf-8") if log.exists() else TITLE
    if f"## {version} (" in before:
        raise CannotRelease(f"{log}: already has {version}")
    source = root / "src" / "croupier" / "__init__.py"
    code, count = re.subn(
        r'^__version__ = "[^"]*"$',
        f'__version__ = "{version}"',
        source.read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    if count != 1:
        raise CannotRelease(f"{source}: expected one line with __version__")
    new = section(version, day, root / "changes")
    log.write_text(f"{TITLE}\n{new}{before.removeprefix(TITLE)}", encoding="utf-8")
    source.write_text(code, encoding="utf-8")
    for path in (root / "changes").glob("*.md"):
        path.unlink()


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        print(__doc__)
        return 2
    root = Path(arguments[1]) if len(arguments) == 2 else Path(__file__).resolve().parents[1]
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    try:
        release(root, arguments[0], today)
    except CannotRelease as reason:
        print(f"croupier: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
