/** Coinche without drawings: the facts of a view, and functions on them. */

import type { FrenchSuit } from "../cards/pips";
import type { View } from "../net/protocol";
import type { DealResult, Facts } from "./coinche.types";
import { inRows } from "../table/logEntries";

export interface CoincheView extends View, Facts {}
export type { DealResult, Line, Stake } from "./coinche.types";
export type Doubled = Facts["doubled"];
export type PlayedDeal = Required<DealResult> & { contract: string };

export const SEATS = 4;
export const TRICKS = 8;
/** Partners sit opposite each other: side 0 is seats 1 and 3 of the table, side 1 the other two. */
export const SIDES = [
  [0, 2],
  [1, 3],
];

export const LEVELS = ["80", "90", "100", "110", "120", "130", "140", "150", "160", "capot", "generale"];
export const KINDS = ["Hearts", "Diamonds", "Clubs", "Spades", "TA", "SA"];

export function sideOfSeat(seat: number): number {
  return seat % 2;
}

export function partnerOf(seat: number): number {
  return (seat + 2) % SEATS;
}

export function wasPlayed(deal: DealResult): deal is PlayedDeal {
  return deal.contract !== null;
}

/** Return level and denomination of "110 Hearts". */
export function splitContract(contract: string): { level: string; kind: string } {
  const [level = "", kind = ""] = contract.split(" ");
  return { level, kind };
}

/** Return the suit sign of a denomination, or null for TA and SA. */
export function suitOfKind(kind: string): FrenchSuit | null {
  return kind.length > 2 ? (kind.charAt(0) as FrenchSuit) : null;
}

/** Return how an action names the card *code*: "10 Hearts". */
export function playedName(code: string): string {
  const suit = KINDS.find((kind) => suitOfKind(kind) === code.slice(-1)) ?? "";
  return `${code.slice(0, -1)} ${suit}`;
}

/** Return the legal bids: the denominations for each level. */
export function legalBids(legal: string[]): Map<string, Set<string>> {
  const bids = new Map<string, Set<string>>();
  for (const action of legal) {
    if (!action.startsWith("CONTRACT ")) continue;
    const { level, kind } = splitContract(action.slice("CONTRACT ".length));
    bids.set(level, (bids.get(level) ?? new Set()).add(kind));
  }
  return bids;
}

/** Return the levels that exist under these rules. */
export function levelsOf(options: Record<string, unknown>): string[] {
  const number = (name: string, otherwise: number) => Number(options[name] ?? otherwise);
  return LEVELS.filter((level) => {
    if (level === "capot") return true;
    if (level === "generale") return options.allow_generale !== false;
    const points = Number(level);
    const inside = points >= number("min_bid", 80) && points <= number("max_bid", 160);
    return inside && points % number("bid_step", 10) === 0;
  });
}

export function kindsOf(options: Record<string, unknown>): string[] {
  return options.allow_ta_sa === false ? KINDS.slice(0, 4) : KINDS;
}

/** Return the stage of the match. */
export function stage(view: CoincheView): "start" | "bidding" | "playing" | "between" | "over" {
  if (view.phase === "over") return "over";
  if (view.deal === 0) return "start";
  if (view.deals.length >= view.deal) return "between";
  return view.phase === "bidding" ? "bidding" : "playing";
}

/** Return the seats that are to act. */
export function acting(view: CoincheView): number[] {
  if (view.phase === "bidding" && view.dealer !== null && view.factor === null) {
    const last = view.calls.at(-1);
    if (!last) return [(view.dealer + 1) % SEATS];
    // After a coinche only the side with the contract is asked.
    const step = view.doubled === 1 && last.call !== "COINCHE" ? 2 : 1;
    return [(last.seat + step) % SEATS];
  }
  if (view.phase !== "playing" || view.leader === null) return [];
  const down = view.table.filter((card) => card !== null).length;
  return down < SEATS ? [(view.leader + down) % SEATS] : [];
}

/** Return the calls in rows, one column per seat, starting with the first caller; undefined means no call. */
export function auctionRows(view: CoincheView): { order: number[]; rows: (string | undefined)[][] } {
  const first = ((view.dealer ?? SEATS - 1) + 1) % SEATS;
  const { order, rows } = inRows(view.calls, SEATS, first);
  return { order, rows: rows.map((row) => row.map((one) => one?.call)) };
}

/** Return the last call of *seat* in this deal. */
export function lastCall(view: CoincheView, seat: number): string | null {
  return view.calls.filter((call) => call.seat === seat).at(-1)?.call ?? null;
}

/** Return the card points taken by each side in this deal so far. */
export function takenPoints(view: CoincheView): number[] {
  return SIDES.map((side) =>
    view.tricks.reduce((sum, trick) => sum + (side.includes(trick.taker) ? trick.points : 0), 0),
  );
}

const TRUMP_ORDER = ["J", "9", "A", "10", "K", "Q", "8", "7"];
const PLAIN_ORDER = ["A", "10", "K", "Q", "J", "9", "8", "7"];
const SUIT_ORDER = "SHCD";

/** Return *cards* sorted for display: trumps first, each suit from the highest. */
export function sorted(cards: string[], contract: string | null): string[] {
  const kind = contract === null ? "" : splitContract(contract).kind;
  const trump = suitOfKind(kind);
  const place = (code: string) => {
    const suit = code.slice(-1);
    const order = kind === "TA" || suit === trump ? TRUMP_ORDER : PLAIN_ORDER;
    return (suit === trump ? 0 : 10 + 10 * SUIT_ORDER.indexOf(suit)) + order.indexOf(code.slice(0, -1));
  };
  return [...cards].sort((a, b) => place(a) - place(b));
}
