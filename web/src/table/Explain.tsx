/** Explains initials and signs on a tap, as a mouse does by hovering: with the title of the element. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Elements that do something else when tapped. */
const ACTS = "button, a, input, select, label, summary, [role=button]";
const SECONDS = 4;

export function Explain() {
  const shown = useSignal<{ text: string; x: number; y: number } | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => (shown.value = null);
    const onClick = (click: MouseEvent) => {
      clearTimeout(timer);
      hide();
      const at = click.target instanceof Element ? click.target : null;
      const sign = at?.closest(ACTS) ? null : at?.closest("[title]");
      const text = sign?.getAttribute("title");
      if (!sign || !text || !sign.closest(".table-layout")) return;
      const { left, width, bottom } = sign.getBoundingClientRect();
      shown.value = { text, x: left + width / 2, y: bottom };
      timer = setTimeout(hide, SECONDS * 1000);
    };
    document.addEventListener("click", onClick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("click", onClick);
    };
  }, []);
  if (!shown.value) return null;
  const { text, x, y } = shown.value;
  return (
    <p class="explained" role="status" data-testid="explained" style={{ "--x": `${x}px`, "--y": `${y}px` }}>
      {text}
    </p>
  );
}
