"""Install a wheel or an sdist into an empty environment and play a match there; run by `make dist`.

    python scripts/try_package.py compiled|interpreted FILE [tutorials]

With `tutorials` it also runs all commands of the tutorials. The environment and its folder are new and are
removed afterwards. Nothing of the checkout is used, so that files missing in the package are detected.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from pathlib import Path

ARENA = """
[arena]
game = "hearts"
deals = 1
seed = "package"

[options]
deals = 1
match_games = 1

[[contestant]]
name = "heuristic"
bot = "heuristic"

[[contestant]]
name = "random"
bot = "random"
"""
PATIENCE = 60.0


class Environment:
    """A new Python environment and an empty working folder."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder / "venv", with_pip=True)
        self.bin = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self.work = folder / "work"
        self.work.mkdir()

    def run(self, name: str, *arguments: str) -> str:
        """Run a program of the environment."""
        return self.do([str(self.bin / name), *arguments], f"{name} {' '.join(arguments)}")

    def do(self, command: list[str], what: str) -> str:
        """Run *command* in the environment; its output is shown if it fails."""
        done = subprocess.run(
            command,
            cwd=self.work,
            env=self._environ(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{done.stdout}\n{what}: status {done.returncode}")
        return done.stdout

    def first_page(self) -> str:
        """Start the server and return its first page."""
        ports = [
            word for name in ("coinche", "sagrada", "sagrada-line") for word in (f"--{name}-port", "off")
        ]
        server = subprocess.Popen(
            [str(self.bin / "croupier"), "serve", "--port", "0", "--log-level", "error", *ports],
            cwd=self.work,
            env=self._environ(),
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                return str(answer.read().decode())
        finally:
            server.terminate()
            server.wait(PATIENCE)

    def _environ(self) -> dict[str, str]:
        path = f"{self.bin}{os.pathsep}{os.environ['PATH']}"
        return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PATH": path}


def check(kind: str, package: Path, environment: Environment) -> None:
    environment.run("pip", "install", "-q", str(package))
    version = environment.run("croupier", "--version")
    assert kind in version, f"expected {kind} rules: {version}"
    (environment.work / "arena.toml").write_text(ARENA)
    environment.run("croupier", "arena", "run", "arena.toml")
    environment.run("croupier", "arena", "report", "arena.toml")
    records = [str(path) for path in environment.work.rglob("*.record")]
    assert records, "the arena wrote no record"
    environment.run("croupier", "verify", *records)
    (environment.work / "verify.py").write_text(environment.run("croupier", "verify", "--script"))
    environment.run("python", "verify.py", *records)
    assert "coinche_client.py" in environment.run("croupier", "example")
    assert "<script" in environment.first_page(), "the package has no pages"


def follow(environment: Environment) -> None:
    """Run the commands of the tutorials, each in an empty folder."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests.docs_tables import DOCS
    from tests.test_docs import session, typed

    home = environment.work
    for page in sorted(DOCS.glob("tutorial-*.md")):
        environment.work = home / page.stem
        environment.work.mkdir()
        for code in typed(page):
            environment.do(session(code), page.name)


def main() -> None:
    match sys.argv[1:]:
        case ["compiled" | "interpreted", _, *rest] if rest in ([], ["tutorials"]):
            pass
        case _:
            sys.exit(str(__doc__))
    package = Path(sys.argv[2]).resolve()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="croupier-package-") as folder:
        environment = Environment(Path(folder))
        check(sys.argv[1], package, environment)
        if rest:
            follow(environment)
    done = "a match was played and proved" + (", the tutorials followed" if rest else "")
    print(f"{package.name}: {done} ({time.monotonic() - begun:.0f} s)")


if __name__ == "__main__":
    main()
