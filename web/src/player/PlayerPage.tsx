/** The public profile of an account: games, places, rating, results. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Emblem } from "../lobby/emblems";
import { MatchPlayers } from "../lobby/MatchPlayers";
import { api, ApiError } from "../net/api";
import { known } from "../net/games";
import { loggedIn, myName } from "../net/identity";
import type { GameRecord, PlayedMatch, PlayerInfo } from "../net/protocol";
import { Icon } from "../shell/icons";
import { useLoad } from "../shell/load";
import { note } from "../shell/router";
import { Failure, Loading, Nothing, useTitle } from "../shell/widgets";
import { gameTitle, inSentence, list, moment } from "../texts";
import { day, ratedOf, ratingText } from "./figures";
import "./player.css";
import { RatingPlot } from "./RatingPlot";
import { say } from "./texts";

const PAGE = 100;
const SHOWN = 10;
const ROUNDS = 5;

function GameCard(props: { record: GameRecord; chosen: boolean; choose: () => void }) {
  const { record } = props;
  return (
    <button
      type="button"
      class={`player-game ${props.chosen ? "chosen" : ""}`}
      aria-pressed={props.chosen}
      data-testid={`game-${record.game}`}
      onClick={props.choose}
    >
      <Emblem game={record.game} />
      <span class="player-game-words">
        <strong>{gameTitle(record.game, record.title)}</strong>
        {record.matches > 0 && (
          <span>
            {say("matches", { n: record.matches })} · {say("won", { n: record.won })}
          </span>
        )}
        {record.broken_off > 0 && <span>{say("brokenOff", { n: record.broken_off })}</span>}
        <span class="player-game-rating">{record.rating ? ratingText(record.rating) : say("noRating")}</span>
      </span>
    </button>
  );
}

function Places(props: { record: GameRecord }) {
  const { places } = props.record;
  const most = Math.max(...places, 1);
  return (
    <ol class="player-places">
      {places.map((count, at) => (
        <li key={at}>
          <span>{say("place", { n: at + 1 })}</span>
          <span class="player-bar" aria-hidden="true">
            <span style={{ width: `${(100 * count) / most}%` }} />
          </span>
          <strong>{count}</strong>
        </li>
      ))}
    </ol>
  );
}

function Result(props: { one: PlayedMatch }) {
  const { one } = props;
  return (
    <li class="match-row" data-testid="result-row">
      <div class="row-title">
        <h3>{one.place === null ? say("off") : say("place", { n: one.place })}</h3>
        <span class="faint">{moment(one.ended)}</span>
        {one.rating && (
          <span class="faint">
            {say("rating")} {ratingText(one.rating)}
          </span>
        )}
      </div>
      <MatchPlayers
        game={one.game}
        names={one.players}
        profiles={one.profiles}
        scores={one.scores}
        stressed={(seat) => seat === one.seat}
      />
      {one.place !== null && (
        <div class="row-actions">
          <a
            class="button quiet"
            href={`/replay/${encodeURIComponent(one.match)}`}
            aria-label={`${say("replay")}: ${list(one.players.map(inSentence))}, ${moment(one.ended)}`}
          >
            <Icon name="play" />
            {say("replay")}
          </a>
        </div>
      )}
    </li>
  );
}

/** The rating and results in one game; older results are loaded on demand. */
function Game(props: { name: string; record: GameRecord; round: number }) {
  const { name, record } = props;
  const load = () => api.player(name, PAGE, record.game);
  const { value: first, failure, again } = useLoad(load, [name, record.game, props.round]);
  const older = useSignal<PlayerInfo[]>([]);
  const shown = useSignal(SHOWN);
  const busy = useSignal(false);
  const trouble = useSignal<Error | null>(null);
  if (!first) return failure ? <Failure error={failure} onRetry={again} /> : <Loading />;
  const pages = [first, ...older.value];
  const results = pages.flatMap((page) => page.results);
  const more = pages.at(-1)?.more ?? false;
  const points = ratedOf(results);
  const showMore = async () => {
    shown.value += 2 * SHOWN;
    if (!more || shown.value <= results.length) return;
    busy.value = true;
    try {
      older.value = [...older.peek(), await api.player(name, PAGE, record.game, results.at(-1)?.match)];
      trouble.value = null;
    } catch (error) {
      trouble.value = error instanceof Error ? error : new Error(String(error));
    }
    busy.value = false;
  };
  return (
    <>
      <div class="player-figures">
        <section class="panel" aria-labelledby="rating-title">
          <h2 id="rating-title">{say("rating")}</h2>
          {points.length ? <RatingPlot points={points} /> : <p class="empty">{say("rating.none")}</p>}
        </section>
        {record.places.length > 0 && (
          <section class="panel" aria-labelledby="places-title">
            <h2 id="places-title">{say("places")}</h2>
            <Places record={record} />
          </section>
        )}
      </div>
      <section class="player-results" aria-labelledby="results-title">
        <h2 id="results-title">{say("results")}</h2>
        <ul class="rows">
          {results.slice(0, shown.value).map((one) => (
            <Result key={one.match} one={one} />
          ))}
        </ul>
        {trouble.value && <Failure error={trouble.value} onRetry={() => void showMore()} />}
        {(more || shown.value < results.length) && (
          <button type="button" data-testid="more-results" disabled={busy.value} onClick={() => void showMore()}>
            {say("more")}
          </button>
        )}
      </section>
    </>
  );
}

