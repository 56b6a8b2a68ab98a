/** The games of the server: fetched once, with the texts that games from outside bring. */

import { signal } from "@preact/signals";
import { alsoSpeak, bring, isBuiltIn, language, type Language } from "../texts";
import { api } from "./api";
import type { GameInfo } from "./protocol";

/** The games by name, as soon as they are known. */
export const known = signal<Record<string, GameInfo>>({});

let asked: Promise<GameInfo[]> | null = null;

/** Return the games of the server. */
export function listGames(): Promise<GameInfo[]> {
  asked ??= fetchGames().catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

/** Return what the server tells of *game*; components are redrawn when it arrives. */
export function gameInfo(game: string): GameInfo | undefined {
  if (!asked) void listGames().catch(() => undefined);
  return known.value[game];
}

async function fetchGames(): Promise<GameInfo[]> {
  const games = await api.games();
  await fetchTexts(games, language());
  learn(games);
  return games;
}

export function learn(games: GameInfo[]): void {
  known.value = Object.fromEntries(games.map((game) => [game.name, game]));
}

async function fetchTexts(games: GameInfo[], next: Language): Promise<void> {
  const own = games.filter((game) => game.languages.length && !isBuiltIn(game.name));
  await Promise.all(own.map(async (game) => bring(game.name, next, await api.texts(game.name, next))));
}

alsoSpeak((next) => fetchTexts(Object.values(known.peek()), next));
