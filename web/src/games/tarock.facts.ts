/** Slovenian Tarock without drawings: the facts of a view, and functions on them. */

import type { TarockFace, TarockSuit } from "../cards/tarock";
import type { View } from "../net/protocol";

export const SEATS = 4;
export const SEAT_NUMBERS = [0, 1, 2, 3];
export const TRICKS = 12;

export type Phase = "dealing" | "bidding" | "calling" | "exchanging" | "announcing" | "playing" | "over";
export type Suit = "C" | "S" | "H" | "D";

/** A line of the account of a deal: the game itself, or a bonus. The score includes kontra, but not the radelc. */
export interface Line {
  item: string;
  score: number;
  kontra: number;
  /** For the game. */
  value?: number;
  difference?: number;
  /** For a bonus. */
  announced?: boolean;
  by?: number | null;
  made?: boolean;
}

export interface DealResult {
  contract: string;
  declarer: number;
  partner: number | null;
  king: Suit | null;
  /** Null in klop. */
  won: boolean | null;
  /** The declarer's side and the defenders; every seat in klop; empty if tricks decide. */
  points: number[];
  lines: Line[];
  /** The seat whose radelc doubled the deal. */
  doubled: number[];
  mond: number[];
  scores: number[];
  /** After the deal. */
  radelci: number[];
}

export interface FinishedTrick {
  leader: number;
  cards: string[];
  winner: number;
  gift: string | null;
}

export interface TarockView extends View {
  phase: Phase;
  deal: number;
  dealer: number | null;
  forehand: number | null;
  compulsory: boolean;
  turn: number | null;
  hand: string[];
  my_discards: string[];
  standing: string | null;
  bids: { seat: number; bid: string }[];
  contract: string | null;
  declarer: number | null;
  king: Suit | null;
  /** As far as this seat knows. */
  partner: number | null;
  partner_known: boolean;
  talon: string[][];
  count: number;
  picked: number | null;
  /** For each set, the cards that may be discarded with it, while this seat chooses a set. */
  layable: string[][];
  talon_rest: string[];
  /** Discarded tarocks, shown to all players. */
  discarded: string[];
  announced: { seat: number; bonus: string }[];
  kontra: Record<string, number>;
  turns: { seat: number; bonuses: string[]; kontras: string[] }[];
  leader: number | null;
  trick: string[];
  tricks: FinishedTrick[];
  tricks_won: number[];
  counts: number[];
  /** The remaining hand of the open beggar. */
  revealed: string[];
  totals: number[];
  radelci: number[];
  results: DealResult[];
  hands: string[][];
  whole_talon: string[];
  discards: string[];
  final: number[];
  ranking: number[][];
  options: Record<string, unknown>;
}

export type TarockEvent =
  | { kind: "match_started"; options: Record<string, unknown> }
  | { kind: "deal_started"; deal: number; dealer: number; forehand: number; compulsory: boolean }
  | { kind: "dealt"; seat: number; cards: string[] }
  | { kind: "bidding_started"; seat: number; contract: string; next: number }
  | { kind: "spoke"; seat: number; bid: string; next: number | null }
  | { kind: "bidding_ended"; seat: number; contract: string }
  | { kind: "calling_started"; seat: number }
  | { kind: "king_called"; seat: number; suit: Suit }
  | { kind: "exchange_started"; seat: number; talon: string[][]; count: number }
  | { kind: "set_taken"; seat: number; picked: number }
  | { kind: "laid_away"; seat: number; card: string }
  | { kind: "exchange_ended"; seat: number; picked: number; discarded: string[] }
  | { kind: "announcing_started"; next: number }
  | { kind: "claimed"; seat: number; bonus: string | null; kontra: string | null }
  | { kind: "announced"; seat: number; bonuses: string[]; kontras: string[]; next: number | null }
  | { kind: "announcing_ended" }
  | { kind: "hand_shown"; seat: number; cards: string[] }
  | { kind: "play_started"; leader: number }
  | { kind: "played"; seat: number; card: string; next: number | null; winner: number | null; gift: string | null }
  | ({ kind: "deal_ended"; deal: number } & DealResult)
  | { kind: "match_ended"; final: number[] };

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

/** Return the view after the own *action*: a set is taken, a card is discarded or played. */
export function foresee(view: TarockView, action: string): TarockView {
  const [verb = "", what = ""] = action.split(" ");
  if (verb === "take" && view.picked === null) {
    return { ...view, picked: Number(what), hand: [...view.hand, ...(view.talon[Number(what)] ?? [])] };
  }
  const { seat } = view;
  if (seat === null || !view.hand.includes(what)) return view;
  const hand = view.hand.filter((one) => one !== what);
  if (verb === "discard") return { ...view, hand, my_discards: [...view.my_discards, what] };
  if (verb !== "play") return view;
  const counts = view.counts.with(seat, (view.counts[seat] ?? 0) - 1);
  return { ...view, hand, counts, trick: [...view.trick, what], turn: null };
}
