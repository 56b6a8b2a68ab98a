/** The table itself: seats around, the game's centre between them. */

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
  const Centre = page.Centre;
  const Note = page.SeatNote;
  const Open = page.OpenHand;
  return (
    <section class={`felt seats-${scene.seats.length} ${scene.open ? "open" : ""}`} aria-label={t("table.felt")}>
      {scene.seats.map((info) => (
        <Seat
          key={info.seat}
          info={info}
          side={sideOf(info.seat, scene.bottom, scene.seats.length)}
          you={info.seat === scene.you}
          acting={acting.includes(info.seat)}
          clock={info.seat === scene.you && scene.question ? scene.question.clock : props.clock}
        >
          <Note scene={scene} seat={info.seat} />
          {scene.open && info.seat !== scene.bottom && <Open scene={scene} seat={info.seat} />}
        </Seat>
      ))}
      <div class="centre">{props.over ?? <Centre scene={scene} replay={props.replay ?? false} />}</div>
    </section>
  );
}
