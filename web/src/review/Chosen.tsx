/** A choice as card chips or in words, and the sentence that explains it. */

import type { GamePage, Scene } from "../games/page";
import type { GameEvent } from "../net/protocol";
import { nameOf } from "../table/Seat";
import { list } from "../texts";
import type { Reason } from "./findings";
import { say } from "./texts";

export function Chosen(props: { actions: string[]; events: GameEvent[]; page: GamePage; scene: Scene }) {
  const { actions, events, page, scene } = props;
  const { chip } = page.log;
  const cards = events.map((event) => event["card"]);
  if (chip && cards.length && cards.every((card) => typeof card === "string")) return <>{cards.map((card) => chip(String(card)))}</>;
  const words = events.map((event) => page.words(event, scene)).filter(Boolean).join(" ");
  return <>{words || list(actions.map((action) => action.split(" ").slice(1).join(" ") || action))}</>;
}

/** Return what the seat knew as one sentence; empty if nothing is worth a mention. */
export function why(reasons: Reason[], scene: Scene): string {
  const parts = reasons.map((one) =>
    one.kind === "void"
      ? say("why.void", { name: nameOf(scene.seats, one.seat), suit: say(`suit.${one.suit}`) })
      : say(`why.${one.kind}`, { n: one.number }),
  );
  return parts.length ? say("why", { list: list(parts) }) : "";
}
