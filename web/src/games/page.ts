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
  /** Have the server say why *actions*, which are not legal, are not; with none: that is not asked any more. */
  why: (actions: string[]) => void;
  /** In a replay, or where watchers may see all: the views of all seats, so that every hand can be shown. */
  open: V[] | null;
}

/** One row of a score sheet; `cells` in the order of seats, or of sides where the game has them. */
export interface SheetRow {
  key: string;
  label: string;
  /** Under the label, in a few words. */
  note?: string;
  /** What the row adds up: shown on demand, and at once for the last row that has any. */
  lines?: { label: string; cells: string[] }[];
  /** A `note` says in small print how the text comes about. */
  cells: { text: string; note?: string; marks?: { icon: "moon" | "ace"; label: string }[]; best?: boolean }[];
  kind?: "now" | "total";
}

/** How a game or the whole match ended: shown over the table until the next one begins. */
export interface Ending {
  title: string;
  /** What is said in place of who wins, where nobody else plays. */
  headline?: string;
  /** By seat, or by side where the game has them. */
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
  /** How many sit at the table; the most that can, unless it is said. */
  seats?: number;
}

/** What every game tells. */
interface Told<V extends View> {
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
  /** Seats that win and lose together, all match long; each for itself if left out. */
  sides?: number[][];
  sheet: (scene: Scene<V>) => SheetRow[];
  /** What lies before a seat: cards left, cards taken, points. */
  SeatNote: (props: { scene: Scene<V>; seat: number }) => ComponentChildren;
  /** Beside the table or the replay of *match*, below the score sheet. */
  Aside?: (props: { scene: Scene<V>; match?: string }) => ComponentChildren;
}

/** A game of cards in hands: seats around a centre, the own hand below. */
export interface CardPage<V extends View = View> extends Told<V> {
  /** Whoever is next sits to the right, not to the left. */
  rightwards?: boolean;
  Centre: (props: { scene: Scene<V>; replay?: boolean }) => ComponentChildren;
  /** Own hand and the answers to the open question. */
  Hand: (props: { scene: Scene<V> }) => ComponentChildren;
  /** A hand that is open to all: small before its seat, large at the bottom. */
  OpenHand: (props: { scene: Scene<V>; seat: number; large?: boolean }) => ComponentChildren;
}

export interface BoardProps<V extends View = View> {
  scene: Scene<V>;
  /** Make the plate of a seat: who it is, the clock, its note. */
  plate: (seat: number) => ComponentChildren;
  /** How the match ended, shown where the next decision would be. */
  over?: ComponentChildren;
}

/** A game without hands: one board with everything on it, the answers to the open question included. */
export interface BoardPage<V extends View = View> extends Told<V> {
  Board: (props: BoardProps<V>) => ComponentChildren;
}

export type GamePage = CardPage | BoardPage;

/** Make views of the facts of every seat. */
export function openViews(facts: Facts[]): View[] {
  return facts.map((one, seat) => ({ ...one, seat, to_act: [], legal: [] }));
}

/** Hide the type of a game's own view behind the shared one: the server pairs game and view. */
export function definePage<V extends View>(page: CardPage<V>): CardPage {
  return page as unknown as CardPage;
}

export function defineBoard<V extends View>(page: BoardPage<V>): BoardPage {
  return page as unknown as BoardPage;
}
