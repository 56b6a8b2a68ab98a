/** Who played a finished match, and how it ended. */

import type { MatchRow } from "../net/protocol";

/** The names of a match, whether the server lists names or seats. */
export function playerNames(match: MatchRow): string[] {
  return match.players.map((player) =>
    typeof player === "string" ? player : String((player as { name?: unknown } | null)?.name ?? "?"),
  );
}

/** Return the scores by seat, if the match was played to its end. */
export function resultOf(match: MatchRow): number[] | null {
  const result = match.result;
  if (Array.isArray(result) && result.every((value) => typeof value === "number")) return result;
  const scores = (result as { scores?: unknown } | null)?.scores;
  return Array.isArray(scores) ? (scores as number[]) : null;
}
