/** Carrying a die by mouse or finger: it is picked when it starts to move and put down where it is let go. */

import { useEffect, useRef } from "preact/hooks";
import type { Scene } from "../games/page";
import type { GlassView } from "../games/sagrada.facts";
import { drag } from "../table/drag";

/** Begin to carry with a press on a die; *word* picks it, null for one that is in hand already. */
export type Grab = (word: string | null, press: PointerEvent) => void;

export function useGrab(scene: Scene<GlassView>): Grab {
  const latest = useRef(scene);
  latest.current = scene;
  /** Where it was let go (null: nowhere), to be done once a question later than `after` is open. */
  const drop = useRef<{ cell: string | null; after: number } | null>(null);

  const settle = () => {
    const { question, pending, view, act } = latest.current;
    const wish = drop.current;
    if (!wish || !question || pending || question.turn <= wish.after) return;
    drop.current = null;
    if (wish.cell) act([`put ${wish.cell}`]); // a cell that may not be used: the server says why
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
