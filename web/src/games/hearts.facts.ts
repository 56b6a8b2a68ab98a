/** Hearts without drawings: the facts of a view, how events change them, what they mean. */

import type { GameEvent, View } from "../net/protocol";

export const SEATS = 4;
export const PASS_COUNT = 3;

export interface DealResult {
  scores: number[];
  exposed: number | null;
  moon: number | null;
}

export interface HeartsView extends View {
  phase: "dealing" | "passing" | "exposing" | "playing" | "over";
  game: number;
  deal: number;
  round: number;
  direction: "left" | "right" | "across" | "none";
  initial: string[];
  hand: string[];
  picked: string[];
  received: string[];
  received_from: number | null;
  counts: number[];
  passed: number[];
  exposed: number | null;
  leader: number | null;
  table: (string | null)[];
  last: string[];
  last_leader: number | null;
  last_taker: number | null;
  played: string[][];
  broken: boolean;
  taken: string[][];
  scores: number[];
  totals: number[];
  deals: DealResult[];
  games: number[][];
  hands: string[][];
  options: Record<string, unknown>;
  positions: number[];
}

export type HeartsEvent =
  | { kind: "game_started"; game: number; options: Record<string, unknown> }
  | { kind: "deal_started"; deal: number; direction: HeartsView["direction"] }
  | { kind: "dealt"; seat: number; cards: string[] }
  | { kind: "passing_started" }
  | { kind: "picked"; seat: number; card: string }
  | { kind: "passed"; seat: number }
  | { kind: "received"; seat: number; giver: number; cards: string[] }
  | { kind: "passing_ended" }
  | { kind: "exposing_started" }
  | { kind: "exposing_ended"; seat: number | null }
  | { kind: "round_started"; round: number; leader: number }
  | { kind: "played"; seat: number; card: string; broken: boolean }
  | { kind: "round_ended"; taker: number; taken: string[]; scores: number[] }
  | {
      kind: "deal_ended";
      deal: number;
      hands: string[][];
      scores: number[];
      totals: number[];
      exposed: number | null;
      moon: number | null;
    }
  | { kind: "game_ended"; game: number; totals: number[]; ranks: number[] }
  | { kind: "match_ended"; totals: number[]; ranks: number[] };

const RANKS = "23456789TJQKA";
const SUITS = "DCHS";

/** Return the number of a card: display order is descending. */
export function order(card: string): number {
  return SUITS.indexOf(card.slice(-1)) * 13 + RANKS.indexOf(card.slice(0, -1));
}

export function inDisplayOrder(cards: string[]): string[] {
  return [...cards].sort((a, b) => order(b) - order(a));
}

const STEPS = { left: 1, right: 3, across: 2, none: 0 } as const;

/** Return who gets the three cards of *seat*, or null in a deal without passing. */
export function receiver(direction: HeartsView["direction"], seat: number): number | null {
  const step = STEPS[direction];
  return step ? (seat + step) % SEATS : null;
}

export function giver(direction: HeartsView["direction"], seat: number): number | null {
  const step = STEPS[direction];
  return step ? (seat - step + SEATS) % SEATS : null;
}

function nobody<T>(value: T): T[] {
  return Array.from({ length: SEATS }, () => value);
}

function changed<T>(values: T[], index: number, value: T): T[] {
  return values.map((old, at) => (at === index ? value : old));
}

