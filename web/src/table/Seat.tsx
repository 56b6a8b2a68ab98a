/** A player at the table: name, connection, and the area in front of the seat. */

import type { ComponentChildren } from "preact";
import type { SeatInfo } from "../net/protocol";
import type { Clock } from "../net/table";
import { Icon, type IconName } from "../shell/icons";
import { inSentence, lookUp, t } from "../texts";
import { ClockRing } from "./Clock";
import { Face } from "./Face";
import type { Side } from "./places";

/** Return the name of the player in *seat* for use in a sentence. */
export function nameOf(seats: Pick<SeatInfo, "name">[], seat: number): string {
  return inSentence(seats[seat]?.name || t("table.seatNumber", { n: seat + 1 }));
}

/** Return how a list or table calls the player in *seat*: "You", or the name. */
export function called(scene: { seats: Pick<SeatInfo, "name">[]; you: number | null }, seat: number): string {
  return seat === scene.you ? t("sheet.you") : nameOf(scene.seats, seat);
}

/** Return the name of a bot's strength. */
export function botName(strength: string | null): string {
  return lookUp(`bot.${strength ?? ""}`, strength ?? "");
}

const STRENGTHS = ["random", "novice", "heuristic", "club", "expert", "master"];

/** The strength of a bot: one to six bars. */
function Strength(props: { bot: string | null }) {
  const words = t("new.bot", { bot: botName(props.bot) });
  const bars = STRENGTHS.indexOf(props.bot ?? "") + 1;
  return (
    <span class="strength" role="img" aria-label={words} title={words}>
      {STRENGTHS.map((one, at) => (
        <i key={one} class={at < bars ? "on" : ""} />
      ))}
    </span>
  );
}

function badges(info: SeatInfo): { key: string; text: string; warns: boolean }[] {
  const list = [];
  if (info.kind !== "bot" && info.name && !info.connected) list.push({ key: "away", text: t("table.away"), warns: true });
  if (info.next) {
    list.push({ key: "next", text: t("table.next", { name: inSentence(info.next) }), warns: false });
  }
  if (info.late) list.push({ key: "late", text: t("table.late"), warns: true });
  return list;
}

export function SeatBadges(props: { info: SeatInfo; you: boolean }) {
  return (
    <span class="badges">
      {props.you && <span class="badge mine">{t("table.you")}</span>}
      {props.info.kind === "bot" && <Strength bot={props.info.bot} />}
      {badges(props.info).map((badge) => (
        <span key={badge.key} class={`badge ${badge.warns ? "warns" : ""}`}>
          {badge.text}
        </span>
      ))}
    </span>
  );
}

export function Avatar(props: { info: SeatInfo; clock?: Clock | null }) {
  const { info } = props;
  const letter = [...info.name.trim()][0]?.toLocaleUpperCase();
  return (
    <span class={`avatar hue-${info.seat % 5}`} aria-hidden="true">
      {info.kind === "bot" ? <Face name={info.name} /> : (letter ?? <Icon name="plus" />)}
      <ClockRing clock={props.clock ?? null} />
    </span>
  );
}

/** A counter in front of a seat; *words* is its full text. */
export function CountChip(props: { icon: IconName; n: number | string; words: string }) {
  return (
    <span class={`chip chip-${props.icon}`} title={props.words}>
      <Icon name={props.icon} />
      <span aria-hidden="true">{props.n}</span>
      <span class="sr-only">{props.words}</span>
    </span>
  );
}

export function Seat(props: {
  info: SeatInfo;
  side: Side;
  you: boolean;
  acting: boolean;
  clock: Clock | null;
  /** The number of cards to show as backs; null for none. */
  backs: number | null;
  children?: ComponentChildren;
}) {
  const { info } = props;
  const place = `seat-${info.seat}`;
  const name = info.name || t("table.empty");
  return (
    <section
      class={`seat seat-${props.side} ${props.acting ? "acting" : ""}`}
      data-testid={place}
      data-place={props.backs === null ? place : undefined}
      data-acting={props.acting}
      aria-label={name}
    >
      <Avatar info={info} clock={props.acting ? props.clock : null} />
      <div class="seat-text">
        <div class="seat-line">
          <h2 class="seat-name" title={name} dir="auto">
            {name}
          </h2>
          <SeatBadges info={info} you={props.you} />
        </div>
        {props.acting && <span class="sr-only">{t("table.thinks", { name: inSentence(name) })}</span>}
        <div class="seat-note">{props.children}</div>
      </div>
      {props.backs !== null && (
        <span class="backs" data-place={place} aria-hidden="true" style={{ "--n": props.backs }}>
          {Array.from({ length: props.backs }, (_, at) => (
            <i key={at} style={{ "--off": at - (props.backs ?? 0) / 2 + 0.5 }} />
          ))}
        </span>
      )}
    </section>
  );
}
