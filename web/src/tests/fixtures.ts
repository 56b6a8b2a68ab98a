/** A real deal of Hearts over the house protocol: what a player heard and was asked, what a watcher saw. */

import type { HeartsView } from "../games/hearts.facts";
import type { AskFrame, GameEvent, TableFrame } from "../net/protocol";
import recorded from "./fixtures/hearts.json";

type Ask = AskFrame & { view: HeartsView };

interface Recorded {
  table: TableFrame;
  asks: { pass: Ask; play: Ask };
  /** All that the player heard. */
  events: GameEvent[];
  /** The watcher's view after some of the events. */
  moments: Record<"played 5" | "played 20" | "round_ended 3" | "match_ended 1", HeartsView>;
}

export const { table, asks, events, moments } = recorded as unknown as Recorded;
