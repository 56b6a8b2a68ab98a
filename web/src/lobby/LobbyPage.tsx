/** The lobby: play at once, open tables, finished matches. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { FrenchCard } from "../cards/french";
import { GAMES } from "../games/registry";
import { api, ApiError } from "../net/api";
import { keptSeat } from "../net/identity";
import { LobbyClient } from "../net/lobby";
import type { GameInfo, MatchRow, TableRow } from "../net/protocol";
import { Icon } from "../shell/icons";
import { useLoad } from "../shell/load";
import { go } from "../shell/router";
import { ConnectionBanner, Failure, Loading, useTitle } from "../shell/widgets";
import { Avatar } from "../table/Seat";
import { gameTitle, inSentence, list, moment, score, t } from "../texts";
import { NewTable } from "./NewTable";
import { arrangement, changed, firstSeats } from "./options";
import { playerNames, resultOf } from "./players";

const SHOWN_TABLES = 8;

/** Return how near a table is to me: my own, those with a free seat, those to watch, those at rest. */
function nearness(row: TableRow): number {
  if (isMine(row)) return 0;
  if (row.seats.some((info) => !info.name && info.kind !== "bot")) return 1;
  return row.phase === "playing" ? 2 : 3;
}

function isMine(row: TableRow): boolean {
  const mine = keptSeat(row.id);
  return mine !== null && row.seats[mine.seat]?.name === mine.name;
}

/** Open a table with me and bots, and go there. */
async function playNow(game: GameInfo): Promise<void> {
  const entry = GAMES[game.name];
  const preset = entry?.presets()[0];
  const made = await api.create({
    game: game.name,
    seats: arrangement(firstSeats(game, preset?.seats)),
    options: changed(game.options, preset?.options ?? {}),
    table_options: changed(game.table_options, entry?.tableOptions ?? {}),
    start: true,
  });
  go(`/table/${encodeURIComponent(made.id)}?sit=0`);
}

function Hero(props: { games: GameInfo[]; onNew: () => void }) {
  const busy = useSignal<string | null>(null);
  const failure = useSignal<string | null>(null);
  const play = async (game: GameInfo) => {
    busy.value = game.name;
    failure.value = null;
    try {
      await playNow(game);
    } catch (error) {
      failure.value = error instanceof ApiError ? error.message : String(error);
      busy.value = null;
    }
  };
  return (
    <section class="hero" aria-labelledby="hero-title">
      <div class="hero-text">
        <h1 id="hero-title">{t("lobby.title")}</h1>
        <p>{t("lobby.lead")}</p>
        <div class="hero-actions">
          {props.games.map((game) => (
            <button
              key={game.name}
              type="button"
              class="primary large"
              data-testid={`lobby-play-${game.name}`}
              disabled={busy.value !== null}
              onClick={() => void play(game)}
            >
              <Icon name="play" />
              {busy.value === game.name ? t("lobby.play.starting") : t("lobby.play", { game: gameTitle(game.name, game.title) })}
            </button>
          ))}
          <button type="button" class="on-felt large" data-testid="new-table" onClick={props.onNew}>
            <Icon name="plus" />
            {t("lobby.newTable")}
          </button>
        </div>
        <p class="hero-note">{t("lobby.play.more")}</p>
        <p class="refusal" role="alert">
          {failure.value}
        </p>
      </div>
      <div class="hero-cards" aria-hidden="true">
        {["KC", "AH", "QS", "JD", "TC"].map((code) => (
          <FrenchCard key={code} code={code} label="" />
        ))}
      </div>
    </section>
  );
}

function Row(props: { row: TableRow }) {
  const { row } = props;
  const title = gameTitle(row.game, row.title);
  const address = `/table/${encodeURIComponent(row.id)}`;
  const watching = `/t/${encodeURIComponent(row.id)}/watch`;
  const free = row.seats.some((info) => !info.name && info.kind !== "bot");
  return (
    <li class="table-row" data-testid="table-row" data-table={row.id}>
      <div class="row-title">
        <h3>{title}</h3>
        <span class={`phase phase-${row.phase}`}>
          {t(row.phase === "gathering" && !free ? "phase.ready" : `phase.${row.phase}`)}
        </span>
        {row.watchers > 0 && <span class="faint">{t("lobby.watchers", { n: row.watchers })}</span>}
      </div>
      <ul class="row-seats">
        {row.seats.map((info) => (
          <li key={info.seat} class={info.name ? "" : "free"}>
            <Avatar info={info} />
            <span dir="auto">{info.name || t("lobby.free")}</span>
          </li>
        ))}
      </ul>
      <div class="row-actions">
        {isMine(row) ? (
          <a class="button primary" href={address}>
            {t("lobby.rejoin")}
          </a>
        ) : (
          free &&
          row.phase !== "closed" && (
            <a class="button" href={`${address}?sit`}>
              {t("lobby.sit")}
            </a>
          )
        )}
        <a class="button quiet" href={watching} aria-label={`${t("lobby.watch")}: ${title} ${row.id}`}>
          <Icon name="eye" />
          {t("lobby.watch")}
        </a>
      </div>
    </li>
  );
}

