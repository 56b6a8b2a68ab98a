/** The table itself: seats around, the game's centre between them; or the one board of a game without hands. */

import type { ComponentChildren } from "preact";
import type { GamePage, Scene } from "../games/page";
import type { Clock } from "../net/table";
import { t } from "../texts";
import { sideOf } from "./places";
import { Seat } from "./Seat";

export function Felt(props: {
  page: GamePage;
  scene: Scene;
  /** The public clock of whoever is to act. */
  clock: Clock | null;
  replay?: boolean;
  /** Lies over the centre: the result of a game. */
  over?: ComponentChildren;
}) {
  const { page, scene } = props;
  const acting = page.acting(scene.view);
  const Note = page.SeatNote;
  const plate = (seat: number, children?: ComponentChildren) => {
    const info = scene.seats[seat];
    if (!info) return null;
    return (
      <Seat
        key={seat}
        info={info}
        side={sideOf(seat, scene.bottom, scene.seats.length, "rightwards" in page && page.rightwards)}
        you={seat === scene.you}
        acting={acting.includes(seat)}
        clock={seat === scene.you && scene.question ? scene.question.clock : props.clock}
      >
        <Note scene={scene} seat={seat} />
        {children}
      </Seat>
    );
  };
  if ("Board" in page) {
    const Board = page.Board;
    return (
      <section class="felt-board" aria-label={t("table.felt")}>
        <Board scene={scene} plate={plate} over={props.over} />
      </section>
    );
  }
  const Centre = page.Centre;
  const Open = page.OpenHand;
  return (
    <section class={`felt seats-${scene.seats.length} ${scene.open ? "open" : ""}`} aria-label={t("table.felt")}>
      {scene.seats.map(({ seat }) =>
        plate(seat, scene.open && seat !== scene.bottom && <Open scene={scene} seat={seat} />),
      )}
      <div class="centre">{props.over ?? <Centre scene={scene} replay={props.replay ?? false} />}</div>
    </section>
  );
}
