/** The frame of the first explanations; those of a game are in its texts, as `guide.PHASE`. */

export const en = {
  title: "Your first game",
  ok: "Got it",
  skip: "No more notes",
};
