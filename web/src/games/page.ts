/** The interface between a game and the shared pages: how to read its facts and how to draw them. */

import type { ComponentChildren } from "preact";
import type { Question } from "../net/table";
import { t } from "../texts";
import type { Facts, GameEvent, OptionValues, SeatInfo, View } from "../net/protocol";

/** The input of a game's components. Live tables and replays both provide it. */
export interface Scene<V extends View = View> {
  view: V;
  seats: SeatInfo[];
  /** The seat of this browser, or null. */
  you: number | null;
  /** The seat drawn at the bottom. */
  bottom: number;
  question: Question | null;
  /** Whether an answer has been sent and not yet confirmed. */
  pending: boolean;
  /** Why the last action was refused; on a board without the action itself. */
  refusal: string | null;
  act: (actions: string[]) => void;
  /** Ask the server why *actions* are illegal; without arguments, clear the question. */
  why: (actions: string[]) => void;
  /** In a replay, or if watchers may see all hands: the views of all seats. */
  open: V[] | null;
}

/** One row of a score sheet; `cells` by seat, or by side in games with sides. */
export interface SheetRow {
  key: string;
  label: string;
  /** A short note below the label. */
  note?: string;
  /** The lines that add up to the row: shown on demand, and open by default for the last row that has any. */
  lines?: { label: string; cells: string[] }[];
  /** A `note` explains the text in small print. */
  cells: { text: string; note?: string; marks?: { icon: "moon" | "ace"; label: string }[]; best?: boolean }[];
  kind?: "now" | "total";
}

/** The result of a game or of the whole match, shown over the table until the next one begins. */
export interface Ending {
  title: string;
  /** Replaces the winner's name if there are no other players. */
  headline?: string;
  /** By seat, or by side in games with sides. */
  totals: number[];
  ranks: number[];
  /** The match is over. */
  final: boolean;
}

export interface Preset {
  key: string;
  title: string;
  words: string;
  options: OptionValues;
  /** The number of seats at the table; the maximum if omitted. */
  seats?: number;
}

/** The functions that every game provides. */
interface Told<V extends View> {
  /** Return the log text of an event, or null for events that are not logged. */
  words: (event: GameEvent, scene: Scene<V>) => string | null;
  /** How the log gathers events. */
  log: {
    /** Return the title of the part of the log, a deal or a round, that an event begins; null for other events. */
    part: (event: GameEvent) => string | null;
    /** A card in a line of text; omitted in games without tricks. */
    chip?: (card: string) => ComponentChildren;
    /** The kind of the calls of an auction, and the sign of a call. */
    auction?: { kind: string; sign: (event: GameEvent) => ComponentChildren };
  };
  /** Return the prompt for the decision that is due, for the line above the hand. */
  status: (scene: Scene<V>) => string;
  /** Return the view after *action* of its own seat, as far as the effect is certain before the server answers.
   *
   * An action that the view already contains changes nothing. */
  foresee: (view: V, action: string) => V;
  /** Return the seats that are to act, as far as everyone may know. */
  acting: (view: V) => number[];
  /** Return whether there is anything to show yet. */
  begun: (view: V) => boolean;
  /** Return the status of the match in a few words ("Deal 2 of 4"). */
  standing: (view: V) => string[];
  ending: (view: V) => Ending | null;
  /** Seats that win and lose together for the whole match; if omitted, each seat plays alone. */
  sides?: number[][];
  sheet: (scene: Scene<V>) => SheetRow[];
  /** The area in front of a seat: cards left, cards taken, points. */
  SeatNote: (props: { scene: Scene<V>; seat: number }) => ComponentChildren;
  /** Shown beside the table or the replay of *match*, below the score sheet. */
  Aside?: (props: { scene: Scene<V>; match?: string }) => ComponentChildren;
}

/** A card game with hands: seats around a centre, the player's own hand below. */
export interface CardPage<V extends View = View> extends Told<V> {
  /** The next seat in playing order sits on the right instead of the left. */
  rightwards?: boolean;
  /** Return the number of cards in the hand of *seat*. */
  held: (view: V, seat: number) => number;
  Centre: (props: { scene: Scene<V>; replay?: boolean }) => ComponentChildren;
  /** The player's own hand and the answers to the open question. */
  Hand: (props: { scene: Scene<V> }) => ComponentChildren;
  /** A hand that everyone may see: small in front of its seat, large at the bottom. */
  OpenHand: (props: { scene: Scene<V>; seat: number; large?: boolean }) => ComponentChildren;
}

export interface BoardProps<V extends View = View> {
  scene: Scene<V>;
  /** Return the name plate of a seat: name, clock, note. */
  plate: (seat: number) => ComponentChildren;
  /** The result of the match, shown in place of the next decision. */
  over?: ComponentChildren;
}

/** A game without hands: one board that also contains the answers to the open question. */
export interface BoardPage<V extends View = View> extends Told<V> {
  Board: (props: BoardProps<V>) => ComponentChildren;
}

export type GamePage = CardPage | BoardPage;

/** The title of the part of a log that a deal begins. */
export function dealPart(event: GameEvent): string | null {
  return event.kind === "deal_started" ? t("sheet.deal", { n: Number(event["deal"]) }) : null;
}

/** Convert the facts of every seat to views. */
export function openViews(facts: Facts[]): View[] {
  return facts.map((one, seat) => ({ ...one, seat, to_act: [], legal: [] }));
}

/** Hide the type of a game's own view behind the shared type: the server pairs game and view. */
export function defineBoard<V extends View>(page: BoardPage<V>): BoardPage {
  return page as unknown as BoardPage;
}
