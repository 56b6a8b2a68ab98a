/** The middle of a trick game: the trick by seats, the last one on demand, or what lies there instead. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Scene } from "../games/page";
import { Icon } from "../shell/icons";
import { t } from "../texts";
import { sideOf } from "./places";
import { nameOf } from "./Seat";

/** A card's picture; the words name the card and whose it is. */
export type Face = (code: string, owner: string) => ComponentChildren;

/** A trick, finished or not: by seat, null where no card lies. */
export interface TrickCards {
  cards: (string | null)[];
  leader: number | null;
  /** Who takes it, once that is settled. */
  taker: number | null;
}

/** Return cards given in playing order by seat. */
export function bySeat(inOrder: string[], leader: number | null, seats: number): (string | null)[] {
  const cards = Array<string | null>(seats).fill(null);
  inOrder.forEach((card, step) => (cards[((leader ?? 0) + step) % seats] = card));
  return cards;
}

/** Return a trick of four, whose cards come in playing order, by seat. */
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
            style={{ zIndex: seat === trick.taker ? count : (seat - (trick.leader ?? 0) + count) % count }}
          >
            {props.face(card, nameOf(scene.seats, seat))}
          </div>
        );
      })}
    </div>
  );
}

/** Marks above, the trick in the middle, who takes it and the way to the last trick below. */
export function TrickCentre(props: {
  scene: Scene;
  face: Face;
  now: TrickCards;
  /** The last finished trick of the deal. */
  last: TrickCards | null;
  /** Changes with every trick: whoever looks at the last one is brought back. */
  round: string | number;
  /** Shown in place of the trick: an auction, how the deal went. Its takers are not told. */
  instead?: ComponentChildren;
  /** What holds for the whole deal: trump, contract. */
  marks?: ComponentChildren;
  /** Beside the button for the last trick. */
  words?: ComponentChildren;
  /** A replay steps through tricks itself; a table between tricks then shows the last one. */
  replay?: boolean | undefined;
  /** The match is over: nothing to go back to. */
  over?: boolean;
  /** As the game's page says. */
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
      <div class="centre-stage">
        {instead ?? <Trick scene={scene} trick={shown} face={face} old={back} rightwards={props.rightwards} />}
      </div>
      <div class="centre-foot">
        <p class="trick-words">
          {taker !== null ? t("trick.takes", { name: nameOf(scene.seats, taker) }) : props.words}
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
