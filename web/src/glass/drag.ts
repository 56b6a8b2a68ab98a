/** Dragging a die with mouse or finger: it is picked when it starts to move and placed where it is dropped. */

import { useEffect, useRef } from "preact/hooks";
import type { Scene } from "../games/page";
import type { GlassView } from "../games/sagrada.facts";
import { drag } from "../table/drag";

/** Start a drag by pressing on a die; *word* is the action that picks it, null if it is already in hand. */
export type Grab = (word: string | null, press: PointerEvent) => void;

export function useGrab(scene: Scene<GlassView>): Grab {
  const latest = useRef(scene);
  latest.current = scene;
  /** The cell it was dropped on (null: none), to be sent once a question later than `after` is open. */
  const drop = useRef<{ cell: string | null; after: number } | null>(null);

  const settle = () => {
    const { question, pending, view, act } = latest.current;
    const dropped = drop.current;
    if (!dropped || !question || pending || question.turn <= dropped.after) return;
    drop.current = null;
    if (dropped.cell) act([`put ${dropped.cell}`]); // an illegal cell: the server returns the reason
    else if (view.picks.length && question.legal.includes("cancel")) act(["cancel"]);
  };
  useEffect(settle, [scene.question?.turn, scene.pending]);

  return (word, press) => {
    drop.current = null;
    let after = -1;
    const end = (cell: string | null) => {
      drop.current = { cell, after };
      settle();
    };
    drag(press, end, {
      onLift: () => {
        const { question, act } = latest.current;
        if (!word || !question) return;
        after = question.turn;
        act([word]);
      },
      onMiss: () => end(null),
    });
  };
}
