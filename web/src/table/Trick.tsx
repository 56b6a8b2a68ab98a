/** The centre of a trick game: the trick by seats, the last one on demand, or other content. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Scene } from "../games/page";
import { Icon } from "../shell/icons";
import { t } from "../texts";
import { sideOf } from "./places";
import { called, nameOf } from "./Seat";

/** The picture of a card; the text names the card and its player. */
export type Face = (code: string, owner: string) => ComponentChildren;

/** A finished or unfinished trick: by seat, null if no card was played. */
export interface TrickCards {
  cards: (string | null)[];
  leader: number | null;
  /** The seat that takes it, once known. */
  taker: number | null;
}

/** Return cards in playing order by seat. */
export function bySeat(inOrder: string[], leader: number | null, seats: number): (string | null)[] {
  const cards = Array<string | null>(seats).fill(null);
  inOrder.forEach((card, step) => (cards[((leader ?? 0) + step) % seats] = card));
  return cards;
}

/** Return a trick of four, given in playing order, by seat. */
export function finishedTrick(
  trick: { cards: string[]; leader: number | null; taker: number | null },
  seats: number,
): TrickCards {
  return { cards: bySeat(trick.cards, trick.leader, seats), leader: trick.leader, taker: trick.taker };
}

export function Trick(props: {
  scene: Scene;
  trick: TrickCards;
  face: Face;
  old?: boolean;
  rightwards?: boolean | undefined;
}) {
  const { scene, trick } = props;
  const count = scene.seats.length;
  return (
    <div class={`trick ${props.old ? "old" : ""}`}>
      {trick.cards.map((card, seat) => {
        if (!card) return null;
        return (
          <div
            key={card}
            class={`trick-card from-${sideOf(seat, scene.bottom, count, props.rightwards)} ${seat === trick.taker ? "wins" : ""}`}
            data-testid={`trick-card-${card}`}
            data-seat={seat}
            data-move={card}
            data-from={`seat-${seat}`}
            data-to={trick.taker === null ? undefined : `seat-${trick.taker}`}
            style={{ zIndex: seat === trick.taker ? count : (seat - (trick.leader ?? 0) + count) % count }}
          >
            {props.face(card, called(scene, seat))}
          </div>
        );
      })}
    </div>
  );
}

/** Marks above, the trick in the centre, the winner and the button for the last trick below. */
export function TrickCentre(props: {
  scene: Scene;
  face: Face;
  now: TrickCards;
  /** The last finished trick of the deal. */
  last: TrickCards | null;
  /** Changes with every trick: the view then returns from the last trick to the current one. */
  round: string | number;
  /** Shown instead of the trick: an auction, or the summary of the deal. */
  instead?: ComponentChildren;
  /** Facts about the whole deal: trump, contract. */
  marks?: ComponentChildren;
  /** Beside the button for the last trick. */
  words?: ComponentChildren;
  /** A replay steps through the tricks; between tricks a table then shows the last one. */
  replay?: boolean | undefined;
  /** The match is over: there is no current trick. */
  over?: boolean;
  /** As in the game's page. */
  rightwards?: boolean;
}) {
  const { scene, face, now, last, replay } = props;
  const looking = useSignal(false);
  useEffect(() => {
    looking.value = false;
  }, [props.round]);
  const back = looking.value && last !== null;
  const instead = back ? null : (props.instead ?? null);
  const empty = now.cards.every((card) => card === null);
  const shown = last && (back || (replay === true && empty)) ? last : now;
  const taker = instead ? null : shown.taker;
  return (
    <div class="centre-trick">
      <div class="centre-marks">{props.marks}</div>
      <div class="centre-stage" {...(instead && { tabIndex: 0 })}>
        {instead ?? <Trick scene={scene} trick={shown} face={face} old={back} rightwards={props.rightwards} />}
      </div>
      <div class="centre-foot">
        <p class={`trick-words ${taker === null ? "" : "taken"}`}>
          {taker === null
            ? props.words
            : taker === scene.you
              ? t("trick.takes.you")
              : t("trick.takes", { name: nameOf(scene.seats, taker) })}
        </p>
        {!replay && last && !props.over && (
          <button
            type="button"
            class="on-felt small"
            data-testid="last-trick"
            aria-pressed={looking.value}
            onClick={() => (looking.value = !looking.value)}
          >
            <Icon name="cards" />
            {t(looking.value ? "trick.last.hide" : "trick.last")}
          </button>
        )}
      </div>
    </div>
  );
}
