/** Face-up cards: one line per suit in front of a seat, or large in a row. */

import type { ComponentChildren } from "preact";
import { list } from "../texts";
import { cardName, FrenchCard, shownRank, suitOf } from "./french";
import { type FrenchSuit, SuitSign } from "./pips";

/** One line: a suit sign and its ranks. */
export interface SuitLine {
  suit: string;
  sign: ComponentChildren;
  ranks: string[];
}

export function OpenCards(props: {
  cards: string[];
  large?: boolean | undefined;
  name: (code: string) => string;
  /** The picture of a card, without an accessible name of its own. */
  face: (code: string) => ComponentChildren;
  lines: (cards: string[]) => SuitLine[];
  class?: string;
}) {
  const { cards } = props;
  const label = list(cards.map(props.name));
  // An empty hand gets no image role: screen readers cannot announce an image without a name.
  const told = label ? ({ role: "img", "aria-label": label } as const) : ({ "aria-hidden": true } as const);
  if (props.large) {
    return (
      <div class="open-cards" style={{ "--n": cards.length }} {...told}>
        {cards.map(props.face)}
      </div>
    );
  }
  return (
    <span class={props.class ? `open-hand ${props.class}` : "open-hand"} {...told}>
      {props.lines(cards).map((line) => (
        <span key={line.suit} class="open-suit">
          {line.sign}
          <span>{line.ranks.join(" ") || "–"}</span>
        </span>
      ))}
    </span>
  );
}

const FRENCH: FrenchSuit[] = ["S", "H", "C", "D"];

function frenchLines(cards: string[]): SuitLine[] {
  return FRENCH.map((suit) => ({
    suit,
    sign: <SuitSign suit={suit} />,
    ranks: cards.filter((card) => suitOf(card) === suit).map(shownRank),
  }));
}

export function OpenFrench(props: { cards: string[]; large?: boolean | undefined }) {
  return (
    <OpenCards
      {...props}
      name={cardName}
      face={(card) => <FrenchCard key={card} code={card} label="" />}
      lines={frenchLines}
    />
  );
}
