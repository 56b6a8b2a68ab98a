/** Glass dice as SVG. A die is identified by its code: colour, then value ("R5"); value 0 means not chosen yet.
 *
 * Dice can be told apart without colour vision: each colour has its hatching from heraldry (red vertical,
  * blue horizontal, green falling, purple rising, yellow dotted); printed cells and tags have letters.
 */

import type { ComponentChildren } from "preact";
import { lookUp, t } from "../texts";

export const COLOURS = "RGBYP";

/** The pips of a value, in a box of 100. */
const LOW = 27;
const MID = 50;
const TOP = 73;
const SPOTS: Record<string, [number, number][]> = {
  "1": [[MID, MID]],
  "2": [[LOW, LOW], [TOP, TOP]],
  "3": [[LOW, LOW], [MID, MID], [TOP, TOP]],
  "4": [[LOW, LOW], [TOP, LOW], [LOW, TOP], [TOP, TOP]],
  "5": [[LOW, LOW], [TOP, LOW], [MID, MID], [LOW, TOP], [TOP, TOP]],
  "6": [[LOW, LOW], [TOP, LOW], [LOW, MID], [TOP, MID], [LOW, TOP], [TOP, TOP]],
};

const STEP = 15;
const INSET = 6;

/** Lines across the box, from *INSET* to the opposite edge, at each offset. */
function lines(line: (at: number) => string): string {
  const found: string[] = [];
  for (let at = INSET + STEP / 2; at < 100 - INSET; at += STEP) found.push(line(at));
  return found.join("");
}

/** Diagonal lines, clipped at the edges; *rising* from left to right. */
function slants(rising: boolean): string {
  const low = INSET;
  const high = 100 - INSET;
  const found: string[] = [];
  for (let sum = 2 * low + STEP; sum < 2 * high; sum += STEP * 1.45) {
    const from = Math.max(low, sum - high);
    const to = Math.min(high, sum - low);
    const y = (x: number) => (rising ? sum - x : low + high - (sum - x));
    found.push(`M${from} ${y(from)}L${to} ${y(to)}`);
  }
  return found.join("");
}

/** Dots, drawn as short strokes with round ends. */
function dots(): string {
  const found: string[] = [];
  for (let row = 0; row < 6; row++) {
    for (let column = 0; column < 6; column++) {
      if ((row + column) % 2 === 0) found.push(`M${12.5 + column * 15} ${12.5 + row * 15}h.01`);
    }
  }
  return found.join("");
}

const HATCHES: Record<string, string> = {
  R: lines((x) => `M${x} ${INSET}V${100 - INSET}`),
  B: lines((y) => `M${INSET} ${y}H${100 - INSET}`),
  G: slants(false),
  P: slants(true),
  Y: dots(),
};

export function colourOf(code: string): string {
  return code.slice(0, 1);
}

export function valueOf(code: string): string {
  return code.slice(1);
}

export function colourName(colour: string): string {
  return lookUp(`sagrada.colour.${colour}`, colour);
}

/** Return "red 5" for "R5". */
export function dieName(code: string): string {
  const colour = colourName(colourOf(code));
  return valueOf(code) === "0"
    ? t("sagrada.die.unset", { colour })
    : t("sagrada.die", { colour, value: valueOf(code) });
}

function named(label: string) {
  return label ? { role: "img" as const, "aria-label": label } : { "aria-hidden": true };
}

export function Hatch(props: { colour: string }) {
  return <path class={`glass-hatch ${props.colour === "Y" ? "dots" : ""}`} d={HATCHES[props.colour] ?? ""} />;
}

export function Pips(props: { value: string; r?: number }) {
  return (
    <g class="glass-pips">
      {(SPOTS[props.value] ?? []).map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={props.r ?? 9.5} />
      ))}
    </g>
  );
}

/** A die; use `label=""` if an element around it already names it. */
export function Die(props: { code: string; label?: string }) {
  const { code, label = dieName(code) } = props;
  const colour = colourOf(code);
  return (
    <svg class={`glass-die colour-${colour}`} viewBox="0 0 100 100" {...named(label)}>
      <rect class="body" x="3" y="3" width="94" height="94" rx="17" />
      <Hatch colour={colour} />
      <path class="shine" d="M12 40V22Q12 12 22 12H56" />
      {valueOf(code) === "0" ? (
        <text class="unset" x="50" y="70">
          ?
        </text>
      ) : (
        <Pips value={valueOf(code)} />
      )}
    </svg>
  );
}

/** The print of a cell: a colour, a value, or nothing. It is drawn below the die. */
export function CellPrint(props: { symbol: string }) {
  const { symbol } = props;
  if (COLOURS.includes(symbol)) {
    return (
      <svg class={`glass-print colour-${symbol}`} viewBox="0 0 100 100" aria-hidden="true">
        <rect class="tint" width="100" height="100" />
        <Hatch colour={symbol} />
        <circle class="letter-back" cx="50" cy="50" r="24" />
        <text class="letter" x="50" y="62.5">
          {symbol}
        </text>
      </svg>
    );
  }
  if (symbol === ".") return <svg class="glass-print free" viewBox="0 0 100 100" aria-hidden="true" />;
  return (
    <svg class="glass-print value" viewBox="0 0 100 100" aria-hidden="true">
      <rect class="tint" width="100" height="100" />
      <Pips value={symbol} r={8.5} />
    </svg>
  );
}

/** A die in a line of text: letter and value on its colour. */
export function DieTag(props: { code: string }) {
  const { code } = props;
  return (
    <span class={`glass-tag colour-${colourOf(code)}`} role="img" aria-label={dieName(code)} title={dieName(code)}>
      {colourOf(code)}
      {valueOf(code) === "0" ? "?" : valueOf(code)}
    </span>
  );
}

const CODE = /\b([RGBYP][0-6])\b/u;

/** Return *words* with dice codes replaced by pictures. */
export function withDice(words: string): ComponentChildren {
  // Splitting by a pattern with a capturing group keeps the matches, at odd indices.
  return words.split(CODE).map((part, at) => (at % 2 ? <DieTag key={at} code={part} /> : part));
}
