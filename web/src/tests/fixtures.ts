/** A real deal of Hearts over the house protocol: what a player and a watcher were sent. */

import type { AskFrame, GameEvent, TableFrame } from "../net/protocol";
import type { HeartsView } from "../games/hearts.facts";
import recorded from "./fixtures/hearts.json";

interface Recorded {
  player: { table: TableFrame; start: HeartsView; events: { event: GameEvent; view?: HeartsView }[] };
  watcher: { start: HeartsView; events: GameEvent[]; end: HeartsView };
  asks: { pass: AskFrame & { view: HeartsView }; play: AskFrame & { view: HeartsView } };
}

export const { player, watcher, asks } = recorded as unknown as Recorded;
