/** A live table, for players and watchers. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type GamePage, openViews, type Scene } from "../games/page";
import { loadPage } from "../games/registry";
import { nickOf } from "../account/nick";
import { knows } from "../guide/known";
import { quickMatch } from "../lobby/quickMatch";
import { seatFor } from "../lobby/seats";
import { api } from "../net/api";
import { myName, tournamentOf } from "../net/identity";
import { invited, TableClient, type JoinOptions } from "../net/table";
import type { TableFrame, View } from "../net/protocol";
import { Hint } from "../review/Hint";
import { RulesButton } from "../rules/RulesButton";
import { Icon } from "../shell/icons";
import { lazily } from "../shell/lazily";
import { useLoad } from "../shell/load";
import { go, note } from "../shell/router";
import { chooseSound, wantsSound } from "../shell/settings";
import { ConnectionBanner, Failure, Loading, Nothing, useTitle } from "../shell/widgets";
import { asSentence, gameTitle, t } from "../texts";
import { Explain } from "./Explain";
import { Fairness } from "./Fairness";
import { Felt, Plate } from "./Felt";
import { Gathering } from "./Gathering";
import { useHearing } from "./hearing";
import { useMotion } from "./motion";
import { useTurnIcon, useTurnNotice } from "./turn";
import { bareRefusal, farewellWords, refusalWords } from "./refusals";
import { Result } from "./Result";
import "./live.css";
import { LogPanel } from "./Log";
import { SheetPanel, SideButton, SideSheet, TalkPanel } from "./Side";

const Guide = lazily(() => import("../guide/Guide").then((module) => module.Guide), true);

/** The events that put the first cards or dice on a table. */
const STARTS = ["dealt", "rolled"];

/** Switches the sounds of the table on and off. */
function SoundButton() {
  const on = wantsSound.value;
  return (
    <button
      type="button"
      class="quiet sound-button"
      data-testid="sound-button"
      aria-pressed={on}
      aria-label={t("settings.sound")}
      title={t("settings.sound")}
      onClick={() => chooseSound(!on)}
    >
      <Icon name={on ? "sound" : "mute"} />
    </button>
  );
}

export interface OpenTable {
  client: TableClient;
  page: GamePage | null;
  failure: Error | null;
}

/** Hold a connection to table *id* while the page is shown. */
export function useTable(id: string, joinOptions: JoinOptions = {}): OpenTable {
  const client = useMemo(() => new TableClient(id, joinOptions), [id]);
  useEffect(() => () => client.close(), [client]);
  const game = client.table.value?.game;
  const { value: page, failure } = useLoad(async () => (game ? loadPage(game) : null), [game]);
  return { client, page, failure };
}

/** Return the view with the answer that has been sent and not yet confirmed. */
export function foreseen(client: TableClient, page: GamePage, view: View): View {
  return client.sent.value?.reduce(page.foresee, view) ?? view;
}

export function sceneOf(client: TableClient, page: GamePage, table: TableFrame, told: View): Scene {
  const you = client.seat.value;
  const view = foreseen(client, page, told);
  return {
    view,
    seats: table.seats,
    you,
    bottom: you ?? 0,
    // Shown as answered; a refusal brings the question back.
    question: view === told ? client.question.value : null,
    pending: client.pending.value,
    refusal: ("Board" in page ? bareRefusal : refusalWords)(client.refusal.value, table.game),
    act: (actions) => void client.act(actions),
    why: (actions) => void client.why(actions),
    open: view.open ? openViews(view.open) : null,
  };
}

/** Return whether the table does not exist: a failed WebSocket connection does not say why. */
function useUnlisted(client: TableClient): boolean {
  const unlisted = useSignal(false);
  const tries = client.link.attempts.value;
  useEffect(() => {
    if (!tries) unlisted.value = false;
    else {
      void api
        .exists(client.id)
        .then((open) => (unlisted.value = !open))
        .catch(() => undefined);
    }
  }, [tries, client]);
  return unlisted.value;
}

function Leave(props: { client: TableClient }) {
  const asking = useSignal(false);
  if (!asking.value) {
    return (
      <button type="button" class="quiet" onClick={() => (asking.value = true)}>
        <Icon name="door" />
        <span class="words">{t("table.leave")}</span>
      </button>
    );
  }
  const leave = async () => {
    await props.client.leave();
    if (props.client.seat.peek() === null) go("/");
  };
  return (
    <span class="sure" role="group" aria-label={t("table.leave")}>
      <span>{t("table.leave.sure")}</span>
      <button type="button" onClick={leave}>
        {t("table.leave.yes")}
      </button>
      <button type="button" class="quiet" onClick={() => (asking.value = false)}>
        {t("table.leave.no")}
      </button>
    </span>
  );
}

