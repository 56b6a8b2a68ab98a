/** The list of open tables, kept up to date. */

import { signal } from "@preact/signals";
import { socketAddress } from "./api";
import { Link } from "./link";
import type { TableRow } from "./protocol";

export class LobbyClient {
  readonly tables = signal<TableRow[] | null>(null);
  readonly link: Link;

  constructor() {
    this.link = new Link({
      address: socketAddress("/api/lobby"),
      onFrame: (frame) => {
        if (Array.isArray(frame)) this.tables.value = frame as TableRow[];
      },
    });
  }

  close(): void {
    this.link.close();
  }
}
