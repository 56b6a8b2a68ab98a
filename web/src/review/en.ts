/** What the review of a deal says. */

export const en = {
  title: "Review",
  start: "Review this deal",
  more: "For each decision: what the bot “expert” would have chosen, knowing what the player knew.",
  waiting: "The review begins…",
  progress: "{n} of {of} decisions judged",
  stop: "Stop the review",
  failed: "The review broke off. {words}",
  busy: "Other deals are being reviewed. Try again in a minute.",
  same: "Expert would have done the same.",
  better: "Expert would have preferred: {words}",
  gain: "Expected gain in points: {n}",
  even: "About as good",
  next: "Next costly decision",
  none: "No costly decision in this deal.",
  count: "{n} costly {n|decision|decisions}",
  lost: "Lost by decisions, in points: {list}",
};

export type Key = keyof typeof en;
