/** Tarock cards as SVG: four French suits with knights, the tarocks I to XXI and the škis.
 *
 * A card is a suit and a rank, independent of a game's codes: K Q N (or R) J, the number of a suit card, or the
  * number of a tarock, where 22 is the škis. "N" and "R" are the same picture with a different letter.
 */

import { useMemo } from "preact/hooks";
import { Court } from "./courts";
import { CardFrame } from "./frame";
import { SPOTS } from "./french";
import { GlyphWord, RankGlyph } from "./glyphs";
import { type FrenchSuit, isRed, Pip, PIPS } from "./pips";
import "./tarock.css";

export type TarockSuit = FrenchSuit | "T";

export interface TarockFace {
  suit: TarockSuit;
  rank: string;
}

const SKIS = 22;
/** The sign of the tarocks: eight rays around (0, 0) inside ±10. */
const STAR =
  "M0 -10L1.9 -4.6L7.1 -7.1L4.6 -1.9L10 0L4.6 1.9L7.1 7.1L1.9 4.6L0 10L-1.9 4.6L-7.1 7.1L-4.6 1.9L-10 0L-4.6 -1.9L-7.1 -7.1L-1.9 -4.6Z";
/** The fool's cap: the corner sign of the škis. */
const CAP =
  "M0 -3.2C-1.4 -6.9 -4 -9.2 -6.3 -8.2C-9.4 -6.8 -9.9 -3 -9.2 .4C-7.8 -2.2 -6.5 -2.6 -5.5 -1.8C-5.7 .6 -6.1 2.6 -6.1 4.8H6.1C6.1 2.6 5.7 .6 5.5 -1.8C6.5 -2.6 7.8 -2.2 9.2 .4C9.9 -3 9.4 -6.8 6.3 -8.2C4 -9.2 1.4 -6.9 0 -3.2ZM-9.2 .6A1.7 1.7 0 1 0 -9.2 4A1.7 1.7 0 1 0 -9.2 .6ZM9.2 .6A1.7 1.7 0 1 0 9.2 4A1.7 1.7 0 1 0 9.2 .6ZM-7 6.2H7V9.4H-7Z";

const ONES = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];

/** Return 17 as XVII, for numbers below 40. */
export function roman(number: number): string {
  return "X".repeat(Math.floor(number / 10)) + (ONES[number % 10] ?? "");
}

function colour(suit: TarockSuit): string {
  if (suit === "T") return "tarock";
  return isRed(suit) ? "red" : "black";
}

/** The ornament of tarock *n*: a wreath of *n* leaves around its number. */
function Wreath(props: { number: number }) {
  const { number } = props;
  const half = Math.min(7, 62 / (number + 1));
  const leaf = `M0 -16.5C${half} -20 ${half} -27 0 -32C${-half} -27 ${-half} -20 0 -16.5Z`;
  const leaves = Array.from({ length: number }, (_, at) => (360 / number) * at);
  return (
    <g class="wreath" transform="translate(50 70)">
      <circle class="plate" r="35.5" />
      <circle class="ring" r="33.8" />
      {leaves.map((turn) => (
        <path key={turn} class="leaf" d={leaf} transform={`rotate(${turn.toFixed(2)})`} />
      ))}
      <circle class="core" r="15" />
      <g class="count">
        <GlyphWord word={String(number)} x={0} y={-6.8} height={13.6} centred weight={2.1} />
      </g>
    </g>
  );
}

function Sign(props: { path: string; x: number; y: number; scale: number }) {
  return <path class="sign" d={props.path} transform={`translate(${props.x} ${props.y}) scale(${props.scale})`} />;
}

function TarockCorner(props: { number: number }) {
  if (props.number === SKIS) return <Sign path={CAP} x={14} y={19} scale={1.02} />;
  return (
    <g>
      <GlyphWord word={roman(props.number)} x={8.5} y={9} height={18.5} most={46} />
      <Sign path={STAR} x={13.5} y={39} scale={0.66} />
    </g>
  );
}

function SuitCorner(props: { suit: FrenchSuit; rank: string }) {
  return (
    <g>
      <RankGlyph rank={props.rank} x={14} y={9} height={19} />
      <Pip suit={props.suit} x={14} y={41} scale={0.74} />
    </g>
  );
}

function SuitFace(props: { suit: FrenchSuit; rank: string }) {
  const { suit, rank } = props;
  if (rank === "1") {
    return (
      <g>
        <Pip suit={suit} x={50} y={70} scale={2} />
      </g>
    );
  }
  const spots = SPOTS[rank === "10" ? "T" : rank];
  if (!spots) return <Court rank={rank === "R" ? "N" : rank} suit={suit} />;
  return (
    <g>
      {spots.map(([x, y]) => (
        <Pip key={`${x} ${y}`} suit={suit} x={x} y={y} scale={0.84} turned={y > 70} />
      ))}
    </g>
  );
}

/** A face-up card; use `label=""` if an element around it already names the card. */
export function TarockCard(props: TarockFace & { label: string }) {
  const { suit, rank, label } = props;
  return useMemo(() => {
    const number = Number(rank);
    const trula = suit === "T" && [1, 21, SKIS].includes(number);
    const corner = suit === "T" ? <TarockCorner number={number} /> : <SuitCorner suit={suit} rank={rank} />;
    return (
      <CardFrame class={`${colour(suit)} suit-${suit} ${trula ? "trula" : ""}`} label={label}>
        {suit !== "T" ? (
          <SuitFace suit={suit} rank={rank} />
        ) : number === SKIS ? (
          <Court rank="fool" suit={null} />
        ) : (
          <Wreath number={number} />
        )}
        <g>{corner}</g>
        <g transform="rotate(180 50 70)">{corner}</g>
      </CardFrame>
    );
  }, [suit, rank, label]);
}

/** The sign of a suit on its own, in the size of the text and the colour of the suit; the tarocks have a star. */
export function TarockSign(props: { suit: TarockSuit }) {
  return (
    <svg class={`suit-sign ${colour(props.suit)}`} viewBox="-11 -11 22 22" aria-hidden="true">
      <path d={props.suit === "T" ? STAR : PIPS[props.suit]} />
    </svg>
  );
}

/** A card in a line of text: rank and suit sign. *text* replaces the rank if a game writes it differently. */
export function TarockTag(props: TarockFace & { label?: string; text?: string }) {
  const { suit, rank, label, text } = props;
  const skis = suit === "T" && Number(rank) === SKIS;
  return (
    <span
      class={`card-tag ${colour(suit)} suit-${suit}`}
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
    >
      {text ?? (suit === "T" ? (skis ? "" : roman(Number(rank))) : rank)}
      <svg viewBox="-11 -11 22 22" aria-hidden="true">
        <path d={skis ? CAP : suit === "T" ? STAR : PIPS[suit]} />
      </svg>
    </span>
  );
}
