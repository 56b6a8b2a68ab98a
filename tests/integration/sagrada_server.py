"""`croupier serve` whose glass workshop has other options than the default.

python sagrada_server.py '{"options": {"lobby_wait": 0}, "seed": "1"}' serve --port 0 …
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from croupier.cli.main import main
from croupier.core.contract import Game
from croupier.games.sagrada import wire
from croupier.games.sagrada.settings import Settings
from croupier.wire.desk import Desk, House


def run(about: dict[str, object], arguments: list[str]) -> None:
    """Serve until somebody ends it."""
    options, seed = about["options"], about.get("seed")
    assert isinstance(options, dict)

    def desk(game: Game, house: House, kept: Mapping[str, str]) -> Desk:
        return wire.GlassDesk(game, house, kept, Settings(game, options, str(seed) if seed else None))

    wire.DESK = desk  # type: ignore[assignment,misc]
    sys.argv[1:] = arguments
    main()


if __name__ == "__main__":
    run(json.loads(sys.argv[1]), sys.argv[2:])
