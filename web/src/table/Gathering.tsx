/** Before the first deal: players present, players missing, and how to invite them. */

import { GAMES } from "../games/registry";
import { socketAddress } from "../net/api";
import type { TableClient } from "../net/table";
import type { SeatInfo, TableFrame } from "../net/protocol";
import { Icon } from "../shell/icons";
import { Copyable } from "../shell/widgets";
import { list, t } from "../texts";
import { refusalWords } from "./refusals";
import { Avatar, botName, SeatBadges } from "./Seat";

/** Return the missing players as a text; empty if all are present. */
export function missing(seats: SeatInfo[]): string {
  return list(
    seats
      .filter((info) => !info.name)
      .map((info) =>
        t(info.kind === "person" ? "table.missing.person" : "table.missing.program", { n: info.seat + 1 }),
      ),
  );
}

/** The addresses for programs. */
export function Addresses(props: { game: string; table: string }) {
  const own = GAMES[props.game]?.protocols(props.table) ?? [];
  return (
    <>
      {own.map((protocol) => (
        <Copyable key={protocol.path} label={protocol.title} text={socketAddress(protocol.path)} />
      ))}
      <Copyable
        label={t("table.connect.house")}
        text={socketAddress(`/house/${encodeURIComponent(props.table)}`)}
      />
      <a
        class="button connect-more"
        data-testid="connect"
        href={`/connect/${props.game}?table=${encodeURIComponent(props.table)}`}
      >
        <Icon name="plug" />
        {t("table.connect.more")}
      </a>
    </>
  );
}

function SeatLine(props: { info: SeatInfo; you: number | null; onSit: (() => void) | null }) {
  const { info, you } = props;
  const free = !info.name;
  return (
    <li data-testid={`seat-${info.seat}`}>
      <Avatar info={info} />
      <span class="seat-line-text">
        <strong dir="auto">{info.name || t("table.seatNumber", { n: info.seat + 1 })}</strong>
        <span class="faint">
          {info.kind === "bot"
            ? botName(info.bot)
            : free
              ? t(info.kind === "person" ? "new.person" : "new.program")
              : t(info.person ? "table.person" : "table.program")}
        </span>
      </span>
      {!free && <SeatBadges info={info} you={info.seat === you} />}
      {free && props.onSit && (
        <button type="button" onClick={props.onSit} data-testid={`sit-${info.seat}`}>
          {t("table.sitHere")}
        </button>
      )}
    </li>
  );
}

export function Gathering(props: { client: TableClient; table: TableFrame }) {
  const { client, table } = props;
  const you = client.seat.value;
  const who = missing(table.seats);
  const kinds = new Set(table.seats.filter((info) => !info.name).map((info) => info.kind));
  return (
    <div class="gathering">
      <section class="panel">
        <h2>{t("table.seats")}</h2>
        <p>{t(table.started ? "table.gathering" : "table.gathering.start")}</p>
        <ul class="seat-lines">
          {table.seats.map((info) => (
            <SeatLine
              key={info.seat}
              info={info}
              you={you}
              onSit={you === null && client.maySit ? () => void client.sit(info.seat) : null}
            />
          ))}
        </ul>
        <p role="status">{who && t("table.missing", { list: who })}</p>
        {table.fixed_deal && <p data-testid="fixed-deal">{t("table.fixed")}</p>}
        {table.watch_open && <p data-testid="watch-open">{t("table.watchOpen")}</p>}
        {you === null && table.watch_delay > 0 && (
          <p class="faint" data-testid="watch-delay">
            {t("table.watching")}, {t("table.watching.later", { n: table.watch_delay })}
          </p>
        )}
        <p class="refusal" role="alert">
          {refusalWords(client.refusal.value)}
        </p>
        {you !== null && !who && !table.started && (
          <button type="button" class="primary" data-testid="start-game" onClick={() => void client.start()}>
            <Icon name="play" />
            {t("table.start")}
          </button>
        )}
      </section>
      {kinds.size > 0 && (
        <section class="panel">
          <h2>{t("table.invite")}</h2>
          <p>{t("table.invite.more")}</p>
          <Copyable label={t("table.invite")} text={`${location.origin}/table/${encodeURIComponent(table.id)}`} />
          {kinds.has("open") && (
            <>
              <h2>{t("table.connect")}</h2>
              <Addresses game={table.game} table={table.id} />
            </>
          )}
        </section>
      )}
    </div>
  );
}
