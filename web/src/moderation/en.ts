/** Texts of moderation, in English. */

export const en = {
  restart: "The server restarts soon. Your game continues afterwards.",
  "restart.now": "The server is restarting. Your game continues afterwards.",
  more: "Options for {name}",
  mute: "Mute {name}",
  muted: "{name} is muted.",
  unmute: "Unmute",
  report: "Report {name}",
  "report.text": "What is wrong? (optional)",
  reported: "{name} was reported to the operator, with the last messages of this table.",
} as const;

export type ModerationTexts = Record<keyof typeof en, string>;
