/** Texts of moderation, in Czech. */

import type { ModerationTexts } from "./en";

export const cs: ModerationTexts = {
  restart: "Server se brzy restartuje. Vaše hra pak bude pokračovat.",
  "restart.now": "Server se restartuje. Vaše hra pak bude pokračovat.",
  more: "Možnosti: {name}",
  mute: "Skrýt zprávy: {name}",
  muted: "Zprávy jsou skryté: {name}.",
  unmute: "Zobrazit",
  report: "Nahlásit: {name}",
  "report.text": "Co se děje? (nepovinné)",
  reported: "Hlášení bylo odesláno provozovateli s posledními zprávami u tohoto stolu: {name}.",
};
