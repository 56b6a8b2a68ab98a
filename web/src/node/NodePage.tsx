/** The index page of a Hearts game node: choose the seats, start, play or watch. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { setWatchMode, watchMode } from "../net/identity";
import type { SeatInfo, TableFrame } from "../net/protocol";
import type { TableClient } from "../net/table";
import { Icon } from "../shell/icons";
import { Failure, Loading, useTitle } from "../shell/widgets";
import { Addresses, missing } from "../table/Gathering";
import { refusalWords } from "../table/refusals";
import { SeatBadges } from "../table/Seat";
import { TableBanner, TableView, useTable } from "../table/TablePage";
import { t } from "../texts";

/** In display order: the text key and the protocol value. */
const CHOICES = [
  { key: "node.dummy", value: "bot dummy" },
  { key: "bot.novice", value: "bot novice" },
  { key: "bot.club", value: "bot club" },
  { key: "bot.expert", value: "bot expert" },
  { key: "node.human", value: "person" },
  { key: "node.empty", value: "open" },
] as const;

export function choiceOf(info: SeatInfo): string {
  return info.kind === "bot" ? `bot ${info.bot ?? "dummy"}` : info.kind;
}

function SeatChoice(props: {
  info: SeatInfo;
  choice: string;
  locked: boolean;
  you: number | null;
  onChoose: (choice: string) => void;
  onTake: () => void;
}) {
  const { info, choice, you } = props;
  const mine = info.seat === you;
  return (
    <fieldset class="node-seat" data-testid={`node-seat-${info.seat}`} disabled={props.locked}>
      <legend>{t("node.seat", { n: info.seat + 1 })}</legend>
      {CHOICES.map((one) => (
        <label key={one.value} class={choice === one.value ? "chosen" : ""}>
          <input
            type="radio"
            name={`seat-${info.seat}`}
            value={one.value}
            checked={choice === one.value}
            onChange={() => props.onChoose(one.value)}
          />
          {t(one.key)}
        </label>
      ))}
      <p class="node-who">
        {info.name ? (
          <>
            <strong dir="auto">{info.name}</strong> <SeatBadges info={info} you={mine} />
          </>
        ) : (
          <span class="faint">{t("lobby.free")}</span>
        )}
      </p>
      {info.kind === "person" && !info.name && you === null && (
        <button type="button" onClick={props.onTake} data-testid={`sit-${info.seat}`}>
          {t("node.take")}
        </button>
      )}
    </fieldset>
  );
}

/** Return what is missing before the next game. */
export function statusOf(table: TableFrame, chosen: boolean, hidden: boolean): string {
  if (table.phase === "playing") return `${t("node.locked")} ${hidden ? t("node.lockedWatch") : ""}`.trim();
  if (chosen) return t("node.chosen");
  const who = missing(table.seats);
  const parts = [table.started && t("node.started"), who && t("table.missing", { list: who })];
  return parts.filter(Boolean).join(" ");
}

function Selection(props: { client: TableClient; table: TableFrame; compact: boolean }) {
  const { client, table } = props;
  const present = table.seats.map(choiceOf);
  const edited = useSignal<string[] | null>(null);
  const locked = table.phase === "playing";
  const you = client.seat.value;
  const choices = edited.value ?? present;
  const chosen = choices.some((choice, seat) => choice !== present[seat]);
  // One person per browser: if a seat for a person is free, this browser takes the first one.
  const free = table.seats.findIndex(
    (info, seat) => choices[seat] === "person" && (info.kind === "bot" || !info.name),
  );
  const seatForMe = you === null && free >= 0;

  useEffect(() => {
    if (locked) edited.value = null;
  }, [locked]);

  const start = async () => {
    if (chosen && !(await client.arrange(choices)).ok) return;
    edited.value = null;
    if (seatForMe && !(await client.sit(free)).ok) return;
    // A started table begins when it is full; changing the seats cancels the start.
    if (chosen || !table.started) await client.start();
  };

  return (
    <section class={`panel node-selection ${props.compact ? "compact" : ""}`} aria-labelledby="node-seats">
      <h2 id="node-seats">{t("table.seats")}</h2>
      <div class="node-seats">
        {table.seats.map((info) => (
          <SeatChoice
            key={info.seat}
            info={info}
            choice={choices[info.seat] ?? "open"}
            locked={locked}
            you={you}
            onChoose={(choice) => {
              edited.value = choices.map((old, seat) => (seat === info.seat ? choice : old));
            }}
            onTake={() => void client.sit(info.seat)}
          />
        ))}
      </div>
      <div class="node-foot">
        <label class="check">
          <input
            type="checkbox"
            checked={watchMode.value}
            data-testid="watch-mode"
            onChange={(event) => setWatchMode(event.currentTarget.checked)}
          />
          {t("node.watch")}
        </label>
        <button
          type="button"
          class="primary large"
          data-testid="start-game"
          disabled={locked || (table.started && !chosen && !seatForMe)}
          onClick={() => void start()}
        >
          <Icon name="play" />
          {t("node.start")}
        </button>
      </div>
      <p role="status" class="node-status" data-testid="node-status">
        {statusOf(table, chosen, you === null && !watchMode.value)}
      </p>
      <p class="refusal" role="alert">
        {refusalWords(client.refusal.value)}
      </p>
    </section>
  );
}

export function NodePage(props: { table: string }) {
  const { client, page, failure } = useTable(props.table, { openToo: false });
  useTitle(t("node.title"));
  const table = client.table.value;
  const view = client.view.value;
  if (failure) return <Failure error={failure} onRetry={() => location.reload()} />;
  const shown =
    table && page && view && page.begun(view) && (client.seat.value !== null || watchMode.value)
      ? { table, page, view }
      : null;
  const playing = table?.phase === "playing";
  return (
    <>
      <header class="table-head">
        <h1>{t("node.title")}</h1>
        <ul class="standing">
          {shown && shown.page.standing(shown.view).map((part) => <li key={part}>{part}</li>)}
        </ul>
      </header>
      <TableBanner client={client} />
      {!table && <Loading words={t("link.connecting")} />}
      {!shown && <p class="node-lead">{t("node.lead")}</p>}
      {table && !(shown && playing) && <Selection client={client} table={table} compact={shown !== null} />}
      {shown && <TableView client={client} page={shown.page} table={shown.table} view={shown.view} />}
      {table && shown && playing && <Selection client={client} table={table} compact />}
      {table && (
        <section class="panel node-addresses" aria-labelledby="node-programs">
          <h2 id="node-programs">{t("node.address")}</h2>
          <Addresses game={table.game} table={table.id} />
        </section>
      )}
    </>
  );
}
