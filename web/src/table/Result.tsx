/** How a game or the match ended, and what can be done next. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Ending, Scene } from "../games/page";
import { api } from "../net/api";
import { Icon } from "../shell/icons";
import { list, score, t } from "../texts";
import { missing } from "./Gathering";
import { nameOf } from "./Seat";

function headline(ending: Ending, scene: Scene): string {
  const first = ending.ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (scene.you !== null && first.length === 1 && first[0] === scene.you) return t("table.won");
  if (first.length > 1) return t("table.winners", { names: list(first.map((seat) => nameOf(scene.seats, seat))) });
  return t("table.winner", { name: nameOf(scene.seats, first[0] ?? 0) });
}

/** Look up the match that has just ended at this table: the store may need a moment. */
function useReplayLink(table: string, game: string, over: boolean): string | null {
  const link = useSignal<string | null>(null);
  useEffect(() => {
    if (!over) return;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const rows = await api.matches(20, game).catch(() => []);
      const row = rows.find((match) => match.table === table && match.ended !== null);
      if (row) link.value = `/replay/${encodeURIComponent(row.id)}`;
      else if (++tries < 5) timer = setTimeout(look, 1000);
    };
    void look();
    return () => clearTimeout(timer);
  }, [table, over]);
  return link.value;
}

export function Result(props: {
  ending: Ending;
  scene: Scene;
  table: string;
  game: string;
  /** Absent while the server goes on by itself, or for watchers. */
  onNext?: (() => void) | undefined;
}) {
  const { ending, scene } = props;
  const who = missing(scene.seats);
  const replay = useReplayLink(props.table, props.game, ending.final);
  const order = scene.seats
    .map((info) => info.seat)
    .sort((a, b) => (ending.ranks[a] ?? 0) - (ending.ranks[b] ?? 0));
  return (
    <div class="result" role="status">
      <p class="result-over">{ending.title}</p>
      <h2>{headline(ending, scene)}</h2>
      <ol>
        {order.map((seat) => (
          <li key={seat} class={`${seat === scene.you ? "mine" : ""} ${ending.ranks[seat] === 1 ? "first" : ""}`}>
            <span class="result-rank">{ending.ranks[seat]}</span>
            <span class="result-name">{nameOf(scene.seats, seat)}</span>
            <strong>{score(ending.totals[seat] ?? 0)}</strong>
          </li>
        ))}
      </ol>
      {who && <p>{t("table.missing", { list: who })}</p>}
      <div class="result-next">
        {props.onNext && (
          <button type="button" class="primary" data-testid="next-game" onClick={props.onNext}>
            <Icon name="play" />
            {t(ending.final ? "table.again" : "table.nextGame")}
          </button>
        )}
        {replay && (
          <a class="button" href={replay} data-testid="see-replay">
            {t("table.seeReplay")}
          </a>
        )}
      </div>
    </div>
  );
}
