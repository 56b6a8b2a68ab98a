/** The request for the review of a deal, and the message if it fails. */

import { api, ApiError } from "../net/api";
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

/** Return why a review failed. */
export function complaint(failure: Error): string {
  if (failure instanceof ApiError && failure.key === "busy") return say("busy");
  return say("failed", { words: failure.message }).trim();
}
