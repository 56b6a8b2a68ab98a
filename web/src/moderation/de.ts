/** Texts of moderation, in German. */

import type { ModerationTexts } from "./en";

export const de: ModerationTexts = {
  restart: "Der Server startet bald neu. Dein Spiel geht danach weiter.",
  "restart.in": "Der Server startet in {left} neu. Dein Spiel geht danach weiter.",
  "restart.now": "Der Server startet neu. Dein Spiel geht danach weiter.",
};
