/** The games. The page of a game is loaded when its first table is opened. */

import { gameInfo, listGames } from "../net/games";
import type { GameInfo } from "../net/protocol";
import { fetchCode } from "../shell/load";
import { lookUp } from "../texts";
import type { GamePage, Preset } from "./page";

/** The games with a page of their own, each in a file of its name; all others use the generic page. */
const OWN = import.meta.glob<GamePage>(["./*.tsx", "!./generic.tsx", "!./*.*.tsx"], { import: "page" });

/** Return the page of *game*; the caller shows an error for an unknown game. */
export async function loadPage(game: string): Promise<GamePage> {
  const own = OWN[`./${game}.tsx`];
  if (own) return fetchCode(own);
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

/** Return the path of the published protocol of *game* for programs at *table*, null if there is none. */
export function protocolPath(game: GameInfo, table: string | null): string | null {
  if (game.protocol === "table") return table && table !== "default" ? `/t/${encodeURIComponent(table)}` : "/";
  return game.protocol && `/${game.name}`;
}
