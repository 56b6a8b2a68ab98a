/** The texts of the built-in games, from the JSON files in their folders, which the server and the terminal use too. */

import type { GameKey } from "./keys";

/** Return the texts of the *files* of one language; every key begins with the name of its game. */
export function ofGames(files: Record<string, Record<string, string>>): Record<GameKey, string> {
  const found = Object.entries(files).flatMap(([path, texts]) => {
    const game = path.split("/").at(-3);
    return Object.entries(texts).map(([key, text]) => [`${game}.${key}`, text]);
  });
  return Object.fromEntries(found) as Record<GameKey, string>;
}
