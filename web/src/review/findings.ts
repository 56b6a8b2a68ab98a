/** What a review says about a deal, line by line as the server finds it out. */

import type { GameEvent } from "../net/protocol";

export interface Line {
  actions: string[];
  events: GameEvent[];
  value: number | null;
  visits: number;
}

/** One decision: what was played, what the strongest bot would have done, and the points between. */
export interface Finding {
  deal: number;
  step: number;
  seat: number;
  by: string;
  played: Line;
  best: Line;
  difference: number;
}

export type Told =
  | { decisions: number }
  | Finding
  | { done: true; costly: number }
  | { key: string; words: string };

export interface DealReview {
  /** How many decisions there are; null until that is known. */
  total: number | null;
  findings: Finding[];
  /** From this difference on a decision is worth a look; null until all are judged. */
  costly: number | null;
}

export const NOTHING: DealReview = { total: null, findings: [], costly: null };

/** Less than this is shown as no difference at all. */
const VISIBLE = 0.05;

/** The server could not go on. */
export class BrokenOff extends Error {}

/** Take in what the server said; that it cannot go on is thrown. */
export function heard(review: DealReview, told: Told): DealReview {
  if ("decisions" in told) return { ...review, total: told.decisions };
  if ("done" in told) return { ...review, costly: told.costly };
  if ("words" in told) throw new BrokenOff();
  return { ...review, findings: [...review.findings, told] };
}

/** Yield what stands in the lines of *body* as they come. */
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

/** Return the points that were lost, to one digit. */
export function lost(finding: Finding): number {
  return finding.difference < VISIBLE ? 0 : Math.round(finding.difference * 10) / 10;
}

/** Return the steps at which much was lost, in order. */
export function costlySteps(review: DealReview): number[] {
  const least = review.costly;
  if (least === null) return [];
  const found = review.findings.filter((one) => one.difference >= Math.max(least, VISIBLE));
  return [...new Set(found.map((one) => one.step))].sort((one, other) => one - other);
}

/** Return the first of *steps* after *step*, from the start again after the last. */
export function nextAfter(steps: number[], step: number): number | undefined {
  return steps.find((one) => one > step) ?? steps[0];
}

/** Return what each of so many *seats* lost in all. */
export function losses(review: DealReview, seats: number): number[] {
  return Array.from({ length: seats }, (_, seat) => {
    const own = review.findings.filter((one) => one.seat === seat);
    return Math.round(own.reduce((sum, one) => sum + one.difference, 0) * 10) / 10;
  });
}
