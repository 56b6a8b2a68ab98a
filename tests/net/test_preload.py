"""The `Link` header of a page: its scripts, styles and texts, without what the page itself names."""

from __future__ import annotations

from pathlib import Path

import msgspec

from croupier.net.preload import Preloads

BUILD = {
    "index.html": {"file": "assets/index.js", "imports": ["_signals.js"], "css": ["assets/index.css"]},
    "_signals.js": {"file": "assets/signals.js"},
    "_Seat.js": {"file": "assets/Seat.js", "imports": ["_signals.js"]},
    "src/table/TablePage.tsx": {
        "file": "assets/Table.js",
        "imports": ["_Seat.js"],
        "css": ["assets/Table.css"],
    },
    "src/texts/en.ts": {"file": "assets/en.js"},
    "src/texts/de.ts": {"file": "assets/de.js"},
}


def preloads(folder: Path) -> Preloads:
    manifest = folder / "chunks.json"
    manifest.write_bytes(msgspec.json.encode(BUILD))
    return Preloads(manifest)


def test_a_table_needs_its_chunk_what_that_imports_and_a_language(tmp_path: Path) -> None:
    table = "</assets/Table.js>; rel=modulepreload, </assets/Seat.js>; rel=modulepreload"
    house = "</api/house>; rel=preload; as=fetch; crossorigin"
    style = f"</assets/Table.css>; rel=preload; as=style; crossorigin, {house}"
    found = preloads(tmp_path)
    assert found.link("/table/7", "de-AT,de;q=0.9") == f"{table}, </assets/de.js>; rel=modulepreload, {style}"
    assert found.link("/table/7", "xx, ,") == f"{table}, </assets/en.js>; rel=modulepreload, {style}"


def test_the_lobby_also_needs_the_games(tmp_path: Path) -> None:
    data = [f"<{path}>; rel=preload; as=fetch; crossorigin" for path in ("/api/house", "/api/games")]
    assert preloads(tmp_path).link("/", "de").split(", ")[-2:] == data


def test_nothing_is_announced_for_other_pages_and_without_a_build(tmp_path: Path) -> None:
    assert preloads(tmp_path).link("/operator", "de") == ""
    assert Preloads(tmp_path / "missing.json").link("/table/7", "de") == ""
