/** Whoever comes by keyboard to something that is not allowed now is told why, before trying it. */

import { useEffect, useRef } from "preact/hooks";

/** How long the focus must rest on it: nobody wants to hear of every card on the way. */
const PAUSE_MS = 350;

/** Return what is to be called when something gets the focus: with what may not be done there, or nothing. */
export function useWhy(why: (actions: string[]) => void): (focus: FocusEvent, actions: string[]) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (focus, actions) => {
    clearTimeout(timer.current);
    if (!(focus.currentTarget as HTMLElement).matches(":focus-visible")) return;
    timer.current = setTimeout(() => why(actions), actions.length ? PAUSE_MS : 0);
  };
}
