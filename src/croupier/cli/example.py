"""`croupier example`: the example programs and files, included in every installation."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import click

import croupier

VERIFIER = "verify_record.py"
"""The stand-alone script printed by `croupier verify --script`."""


def shipped() -> dict[str, Path]:
    """Return every example by name: those in the package, or those of the checkout."""
    package = Path(croupier.__file__).parent
    installed = package / "examples"
    if installed.is_dir():
        return {path.name: path for path in sorted(installed.iterdir()) if path.is_file()}
    root = package.parents[1]
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    except OSError:
        return {}
    patterns = project["tool"]["hatch"]["build"]["hooks"]["custom"]["examples"]
    paths = [path for pattern in patterns for path in root.glob(pattern)]
    return {path.name: path for path in sorted(paths, key=lambda path: path.name)}


def summary(text: str) -> str:
    """Return the description of a file: the first line of its comment or docstring, or the JSON member."""
    if text.startswith("{"):
        return str(json.loads(text)["description"])
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#!")), "")
    return first.strip().strip("\"'# ").rstrip(".")


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="A file, or a folder, in which every example keeps its name.",
)
def example(names: tuple[str, ...], output: Path | None) -> None:
    """Print an example program or configuration file, or write it to the path given with -o.

    Without a NAME it lists all examples. Use the programs as starting points; the tutorials explain how to
    run them.
    """
    found = shipped()
    if not names:
        width = max(map(len, found), default=0)
        for name, path in found.items():
            click.echo(f"{name:{width}}  {summary(path.read_text(encoding='utf-8'))}")
        return
    for name in names:
        if name not in found:
            raise click.UsageError(f"no example {name!r}; available: {', '.join(found) or 'none'}")
    if len(names) > 1 and (output is None or not output.is_dir()):
        raise click.UsageError("several examples: use -o with a folder")
    for name in names:
        text = found[name].read_text(encoding="utf-8")
        if output is None:
            click.echo(text, nl=False)
        else:
            path = output / name if output.is_dir() else output
            path.write_text(text, encoding="utf-8")
            click.echo(path, err=True)
