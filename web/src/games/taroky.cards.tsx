/** Taroky cards on the page: by code, in rows, and in texts of the server. */

import type { ComponentChildren } from "preact";
import { OpenCards, type SuitLine } from "../cards/OpenCards";
import { roman, TarockCard, TarockSign, type TarockSuit, TarockTag } from "../cards/tarock";
import { cardName, faceOf } from "./taroky.facts";

export function TarokyCard(props: { code: string; label?: string }) {
  return <TarockCard {...faceOf(props.code)} label={props.label ?? cardName(props.code)} />;
}

export function TarokyTag(props: { code: string }) {
  return <TarockTag {...faceOf(props.code)} label={cardName(props.code)} />;
}

const SUITS: TarockSuit[] = ["T", "S", "H", "C", "D"];

function lines(cards: string[]): SuitLine[] {
  return SUITS.map((suit) => ({
    suit,
    sign: <TarockSign suit={suit} />,
    ranks: cards.filter((card) => card.startsWith(suit)).map((card) => faceOf(card).rank),
  }));
}

export function OpenTaroky(props: { cards: string[]; large?: boolean | undefined }) {
  return (
    <OpenCards
      {...props}
      name={cardName}
      face={(card) => <TarokyCard key={card} code={card} label="" />}
      lines={lines}
      class="taroky-open"
    />
  );
}

export const CODE = /^(?:T\d\d|[SCHD][1-4JRQK])$/u;
/** The code of a card, as a word of a text. */
const WORD = /(?:\bcard )?\b(T(?:0[1-9]|1[0-9]|2[0-2])|[SCHD][1-4JRQK])\b/u;
const PARTNER = /^partner ([5-9])\b/u;

/** Return the *words* of the server with card codes replaced by pictures. */
export function withTaroky(words: string): ComponentChildren {
  return words
    .replace(PARTNER, (_, digit: string) => roman(10 + Number(digit)))
    .split(WORD)
    .map((part, at) => (at % 2 ? <TarokyTag key={at} code={part} /> : part));
}
