/** On the result card: the rating of the player after the match, and its change. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../net/api";
import type { RatingChanges } from "../net/protocol";
import { ratingText, signed } from "./figures";
import { say } from "./texts";

const TRIES = 10;

/** Load the ratings after a match; they are computed about a second after its end. */
function useChanges(match: string): RatingChanges | null {
  const found = useSignal<RatingChanges | null>(null);
  useEffect(() => {
    let tries = 0;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const told = await api.ratings(match).catch(() => null);
      if (told?.rated) found.value = told;
      else if (++tries < TRIES) timer = setTimeout(look, 1000);
    };
    void look();
    return () => clearTimeout(timer);
  }, [match]);
  return found.value;
}

export function RatingChange(props: { match: string; seat: number }) {
  const mine = useChanges(props.match)?.ratings[props.seat];
  if (!mine) return null;
  return (
    <p data-testid="rating-change">
      {say("rating")} {ratingText(mine)} ({signed(mine.change)})
    </p>
  );
}