function Match(props: { match: MatchRow; games: GameInfo[] }) {
  const { match } = props;
  const scores = resultOf(match);
  const best = scores ? Math.max(...scores) : 0;
  const names = playerNames(match);
  const told = props.games.find((game) => game.name === match.game)?.title;
  const title = gameTitle(match.game, told ?? match.game);
  const address = `/replay/${encodeURIComponent(match.id)}`;
  return (
    <li class="match-row" data-testid="match-row">
      <div class="row-title">
        <h3>{title}</h3>
        <span class="faint">{moment(match.ended ?? match.started)}</span>
      </div>
      <ul class="match-players">
        {names.map((name, seat) => (
          <li key={seat} class={scores?.[seat] === best ? "best" : ""}>
            <span dir="auto">{name}</span>
            {scores && <strong>{score(scores[seat] ?? 0)}</strong>}
          </li>
        ))}
      </ul>
      <div class="row-actions">
        <a class="button quiet" href={address} aria-label={`${t("lobby.replay")}: ${title}, ${list(names.map(inSentence))}`}>
          <Icon name="play" />
          {t("lobby.replay")}
        </a>
      </div>
    </li>
  );
}

export function LobbyPage() {
  useTitle(t("app.name"));
  const client = useMemo(() => new LobbyClient(), []);
  useEffect(() => () => client.close(), [client]);
  const opening = useSignal(false);
  const all = useSignal(false);
  const tables = client.tables.value;
  const { value: offered, failure, again } = useLoad(api.games, []);
  const games = (offered ?? []).filter((game) => GAMES[game.name]);
  // A table that closes or rests may have left a finished match behind, and so may a server that was away.
  const running = tables?.filter((row) => row.phase === "playing").length;
  const { value: matches } = useLoad(() => api.matches(12), [running, client.link.state.value === "lost"]);

  return (
    <>
      <ConnectionBanner link={client.link} />
      {failure && !offered && <Failure error={failure} onRetry={again} />}
      <Hero games={games} onNew={() => (opening.value = true)} />
      <div class="lobby-columns">
        <section aria-labelledby="tables-title">
          <h2 id="tables-title">{t("lobby.tables")}</h2>
          {tables === null ? (
            <Loading />
          ) : tables.length ? (
            <>
              <ul class="rows">
                {[...tables]
                  .sort((a, b) => nearness(a) - nearness(b))
                  .slice(0, all.value ? undefined : SHOWN_TABLES)
                  .map((row) => (
                    <Row key={row.id} row={row} />
                  ))}
              </ul>
              {!all.value && tables.length > SHOWN_TABLES && (
                <button type="button" class="quiet" onClick={() => (all.value = true)}>
                  {t("lobby.more", { n: tables.length - SHOWN_TABLES })}
                </button>
              )}
            </>
          ) : (
            <p class="empty">{t("lobby.tables.none")}</p>
          )}
          <div class="panel programs">
            <Icon name="plug" />
            <div>
              <h3>{t("lobby.programs")}</h3>
              <p>{t("lobby.programs.more")}</p>
              <nav aria-label={t("table.connect")}>
                {games.map((game) => (
                  <a
                    key={game.name}
                    class="button small"
                    href={`/connect/${game.name}`}
                    data-testid={`connect-${game.name}`}
                  >
                    {gameTitle(game.name, game.title)}
                  </a>
                ))}
              </nav>
            </div>
          </div>
          {games
            .flatMap((game) => GAMES[game.name]?.tools?.() ?? [])
            .map((tool) => (
              <div class="panel programs" key={tool.path}>
                <Icon name="cards" />
                <div>
                  <h3>{tool.title}</h3>
                  <p>{tool.words}</p>
                  <a class="button" href={tool.path} data-testid={`tool-${tool.path.slice(1)}`}>
                    {tool.link}
                  </a>
                </div>
              </div>
            ))}
        </section>
        <section aria-labelledby="matches-title">
          <h2 id="matches-title">{t("lobby.matches")}</h2>
          {matches === null ? (
            <Loading />
          ) : matches.length ? (
            <ul class="rows">
              {matches.map((match) => (
                <Match key={match.id} match={match} games={games} />
              ))}
            </ul>
          ) : (
            <p class="empty">{t("lobby.matches.none")}</p>
          )}
        </section>
      </div>
      {opening.value && offered && (
        <NewTable games={games} onClose={() => (opening.value = false)} />
      )}
    </>
  );
}
