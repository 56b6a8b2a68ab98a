/** A tournament: its start, its players, the user's table, the standings. Updated live. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { points } from "../games/registry";
import { gameInfo } from "../net/games";
import { Emblem } from "../lobby/emblems";
import { seatsOfMine } from "../net/account";
import { api, ApiError, socketAddress } from "../net/api";
import {
  entryName,
  forgetEntry,
  forgetOwnCup,
  isOwnCup,
  keepSeat,
  keepTournamentOf,
  loggedIn,
  myName,
  myToken,
} from "../net/identity";
import { Link } from "../net/link";
import type { Tournament, TournamentBoard } from "../net/protocol";
import { Icon } from "../shell/icons";
import { useLoad } from "../shell/load";
import { useRequest } from "../shell/request";
import { go } from "../shell/router";
import { ConnectionBanner, Copyable, Failure, Loading, Nothing, useTitle } from "../shell/widgets";
import { botName } from "../table/Seat";
import { gameTitle, moment, score } from "../texts";
import { enterAs } from "./NewTournament";
import { refusal } from "./refusals";
import { say } from "./texts";
import { phaseWords } from "./Tournaments";
import "./tournament.css";

/** Return the time until *starts* as a clock; empty if it is more than a day. */
export function countdown(starts: string, now: number): string {
  const left = Math.max(0, Math.ceil((Date.parse(starts) - now) / 1000));
  if (left >= 86_400) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(left / 3600);
  const rest = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

function Starts(props: { starts: string }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = countdown(props.starts, now.value);
  return <p role="timer">{left ? say("startsIn", { time: left }) : say("starts", { when: moment(props.starts) })}</p>;
}

/** The table of the current round where *name* has a seat in an unfinished match. */
export function boardOf(told: Tournament, name: string | null): TournamentBoard | undefined {
  return told.tables.at(-1)?.find((board) => !board.ended && name !== null && board.players.includes(name));
}

/** The user's name in a tournament: the name entered in this browser, or the name of the account. */
export function enteredAs(told: Tournament): string | null {
  return entryName(told.id) ?? (loggedIn.value ? myName.value : null);
}

/** Go to the seat of *name* at a table of a tournament. */
export function sitAt(told: Tournament, board: TournamentBoard, name: string): void {
  keepSeat(board.table, { seat: board.players.indexOf(name), name });
  keepTournamentOf(board.table, told.id);
  go(`/table/${encodeURIComponent(board.table)}`);
}

/** For the organiser: cancel the tournament, after a confirmation. */
function Cancel(props: { id: string }) {
  const { busy, failure, attempt } = useRequest(refusal);
  const asking = useSignal(false);
  const cancel = () =>
    attempt(async () => {
      await api.cancel(props.id, myToken.peek());
      forgetOwnCup(props.id);
    });
  if (!asking.value)
    return (
      <button type="button" class="on-felt" data-testid="cancel" onClick={() => (asking.value = true)}>
        {say("cancel")}
      </button>
    );
  return (
    <div class="cup-cancel" role="group" aria-label={say("cancel.ask")}>
      <p>{say("cancel.ask")}</p>
      <button type="button" class="on-felt" data-testid="cancel-now" disabled={busy.value} onClick={cancel}>
        {say("cancel")}
      </button>
      <button type="button" class="on-felt" autofocus onClick={() => (asking.value = false)}>
        {say("cancel.keep")}
      </button>
      <p class="refusal" role="alert">
        {failure.value}
      </p>
    </div>
  );
}

function Mine(props: { told: Tournament }) {
  const { told } = props;
  const { busy, failure, attempt } = useRequest(refusal);
  const name = enteredAs(told);
  const entered = name !== null && told.players.includes(name);
  const board = boardOf(told, name);
  const change = async (work: () => Promise<unknown>) => {
    if (!(await attempt(work))) void seatsOfMine().catch(() => undefined); // detects that the session has ended
  };
  const enter = () => change(() => enterAs(told.id, myName.peek()));
  const withdraw = () =>
    change(async () => {
      await api.withdraw(told.id, name ?? "", myToken.peek());
      forgetEntry(told.id);
    });
  const sit = () => board && name !== null && sitAt(told, board, name);
  return (
    <section class="cup-mine" aria-live="polite">
      {told.phase === "open" && <Starts starts={told.starts} />}
      {entered && name && <p>{say("entered", { name })}</p>}
      {told.phase === "open" &&
        (entered ? (
          <button type="button" class="on-felt" data-testid="withdraw" disabled={busy.value} onClick={withdraw}>
            {say("withdraw")}
          </button>
        ) : (
          <button type="button" class="primary large" data-testid="enter" disabled={busy.value} onClick={enter}>
            {say("enter")}
          </button>
        ))}
      {told.phase === "open" && isOwnCup(told.id) && <Cancel id={told.id} />}
      {board && (
        <>
          <h2>{say("ready")}</h2>
          <p>{say("ready.more", { n: told.round, s: told.patience })}</p>
          <button type="button" class="primary large" data-testid="to-my-table" onClick={sit}>
            <Icon name="play" />
            {say("go")}
          </button>
        </>
      )}
      {told.phase === "running" && entered && !board && (
        <p>{say(told.tables.at(-1)?.some((one) => one.players.includes(name)) ? "wait" : "out")}</p>
      )}
      <p class="refusal" role="alert">
        {failure.value}
      </p>
    </section>
  );
}

function Standings(props: { told: Tournament }) {
  const { standings, game, format, id } = props.told;
  const mine = enteredAs(props.told);
  if (!standings.length) return <p class="empty">{say("nobody")}</p>;
  return (
    <div class="cup-scroll">
      <table class="cup-table" data-testid="standings">
        <thead>
          <tr>
            <th scope="col">{say("place")}</th>
            <th scope="col">{say("player")}</th>
            <th scope="col">{say("points")}</th>
            <th scope="col">{say("result")}</th>
            <th scope="col">{say("matches")}</th>
          </tr>
        </thead>
        <tbody>
          {standings.map((line) => (
            <tr key={line.name} class={line.name === mine ? "mine" : ""}>
              <td>{line.place}</td>
              <th scope="row">
                <Name {...line} />
              </th>
              <td>{score(line.points)}</td>
              <td>{score(points(game, line.score))}</td>
              <td>{line.matches}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="faint">
        {format === "knockout" && `${say("order.knockout")} `}
        {say("order")} {say(gameInfo(game)?.penalties ? "order.fewest" : "order.most")}
      </p>
      <p>
        {say("results")}{" "}
        <a href={`/api/tournaments/${id}/results.csv`} data-testid="results-csv">
          CSV
        </a>{" "}
        <a href={`/api/tournaments/${id}`}>{"JSON"}</a>
      </p>
    </div>
  );
}

/** The name of a player, with a link to the profile of an account. */
function Name(props: { name: string; bot: boolean; profile: string | null }) {
  const { profile } = props;
  return (
    <>
      {profile ? (
        <a dir="auto" href={`/player/${encodeURIComponent(profile)}`}>
          {props.name}
        </a>
      ) : (
        <span dir="auto">{props.name}</span>
      )}
      {props.bot && <small class="faint"> {say("bot")}</small>}
    </>
  );
}

function Board(props: { board: TournamentBoard; game: string }) {
  const { board } = props;
  return (
    <li class="cup-board" data-testid="tournament-board">
      <ul>
        {board.players.map((name, seat) => (
          <li key={seat} class={board.places[seat] === 1 ? "best" : ""}>
            <span>
              <Name name={name} bot={board.bots[seat] ?? false} profile={board.profiles[seat] ?? null} />
            </span>
            {board.scores.length > 0 && <strong>{score(points(props.game, board.scores[seat] ?? 0))}</strong>}
          </li>
        ))}
      </ul>
      {board.match ? (
        <a class="button quiet small" href={`/replay/${encodeURIComponent(board.match)}`}>
          <Icon name="play" />
          {say("replay")}
        </a>
      ) : board.ended ? (
        <span class="faint">{say("brokenOff")}</span>
      ) : (
        <a class="button quiet small" href={`/t/${encodeURIComponent(board.table)}/watch`}>
          <Icon name="eye" />
          {say("watch")}
        </a>
      )}
    </li>
  );
}

function Programs(props: { told: Tournament }) {
  const address = `${location.origin}/api/tournaments/${props.told.id}`;
  const body = `'{"name": "my bot", "token": "my secret", "person": false}'`;
  return (
    <details class="panel">
      <summary>{say("programs")}</summary>
      <p>{say("programs.more")}</p>
      <Copyable label={say("call")} text={`curl -H 'Content-Type: application/json' -d ${body} ${address}/entry`} />
      <Copyable label={say("live")} text={socketAddress(`/api/tournaments/${props.told.id}/live`)} />
    </details>
  );
}

export function TournamentPage(props: { id: string }) {
  const path = `/api/tournaments/${encodeURIComponent(props.id)}/live`;
  const { value: first, failure, again } = useLoad(() => api.tournament(props.id), [props.id]);
  const newest = useSignal<Tournament | null>(null);
  const link = useMemo(
    () => new Link({ address: socketAddress(path), onFrame: (frame) => (newest.value = frame as Tournament) }),
    [path],
  );
  useEffect(() => () => link.close(), [link]);
  const told = newest.value ?? first;
  useTitle(told?.name ?? say("title"));
  if (failure instanceof ApiError && failure.key === "no_such_tournament") {
    return <Nothing title={say("unknown")} words={say("unknown.more")} />;
  }
  if (!told) return failure ? <Failure error={failure} onRetry={again} /> : <Loading />;
  const bot = botName(told.fill);
  return (
    <>
      <ConnectionBanner link={link} />
      <section class="hero cup-hero">
        <Emblem game={told.game} />
        <div class="hero-text">
          <h1 dir="auto">{told.name}</h1>
          <p>
            {gameTitle(told.game, told.game)} · <span data-testid="tournament-phase">{phaseWords(told)}</span>
          </p>
          <p>
            {told.format === "knockout"
              ? say("about.knockout", { bot })
              : say("about", { format: say(told.format), n: told.rounds, bot })}
          </p>
        </div>
        <Mine told={told} />
      </section>
      <div class="lobby-columns">
        <section aria-labelledby="standings-title">
          <h2 id="standings-title">{say("standings")}</h2>
          <Standings told={told} />
          <Programs told={told} />
        </section>
        <div class="cup-rounds">
          {told.tables
            .map((boards, at) => (
              <section key={at} aria-label={say("round", { n: at + 1 })}>
                <h2>{say("round", { n: at + 1 })}</h2>
                <ul class="rows">
                  {boards.map((board) => (
                    <Board key={board.table} board={board} game={told.game} />
                  ))}
                </ul>
              </section>
            ))
            .reverse()}
        </div>
      </div>
    </>
  );
}
