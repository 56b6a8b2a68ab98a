/** A choice as card chips or in words, and the sentence that explains it. */

import type { GamePage, Scene } from "../games/page";
import type { GameEvent } from "../net/protocol";
import { nameOf } from "../table/Seat";
import { list } from "../texts";
import type { Reason } from "./findings";
import { say } from "./texts";

const SUITS = ["clubs", "diamonds", "hearts", "spades", "trumps"] as const;

export function Chosen(props: { actions: string[]; events: GameEvent[]; page: GamePage; scene: Scene }) {
  const { actions, events, page, scene } = props;
  const { chip } = page.log;
  const cards = events.map((event) => event["card"]);
  if (chip && cards.length && cards.every((card) => typeof card === "string")) return <>{cards.map((card) => chip(String(card)))}</>;
  const words = events.map((event) => page.words(event, scene)).filter(Boolean).join(" ");
  return <>{words || list(actions.map((action) => action.split(" ").slice(1).join(" ") || action))}</>;
}

/** Return the relevant facts that the seat knew as one sentence; empty if there are none. */
export function why(reasons: Reason[], scene: Scene): string {
  const parts = reasons.flatMap((one) => (one.kind === "void" ? [] : [say(`why.${one.kind}`, { n: one.number })]));
  for (const suit of SUITS) {
    const names = reasons.flatMap((one) =>
      one.kind === "void" && one.suit === suit ? [nameOf(scene.seats, one.seat)] : [],
    );
    const words = { n: names.length, names: list(names), suit: say(`suit.${suit}`) };
    if (names.length) parts.push(say("why.void", words));
  }
  return parts.length ? say("why", { list: list(parts) }) : "";
}
