/** One line a game. The page of a game is fetched when its first table is opened. */

import type { OptionValues } from "../net/protocol";
import { fetchCode } from "../shell/load";
import { t } from "../texts";
import type { GamePage, Preset } from "./page";

export interface GameEntry {
  load: () => Promise<GamePage>;
  /** The first is what "play now" starts. */
  presets: () => Preset[];
  /** Pauses that suit people rather than programs. */
  tableOptions: OptionValues;
  /** Paths of the game's own protocols, for programs that want to join: what to call it, and where. */
  protocols: (table: string) => { title: string; path: string }[];
}

export const GAMES: Record<string, GameEntry> = {
  hearts: {
    load: () => import("./hearts").then((module) => module.page),
    presets: () => [
      {
        key: "game",
        title: t("hearts.preset.game"),
        words: t("hearts.preset.game.more"),
        options: { match_games: 1 },
      },
      { key: "match", title: t("hearts.preset.match"), words: t("hearts.preset.match.more"), options: {} },
      {
        key: "plain",
        title: t("hearts.preset.plain"),
        words: t("hearts.preset.plain.more"),
        options: { match_games: 1, expose: false, ten_of_clubs: false, moon: "zero" },
      },
    ],
    tableOptions: { command_interval: 500, round_interval: 1200, deal_interval: 4000 },
    protocols: (table) => [
      { title: t("table.connect.trend"), path: table === "default" ? "/" : `/t/${encodeURIComponent(table)}` },
    ],
  },
};

/** Return the page of *game*; an unknown one is an error the caller shows. */
export async function loadPage(game: string): Promise<GamePage> {
  const entry = GAMES[game];
  if (!entry) throw new Error(`no page for the game ${game}`);
  return fetchCode(entry.load);
}
