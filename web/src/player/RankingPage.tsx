/** The ranking of a game, with or without bots. */

import { useSignal } from "@preact/signals";
import { listGames } from "../net/games";
import { api } from "../net/api";
import { loggedIn, myName } from "../net/identity";
import type { RankingRow } from "../net/protocol";
import { Icon } from "../shell/icons";
import { useLoad } from "../shell/load";
import { Failure, Loading, Nothing, useTitle } from "../shell/widgets";
import { botName } from "../table/Seat";
import { gameTitle, t } from "../texts";
import { ratingText } from "./figures";
import "./player.css";
import { say } from "./texts";

function Line(props: { row: RankingRow; place: number }) {
  const { row } = props;
  const mine = loggedIn.value && row.name === myName.value;
  return (
    <tr class={mine ? "mine" : ""} data-testid="ranking-row">
      <td>{props.place}</td>
      <th scope="row" dir="auto">
        {row.name === null ? (
          <span class="player-bot">
            <Icon name="bot" />
            {botName(row.bot)}
            <small>{say("bot")}</small>
          </span>
        ) : (
          <a href={`/player/${encodeURIComponent(row.name)}`}>{row.name}</a>
        )}
      </th>
      <td>{ratingText(row.rating)}</td>
      <td>{row.matches}</td>
    </tr>
  );
}

export function RankingPage(props: { game: string }) {
  const title = gameTitle(props.game, props.game);
  useTitle(say("best.title", { game: title }));
  const { value: games } = useLoad(listGames, []);
  const known = games?.some((one) => one.name === props.game) ?? true;
  // The data belongs to the game it was loaded for.
  const bots = useSignal(true);
  const load = async () => ({ game: props.game, rows: known ? await api.ranking(props.game, bots.value) : [] });
  const { value, failure, again } = useLoad(load, [props.game, bots.value]);
  const rows = value?.game === props.game ? value.rows : null;
  if (!known) return <Nothing title={t("app.unknown")} words={t("app.unknown.more")} />;
  return (
    <>
      <header class="player-head">
        <h1>{say("best.title", { game: title })}</h1>
        <p class="faint">{say("best.more")}</p>
      </header>
      <nav class="player-choice" aria-label={say("games")}>
        {(games ?? []).map(({ name: game, title }) => (
          <a
            key={game}
            class={`button small ${game === props.game ? "primary" : ""}`}
            aria-current={game === props.game ? "page" : undefined}
            href={`/players/${game}`}
          >
            {gameTitle(game, title)}
          </a>
        ))}
      </nav>
      <label class="check">
        <input type="checkbox" checked={bots.value} onChange={(event) => (bots.value = event.currentTarget.checked)} />
        {say("best.bots")}
      </label>
      {rows?.length ? (
        <table class="player-table" data-testid="ranking">
          <thead>
            <tr>
              <th scope="col">{say("result")}</th>
              <th scope="col">{say("player")}</th>
              <th scope="col">{say("rating")}</th>
              <th scope="col">{say("count")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <Line key={row.name ?? `bot ${row.bot ?? ""}`} row={row} place={at + 1} />
            ))}
          </tbody>
        </table>
      ) : rows ? (
        <p class="empty">{say("best.none")}</p>
      ) : failure ? (
        <Failure error={failure} onRetry={again} />
      ) : (
        <Loading />
      )}
    </>
  );
}
