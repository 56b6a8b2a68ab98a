/** Texts of moderation, in German. */

import type { ModerationTexts } from "./en";

export const de: ModerationTexts = {
  restart: "Der Server startet bald neu. Dein Spiel geht danach weiter.",
  "restart.now": "Der Server startet neu. Dein Spiel geht danach weiter.",
  more: "Möglichkeiten für {name}",
  mute: "{name} stummschalten",
  muted: "{name} ist stummgeschaltet.",
  unmute: "Wieder zeigen",
  report: "{name} melden",
  "report.text": "Was ist los? (freiwillig)",
  reported: "{name} wurde dem Betreiber gemeldet, mit den letzten Nachrichten an diesem Tisch.",
};
