/** The message log of the user's own programs, identified by a random id. */

import { signal } from "@preact/signals";
import { socketAddress } from "../net/api";
import { Link } from "../net/link";
import type { TrafficEntry as Entry, TrafficFrame } from "../net/messages";
import { joining } from "./explain";

export type { TrafficEntry as Entry } from "../net/messages";

const KEY = "croupier.log";
const SHOWN = 200;

/** Return the log id of this browser. It does not change, so that addresses stay valid. */
export function logId(): string {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept && /^[0-9a-f]{32}$/u.test(kept)) return kept;
    const made = randomId();
    localStorage.setItem(KEY, made);
    return made;
  } catch {
    return randomId(); // the browser has no storage
  }
}

function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class LogClient {
  readonly entries = signal<Entry[]>([]);
  /** The player name on each connection of the Trend protocol, whose errors do not contain it. */
  readonly names = new Map<number, string>();
  readonly link: Link;
  /** Entries up to this number are hidden. */
  private cleared = 0;

  constructor(id: string) {
    this.link = new Link({
      address: socketAddress(`/api/log/${id}`),
      onFrame: (frame) => this.hear(frame as TrafficFrame),
    });
  }

  clear(): void {
    this.cleared = this.entries.peek().at(-1)?.number ?? this.cleared;
    this.entries.value = [];
  }

  close(): void {
    this.link.close();
  }

  private hear(frame: TrafficFrame): void {
    if (frame.whole) this.names.clear();
    for (const entry of frame.entries) {
      const name = joining(entry);
      if (name !== null) this.names.set(entry.connection, name);
    }
    if (frame.whole) {
      // After a restart the server numbers entries from the start again.
      if ((frame.entries.at(-1)?.number ?? 0) < this.cleared) this.cleared = 0;
      this.entries.value = frame.entries.filter((entry) => entry.number > this.cleared);
    } else {
      this.entries.value = [...this.entries.peek(), ...frame.entries].slice(-SHOWN);
    }
  }
}
