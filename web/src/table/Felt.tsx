/** The table: seats around the game's centre, or the single board of a game without hands. */

import type { ComponentChildren } from "preact";
import type { GamePage, Scene } from "../games/page";
import type { Clock } from "../net/table";
import { t } from "../texts";
import { sideOf } from "./places";
import { Seat } from "./Seat";

interface FeltProps {
  page: GamePage;
  scene: Scene;
  /** The public clock of the player to act. */
  clock: Clock | null;
}

/** The plate of a seat: name, clock, note. */
export function Plate(props: FeltProps & { seat: number; children?: ComponentChildren }) {
  const { page, scene, seat } = props;
  const info = scene.seats[seat];
  if (!info) return null;
  const Note = page.SeatNote;
  const hidden = "held" in page && seat !== scene.you && !scene.open;
  return (
    <Seat
      info={info}
      side={sideOf(seat, scene.bottom, scene.seats.length, "rightwards" in page && page.rightwards)}
      you={seat === scene.you}
      acting={page.acting(scene.view).includes(seat)}
      clock={seat === scene.you && scene.question ? scene.question.clock : props.clock}
      backs={hidden ? page.held(scene.view, seat) : null}
    >
      <Note scene={scene} seat={seat} />
      {props.children}
    </Seat>
  );
}

/** The player's own plate of a card game is beside the hand (TablePage), not here. */
export function Felt(
  props: FeltProps & {
    replay?: boolean;
    /** Shown over the centre: the result of a game. */
    over?: ComponentChildren;
  },
) {
  const { page, scene } = props;
  const plate = (seat: number, children?: ComponentChildren) => (
    <Plate key={seat} page={page} scene={scene} clock={props.clock} seat={seat}>
      {children}
    </Plate>
  );
  if ("Board" in page) {
    const Board = page.Board;
    return (
      <section class="felt-board" tabIndex={scene.you === null ? 0 : undefined} aria-label={t("table.felt")}>
        <Board scene={scene} plate={plate} over={props.over} />
      </section>
    );
  }
  const Centre = page.Centre;
  const Open = page.OpenHand;
  return (
    <section class={`felt seats-${scene.seats.length} ${scene.open ? "open" : ""}`} aria-label={t("table.felt")}>
      {scene.seats.filter(({ seat }) => seat !== scene.you).map(({ seat }) =>
        plate(seat, scene.open && seat !== scene.bottom && <Open scene={scene} seat={seat} />),
      )}
      <div class="centre" data-place="centre">{props.over ?? <Centre scene={scene} replay={props.replay ?? false} />}</div>
    </section>
  );
}
