/** The four suit signs, each drawn around (0, 0) inside ±10. */

export type FrenchSuit = "S" | "H" | "C" | "D";

const STEM = "M-1 4C-1 7.4 -1.9 9 -3.8 10H3.8C1.9 9 1 7.4 1 4Z";

export const PIPS: Record<FrenchSuit, string> = {
  H: "M0 9.8C-2.4 5.6 -10 1.9 -10 -4.1C-10 -7.5 -7.6 -9.5 -5 -9.5C-2.6 -9.5 -.8 -8 0 -5.6C.8 -8 2.6 -9.5 5 -9.5C7.6 -9.5 10 -7.5 10 -4.1C10 1.9 2.4 5.6 0 9.8Z",
  D: "M0 -10.3C1.9 -6.5 4.6 -3 7.8 0C4.6 3 1.9 6.5 0 10.3C-1.9 6.5 -4.6 3 -7.8 0C-4.6 -3 -1.9 -6.5 0 -10.3Z",
  S: `M0 -10.2C2.2 -6.2 9.6 -2.4 9.6 3.1C9.6 6.2 7.4 8 5 8C2.8 8 1 6.6 0 4.6C-1 6.6 -2.8 8 -5 8C-7.4 8 -9.6 6.2 -9.6 3.1C-9.6 -2.4 -2.2 -6.2 0 -10.2Z${STEM}`,
  C: `M0 -9.9A4.7 4.7 0 0 1 3.5 -2.1L2.2 -.4A4.7 4.7 0 1 1 1.2 6L0 3.4L-1.2 6A4.7 4.7 0 1 1 -2.2 -.4L-3.5 -2.1A4.7 4.7 0 0 1 0 -9.9Z${STEM}`,
};

export function isRed(suit: FrenchSuit): boolean {
  return suit === "H" || suit === "D";
}

/** A suit sign of size 20 × *scale* at a position in a larger drawing. */
export function Pip(props: { suit: FrenchSuit; x: number; y: number; scale: number; turned?: boolean }) {
  const turn = props.turned ? " rotate(180)" : "";
  return (
    <path
      d={PIPS[props.suit]}
      transform={`translate(${props.x} ${props.y}) scale(${props.scale})${turn}`}
    />
  );
}

/** A suit sign on its own, in the size of the text and the colour of the suit. */
export function SuitSign(props: { suit: FrenchSuit }) {
  return (
    <svg class={`suit-sign ${isRed(props.suit) ? "red" : "black"}`} viewBox="-11 -11 22 22" aria-hidden="true">
      <path d={PIPS[props.suit]} />
    </svg>
  );
}
