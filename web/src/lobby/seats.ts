/** What a visitor can do with the seats of a table. */

import type { TableFrame, TableRow } from "../net/protocol";

/** Return what a person may take at a table: a free seat, that of a bot at the next deal, or none. */
export function seatFor(table: Pick<TableFrame | TableRow, "seats" | "quick_match">): "free" | "bot" | null {
  if (table.seats.some((info) => !info.name && info.kind !== "bot")) return "free";
  return table.quick_match && table.seats.some((info) => info.kind === "bot" && !info.next) ? "bot" : null;
}

/** Return how many people play or watch at a table now. */
export function presentAt(row: Pick<TableRow, "seats" | "watchers">): number {
  return row.watchers + row.seats.filter((info) => info.person && info.connected).length;
}
