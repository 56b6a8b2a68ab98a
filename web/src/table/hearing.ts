/** What of a table is heard, where sounds are on. */

import { useEffect, useRef } from "preact/hooks";
import type { LogLine } from "../net/table";
import { fetchCode } from "../shell/load";
import { wantsSound } from "../shell/settings";
import type { Sound } from "./sound";

/** By the kinds of events, whatever the game. */
const SOUNDS: Record<string, Sound> = {
  played: "card",
  placed: "card",
  moved: "card",
  rolled: "card",
  round_ended: "trick",
  trick_taken: "trick",
  trick_ended: "trick",
  deal_ended: "result",
  game_ended: "result",
  match_ended: "result",
};
const RANK: Record<Sound, number> = { card: 0, trick: 1, turn: 2, result: 3 };

/** Return the one sound for what has come at once: the weightiest. */
export function soundOf(kinds: string[], asked: boolean): Sound | null {
  const heard = kinds.map((kind) => SOUNDS[kind]).filter((one) => one !== undefined);
  if (asked) heard.push("turn");
  return heard.sort((a, b) => RANK[b] - RANK[a])[0] ?? null;
}

/** Let the table be heard: events from now on, and when it is this seat's turn. */
export function useHearing(log: LogLine[], turn: number | null): void {
  const last = useRef(log.at(-1)?.key ?? 0);
  const asked = useRef(turn);
  useEffect(() => {
    const fresh = log.filter((line) => line.key > last.current).map((line) => line.event.kind);
    const what = soundOf(fresh, turn !== null && turn !== asked.current);
    last.current = log.at(-1)?.key ?? 0;
    asked.current = turn;
    if (!what || !wantsSound.peek()) return;
    void fetchCode(() => import("./sound"))
      .then((module) => module.sound(what))
      .catch(() => undefined); // a table without sounds is a table too
  }, [log, turn]);
}
