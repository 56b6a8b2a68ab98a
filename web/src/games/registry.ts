/** The games. The page of a game is loaded when its first table is opened. */

import { gameInfo, listGames } from "../net/games";
import type { GameInfo } from "../net/protocol";
import { fetchCode } from "../shell/load";
import { lookUp, t } from "../texts";
import type { GamePage, Preset } from "./page";

/** What the pages know about a game beyond what the server tells. */
export interface GameEntry {
  load: () => Promise<GamePage>;
  /** Paths of the game's own protocols for programs: title and address. */
  protocols: (table: string) => { title: string; path: string }[];
  /** Other pages of the game, linked from the lobby. */
  tools?: () => { title: string; words: string; link: string; path: string }[];
}

/** The games with a page of their own; all others use the generic one. */
export const GAMES: Record<string, GameEntry> = {
  hearts: {
    load: () => import("./hearts").then((module) => module.page),
    protocols: (table) => [
      { title: t("table.connect.trend"), path: table === "default" ? "/" : `/t/${encodeURIComponent(table)}` },
    ],
  },
  coinche: {
    load: () => import("./coinche").then((module) => module.page),
    protocols: () => [{ title: t("coinche.connect"), path: "/coinche" }],
  },
  sagrada: {
    load: () => import("./sagrada").then((module) => module.page),
    protocols: () => [],
  },
  tarock: {
    load: () => import("./tarock").then((module) => module.page),
    protocols: () => [{ title: t("tarock.connect"), path: "/tarock" }],
  },
  taroky: {
    load: () => import("./taroky").then((module) => module.page),
    protocols: () => [{ title: t("taroky.connect"), path: "/taroky" }],
    tools: () => [
      {
        title: t("taroky.tool"),
        words: t("taroky.tool.more"),
        link: t("taroky.notation.open"),
        path: "/notation",
      },
    ],
  },
};

/** Return the page of *game*; the caller shows an error for an unknown game. */
export async function loadPage(game: string): Promise<GamePage> {
  const entry = GAMES[game];
  if (entry) return fetchCode(entry.load);
  const info = (await listGames()).find((one) => one.name === game);
  if (!info) throw new Error(`no page for the game ${game}`);
  return fetchCode(() => import("./generic").then((module) => module.genericPage(info)));
}

/** Return the presets of *game* with their texts; the "play now" button uses the first one. */
export function presetsOf(game: GameInfo): Preset[] {
  return game.presets.map(({ key, options, seats }) => ({
    key,
    title: lookUp(`${game.name}.preset.${key}`, key),
    words: lookUp(`${game.name}.preset.${key}.more`, ""),
    options,
    ...(seats !== null && { seats }),
  }));
}

/** Return a *score* of *game* as people count it. */
export function points(game: string, score: number): number {
  return gameInfo(game)?.penalties ? 0 - score : score;
}
