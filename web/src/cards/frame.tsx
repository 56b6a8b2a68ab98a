/** The parts that all cards share: outline, corners, back. 100 × 140 units. */

import type { ComponentChildren } from "preact";
import { t } from "../texts";

export const WIDTH = 100;
export const HEIGHT = 140;

export function CardFrame(props: { class?: string; label: string; children: ComponentChildren }) {
  return (
    <svg
      class={`card ${props.class ?? ""}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      {...(props.label ? { role: "img", "aria-label": props.label } : { "aria-hidden": true })}
    >
      <rect class="paper" x=".75" y=".75" width={WIDTH - 1.5} height={HEIGHT - 1.5} rx="8" />
      {props.children}
    </svg>
  );
}

/** Diagonal lines over the inner field of the back, clipped at its edges. */
function lattice(left: number, top: number, right: number, bottom: number, step: number): string {
  const lines: string[] = [];
  const height = bottom - top;
  for (let x = left - height; x < right; x += step) {
    const from = Math.max(0, left - x);
    const to = Math.min(height, right - x);
    if (to <= from) continue;
    lines.push(`M${x + from} ${top + from}L${x + to} ${top + to}`);
    lines.push(`M${left + right - x - from} ${top + from}L${left + right - x - to} ${top + to}`);
  }
  return lines.join("");
}

const LATTICE = lattice(12, 12, 88, 128, 9.5);

export function CardBack(props: { label?: string }) {
  const label = props.label ?? t("card.back");
  return (
    <CardFrame class="back" label={label}>
      <rect class="field" x="7" y="7" width="86" height="126" rx="5" />
      <rect class="inset" x="12" y="12" width="76" height="116" rx="2" />
      <path class="lattice" d={LATTICE} />
      <path class="medal" d="M50 52L64 70L50 88L36 70Z" />
      <path class="medal-core" d="M50 60L58 70L50 80L42 70Z" />
    </CardFrame>
  );
}
