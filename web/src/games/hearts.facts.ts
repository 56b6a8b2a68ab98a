/** Hearts without drawings: the facts of a view, and functions on them. */

import type { View } from "../net/protocol";
import type { Facts } from "./hearts.types";

export interface HeartsView extends View, Facts {}
export type { DealResult } from "./hearts.types";

export const SEATS = 4;
export const SEAT_NUMBERS = [0, 1, 2, 3];
export const PASS_COUNT = 3;

const RANKS = "23456789TJQKA";
const SUITS = "DCHS";

/** Return the sort key of a card; cards are displayed in descending order. */
export function order(card: string): number {
  return SUITS.indexOf(card.slice(-1)) * 13 + RANKS.indexOf(card.slice(0, -1));
}

const STEPS = { left: 1, right: 3, across: 2, none: 0 } as const;

/** Return the seat that gets the three cards of *seat*, or null in a deal without passing. */
export function receiver(direction: HeartsView["direction"], seat: number): number | null {
  const step = STEPS[direction];
  return step ? (seat + step) % SEATS : null;
}

/** Return the seats that are to act. It is secret who is asked about the ace of hearts. */
export function acting(view: HeartsView): number[] {
  if (view.phase === "passing") return SEAT_NUMBERS.filter((seat) => !view.passed.includes(seat));
  if (view.phase !== "playing" || view.leader === null) return [];
  const down = view.table.filter((card) => card !== null).length;
  return down < SEATS ? [(view.leader + down) % SEATS] : [];
}

/** Return the seat whose card takes the trick so far, or null. */
export function winning(table: (string | null)[], leader: number | null): number | null {
  const led = leader === null ? null : table[leader];
  if (leader === null || !led) return null;
  let best = leader;
  table.forEach((card, seat) => {
    if (card?.slice(-1) === led.slice(-1) && order(card) > order(table[best] ?? led)) best = seat;
  });
  return best;
}

export function sums(games: number[][]): number[] {
  return SEAT_NUMBERS.map((seat) => games.reduce((sum, game) => sum + (game[seat] ?? 0), 0));
}

/** Return the stage of the match: after a deal, after a game, at the end. */
export function stage(view: HeartsView): "start" | "deal" | "between" | "game" | "match" {
  if (view.phase === "over") return "match";
  if (view.game === 0) return "start";
  if (view.games.length >= view.game) return "game";
  if (view.hands.length) return "between";
  return "deal";
}

/** Return the view after the player has chosen a card to pass, or null for another *action*. */
export function passes(view: HeartsView, action: string): HeartsView | null {
  const card = action.startsWith("pass ") ? action.slice("pass ".length) : "";
  if (view.seat === null || !view.hand.includes(card)) return null;
  const picked = [...view.picked, card];
  const passed = picked.length === PASS_COUNT ? [...view.passed, view.seat] : view.passed;
  return { ...view, hand: view.hand.filter((one) => one !== card), picked, passed };
}
