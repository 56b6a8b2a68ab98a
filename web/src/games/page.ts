/** What a game brings to the shared pages: how to read its facts and how to draw them. */

import type { ComponentChildren } from "preact";
import type { Question } from "../net/table";
import type { Facts, GameEvent, OptionValues, SeatInfo, View } from "../net/protocol";

/** All that a game's components draw from. Live tables and replays make the same thing. */
export interface Scene<V extends View = View> {
  view: V;
  seats: SeatInfo[];
  /** The seat this browser plays, or null. */
  you: number | null;
  /** The seat drawn at the bottom. */
  bottom: number;
  question: Question | null;
  /** An answer is on its way. */
  pending: boolean;
  refusal: string | null;
  act: (actions: string[]) => void;
  /** In a replay, or where watchers may see all: the views of all seats, so that every hand can be shown. */
  open: V[] | null;
}

/** One row of a score sheet; `cells` in the order of seats. */
export interface SheetRow {
  key: string;
  label: string;
  cells: { text: string; marks?: { icon: "moon" | "ace"; label: string }[]; best?: boolean }[];
  kind?: "now" | "total";
}

/** How a game or the whole match ended: shown over the table until the next one begins. */
export interface Ending {
  title: string;
  /** By seat. */
  totals: number[];
  ranks: number[];
  /** Nothing follows: the match is over. */
  final: boolean;
}

export interface Preset {
  key: string;
  title: string;
  words: string;
  options: OptionValues;
}

export interface GamePage<V extends View = View> {
  /** Say what happened, or null for what nobody needs to read. */
  words: (event: GameEvent, scene: Scene<V>) => string | null;
  /** Say what is due now, for the line above the hand. */
  status: (scene: Scene<V>) => string;
  /** The seats whose move everybody is waiting for, as far as all may know. */
  acting: (view: V) => number[];
  /** Say whether there is anything to look at yet. */
  begun: (view: V) => boolean;
  /** Where the match stands, in a few words ("Deal 2 of 4"). */
  standing: (view: V) => string[];
  ending: (view: V) => Ending | null;
  sheet: (scene: Scene<V>) => SheetRow[];
  Centre: (props: { scene: Scene<V>; replay?: boolean }) => ComponentChildren;
  /** Own hand and the answers to the open question. */
  Hand: (props: { scene: Scene<V> }) => ComponentChildren;
  /** What lies before a seat: cards left, cards taken, points. */
  SeatNote: (props: { scene: Scene<V>; seat: number }) => ComponentChildren;
  /** A hand that is open to all: small before its seat, large at the bottom. */
  OpenHand: (props: { scene: Scene<V>; seat: number; large?: boolean }) => ComponentChildren;
}

/** Make views of the facts of every seat. */
export function openViews(facts: Facts[]): View[] {
  return facts.map((one, seat) => ({ ...one, seat, to_act: [], legal: [] }));
}

/** Hide the type of a game's own view behind the shared one: the server pairs game and view. */
export function definePage<V extends View>(page: GamePage<V>): GamePage {
  return page as unknown as GamePage;
}