/** Return whether anyone else is seated. */
function hasCompany(scene: Scene): boolean {
  return scene.you !== null && scene.seats.some((info) => info.seat !== scene.you && info.kind !== "bot");
}

/** Return whether hints and taking back decisions are allowed: everyone else is a bot, and nothing is rated. */
function isPractice(table: TableFrame, you: number | null): boolean {
  const rated = table.seats.some((info) => info.account) && !table.fixed_deal;
  const alone = table.seats.every((info) => info.seat === you || info.kind === "bot");
  return you !== null && alone && !rated && !table.watch_delay && table.phase === "playing";
}

/** Return whether this player waits for a pause to end, and nobody else does. */
function mayContinue(scene: Scene): boolean {
  const { view, you, question, pending } = scene;
  return you !== null && !hasCompany(scene) && !question && !pending && view.to_act.length === 0;
}

/** The running game: table, hand, side. The game node's page uses it too. */
export function TableView(props: { client: TableClient; page: GamePage; table: TableFrame; view: View }) {
  const { client, page, table } = props;
  const scene = sceneOf(client, page, table, props.view);
  const { view } = scene;
  // Cards that were dealt before this page was loaded are not animated.
  const dealt = client.log.value.some((line) => line.key > client.recalled && STARTS.includes(line.event.kind));
  const root = useMotion(client.leaps.value, dealt, () => client.sent.value !== null);
  useHearing(client.log.value, scene.question?.turn ?? null);
  const ending = page.ending(view);
  const board = "Board" in page;
  const Hand = board ? null : page.Hand;
  const Open = board ? null : page.OpenHand;
  // A table for one match closes with it: keep showing its end.
  const closed = client.closed.value;
  const resting = closed || table.phase !== "playing";
  const full = table.seats.every((info) => info.name);
  // A player answers for themselves after a match; a game of a match, or of bots, begins with all seats taken.
  const answers = scene.you !== null && ending?.final;
  const canStart = answers || (full && (scene.you !== null || table.seats.every((info) => !info.person)));
  const next = !resting && client.connected.value && mayContinue(scene) && (
    <button type="button" class="on-felt small continue" data-testid="continue" onClick={() => void client.continue()}>
      <Icon name="forward" />
      {t("table.continue")}
    </button>
  );
  return (
    <div class={`table-layout live ${board ? "boarded" : ""}`}>
      <div class="table-main" ref={root} data-phase={String(view.phase)} data-question={scene.question?.turn}>
        <Felt
          page={page}
          scene={scene}
          clock={client.turn.value.clock}
          over={
            resting && ending ? (
              <Result
                ending={ending}
                scene={scene}
                page={page}
                sides={page.sides}
                table={table.id}
                match={table.match}
                answers={client.answers.value}
                late={client.held.value}
                onNext={canStart && !closed ? () => void client.again() : undefined}
              />
            ) : undefined
          }
        />
        {scene.you !== null ? (
          Hand && (
            <section class="own" aria-label={t("table.hand")}>
              <Plate page={page} scene={scene} clock={client.turn.value.clock} seat={scene.you} />
              <Hand scene={scene} />
              {next}
            </section>
          )
        ) : (
          <section class="own watching" aria-label={t("table.watching")}>
            {scene.open && Open && <Open scene={scene} seat={scene.bottom} large />}
            <p class="prompt-text">
              <Icon name="eye" />
              <span>{t("table.watching")}</span>
              {table.watch_delay > 0 && (
                <span class="badge" data-testid="watch-delay">
                  {t("table.watching.later", { n: table.watch_delay })}
                </span>
              )}
              <span role="status">{page.status(scene)}</span>
            </p>
            <Seatless client={client} table={table} />
          </section>
        )}
        {!Hand && next}
        {scene.you !== null && !hasCompany(scene) && !knows(table.game) && (
          <Guide game={table.game} phase={scene.question && String(view.phase)} />
        )}
      </div>
      <SideSheet>
        <SheetPanel page={page} scene={scene} />
        {page.Aside && <page.Aside scene={scene} />}
        <LogPanel page={page} scene={scene} log={client.log.value} />
        <TalkPanel client={client} may={hasCompany(scene)} />
        <Fairness commitments={client.commitments.value} seeded={table.seed !== null} />
      </SideSheet>
      <Explain />
    </div>
  );
}

/** For a watcher: the button to take a seat while one is free, or one of a bot at the next deal. */
function Seatless(props: { client: TableClient; table: TableFrame }) {
  const { client, table } = props;
  const seat = seatFor(table);
  if (table.seats.some((info) => info.next && nickOf(info.next) === nickOf(myName.value))) {
    return <p role="status" data-testid="promised">{t("table.next.you")}</p>;
  }
  return (
    <>
      {seat && client.maySit && (
        <button type="button" class="primary" data-testid="take-seat" onClick={() => void client.sit(null)}>
          {t(seat === "free" ? "lobby.sit" : "lobby.sit.next")}
        </button>
      )}
      <p class="refusal" role="alert">
        {refusalWords(client.refusal.value)}
      </p>
    </>
  );
}

