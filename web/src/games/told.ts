/** Events in the words of a game's texts; CONTRIBUTING.md has the rule by which a text is found. */

import type { GameEvent } from "../net/protocol";
import { called, nameOf } from "../table/Seat";
import { fill, lookUp, type Values } from "../texts";
import type { Scene } from "./page";

/** Fields of an event that are seats. The texts address the reader as "you" if the first one is theirs. */
const SEATS = ["seat", "taker", "dealer", "first", "leader", "start", "giver", "moon", "winner", "povinnost", "offered_by"];

/** Those of them that stand alone after a label ("Dealer: …"): the reader is called "You". */
const LABELLED = ["dealer", "first"];

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false && value !== "";
}

/** Return the key of the text for *event*, and the field that names its subject. */
function keyOf(event: GameEvent, has: (key: string) => boolean): [string, string | undefined] {
  const base = `log.${event.kind}`;
  const isSeat = ([field, value]: [string, unknown]) => SEATS.includes(field) && typeof value === "number";
  const subject = Object.entries(event).find(isSeat)?.[0];
  for (const [field, value] of Object.entries(event)) {
    const exact = `${base}.${field}.${String(value)}`;
    if (typeof value !== "object" && has(exact)) return [exact, subject];
    const key = `${base}.${field}`;
    if (isSet(value) && has(key)) return [key, isSeat([field, value]) ? field : subject];
  }
  return [base, subject];
}

/** Return *event* in the words of the texts of *game*, with fields as *spell* returns them; null if it is not logged. */
export function told(
  game: string,
  event: GameEvent,
  scene: Scene,
  spell: (field: string, value: unknown) => string | number,
): string | null {
  const text = (key: string, otherwise = "") => lookUp(`${game}.${key}`, otherwise);
  const [key, subject] = keyOf(event, (one) => text(one) !== "" || text(`${one}.you`) !== "");
  const mine = subject !== undefined && event[subject] === scene.you;
  const said = mine ? text(`${key}.you`, text(key)) : text(key);
  if (!said) return null;
  const values: Values = {};
  for (const [field, value] of Object.entries(event)) {
    if (!said.includes(`{${field}}`) && !said.includes(`{${field}|`)) continue;
    const isSeat = SEATS.includes(field) && typeof value === "number";
    values[field] = isSeat ? (LABELLED.includes(field) ? called(scene, value) : nameOf(scene.seats, value)) : spell(field, value);
  }
  return fill(said, values);
}
