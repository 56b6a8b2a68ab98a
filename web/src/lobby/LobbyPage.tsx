/** The lobby: play now, open tables, finished matches. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { nickOf } from "../account/nick";
import { listGames } from "../net/games";
import { seatsOfMine } from "../net/account";
import { api } from "../net/api";
import { keptSeat, loggedIn, myName } from "../net/identity";
import { LobbyClient } from "../net/lobby";
import type { GameInfo, MatchRow, TableRow } from "../net/protocol";
import { Icon } from "../shell/icons";
import { lazily } from "../shell/lazily";
import { useLoad } from "../shell/load";
import { ConnectionBanner, Failure, Loading, useTitle } from "../shell/widgets";
import { Avatar } from "../table/Seat";
import { gameTitle, inSentence, list, lookUp, moment, t } from "../texts";
import { Emblem } from "./emblems";
import { Games } from "./Games";
import { Tournaments } from "../tournament/Tournaments";
import { MatchPlayers } from "./MatchPlayers";
import { presentAt, seatFor } from "./seats";

const NewTable = lazily(() => import("./NewTable").then((module) => module.NewTable), true);

const SHOWN_TABLES = 8;

/** Return the sort key of a table: own tables, tables with a free seat, tables to watch, idle tables. */
function nearness(row: TableRow, mine: Mine): number {
  if (mine(row)) return 0;
  if (seatFor(row)) return 1;
  return row.phase === "playing" ? 2 : 3;
}

/** Returns whether a seat of a table belongs to this user. */
type Mine = (row: TableRow) => boolean;

/** Return whether this browser has taken a seat. */
function isKept(row: TableRow): boolean {
  const mine = keptSeat(row.id);
  return mine !== null && row.seats[mine.seat]?.name === mine.name;
}

/** The reserved seats of a returning player. */
function Yours(props: { rows: TableRow[] }) {
  const rows = props.rows.filter((row) => row.phase === "playing");
  return (
    <>
      {rows.map((row) => (
        <section key={row.id} class="yours" aria-label={t("lobby.yours")} data-testid="yours">
          <Emblem game={row.game} />
          <p>
            <strong>{t("lobby.yours")}</strong> {t("lobby.yours.more", { game: gameTitle(row.game, row.title) })}
          </p>
          <a class="button primary" href={`/table/${encodeURIComponent(row.id)}`}>
            {t("lobby.rejoin")}
          </a>
        </section>
      ))}
    </>
  );
}

function Row(props: { row: TableRow; mine: boolean }) {
  const { row } = props;
  const title = gameTitle(row.game, row.title);
  const address = `/table/${encodeURIComponent(row.id)}`;
  const watching = `/t/${encodeURIComponent(row.id)}/watch`;
  const seat = seatFor(row);
  return (
    <li class="table-row" data-testid="table-row" data-table={row.id}>
      <div class="row-title">
        <h3>{title}</h3>
        <span class={`phase phase-${row.phase}`}>
          {t(row.phase === "gathering" && !seat ? "phase.ready" : `phase.${row.phase}`)}
        </span>
        {row.watchers > 0 && <span class="faint">{t("lobby.watchers", { n: row.watchers })}</span>}
        {row.fixed_deal && (
          <span class="badge" title={t("table.fixed")} data-testid="fixed-deal">
            {t("lobby.fixed")}
          </span>
        )}
        {row.watch_open && (
          <span class="badge" title={t("table.watchOpen")} data-testid="watch-open">
            {t("lobby.watchOpen")}
          </span>
        )}
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
        {props.mine ? (
          <a class="button primary" href={address}>
            {t("lobby.rejoin")}
          </a>
        ) : (
          seat &&
          row.phase !== "closed" && (
            <a class="button" href={`${address}?sit`}>
              {t(seat === "free" ? "lobby.sit" : "lobby.sit.next")}
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
  const best = Math.max(...match.result);
  const told = props.games.find((game) => game.name === match.game)?.title;
  const title = gameTitle(match.game, told ?? match.game);
  const address = `/replay/${encodeURIComponent(match.id)}`;
  return (
    <li class="match-row" data-testid="match-row">
      <div class="row-title">
        <h3>{title}</h3>
        <span class="faint">{moment(match.ended ?? match.started)}</span>
      </div>
      <MatchPlayers
        game={match.game}
        names={match.players}
        profiles={match.profiles}
        scores={match.result}
        stressed={(seat) => match.result[seat] === best}
      />
      <div class="row-actions">
        <a class="button quiet" href={address} aria-label={`${t("lobby.replay")}: ${title}, ${list(match.players.map(inSentence))}`}>
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
  const opening = useSignal<string | null>(null);
  const all = useSignal(false);
  const listed = client.tables.value;
  const { value: offered, failure, again } = useLoad(listGames, []);
  const games = offered ?? [];
  // When a table closes or becomes idle, or the server was unreachable, there may be a new finished match.
  const running = listed?.filter((row) => row.phase === "playing").length;
  const { value: matches } = useLoad(() => api.matches(12), [running, client.link.state.value === "lost"]);

  // The account may take a seat elsewhere: on another device or in another protocol.
  const me = nickOf(myName.value);
  const named = listed?.filter((row) => row.seats.some((info) => nickOf(info.name) === me)).map((row) => row.id);
  const { value: account } = useLoad(seatsOfMine, [loggedIn.value, named?.join()]);
  const mine: Mine = (row) => isKept(row) || (account?.some((one) => one.id === row.id) ?? false);
  const tables = listed?.filter((row) => !row.deserted || mine(row)) ?? null;
  const present = tables?.reduce((sum, row) => sum + presentAt(row), 0) ?? 0;

  return (
    <>
      <ConnectionBanner link={client.link} />
      {failure && !offered && <Failure error={failure} onRetry={again} />}
      {tables && <Yours rows={tables.filter(mine)} />}
      <Games games={games} onNew={(game) => (opening.value = game)} />
      <div class="lobby-columns">
        <section aria-labelledby="tables-title">
          <header class="lobby-head">
            <h2 id="tables-title">{t("lobby.tables")}</h2>
            {present > 0 && <span class="faint">{t("lobby.present", { n: present })}</span>}
          </header>
          {tables === null ? (
            <Loading />
          ) : tables.length ? (
            <>
              <ul class="rows">
                {[...tables]
                  .sort((a, b) => nearness(a, mine) - nearness(b, mine))
                  .slice(0, all.value ? undefined : SHOWN_TABLES)
                  .map((row) => (
                    <Row key={row.id} row={row} mine={mine(row)} />
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
            .flatMap((game) => game.pages.map((path) => ({ path, key: `${game.name}.page.${path.slice(1)}` })))
            .map(({ path, key }) => (
              <div class="panel programs" key={path}>
                <Icon name="cards" />
                <div>
                  <h3>{lookUp(key, path)}</h3>
                  <p>{lookUp(`${key}.more`, "")}</p>
                  <a class="button" href={path} data-testid={`tool-${path.slice(1)}`}>
                    {lookUp(`${key}.open`, path)}
                  </a>
                </div>
              </div>
            ))}
        </section>
        <section aria-labelledby="matches-title">
          <Tournaments games={games} />
          <header class="lobby-head">
            <h2 id="matches-title">{t("lobby.matches")}</h2>
            <a class="button small" href={`/players/${games[0]?.name ?? ""}`} data-testid="best-players">
              {t("lobby.best")}
            </a>
          </header>
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
      {opening.value !== null && offered && (
        <NewTable games={games} first={opening.value} onClose={() => (opening.value = null)} />
      )}
    </>
  );
}