/** Shows that the connection to a table is lost. */
export function TableBanner(props: { client: TableClient }) {
  const { client } = props;
  return (
    <ConnectionBanner
      link={client.link}
      farewell={farewellWords(client.farewell.value)}
      replaced={client.replaced.value}
      onTakeBack={() => client.playHere()}
    />
  );
}

/** The table is closed: shown over its last state. */
function ClosedBanner(props: { reason: string | null; expelled: boolean }) {
  const words = props.reason ?? "";
  const closed = props.reason ? t("table.closedBecause", { words }) : t("table.closed");
  return (
    <div class="banner" role="status" data-testid="closed-banner">
      <span>{props.expelled ? asSentence(words) : closed}</span>
      <a class="button" href="/">
        {t("app.toLobby")}
      </a>
    </div>
  );
}

/** Return whether the user has answered that they want another match, and waits for it. */
function waitsAgain(client: TableClient, table: TableFrame): boolean {
  const you = client.seat.value;
  return table.phase === "gathering" && you !== null && !client.held.value && !!table.seats[you]?.ready;
}

export function TablePage(props: { id: string } & Pick<JoinOptions, "sit" | "watch" | "invitation">) {
  const { invitation } = props;
  const { client, page, failure } = useTable(props.id, { sit: props.sit, watch: props.watch, invitation });
  const table = client.table.value;
  const view = client.view.value;
  const you = client.seat.value;
  const cup = tournamentOf(props.id);
  const title = table && gameTitle(table.game, table.title);
  const asked = client.question.value !== null && client.sent.value === null;
  const name = title ? `${title} · ${t("table.title", { id: props.id })}` : t("table.title", { id: props.id });
  useTitle(asked ? `${t("table.yourTurn")} · ${name}` : name);
  useTurnIcon(asked);
  useTurnNotice(asked, t("table.yourTurn"), name);

  // Once seated, the address contains only the table and the invitation, so that the link can be shared.
  useEffect(() => {
    if (you !== null && location.search) note(location.pathname + invited(invitation));
  }, [you]);

  // Someone else was faster: look for another table.
  const full = client.refusal.value?.key === "table_full" && table?.quick_match && props.sit !== undefined;
  useEffect(() => {
    if (full && table) void quickMatch(table.game, "replace").catch(() => undefined);
  }, [full]);

  const unlisted = useUnlisted(client);
  if (failure) return <Failure error={failure} onRetry={() => location.reload()} />;
  if (unlisted && !table) return <Nothing title={t("table.unknown")} words={t("table.unknown.more")} />;
  const closed = client.closed.value || table?.phase === "closed" || unlisted;
  const standing = page && view ? page.standing(view) : [];
  const played = table && page && view && (table.phase === "playing" || page.begun(view));
  const shown = played && !waitsAgain(client, table);
  const practice = table && !closed && !cup && isPractice(table, you);
  // The result of a match of a tournament leads to the next round.
  const decided = cup && page && view && page.ending(view)?.final;
  return (
    <>
      <header class="table-head">
        <h1>{title ?? t("table.title", { id: props.id })}</h1>
        <ul class="standing">
          {standing.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
        {cup && (
          <a class="button quiet" href={`/tournament/${encodeURIComponent(cup)}`} data-testid="to-tournament">
            <Icon name="back" />
            <span class="words">{t("table.tournament")}</span>
          </a>
        )}
        {shown && <SideButton />}
        {practice && (
          <button
            type="button"
            class="quiet undo-button"
            data-testid="undo"
            disabled={!client.connected.value}
            onClick={() => void client.undo()}
          >
            <Icon name="undo" />
            <span class="words">{t("table.undo")}</span>
          </button>
        )}
        {practice && page && view && (
          <Hint
            page={page}
            scene={sceneOf(client, page, table, view)}
            table={table.id}
            ready={asked && client.connected.value}
          />
        )}
        {you !== null && !closed && <SoundButton />}
        {table && <RulesButton look="quiet" game={table.game} title={title ?? ""} />}
        {you !== null && !closed && <Leave client={client} />}
      </header>
      {!closed ? (
        <TableBanner client={client} />
      ) : (
        !decided && <ClosedBanner reason={farewellWords(client.farewell.value)} expelled={client.expelled.value} />
      )}
      {!table || !page || !view ? (
        <Loading words={t("link.connecting")} />
      ) : shown ? (
        <TableView client={client} page={page} table={table} view={view} />
      ) : (
        <Gathering client={client} table={table} />
      )}
    </>
  );
}
