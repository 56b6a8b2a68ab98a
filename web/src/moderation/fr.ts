/** Texts of moderation, in French. */

import type { ModerationTexts } from "./en";

export const fr: ModerationTexts = {
  restart: "Le serveur va bientôt redémarrer. Votre partie reprendra ensuite.",
  "restart.in": "Le serveur redémarre dans {left}. Votre partie reprendra ensuite.",
  "restart.now": "Le serveur redémarre. Votre partie reprendra ensuite.",
};
