/** Score sheet rows that all games share. */

import { score } from "../texts";
import type { SheetRow } from "./page";

/** Return the row of *totals*, written by *spell*, with the best ones marked, unless all are equal. */
export function totalRow(key: string, label: string, totals: number[], spell = score): SheetRow {
  const best = Math.max(...totals);
  const told = totals.some((total) => total !== best);
  return {
    key,
    label,
    kind: "total",
    cells: totals.map((total) => ({ text: spell(total), best: told && total === best })),
  };
}

/** Return the place of every seat: 1 + the number of higher totals. */
export function ranks(totals: number[]): number[] {
  return totals.map((total) => 1 + totals.filter((other) => other > total).length);
}
