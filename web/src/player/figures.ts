/** Numbers for player pages: chart positions and formatting of ratings. */

import type { PlayedMatch, Rating } from "../net/protocol";
import { language } from "../texts";

/** A match with the rating after it. */
export interface Rated extends PlayedMatch {
  rating: Rating;
}

/** Return the matches of *results* (newest first) that changed a rating, oldest first. */
export function ratedOf(results: PlayedMatch[]): Rated[] {
  return results.filter((one): one is Rated => one.rating !== null).reverse();
}

const STEPS = [0.5, 1, 2, 5, 10, 20, 50];

/** Return at most seven round numbers that enclose *low* to *high*. */
export function ticks(low: number, high: number): number[] {
  const step = STEPS.find((one) => (high - low) / one <= 4.5) ?? 100;
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

/** Return a number with one decimal. */
export function decimal(value: number): string {
  const text = new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return text.format(value).replace("-", "−");
}

/** Return a rating with its interval. */
export function ratingText(rating: Rating): string {
  return `${decimal(rating.value)} ± ${decimal(rating.interval)}`;
}

/** Return the date of a server time. */
export function day(when: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(new Date(when));
}
