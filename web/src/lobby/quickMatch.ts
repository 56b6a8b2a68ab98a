/** Quick matches: a public table of a game with people, found or opened by one press. */

import { api } from "../net/api";
import { go } from "../shell/router";

/** Find a table of *game* and take a seat there. */
export async function quickMatch(game: string, how: "push" | "replace" = "push"): Promise<void> {
  const { id } = await api.quickMatch(game);
  go(`/table/${encodeURIComponent(id)}?sit`, how);
}
