/** Numbers for player pages: chart positions and formatting of ratings. */

import type { PlayedMatch, Rating } from "../net/protocol";
import { language, score } from "../texts";

/** A match with the rating after it. */
export interface Rated extends PlayedMatch {
  rating: Rating;
}

/** Return the matches of *results* (newest first) that changed a rating, oldest first. */
export function ratedOf(results: PlayedMatch[]): Rated[] {
  return results.filter((one): one is Rated => one.rating !== null).reverse();
}

const STEPS = [20, 50, 100, 200, 500, 1000];

/** Return at most seven round numbers that enclose *low* to *high*. */
export function ticks(low: number, high: number): number[] {
  const step = STEPS.find((one) => (high - low) / one <= 4.5) ?? 2000;
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** Return the horizontal position of match *at* of *count*, from 0 to 1. */
export function across(at: number, count: number): number {
  return count > 1 ? at / (count - 1) : 0.5;
}

/** Return the match nearest to the position *part*, from 0 to 1. */
export function nearest(part: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.round(part * (count - 1))));
}

/** Return a rating with its interval. */
export function ratingText(rating: Rating): string {
  return `${score(rating.value)} ± ${score(rating.interval)}`;
}

/** Return a change with its sign. */
export function signed(change: number): string {
  return change > 0 ? `+${score(change)}` : score(change);
}

/** Return the date of a server time. */
export function day(when: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(new Date(when));
}
