/** The findings of a review, received line by line. */

import type * as messages from "../net/messages";
import type { GameEvent } from "../net/protocol";

export type Line = Omit<messages.ReviewLine, "events"> & { events: GameEvent[] };

/** A fact that the seat knew: see `Game.reasons` of the server. */
export type Reason =
  | { kind: "stake" | "trumps"; number: number }
  | { kind: "void"; seat: number; suit: "clubs" | "diamonds" | "hearts" | "spades" | "trumps" };

/** The answer of POST /api/tables/<id>/hint. */
export type Hinted = Omit<messages.Hint, "events" | "reasons"> & { events: GameEvent[]; reasons: Reason[] };

/** One decision: the action played, the action of the strongest bot, and the difference in points. */
export type Finding = Omit<messages.Finding, "played" | "best" | "reasons"> & {
  played: Line;
  best: Line;
  reasons: Reason[];
};

export type Told = messages.ReviewBegun | Finding | messages.ReviewEnded | messages.Problem;

export interface DealReview {
  /** The number of decisions; null until it is known. */
  total: number | null;
  findings: Finding[];
  /** A decision with at least this difference is costly; null until all decisions are reviewed. */
  costly: number | null;
}

export const NOTHING: DealReview = { total: null, findings: [], costly: null };

/** Smaller differences are shown as equal. */
const VISIBLE = 0.05;

/** The server could not continue the review. */
export class BrokenOff extends Error {}

/** Process a line from the server; throw if the review failed. */
export function heard(review: DealReview, told: Told): DealReview {
  if ("decisions" in told) return { ...review, total: told.decisions };
  if ("done" in told) return { ...review, costly: told.costly };
  if ("words" in told) throw new BrokenOff();
  return { ...review, findings: [...review.findings, told] };
}

/** Yield the parsed lines of *body* as they arrive. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Told;
  }
}

export function isSame(finding: Finding): boolean {
  return finding.played.actions.join() === finding.best.actions.join();
}

/** Return the points lost, rounded to one digit. */
export function lost(finding: Finding): number {
  return finding.difference < VISIBLE ? 0 : Math.round(finding.difference * 10) / 10;
}

/** Return the steps of costly decisions, in order. */
export function costlySteps(review: DealReview): number[] {
  const least = review.costly;
  if (least === null) return [];
  const found = review.findings.filter((one) => one.difference >= Math.max(least, VISIBLE));
  return [...new Set(found.map((one) => one.step))].sort((one, other) => one - other);
}

/** Return the costly decisions of *seat*, the most expensive first. */
export function mistakesOf(review: DealReview, seat: number): Finding[] {
  const steps = costlySteps(review);
  const own = review.findings.filter((one) => one.seat === seat && !one.by && steps.includes(one.step) && lost(one) > 0);
  return own.sort((one, other) => other.difference - one.difference);
}

/** Return the first of *steps* after *step*, or the first of all after the last. */
export function nextAfter(steps: number[], step: number): number | undefined {
  return steps.find((one) => one > step) ?? steps[0];
}

/** Return the total loss of each of the *seats*. */
export function losses(review: DealReview, seats: number): number[] {
  return Array.from({ length: seats }, (_, seat) => {
    const own = review.findings.filter((one) => one.seat === seat);
    return Math.round(own.reduce((sum, one) => sum + one.difference, 0) * 10) / 10;
  });
}
