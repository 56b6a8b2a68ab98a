/** The list of open tables, kept up to date. */

import { signal } from "@preact/signals";
import { socketAddress } from "./api";
import { Link } from "./link";
import { heardNotice } from "./notice";
import type { LobbyMessage, Notice, TableRow } from "./protocol";

/** Return *rows* after a frame of the server, newest first. */
export function withFrame(rows: TableRow[], frame: Exclude<LobbyMessage, Notice>): TableRow[] {
  const closed = new Set(frame.type === "changed" ? frame.closed : []);
  const known = frame.type === "tables" && frame.first ? [] : rows;
  const all = new Map(known.filter((row) => !closed.has(row.id)).map((row) => [row.id, row]));
  for (const row of frame.tables) all.set(row.id, row);
  return [...all.values()].sort((one, other) => other.number - one.number);
}

export class LobbyClient {
  readonly tables = signal<TableRow[] | null>(null);
  readonly link: Link;

  constructor() {
    this.link = new Link({
      address: socketAddress("/api/lobby"),
      onFrame: (told) => {
        const frame = told as LobbyMessage;
        if (frame.type === "notice") heardNotice(frame);
        else this.tables.value = withFrame(this.tables.peek() ?? [], frame);
      },
    });
  }

  close(): void {
    this.link.close();
  }
}
