/** The games that this browser's user knows, and phases of games as "game.phase". */

import { keep, kept } from "../net/storage";

const KEY = "croupier.guide";

function known(): string[] {
  return (kept(KEY) ?? "").split(" ").filter(Boolean);
}

/** Return whether *game*, or one of its phases, has been explained or skipped. */
export function knows(game: string, phase?: string): boolean {
  const all = known();
  return all.includes(game) || (phase !== undefined && all.includes(`${game}.${phase}`));
}

export function learn(what: string): void {
  if (!known().includes(what)) keep(KEY, [...known(), what].join(" "));
}
