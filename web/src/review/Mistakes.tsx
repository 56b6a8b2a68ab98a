/** The player's costly decisions of a match, in a window over the table. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { GamePage, Scene } from "../games/page";
import { api } from "../net/api";
import { Dialog } from "../shell/Dialog";
import { Chosen, why } from "./Chosen";
import { type Finding, lost, mistakesOf } from "./findings";
import { complaint, reviewDeal } from "./request";
import "./review.css";
import { say } from "./texts";

interface Found {
  mistakes: Finding[];
  done: number;
  total: number | null;
  failure: Error | null;
}

/** Review all deals of a match, one after another. */
function useMistakes(match: string, seat: number): Found {
  const found = useSignal<Found>({ mistakes: [], done: 0, total: null, failure: null });
  useEffect(() => {
    const control = new AbortController();
    const work = async () => {
      const { deals } = await api.match(match);
      found.value = { ...found.value, total: deals };
      for (let deal = 1; deal <= deals; deal += 1) {
        const review = await reviewDeal(match, deal, control.signal, () => undefined);
        found.value = { ...found.value, done: deal, mistakes: [...found.value.mistakes, ...mistakesOf(review, seat)] };
      }
    };
    work().catch((error: unknown) => {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (!control.signal.aborted) found.value = { ...found.value, failure };
    });
    return () => control.abort();
  }, [match, seat]);
  return found.value;
}

function List(props: { match: string; seat: number; page: GamePage; scene: Scene }) {
  const { page, scene } = props;
  const { mistakes, done, total, failure } = useMistakes(props.match, props.seat);
  return (
    <>
      {!failure && done !== total && (
        <label>
          {total === null ? say("waiting") : say("deals", { n: done, of: total })}
          <progress max={total ?? 1} value={done} />
        </label>
      )}
      {failure && <p role="alert">{complaint(failure)}</p>}
      {done === total && !mistakes.length && <p>{say("mistakes.none")}</p>}
      <ol>
        {mistakes.map((one) => (
          <li key={`${one.deal} ${one.step}`} data-testid="mistake">
            <a href={`/replay/${encodeURIComponent(props.match)}?deal=${one.deal}&step=${one.step}`}>
              {say("where", { deal: one.deal, step: one.step + 1 })}
            </a>{" "}
            <Chosen {...one.best} page={page} scene={scene} /> {say("instead")}{" "}
            <Chosen {...one.played} page={page} scene={scene} /> <strong>{say("cost", { n: lost(one) })}</strong>
            <p class="mistakes-why">{why(one.reasons, scene)}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

export function Mistakes(props: { match: string; seat: number; page: GamePage; scene: Scene }) {
  const open = useSignal(false);
  return (
    <>
      <button type="button" data-testid="my-mistakes" onClick={() => (open.value = true)}>
        {say("mistakes")}
      </button>
      {open.value && (
        <Dialog title={say("mistakes")} onClose={() => (open.value = false)}>
          {() => (
            <div class="mistakes">
              <List {...props} />
            </div>
          )}
        </Dialog>
      )}
    </>
  );
}
