/** The request for the review of a deal, and the message if it fails. */

import en from "../../../src/croupier/texts/coach/en.json";
import { api, ApiError } from "../net/api";
import { plainly } from "../shell/request";
import { asSentence } from "../texts";
import { BrokenOff, type DealReview, heard, linesOf, NOTHING } from "./findings";
import { say } from "./texts";

/** Review a deal; *tell* receives the findings so far. */
export async function reviewDeal(
  match: string,
  deal: number,
  signal: AbortSignal,
  tell: (review: DealReview) => void,
): Promise<DealReview> {
  let review = NOTHING;
  const { body } = await api.review(match, deal, signal);
  if (body) {
    for await (const told of linesOf(body)) {
      review = heard(review, told);
      tell(review);
    }
  }
  if (review.costly === null) throw new BrokenOff();
  return review;
}

/** Return why a hint or a review was refused, in the language of the pages; undefined if the texts lack the reason. */
function refused(failure: unknown): string | undefined {
  const key = failure instanceof ApiError ? `refused.${failure.key}` : "";
  return Object.hasOwn(en, key) ? say(key as keyof typeof en) : undefined;
}

/** Return why a review failed. */
export function complaint(failure: Error): string {
  return refused(failure) ?? say("failed", { words: asSentence(failure.message) }).trim();
}

/** Return why there is no hint. */
export function noHint(failure: unknown): string {
  return refused(failure) ?? asSentence(plainly(failure));
}
