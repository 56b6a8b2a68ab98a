/** Explains a game to someone who plays it for the first time: each phase when it is first asked about. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Icon } from "../shell/icons";
import { en } from "./en";
import "./guide.css";
import { knows, learn } from "./known";
import { say } from "./texts";

type Key = keyof typeof en;

function textOf(game: string, phase: string): Key | null {
  const key = `${game}.${phase}`;
  return Object.hasOwn(en, key) ? (key as Key) : null;
}

/** *phase* is the phase in which this player is asked, or null. */
export function Guide(props: { game: string; phase: string | null }) {
  const { game, phase } = props;
  const shown = useSignal<string | null>(null);
  useEffect(() => {
    if (phase === null || knows(game, phase)) return;
    shown.value = phase;
    learn(`${game}.${phase}`);
  }, [game, phase]);
  const key = shown.value === null ? null : textOf(game, shown.value);
  // The next question ends the explanation of the last one.
  if (!key || (phase !== null && phase !== shown.value)) return null;
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
      <p role="status">{say(key)}</p>
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
