/** French-suited cards that lie open: a line a suit, or large in a row. */

import { list } from "../texts";
import { cardName, FrenchCard, shownRank, suitOf } from "./french";
import { type FrenchSuit, SuitSign } from "./pips";

const SUIT_ORDER: FrenchSuit[] = ["S", "H", "C", "D"];

export function OpenCards(props: { cards: string[]; large?: boolean | undefined }) {
  const { cards } = props;
  const label = list(cards.map(cardName));
  if (props.large) {
    return (
      <div class="open-cards" style={{ "--n": cards.length }} role="img" aria-label={label}>
        {cards.map((card) => (
          <FrenchCard key={card} code={card} label="" />
        ))}
      </div>
    );
  }
  return (
    <span class="open-hand" role="img" aria-label={label}>
      {SUIT_ORDER.map((suit) => (
        <span key={suit} class="open-suit">
          <SuitSign suit={suit} />
          {cards.filter((card) => suitOf(card) === suit).map(shownRank).join(" ") || "–"}
        </span>
      ))}
    </span>
  );
}
