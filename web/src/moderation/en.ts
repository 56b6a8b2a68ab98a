/** Texts of moderation, in English. */

export const en = {
  restart: "The server restarts soon. Your game continues afterwards.",
  "restart.in": "The server restarts in {left}. Your game continues afterwards.",
  "restart.now": "The server is restarting. Your game continues afterwards.",
} as const;

export type ModerationTexts = Record<keyof typeof en, string>;
