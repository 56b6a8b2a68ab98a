/** The tournaments in the lobby: planned and running ones, and the button for a new one. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Emblem } from "../lobby/emblems";
import { api } from "../net/api";
import type { GameInfo, TournamentRow } from "../net/protocol";
import { Icon } from "../shell/icons";
import { useLoad } from "../shell/load";
import { gameTitle, moment } from "../texts";
import { NewTournament } from "./NewTournament";
import { say } from "./texts";
import "./tournament.css";

const AGAIN = 15_000;
const SHOWN = 5;

export function phaseWords(row: TournamentRow): string {
  return row.phase === "running" ? say("running", { n: row.round }) : say(row.phase);
}

function Row(props: { row: TournamentRow; title: string }) {
  const { row } = props;
  return (
    <li class="cup-row" data-testid="tournament-row">
      <Emblem game={row.game} />
      <div class="cup-words">
        <h3 dir="auto">{row.name}</h3>
        <p class="faint">
          {props.title} · {say("entrants", { n: row.entrants })}
          {row.phase === "open" && <> · {say("starts", { when: moment(row.starts) })}</>}
        </p>
      </div>
      <span class={`phase phase-${row.phase === "running" ? "playing" : "resting"}`}>{phaseWords(row)}</span>
      <a class="button" href={row.page} aria-label={`${say("view")}: ${row.name}`}>
        {say("view")}
      </a>
    </li>
  );
}

export function Tournaments(props: { games: GameInfo[] }) {
  const opening = useSignal(false);
  const tick = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => (tick.value += 1), AGAIN);
    return () => clearInterval(timer);
  }, []);
  const { value: rows } = useLoad(api.tournaments, [tick.value]);
  return (
    <section aria-labelledby="cups-title" class="cups">
      <header>
        <h2 id="cups-title">{say("title")}</h2>
        <button type="button" class="small" data-testid="new-tournament" onClick={() => (opening.value = true)}>
          <Icon name="plus" />
          {say("new")}
        </button>
      </header>
      {rows?.length ? (
        <ul class="rows">
          {rows.slice(0, SHOWN).map((row) => (
            <Row
              key={row.id}
              row={row}
              title={gameTitle(row.game, props.games.find((game) => game.name === row.game)?.title ?? row.game)}
            />
          ))}
        </ul>
      ) : (
        <p class="empty">{say("none")}</p>
      )}
      {opening.value && props.games.length > 0 && (
        <NewTournament games={props.games} onClose={() => (opening.value = false)} />
      )}
    </section>
  );
}
