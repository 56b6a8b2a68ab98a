/** The sounds of a table, if sounds are on. */

import { useEffect, useRef } from "preact/hooks";
import type { LogLine } from "../net/table";
import { fetchCode } from "../shell/load";
import { wantsSound } from "../shell/settings";
import type { Sound } from "./sound";

/** By event kind, for all games. */
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

/** Return one sound for events that arrive together: the most important one. */
export function soundOf(kinds: string[], asked: boolean): Sound | null {
  const heard = kinds.map((kind) => SOUNDS[kind]).filter((one) => one !== undefined);
  if (asked) heard.push("turn");
  return heard.sort((a, b) => RANK[b] - RANK[a])[0] ?? null;
}

/** Play sounds for new events and for this seat's turn. */
export function useHearing(log: LogLine[], turn: number | null): void {
  const last = useRef(log.at(-1)?.key ?? 0);
  const asked = useRef(turn);
  useEffect(() => {
    const fresh = log.filter((line) => line.key > last.current).map((line) => line.event.kind);
    const what = soundOf(fresh, turn !== null && turn !== asked.current);
    last.current = log.at(-1)?.key ?? 0;
    asked.current = turn;
    // Browsers allow sounds only after the user has done something on the page.
    if (!what || !wantsSound.peek() || navigator.userActivation?.hasBeenActive === false) return;
    void fetchCode(() => import("./sound"))
      .then((module) => module.sound(what))
      .catch(() => undefined); // sounds are optional
  }, [log, turn]);
}
