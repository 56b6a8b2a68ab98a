/** English texts of the review of a deal. */

export const en = {
  title: "Review",
  start: "Review this deal",
  more: "For each decision: what the bot “expert” would have chosen with the information the player had.",
  waiting: "Starting the review…",
  progress: "{n} of {of} decisions reviewed",
  stop: "Stop the review",
  failed: "The review failed. {words}",
  busy: "Too many reviews are running. Try again in a minute.",
  same: "The expert would have done the same.",
  better: "The expert would have preferred: {words}",
  gain: "Expected gain in points: {n}",
  even: "About as good",
  next: "Next costly decision",
  none: "No costly decision in this deal.",
  count: "{n} costly {n|decision|decisions}",
  lost: "Points lost by decisions: {list}",
};

export type Key = keyof typeof en;
