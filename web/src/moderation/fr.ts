/** Texts of moderation, in French. */

import type { ModerationTexts } from "./en";

export const fr: ModerationTexts = {
  restart: "Le serveur va bientôt redémarrer. Votre partie reprendra ensuite.",
  "restart.now": "Le serveur redémarre. Votre partie reprendra ensuite.",
  more: "Options pour {name}",
  mute: "Masquer {name}",
  muted: "Les messages de {name} sont masqués.",
  unmute: "Afficher",
  report: "Signaler {name}",
  "report.text": "Que se passe-t-il ? (facultatif)",
  reported: "{name} a été signalé à l’exploitant, avec les derniers messages de cette table.",
};