/** Take *event* into *view*: the same fold the server does. */
export function hear(view: HeartsView, event: GameEvent): HeartsView {
  const fact = event as unknown as HeartsEvent;
  switch (fact.kind) {
    case "game_started":
      return {
        ...view,
        game: fact.game,
        options: fact.options,
        totals: nobody(0),
        deals: [],
        games: fact.game === 1 ? [] : view.games,
        positions: nobody(0).map((_, seat) => (seat + fact.game - 1) % SEATS),
      };
    case "deal_started":
      return {
        ...view,
        phase: "dealing",
        deal: fact.deal,
        round: 0,
        direction: fact.direction,
        initial: [],
        hand: [],
        picked: [],
        received: [],
        received_from: null,
        counts: nobody(13),
        passed: [],
        exposed: null,
        leader: null,
        table: nobody(null),
        last: [],
        last_leader: null,
        last_taker: null,
        played: nobody<string[]>([]),
        broken: false,
        taken: nobody<string[]>([]),
        scores: nobody(0),
        hands: [],
      };
    case "dealt":
      return { ...view, initial: fact.cards, hand: fact.cards };
    case "passing_started":
      return { ...view, phase: "passing" };
    case "picked":
      return {
        ...view,
        picked: [...view.picked, fact.card],
        hand: view.hand.filter((card) => card !== fact.card),
      };
    case "passed":
      return {
        ...view,
        passed: [...view.passed, fact.seat].sort(),
        counts: changed(view.counts, fact.seat, (view.counts[fact.seat] ?? 0) - PASS_COUNT),
      };
    case "received":
      return { ...view, received: fact.cards, hand: inDisplayOrder([...view.hand, ...fact.cards]) };
    case "passing_ended":
      return {
        ...view,
        counts: nobody(13),
        received_from: view.seat === null ? null : giver(view.direction, view.seat),
      };
    case "exposing_started":
      return { ...view, phase: "exposing" };
    case "exposing_ended":
      return { ...view, exposed: fact.seat };
    case "round_started":
      return { ...view, phase: "playing", round: fact.round, leader: fact.leader, table: nobody(null) };
    case "played":
      return {
        ...view,
        table: changed<string | null>(view.table, fact.seat, fact.card),
        played: changed(view.played, fact.seat, [...(view.played[fact.seat] ?? []), fact.card]),
        counts: changed(view.counts, fact.seat, (view.counts[fact.seat] ?? 0) - 1),
        hand: fact.seat === view.seat ? view.hand.filter((card) => card !== fact.card) : view.hand,
        broken: fact.broken,
      };
    case "round_ended": {
      const leader = view.leader ?? 0;
      return {
        ...view,
        last: nobody(0).map((_, step) => view.table[(leader + step) % SEATS] ?? ""),
        last_leader: leader,
        last_taker: fact.taker,
        taken: changed(
          view.taken,
          fact.taker,
          inDisplayOrder([...(view.taken[fact.taker] ?? []), ...fact.taken]),
        ),
        scores: fact.scores,
      };
    }
    case "deal_ended":
      return {
        ...view,
        phase: "dealing",
        table: nobody(null),
        scores: fact.scores,
        totals: fact.totals,
        deals: [...view.deals, { scores: fact.scores, exposed: fact.exposed, moon: fact.moon }],
        hands: fact.hands,
      };
    case "game_ended":
      return { ...view, games: [...view.games, fact.totals] };
    case "match_ended":
      return { ...view, phase: "over" };
  }
  return view; // a fact of a newer server
}

/** Return the seats everybody waits for. Who is asked about the ace of hearts is a secret. */
export function acting(view: HeartsView): number[] {
  const all = [0, 1, 2, 3];
  if (view.phase === "passing") return all.filter((seat) => !view.passed.includes(seat));
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

/** Return the place of every seat: 1 + the number of better scores. */
export function ranks(totals: number[]): number[] {
  return totals.map((total) => 1 + totals.filter((other) => other > total).length);
}

export function sums(games: number[][]): number[] {
  return nobody(0).map((_, seat) => games.reduce((sum, game) => sum + (game[seat] ?? 0), 0));
}

/** Return where the match stands: after a deal, after a game, at the end. */
export function stage(view: HeartsView): "start" | "deal" | "between" | "game" | "match" {
  if (view.phase === "over") return "match";
  if (view.game === 0) return "start";
  if (view.games.length >= view.game) return "game";
  if (view.hands.length) return "between";
  return "deal";
}
