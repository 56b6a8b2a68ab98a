/** Explains a game to someone who plays it for the first time: each phase when it is first asked about. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Icon } from "../shell/icons";
import "./guide.css";
import { lookUp } from "../texts";
import { knows, learn } from "./known";
import { say } from "./texts";

/** *phase* is the phase in which this player is asked, or null. */
export function Guide(props: { game: string; phase: string | null }) {
  const { game, phase } = props;
  const shown = useSignal<string | null>(null);
  useEffect(() => {
    if (phase === null || knows(game, phase)) return;
    shown.value = phase;
    learn(`${game}.${phase}`);
  }, [game, phase]);
  const text = shown.value === null ? "" : lookUp(`${game}.guide.${shown.value}`, "");
  // The next question ends the explanation of the last one.
  if (!text || (phase !== null && phase !== shown.value)) return null;
  const close = () => (shown.value = null);
  const skip = () => {
    learn(game);
    close();
  };
  return (
    <aside class="guide" aria-label={say("title")} data-testid="guide">
      <h2>
        <Icon name="book" />
        {say("title")}
      </h2>
      <p role="status">{text}</p>
      <p class="guide-answers">
        <button type="button" data-testid="guide-ok" onClick={close}>
          {say("ok")}
        </button>
        <button type="button" class="quiet" data-testid="guide-skip" onClick={skip}>
          {say("skip")}
        </button>
      </p>
    </aside>
  );
}
