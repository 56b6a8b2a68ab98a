/** The people whose chat messages this browser does not show. */

import { signal } from "@preact/signals";
import { keep, kept } from "../net/storage";

const KEY = "croupier.muted";
const MOST = 200;

function read(): string[] {
  try {
    const found: unknown = JSON.parse(kept(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Names of accounts and guests, the last one muted last. */
export const muted = signal(read());

/** Hide the messages of *name*, or show them again. */
export function mute(name: string, on: boolean): void {
  const others = muted.peek().filter((one) => one !== name);
  muted.value = on ? [...others, name].slice(-MOST) : others;
  keep(KEY, muted.value.length ? JSON.stringify(muted.value) : null);
}
