/** The log of a table, kept while its page is reloaded. */

import type { LogLine } from "./table";

const KEY = "croupier.log.table";

export interface KeptLog {
  table: string;
  seat: number;
  /** The number of its last event. */
  last: number;
  log: LogLine[];
}

/** Keep the log of the page that the user is leaving; only one log is kept. */
export function keepLog(log: KeptLog): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(log));
  } catch {
    // storage may be forbidden or full: the log then begins with the current deal
  }
}

/** Return the log of *table* as *seat* knew it before the reload, or null. */
export function keptLog(table: string, seat: number | null): KeptLog | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as KeptLog | null;
    return kept && kept.table === table && kept.seat === seat ? kept : null;
  } catch {
    return null;
  }
}
