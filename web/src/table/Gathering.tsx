/** Before the first deal: players present, players missing, the rules, and how to invite others. */

import { presetsOf, protocolPath } from "../games/registry";
import { changed, presetOf, spell } from "../lobby/options";
import { socketAddress } from "../net/api";
import { gameInfo } from "../net/games";
import { tournamentOf } from "../net/identity";
import type { TableClient } from "../net/table";
import type { SeatInfo, TableFrame } from "../net/protocol";
import { Icon } from "../shell/icons";
import { Copyable } from "../shell/widgets";
import { list, lookUp, t } from "../texts";
import { Countdown } from "./Clock";
import { refusalWords } from "./refusals";
import { Avatar, botName, nameOf, SeatBadges } from "./Seat";
import { TalkPanel } from "./Side";

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

/** Return the names of the people who have not answered whether they want another match. */
function undecided(seats: SeatInfo[]): string[] {
  return seats.filter((info) => info.person && info.name && !info.ready).map((info) => nameOf(seats, info.seat));
}

/** The addresses for programs. */
export function Addresses(props: { game: string; table: string }) {
  const game = gameInfo(props.game);
  const path = game && protocolPath(game, props.table);
  return (
    <>
      {path && <Copyable label={lookUp(`${props.game}.connect`, path)} text={socketAddress(path)} />}
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

/** The rules of a table: a preset, or the options that differ from the usual ones. */
function ChosenRules(props: { table: TableFrame }) {
  const { table } = props;
  const game = gameInfo(table.game);
  if (!game) return null;
  const presets = presetsOf(game);
  const key = presetOf(presets, game.options, table.options, table.seats.length);
  const preset = presets.find((one) => one.key === key);
  const own = preset ? [] : Object.entries(changed(game.options.filter((option) => !option.technical), table.options));
  return (
    <section class="panel" data-testid="chosen-rules">
      <h2>{t("table.rules")}</h2>
      <p>
        <strong>{preset ? preset.title : t("new.preset.custom")}</strong>
        {preset?.words && `: ${preset.words}`}
      </p>
      {own.length > 0 && (
        <ul>
          {own.map(([name, value]) => (
            <li key={name}>
              {lookUp(`${game.name}.option.${name}`, name.replaceAll("_", " "))}:{" "}
              {typeof value === "boolean"
                ? t(value ? "table.rules.yes" : "table.rules.no")
                : lookUp(`${game.name}.choice.${spell(value)}`, spell(value))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SeatLine(props: {
  info: SeatInfo;
  you: number | null;
  onSit: (() => void) | null;
  onBot: (() => void) | null;
}) {
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
              ? t(info.kind === "person" ? "table.empty" : "new.program")
              : t(info.person ? "table.person" : "table.program")}
        </span>
      </span>
      {!free && <SeatBadges info={info} you={info.seat === you} />}
      {free && props.onSit && (
        <button type="button" onClick={props.onSit} data-testid={`sit-${info.seat}`}>
          {t("table.sitHere")}
        </button>
      )}
      {free && props.onBot && (
        <button type="button" class="small" onClick={props.onBot} data-testid={`bot-${info.seat}`}>
          <Icon name="bot" />
          {t("table.botHere")}
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
              onBot={you !== null && !tournamentOf(table.id) ? () => void client.fill(info.seat) : null}
            />
          ))}
        </ul>
        <p role="status">{who && t("table.missing", { list: who })}</p>
        <Countdown
          clock={client.answers.value}
          words={(n) => t("table.wishes.wait", { names: list(undecided(table.seats)), n })}
        />
        <Countdown clock={client.bots.value} words={(n) => t("table.bots", { n })} />
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
          <Copyable
            label={t("table.invite")}
            text={`${location.origin}/table/${encodeURIComponent(table.id)}`}
            shared
          />
          {kinds.has("open") && (
            <>
              <h2>{t("table.connect")}</h2>
              <Addresses game={table.game} table={table.id} />
            </>
          )}
        </section>
      )}
      <ChosenRules table={table} />
      <TalkPanel client={client} may={you !== null} />
    </div>
  );
}
