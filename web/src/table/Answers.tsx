/** The answer buttons of a question: arrows move between them.
 *
 * For keyboard players they get the focus, and it returns to the hand when they disappear.
 */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { focusHand } from "./hand";

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function Answers(props: { label: string; class?: string; children: ComponentChildren }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = root.current;
    const active = document.activeElement;
    if (active === document.body || active?.closest(".fan")) {
      box?.querySelector<HTMLElement>("button:not(:disabled)")?.focus({ preventScroll: true });
    }
    return () => {
      if (!box?.contains(document.activeElement)) return;
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) focusHand();
      });
    };
  }, []);
  const onKeyDown = (key: KeyboardEvent) => {
    const step = STEPS[key.key];
    if (!step || key.ctrlKey || key.metaKey || key.altKey) return;
    const buttons = [...(root.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
    key.preventDefault();
  };
  return (
    <div class={`answers ${props.class ?? ""}`} role="group" aria-label={props.label} ref={root} onKeyDown={onKeyDown}>
      {props.children}
    </div>
  );
}
