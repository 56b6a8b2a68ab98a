/** Tells keyboard users why something is illegal before they try it. */

import { useEffect, useRef } from "preact/hooks";

/** How long the focus must rest on an element, so that passing over it is not announced. */
const PAUSE_MS = 350;

/** Return the focus handler: its argument is the illegal action, or nothing. */
export function useWhy(why: (actions: string[]) => void): (focus: FocusEvent, actions: string[]) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (focus, actions) => {
    clearTimeout(timer.current);
    if (!(focus.currentTarget as HTMLElement).matches(":focus-visible")) return;
    timer.current = setTimeout(() => why(actions), actions.length ? PAUSE_MS : 0);
  };
}
