/** Slovenian Tarock without drawings: the facts of a view, and functions on them. */

import type { TarockFace, TarockSuit } from "../cards/tarock";
import type { View } from "../net/protocol";
import type { DealResult, Facts } from "./tarock.types";

export interface TarockView extends View, Facts {}
export type { DealResult, Line } from "./tarock.types";
export type Phase = Facts["phase"];
export type Suit = NonNullable<Facts["king"]>;

export const SEATS = 4;
export const SEAT_NUMBERS = [0, 1, 2, 3];
export const TRICKS = 12;

/** The bidding order. */
export const CONTRACTS = [
  "klop",
  "three",
  "two",
  "one",
  "solo_three",
  "solo_two",
  "solo_one",
  "beggar",
  "solo_without",
  "open_beggar",
  "color_valat",
  "valat",
];
const VALUES = [70, 10, 20, 30, 40, 50, 60, 70, 80, 90, 125, 500];

/** Return the value of a contract at this table. */
export function valueOf(contract: string, options: Record<string, unknown>): number {
  if (contract === "valat") return Number(options.valat_value ?? 500);
  return VALUES[CONTRACTS.indexOf(contract)] ?? 0;
}

/** Return the picture of a card: "TS" is tarock 22. */
export function faceOf(code: string): TarockFace {
  const rank = code.slice(1);
  return { suit: code.charAt(0) as TarockSuit, rank: rank === "S" ? "22" : rank };
}

/** Display order: tarocks, then suits of alternating colour, each from the highest. */
const SUIT_ORDER: TarockSuit[] = ["T", "S", "H", "C", "D"];
const BLACK = ["K", "Q", "N", "J", "10", "9", "8", "7"];
const RED = ["K", "Q", "N", "J", "1", "2", "3", "4"];

function place(code: string): number {
  const { suit, rank } = faceOf(code);
  const ranks = suit === "C" || suit === "S" ? BLACK : RED;
  return SUIT_ORDER.indexOf(suit) * 30 + (suit === "T" ? 22 - Number(rank) : ranks.indexOf(rank));
}

export function sorted(cards: string[]): string[] {
  return [...cards].sort((a, b) => place(a) - place(b));
}

/** Return the cards of a hand grouped by suit, without empty suits. */
export function bySuit(cards: string[]): [TarockSuit, string[]][] {
  return SUIT_ORDER.map((suit): [TarockSuit, string[]] => [
    suit,
    sorted(cards.filter((card) => faceOf(card).suit === suit)),
  ]).filter(([, held]) => held.length);
}

/** Return the seat that is to act. */
export function acting(view: TarockView): number[] {
  return view.phase === "dealing" || view.phase === "over" || view.turn === null ? [] : [view.turn];
}

/** Return the stage of the match: before it, in a deal, after one, at the end. */
export function stage(view: TarockView): "start" | "deal" | "between" | "match" {
  if (view.phase === "over") return "match";
  if (view.deal === 0) return "start";
  return view.hands.length ? "between" : "deal";
}

/** Return the last call of *seat* in the auction; forehand's three or klop stands until they bid. */
export function lastBid(view: TarockView, seat: number): string | null {
  const own = view.bids.filter((bid) => bid.seat === seat).at(-1);
  return own?.bid ?? (seat === view.forehand ? view.standing : null);
}

/** Return the highest bid and the bidder. */
export function highest(view: TarockView): { seat: number; bid: string } | null {
  const made = view.bids.filter((bid) => bid.bid !== "pass").at(-1);
  if (made) return made;
  return view.forehand !== null && view.standing ? { seat: view.forehand, bid: view.standing } : null;
}

/** Return the bonuses *seat* has announced. */
export function announcedBy(view: TarockView, seat: number): string[] {
  return view.announced.filter((one) => one.seat === seat).map((one) => one.bonus);
}

/** Return the talon cards that *seat* got in klop. */
export function giftsOf(view: TarockView, seat: number): string[] {
  return view.tricks.flatMap((trick) => (trick.winner === seat && trick.gift ? [trick.gift] : []));
}

/** Return the argument of every action in *legal* that begins with *verb*: "play T5" gives "T5". */
export function answersTo(legal: string[], verb: string): string[] {
  const start = `${verb} `;
  return legal.filter((word) => word.startsWith(start)).map((word) => word.slice(start.length));
}

/** Return the seats that score together in a deal. */
export function scorers(result: DealResult): number[] {
  return result.partner === null ? [result.declarer] : [result.declarer, result.partner];
}

/** Return the place of every seat: 1 + the number of better seats. */
export function ranks(ranking: number[][]): number[] {
  return SEAT_NUMBERS.map((seat) => {
    const at = ranking.findIndex((group) => group.includes(seat));
    return 1 + ranking.slice(0, Math.max(at, 0)).flat().length;
  });
}

/** Return the view after the player has taken a set or discarded a card, or null for another *action*. */
export function exchanges(view: TarockView, action: string): TarockView | null {
  const [verb = "", what = ""] = action.split(" ");
  if (verb === "take" && view.picked === null) {
    return { ...view, picked: Number(what), hand: [...view.hand, ...(view.talon[Number(what)] ?? [])] };
  }
  if (verb !== "discard" || view.seat === null || !view.hand.includes(what)) return null;
  return { ...view, hand: view.hand.filter((one) => one !== what), my_discards: [...view.my_discards, what] };
}
