/** French-suited cards as SVG. A card is identified by its code: rank, then suit ("TC" or "10C", "QS"). */

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { lookUp, t } from "../texts";
import { Court } from "./courts";
import { CardFrame } from "./frame";
import { RankGlyph } from "./glyphs";
import { type FrenchSuit, isRed, Pip, PIPS } from "./pips";

/** The positions of the pips of a number card: three columns, rows from 28 to 112. */
const L = 37;
const M = 50;
const R = 63;
export const SPOTS: Record<string, [number, number][]> = {
  "2": [[M, 28], [M, 112]],
  "3": [[M, 28], [M, 70], [M, 112]],
  "4": [[L, 28], [R, 28], [L, 112], [R, 112]],
  "5": [[L, 28], [R, 28], [M, 70], [L, 112], [R, 112]],
  "6": [[L, 28], [R, 28], [L, 70], [R, 70], [L, 112], [R, 112]],
  "7": [[L, 28], [R, 28], [M, 49], [L, 70], [R, 70], [L, 112], [R, 112]],
  "8": [[L, 28], [R, 28], [M, 49], [L, 70], [R, 70], [M, 91], [L, 112], [R, 112]],
  "9": [[L, 28], [R, 28], [L, 56], [R, 56], [M, 70], [L, 84], [R, 84], [L, 112], [R, 112]],
  T: [[L, 28], [R, 28], [M, 42], [L, 56], [R, 56], [L, 84], [R, 84], [M, 98], [L, 112], [R, 112]],
};

export function rankOf(code: string): string {
  const rank = code.slice(0, -1);
  return rank === "10" ? "T" : rank; // some games write the ten as "10"
}

export function suitOf(code: string): FrenchSuit {
  return code.slice(-1) as FrenchSuit;
}

/** Return "queen of spades" for "QS". */
export function cardName(code: string): string {
  return t("card.name", {
    rank: lookUp(`rank.${rankOf(code)}`, rankOf(code)),
    suit: lookUp(`suit.${suitOf(code)}`, suitOf(code)),
  });
}

/** The rank as shown in the corner. */
export function shownRank(code: string): string {
  const rank = rankOf(code);
  return rank === "T" ? "10" : rank;
}

function Corner(props: { code: string }) {
  return (
    <g>
      <RankGlyph rank={shownRank(props.code)} x={14} y={9} height={19} />
      <Pip suit={suitOf(props.code)} x={14} y={41} scale={0.74} />
    </g>
  );
}

function Face(props: { code: string }) {
  const rank = rankOf(props.code);
  const suit = suitOf(props.code);
  if (rank === "A") {
    return (
      <g>
        {suit === "S" && <circle class="halo" cx="50" cy="70" r="31" />}
        <Pip suit={suit} x={50} y={70} scale={2} />
      </g>
    );
  }
  const spots = SPOTS[rank];
  if (!spots) return <Court rank={rank} suit={suit} />;
  return (
    <g>
      {spots.map(([x, y]) => (
        <Pip key={`${x} ${y}`} suit={suit} x={x} y={y} scale={0.84} turned={y > 70} />
      ))}
    </g>
  );
}

/** A face-up card; use `label=""` if an element around it already names the card. */
export function FrenchCard(props: { code: string; label?: string }) {
  const { code, label = cardName(code) } = props;
  return useMemo(
    () => (
      <CardFrame class={`${isRed(suitOf(code)) ? "red" : "black"} suit-${suitOf(code)}`} label={label}>
        <Face code={code} />
        <Corner code={code} />
        <g transform="rotate(180 50 70)">
          <Corner code={code} />
        </g>
      </CardFrame>
    ),
    [code, label],
  );
}

/** A card in a line of text: rank and suit sign. */
export function CardTag(props: { code: string; label?: boolean }) {
  const suit = suitOf(props.code);
  return (
    <span
      class={`card-tag ${isRed(suit) ? "red" : "black"} suit-${suit}`}
      {...(props.label === false
        ? { "aria-hidden": true }
        : { role: "img", "aria-label": cardName(props.code) })}
    >
      {shownRank(props.code)}
      <svg viewBox="-11 -11 22 22" aria-hidden="true">
        <path d={PIPS[suit]} />
      </svg>
    </span>
  );
}

const CODE = /\b([2-9TJQKA][SHCD])\b/u;

/** Return the *words* of the server with card codes replaced by pictures, as in "play KS: …". */
export function withCards(words: string): ComponentChildren {
  // Splitting by a pattern with a capturing group keeps the matches, at odd indices.
  return words.split(CODE).map((part, at) => (at % 2 ? <CardTag key={at} code={part} /> : part));
}
