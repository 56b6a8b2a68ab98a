/** The glass workshop without drawings: the facts of a view, and functions on them. */

import { colourOf, valueOf } from "../glass/dice";
import type { View } from "../net/protocol";
import type { Event, Facts, Window } from "./sagrada.types";

export interface GlassView extends View, Facts {}
export type GlassEvent = Event;
export type { Pattern, Score, Tool, Window } from "./sagrada.types";

/** The points for one row, column, set or die of each public objective. */
const WORTH = [6, 5, 5, 4, 2, 2, 2, 5, 1, 4];
const PRIVATE_COLOURS = "RYGBP";

export function worth(objective: number): number {
  return WORTH[objective - 1] ?? 1;
}

/** Return the colour that private objective *number* collects. */
export function privateColour(number: number): string {
  return PRIVATE_COLOURS[number - 1] ?? "";
}

/** Return the seats that are to act. */
export function acting(view: GlassView): number[] {
  switch (view.phase) {
    case "choosing":
      return Array.from({ length: view.seats }, (_, seat) => seat).filter((seat) => !view.chosen.includes(seat));
    case "extracting":
      return view.start === null ? [] : [view.start];
    case "turn":
      return view.turn_seat === null ? [] : [view.turn_seat];
  }
  return [];
}

/** Return the private objectives of *seat* that are known from this view and the *open* views. */
export function privatesOf(view: GlassView, seat: number, you: number | null, open: GlassView[] | null): number[] {
  if (view.all_privates.length) return view.all_privates[seat] ?? [];
  if (open) return open[seat]?.privates ?? [];
  return seat === you || view.seats === 1 ? view.privates : [];
}

/** The legal actions, grouped by verb. */
export class Choices {
  private readonly words: Set<string>;

  constructor(legal: string[]) {
    this.words = new Set(legal);
  }

  has(word: string): boolean {
    return this.words.has(word);
  }

  /** Return the arguments of the actions that begin with *verb*. */
  of(verb: string): string[] {
    const start = `${verb} `;
    return [...this.words].filter((word) => word.startsWith(start)).map((word) => word.slice(start.length));
  }

  any(verb: string): boolean {
    return this.of(verb).length > 0;
  }

  /** Return the actions that use *die* from the pool. */
  forDie(die: string): string[] {
    return POOL_VERBS.map((verb) => `${verb} ${die}`).filter((word) => this.words.has(word));
  }
}

export const POOL_VERBS = ["draft", "raise", "lower", "swap", "reroll", "flip", "bag", "pay"];

function picked(view: GlassView, verb: string): string[] {
  const start = `${verb} `;
  return view.picks.filter((word) => word.startsWith(start)).map((word) => word.slice(start.length));
}

/** Return the die picked from the pool and the die it becomes, or null. */
export function pickedDie(view: GlassView): { taken: string; becomes: string } | null {
  for (const [verb, change] of [["draft", 0], ["raise", 1], ["lower", -1], ["swap", 0]] as const) {
    const [taken] = picked(view, verb);
    if (taken) return { taken, becomes: colourOf(taken) + String(Number(valueOf(taken)) + change) };
  }
  return null;
}

export function dieAt(window: Window, cell: string): string | null {
  return window.dice[cellIndex(cell)] ?? null;
}

/** Return the cells whose dice have been lifted, in that order. */
export function liftedCells(view: GlassView): string[] {
  return picked(view, "lift");
}

/** Return the die that must be placed: in hand, picked from the pool, or lifted. */
export function heldDie(view: GlassView, seat: number): string | null {
  if (view.hand !== null) return view.hand;
  const pick = pickedDie(view);
  if (pick) return pick.becomes;
  const window = view.windows[seat];
  const lifted = liftedCells(view);
  if (!window || !lifted.length) return null;
  // With tool 4 the die lifted first is put down first.
  const [put] = picked(view, "put");
  const cell = view.active === 4 && lifted.length === 2 && put ? lifted[1] : lifted[0];
  return cell ? dieAt(window, cell) : null;
}

