/** Texts of moderation, in Czech. */

import type { ModerationTexts } from "./en";

export const cs: ModerationTexts = {
  restart: "Server se brzy restartuje. Vaše hra pak bude pokračovat.",
  "restart.in": "Server se restartuje za {left}. Vaše hra pak bude pokračovat.",
  "restart.now": "Server se restartuje. Vaše hra pak bude pokračovat.",
};