/** Reload while the last match has no rating; it is computed shortly after the match, if at all. */
function useWaiting(told: PlayerInfo | null, rounds: Signal<number>): void {
  const last = told?.results[0];
  const waits = last !== undefined && last.place !== null && last.rating === null;
  useEffect(() => {
    if (!waits || rounds.value >= ROUNDS) return;
    const timer = setTimeout(() => (rounds.value += 1), 1000 * (rounds.value + 1));
    return () => clearTimeout(timer);
  }, [waits, rounds.value]);
}

export function PlayerPage(props: { name: string; game?: string | undefined }) {
  const rounds = useSignal(0);
  const { value: told, failure, again } = useLoad(() => api.player(props.name, 1), [props.name, rounds.value]);
  useWaiting(told, rounds);
  const wanted = useSignal(props.game);
  const name = told?.name ?? props.name;
  useTitle(say("title", { name }));
  if (!told) {
    if (failure instanceof ApiError && failure.status === 404) {
      return <Nothing title={say("nobody")} words={say("nobody.more", { name: inSentence(props.name) })} />;
    }
    return failure ? <Failure error={failure} onRetry={again} /> : <Loading />;
  }
  const last = told.results[0]?.game;
  const record =
    told.games.find((one) => one.game === wanted.value) ??
    told.games.find((one) => one.game === last) ??
    told.games[0];
  const choose = (game: string) => {
    wanted.value = game;
    note(`/player/${encodeURIComponent(name)}?game=${game}`);
  };
  return (
    <>
      <header class="player-head">
        <h1 dir="auto" data-testid="player-name">
          {name} {loggedIn.value && name === myName.value && <small class="badge">{say("you")}</small>}
        </h1>
        <p class="faint">{say("since", { date: day(told.created) })}</p>
        <a class="button" href={`/players/${record?.game ?? Object.keys(known.value)[0] ?? ""}`} data-testid="to-ranking">
          {say("best")}
        </a>
      </header>
      {record ? (
        <>
          <section aria-label={say("games")} class="player-games">
            {told.games.map((one) => (
              <GameCard key={one.game} record={one} chosen={one === record} choose={() => choose(one.game)} />
            ))}
          </section>
          <Game key={record.game} name={name} record={record} round={rounds.value} />
        </>
      ) : (
        <div class="empty">
          <p>{say("none")}</p>
          <p>
            <a class="button primary" href="/">
              {say("play")}
            </a>
          </p>
        </div>
      )}
    </>
  );
}