/** Return the planned cell of the first die moved with tool 4. */
export function plannedDie(view: GlassView, seat: number): { cell: string; die: string } | null {
  const [cell] = picked(view, "put");
  const [first] = liftedCells(view);
  const window = view.windows[seat];
  const die = window && first ? dieAt(window, first) : null;
  return cell && die ? { cell, die } : null;
}

/** The steps of each tool's dialogue, as text keys. */
const STEPS: Record<number, string[]> = {
  1: ["change", "place"],
  2: ["lift", "put.colour"],
  3: ["lift", "put.value"],
  4: ["lift.first", "lift.second", "put.first", "put.second"],
  5: ["swap", "for", "place"],
  6: ["reroll", "place"],
  7: ["reroll_all"],
  8: ["twice"],
  9: ["draft", "apart"],
  10: ["flip", "place"],
  11: ["bag", "value", "place"],
  12: ["lift.colour", "put", "again"],
};

export interface Dialogue {
  tool: number;
  /** Text keys. */
  steps: string[];
  /** The index of the current step. */
  at: number;
}

/** Return the step of the tool dialogue, or null if no tool is active. */
export function dialogue(view: GlassView): Dialogue | null {
  const paying = picked(view, "tool")[0];
  const tool = paying ? Number(paying) : (view.active ?? (view.hand !== null ? view.used : null));
  if (tool === null) return null;
  const own = STEPS[tool] ?? [];
  const solo = view.seats === 1;
  const steps = solo ? ["pay", ...own] : own;
  return { tool, steps, at: paying ? 0 : step(view, tool) + (solo ? 1 : 0) };
}

function step(view: GlassView, tool: number): number {
  // A normal draft may happen during the dialogue: then the tool is still at its first step.
  const done = view.picks.filter((word) => !word.startsWith("draft ") || tool === 9).length;
  if (tool === 12 && view.moved.length) return done ? 1 : 2;
  if (view.hand === null) return done;
  return tool === 11 && valueOf(view.hand) === "0" ? 1 : tool === 5 || tool === 11 ? 2 : 1;
}

/** Return the index of *cell* in a window. */
function cellIndex(cell: string): number {
  const [row = 1, column = 1] = cell.split(",").map(Number);
  return (row - 1) * 5 + column - 1;
}

/** Return the view after *die* has been put into the player's own *cell*, taken from the pool, the hand or another cell. */
function put(view: GlassView, cell: string): GlassView {
  const { seat } = view;
  const own = seat === null ? undefined : view.windows[seat];
  const lifted = liftedCells(view);
  if (seat === null || !own) return view;
  if (view.active === 4) return { ...view, picks: [...view.picks, `put ${cell}`] };
  const die = heldDie(view, seat);
  if (!die || dieAt(own, cell)) return view;
  const dice = [...own.dice];
  for (const from of lifted) dice[cellIndex(from)] = null;
  dice[cellIndex(cell)] = die;
  const pool = [...view.pool];
  const pick = view.hand === null ? pickedDie(view) : null;
  if (pick && pool.includes(pick.taken)) pool.splice(pool.indexOf(pick.taken), 1);
  const windows = view.windows.with(seat, { ...own, dice });
  return { ...view, windows, pool, picks: [], ...(lifted.length ? {} : { hand: null, drafted: true }) };
}

/** Return the view after the player's own *action*: a window is chosen, a die is picked, lifted or put down. */
export function foresee(view: GlassView, action: string): GlassView {
  const [verb = "", what = ""] = action.split(" ");
  if (verb === "window") return { ...view, window: view.window ?? Number(what) };
  if (verb === "put") return put(view, what);
  if (!["draft", "raise", "lower", "swap", "lift"].includes(verb) || view.picks.includes(action)) return view;
  return { ...view, picks: [...view.picks, action] };
}
