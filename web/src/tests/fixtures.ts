/** A real deal of Hearts over the house protocol, and scenes for any game. */

import type { HeartsView } from "../games/hearts.facts";
import type { Scene } from "../games/page";
import type { AskFrame, GameEvent, TableFrame, View } from "../net/protocol";
import recorded from "./fixtures/hearts.json";

type Ask = AskFrame & { view: HeartsView };

/** What a player heard and was asked, what a watcher saw. */
interface Recorded {
  table: TableFrame;
  asks: { pass: Ask; play: Ask };
  /** All that the player heard. */
  events: GameEvent[];
  /** The watcher's view after some of the events. */
  moments: Record<"played 5" | "played 20" | "round_ended 3" | "match_ended 1", HeartsView>;
}

export const { table, asks, events, moments } = recorded as unknown as Recorded;

/** Return what seat 0 sees while nothing is asked of it; *more* says what is otherwise. */
export function sceneOf(view: object, more: Partial<Scene> = {}): Scene {
  return {
    view: view as View,
    seats: table.seats,
    you: 0,
    bottom: 0,
    question: null,
    pending: false,
    refusal: null,
    act: () => undefined,
    why: () => undefined,
    open: null,
    ...more,
  };
}

/** Return what the seat of *view* sees: asked if it may do something. */
export function sceneFor(view: View, more: Partial<Scene> = {}): Scene {
  return sceneOf(view, {
    you: view.seat,
    bottom: view.seat ?? 0,
    question: view.legal.length ? { turn: 1, legal: view.legal, clock: null } : null,
    ...more,
  });
}
