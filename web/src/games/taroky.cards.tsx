/** Taroky cards as the page draws them: by their codes, in rows, in the server's words. */

import type { ComponentChildren } from "preact";
import { roman, TarockCard, TarockSign, type TarockSuit, TarockTag } from "../cards/tarock";
import { list } from "../texts";
import { cardName, faceOf } from "./taroky.facts";

export function TarokyCard(props: { code: string; label?: string }) {
  return <TarockCard {...faceOf(props.code)} label={props.label ?? cardName(props.code)} />;
}

export function TarokyTag(props: { code: string }) {
  return <TarockTag {...faceOf(props.code)} label={cardName(props.code)} />;
}

const SUITS: TarockSuit[] = ["T", "S", "H", "C", "D"];

/** Cards that lie open: a line a suit, or large in a row. */
export function OpenTaroky(props: { cards: string[]; large?: boolean | undefined }) {
  const { cards } = props;
  const label = list(cards.map(cardName));
  if (props.large) {
    return (
      <div class="open-cards" style={{ "--n": cards.length }} role="img" aria-label={label}>
        {cards.map((card) => (
          <TarokyCard key={card} code={card} label="" />
        ))}
      </div>
    );
  }
  return (
    <span class="open-hand taroky-open" role="img" aria-label={label}>
      {SUITS.map((suit) => (
        <span key={suit} class="open-suit">
          <TarockSign suit={suit} />
          <span>{cards.filter((card) => card.startsWith(suit)).map((card) => faceOf(card).rank).join(" ") || "–"}</span>
        </span>
      ))}
    </span>
  );
}

const CODE = /(?:\bcard )?\b(T(?:0[1-9]|1[0-9]|2[0-2])|[SCHD][1-4JRQK])\b/u;
const PARTNER = /^partner ([5-9])\b/u;

/** Return the server's *words* with cards drawn where their codes stand. */
export function withTaroky(words: string): ComponentChildren {
  return words
    .replace(PARTNER, (_, digit: string) => roman(10 + Number(digit)))
    .split(CODE)
    .map((part, at) => (at % 2 ? <TarokyTag key={at} code={part} /> : part));
}
