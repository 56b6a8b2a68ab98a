/** Quick matches: a public table of a game with people, found or opened by one press. */

import { api } from "../net/api";
import type { TableFrame, TableRow } from "../net/protocol";
import { go } from "../shell/router";

/** Find a table of *game* and take a seat there. */
export async function quickMatch(game: string, how: "push" | "replace" = "push"): Promise<void> {
  const { id } = await api.quickMatch(game);
  go(`/table/${encodeURIComponent(id)}?sit`, how);
}

/** Return what a person may take at a table: a free seat, that of a bot at the next deal, or none. */
export function seatFor(table: Pick<TableFrame | TableRow, "seats" | "quick_match">): "free" | "bot" | null {
  if (table.seats.some((info) => !info.name && info.kind !== "bot")) return "free";
  return table.quick_match && table.seats.some((info) => info.kind === "bot" && !info.next) ? "bot" : null;
}
