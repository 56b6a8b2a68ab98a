"""Which scripts, styles and data a page needs: named in the `Link` header, they are fetched with the page."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

PAGES: Final = {
    "": "src/lobby/LobbyPage.tsx",
    "table": "src/table/TablePage.tsx",
    "replay": "src/replay/ReplayPage.tsx",
}
"""The source of the page by the first part of the path."""
HOUSE: Final = ("/api/house",)
DATA: Final = {PAGES[""]: (*HOUSE, "/api/games")}
"""What a page asks the server for before it can be used; the others ask for the first alone."""


class Chunk(msgspec.Struct):
    """A file of the build, as in the manifest of Vite."""

    file: str
    imports: list[str] = []
    css: list[str] = []


class Preloads:
    """The chunks of the build by their source, and the header that announces them."""

    def __init__(self, manifest: Path) -> None:
        self._chunks: dict[str, Chunk] = {}
        if manifest.is_file():
            self._chunks = msgspec.json.decode(manifest.read_bytes(), type=dict[str, Chunk])
        self._kept = lru_cache(maxsize=64)(self._link)

    def link(self, path: str, languages: str) -> str:
        """Return the value of the `Link` header for *path* and the header `Accept-Language`; may be empty."""
        source = PAGES.get(path.split("/")[1])
        return self._kept(source, self._language(languages)) if source is not None else ""

    def _link(self, source: str, texts: str) -> str:
        needed: dict[str, Chunk] = {}
        for one in (source, texts):
            self._add(one, needed)
        already: dict[str, Chunk] = {}
        self._add("index.html", already)
        fresh = [chunk for name, chunk in needed.items() if name not in already]
        scripts = [f"</{chunk.file}>; rel=modulepreload" for chunk in fresh]
        styles = dict.fromkeys(style for chunk in fresh for style in chunk.css)
        links = [*scripts, *(f"</{style}>; rel=preload; as=style; crossorigin" for style in styles)]
        if links:
            links += [f"<{path}>; rel=preload; as=fetch; crossorigin" for path in DATA.get(source, HOUSE)]
        return ", ".join(links)

    def _language(self, wanted: str) -> str:
        """Return the source of the texts that the page will most likely use."""
        for part in wanted.split(","):
            source = f"src/texts/{part.strip()[:2].lower()}.ts"
            if source in self._chunks:
                return source
        return "src/texts/en.ts"

    def _add(self, source: str, needed: dict[str, Chunk]) -> None:
        """Add the chunk of *source* and everything it imports."""
        chunk = self._chunks.get(source)
        if chunk is None or source in needed:
            return
        needed[source] = chunk
        for name in chunk.imports:
            self._add(name, needed)
