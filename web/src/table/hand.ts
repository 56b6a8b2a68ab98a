/** What the own hands of trick games share: the cards held ready, and the focus that comes back to them. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { FanCard } from "./Fan";

/** Return the state of a card of the fan while something is *asked* of the hand, or nothing is. */
export function stateOf(code: string, usable: Set<string>, asked: boolean): FanCard["state"] {
  return !asked ? "rest" : usable.has(code) ? "legal" : "illegal";
}

/** Hold cards of *usable* ready: the one to play, or, where *wanted* says how many, the last that were chosen.
 *
 * Another *question* starts with none.
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

/** Give the focus to the card that is in the tab order. */
export function focusHand(): void {
  document.querySelector<HTMLElement>('.fan [tabindex="0"]')?.focus({ preventScroll: true });
}

/** Give the focus back to the hand when the answers that took it with them are gone.
 *
 * Return what is to be called when an answer gets the focus.
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
