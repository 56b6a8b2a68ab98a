/** Shared by the hands of trick games: the selected cards, and the focus that returns to them. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { FanCard } from "./Fan";

/** Return the state of a card in the fan, depending on whether the hand is *asked*. */
export function stateOf(code: string, usable: Set<string>, asked: boolean): FanCard["state"] {
  return !asked ? "rest" : usable.has(code) ? "legal" : "illegal";
}

/** Manage the selected cards among *usable*: one card to play or, if *wanted* gives a number, the last ones chosen.
 *
 * A new *question* starts with no selection.
 */
export function useChosen(usable: Set<string>, wanted: number | null, question: unknown) {
  const chosen = useSignal<string[]>([]);
  const selected = chosen.value.filter((card) => usable.has(card));
  useEffect(() => {
    chosen.value = [];
  }, [question]);
  const select = (code: string, on: boolean) => {
    if (!usable.has(code)) return;
    if (wanted === null) chosen.value = on ? [code] : [];
    else if (!on) chosen.value = selected.filter((card) => card !== code);
    else if (!selected.includes(code)) chosen.value = [...selected, code].slice(-wanted);
  };
  return { selected, select };
}

/** Focus the card that is in the tab order. */
export function focusHand(): void {
  document.querySelector<HTMLElement>('.fan [tabindex="0"]')?.focus({ preventScroll: true });
}

/** Return the focus to the hand when the focused answers disappear.
 *
 * Return the handler to call when an answer gets the focus.
 */
export function useFocusBack(answering: boolean): () => void {
  const had = useRef(false);
  useEffect(() => {
    if (answering || !had.current) return;
    had.current = false;
    if (document.activeElement === document.body) focusHand();
  }, [answering]);
  return () => {
    had.current = true;
  };
}
