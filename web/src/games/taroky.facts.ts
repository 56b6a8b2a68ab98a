/** Taroky without drawings: the facts of a view, and functions on them. */

import { roman, type TarockFace, type TarockSuit } from "../cards/tarock";
import type { View } from "../net/protocol";
import type { Facts } from "./taroky.types";
import { lookUp, t } from "../texts";

export interface TarokyView extends View, Facts {}
export type { DealResult, Trick } from "./taroky.types";
export type Gift = Facts["gifts"][number];
export type Half = NonNullable<Facts["half"]>;
export type Level = Facts["asked"][number];

export const SEATS = 4;
export const SEAT_NUMBERS = [0, 1, 2, 3];
export const TRICKS = 12;
export const TALON = 6;

export const LEVELS: Level[] = ["contra", "rhea", "supra"];

// Cards: "SK", "H1" (an ace), "S1" (a seven), "T05".

const BLACK_FACES: Record<string, string> = { "4": "10", "3": "9", "2": "8", "1": "7" };

/** Return what the card *code* shows: the digits of the black suits stand for ten to seven. */
export function faceOf(code: string): TarockFace {
  const suit = code.slice(0, 1) as TarockSuit;
  const rank = code.slice(1);
  if (suit === "T") return { suit, rank: String(Number(rank)) };
  return { suit, rank: (suit === "S" || suit === "C" ? BLACK_FACES[rank] : undefined) ?? rank };
}

/** Return 15 for "T15". */
export function trumpNumber(code: string): number {
  return code.startsWith("T") ? Number(code.slice(1)) : 0;
}

export function cardName(code: string): string {
  const { suit, rank } = faceOf(code);
  if (suit === "T") return lookUp(`taroky.trump.${rank}`, t("taroky.trump", { n: roman(Number(rank)) }));
  const word = rank === "1" ? "A" : rank;
  return t("card.name", { rank: lookUp(`rank.${word}`, word), suit: lookUp(`suit.${suit}`, suit) });
}

const SUITS = "TSHCD";

/** Return the rank of *code* in its suit; with *aceHigh* red aces beat the other red pips. */
export function rankOf(code: string, aceHigh: boolean): number {
  if (code.startsWith("T")) return Number(code.slice(1));
  const red = code.startsWith("H") || code.startsWith("D");
  return (red && aceHigh ? "2341JRQK" : "1234JRQK").indexOf(code.slice(1));
}

export function isAceHigh(view: TarokyView): boolean {
  return view.options.ace_high === true;
}

/** Return *cards* sorted for display: trumps first, then suits of alternating colour, each from the highest. */
export function sorted(cards: string[], aceHigh: boolean): string[] {
  const suit = (code: string) => SUITS.indexOf(code.slice(0, 1));
  return [...cards].sort((a, b) => suit(a) - suit(b) || rankOf(b, aceHigh) - rankOf(a, aceHigh));
}

/** Return the seat whose card takes the trick so far, or null. */
export function winning(trick: string[], leader: number | null, aceHigh: boolean): number | null {
  const [led] = trick;
  if (leader === null || !led) return null;
  const value = (code: string) => {
    if (code.startsWith("T")) return 100 + rankOf(code, aceHigh);
    return code.slice(0, 1) === led.slice(0, 1) ? rankOf(code, aceHigh) : -1;
  };
  const best = trick.reduce((high, code, at) => (value(code) > value(trick[high] ?? led) ? at : high), 0);
  return (leader + best) % SEATS;
}

// The stage of the match.

/** Return the seats that are to act; it is secret, even from this page, who is asked about contra or the I. */
export function acting(view: TarokyView): number[] {
  return view.turn === null ? view.to_act : [view.turn];
}

export function stage(view: TarokyView): "start" | "deal" | "between" | "match" {
  if (view.phase === "finished") return "match";
  if (view.deal === 0) return "start";
  return view.hands.length ? "between" : "deal";
}

/** Return the seat of player 1 to 4 in this deal. */
export function seatOf(view: TarokyView, player: number): number {
  return ((view.povinnost ?? 0) + player - 1) % SEATS;
}

/** Return the money cards called by *seat*. */
export function moneyOf(view: TarokyView, seat: number): string[] {
  const player = view.players[seat];
  return player === undefined ? [] : (view.money[player - 1] ?? []);
}

export const MONEY_VALUES: Record<string, number> = { U: 4, B: 2, T: 2, R: 4, "3": 2, H: 2, K: 4, P: 6 };

export function tricksOf(view: TarokyView, seat: number): number {
  return view.tricks.filter((trick) => trick.taker === seat).length;
}

/** Return the declarers as far as everyone knows them; empty before there are any. */
export function knownDeclarers(view: TarokyView): number[] {
  if (view.hands.length) return view.results.at(-1)?.declarers ?? [];
  if (view.prever !== null) return [view.prever];
  if (view.povinnost === null || view.named === null) return [];
  return view.partner === null || view.partner === view.povinnost
    ? [view.povinnost]
    : [view.povinnost, view.partner];
}

export interface Transfer {
  from: number;
  to: number;
  amount: number;
}

/** Return the transfers between seats that result in *payments*. */
export function transfers(payments: number[]): Transfer[] {
  const left = [...payments];
  const found: Transfer[] = [];
  for (const from of SEAT_NUMBERS) {
    for (const to of SEAT_NUMBERS) {
      const amount = Math.min(-(left[from] ?? 0), left[to] ?? 0);
      if (amount <= 0) continue;
      left[from] = (left[from] ?? 0) + amount;
      left[to] = (left[to] ?? 0) - amount;
      found.push({ from, to, amount });
    }
  }
  return found;
}

/** Return the cards that the seat may use according to *legal*. */
export function legalCards(legal: string[]): string[] {
  return legal.filter((word) => word.startsWith("card ")).map((word) => word.slice(5));
}

/** Return the trumps that the seat may name according to *legal*, lowest first: naming XIX while holding it means playing alone. */
export function legalPartners(legal: string[]): number[] {
  return legal
    .filter((word) => word.startsWith("partner "))
    .map((word) => 10 + Number(word.slice(8)))
    .sort((a, b) => a - b);
}

/** Return the view after the player has discarded a card, or null for another *action*. */
export function discards(view: TarokyView, action: string): TarokyView | null {
  const card = action.startsWith("card ") ? action.slice(5) : "";
  if (view.phase !== "discard" || !view.hand.includes(card)) return null;
  return { ...view, hand: view.hand.filter((one) => one !== card), laid: [...view.laid, card], left: view.left - 1 };
}
