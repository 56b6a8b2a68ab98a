/** The log as parts (deals or rounds) of entries: lines, whole tricks, whole auctions. */

import type { GameEvent } from "../net/protocol";
import type { LogLine } from "../net/table";

/** A card that was played, or a call in an auction. */
export interface Said {
  line: LogLine;
  seat: number;
}

export type Entry =
  | { kind: "line"; line: LogLine }
  | { kind: "trick"; plays: (Said & { card: string })[]; end: LogLine | null; taker: number | null }
  | { kind: "auction"; calls: Said[] };

export interface Part {
  /** The key of its first line. */
  key: number;
  title: string | null;
  lines: LogLine[];
}

/** Events before the first deal of a game: they belong to that deal. */
const OPENINGS = ["match_started", "game_started"];

/** Divide the *lines* of a log into parts; *title* names the part that an event begins, if it begins one. */
export function partsOf(lines: LogLine[], title: (event: GameEvent) => string | null): Part[] {
  const parts: Part[] = [];
  for (const line of lines) {
    const begun = title(line.event);
    const opens = OPENINGS.includes(line.event.kind);
    let last = parts.at(-1);
    if (!last || ((begun !== null || opens) && last.title !== null)) {
      last = { key: line.key, title: null, lines: [] };
      parts.push(last);
    }
    last.title ??= begun;
    last.lines.push(line);
  }
  return parts;
}

function numberIn(event: GameEvent, ...fields: string[]): number | null {
  const found = fields.map((field) => event[field]).find((value) => typeof value === "number");
  return typeof found === "number" ? found : null;
}

/** Gather the *lines* of a part: the cards of a trick and the calls of an auction (events of the kind *call*). */
export function entriesOf(lines: LogLine[], call?: string): Entry[] {
  const entries: Entry[] = [];
  let trick: (Entry & { kind: "trick" }) | null = null;
  for (const line of lines) {
    const { event } = line;
    const seat = numberIn(event, "seat");
    const taker = numberIn(event, "taker", "winner");
    const last = entries.at(-1);
    if (event.kind === "played" && seat !== null && typeof event["card"] === "string") {
      if (!trick) {
        trick = { kind: "trick", plays: [], end: null, taker: null };
        entries.push(trick);
      }
      trick.plays.push({ line, seat, card: event["card"] });
      if (taker === null) continue;
      trick.taker = taker;
      trick = null;
    } else if (trick && taker !== null) {
      trick.taker = taker;
      trick.end = line;
      trick = null;
    } else if (event.kind === call && seat !== null) {
      if (last?.kind === "auction") last.calls.push({ line, seat });
      else entries.push({ kind: "auction", calls: [{ line, seat }] });
    } else entries.push({ kind: "line", line });
  }
  return entries;
}

/** Arrange *calls* in rows with a column for each of *seats*, beginning with *first*. */
export function inRows<T extends { seat: number }>(
  calls: T[],
  seats: number,
  first = calls[0]?.seat ?? 0,
): { order: number[]; rows: (T | undefined)[][] } {
  const rows: (T | undefined)[][] = [];
  let before = seats;
  for (const call of calls) {
    const column = (call.seat - first + seats) % seats;
    if (column <= before) rows.push([]);
    const row = rows.at(-1);
    if (row) row[column] = call;
    before = column;
  }
  return { order: Array.from({ length: seats }, (_, step) => (first + step) % seats), rows };
}
