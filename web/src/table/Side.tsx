/** Beside the table: scores, chat, the sheet of a small window. */

import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { GamePage, Scene } from "../games/page";
import type { SaidLine, TableClient } from "../net/table";
import { Icon } from "../shell/icons";
import { ChatLine, Muted, type Report } from "../moderation/Talk";
import { muted } from "../moderation/muted";
import { t } from "../texts";
import { ScoreSheet } from "./ScoreSheet";

/** In a small window the side is a sheet over the table: whether it is open. */
const opened = signal(false);

/** Opens the sheet; shown only in a small window. */
export function SideButton() {
  return (
    <button
      type="button"
      class="quiet side-button"
      data-testid="side-button"
      aria-expanded={opened.value}
      aria-controls="side"
      aria-label={t("table.side")}
      title={t("table.side")}
      onClick={() => (opened.value = !opened.value)}
    >
      <Icon name="list" />
    </button>
  );
}

/** The side of a table: a column, or a sheet in a small window. */
export function SideSheet(props: { children: ComponentChildren }) {
  const root = useRef<HTMLElement>(null);
  const close = () => (opened.value = false);
  // Immediately, not after the next frame, because Escape may follow the tap.
  useLayoutEffect(() => {
    if (!opened.value) return;
    const before = document.activeElement;
    const onKey = (key: KeyboardEvent) => key.key === "Escape" && close();
    root.current?.querySelector<HTMLElement>("button")?.focus();
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [opened.value]);
  useEffect(() => close, []);
  return (
    <>
      {opened.value && <div class="side-veil" onClick={close} />}
      <section
        class={`side ${opened.value ? "open" : ""}`}
        id="side"
        ref={root}
        aria-label={t("table.side")}
      >
        <button type="button" class="quiet side-close" onClick={close}>
          {t("app.close")}
          <Icon name="close" />
        </button>
        {props.children}
      </section>
    </>
  );
}

export function SheetPanel(props: { page: GamePage; scene: Scene }) {
  const rows = props.page.sheet(props.scene);
  if (!rows.length) return null;
  return (
    <section class="panel">
      <h2>{t("sheet.title")}</h2>
      <ScoreSheet seats={props.scene.seats} rows={rows} you={props.scene.you} sides={props.page.sides} />
    </section>
  );
}

/** The chat; *may* says whether this player may write. */
export function TalkPanel(props: { client: TableClient; may: boolean }) {
  const { client } = props;
  const text = useSignal("");
  const said = client.said.value;
  const you = client.seat.value;
  if (!props.may && !said.length) return null;
  const report: Report | null = you === null ? null : (seat, why) => client.report(seat, why);
  const isHidden = (line: SaidLine) => line.seat !== you && muted.value.includes(line.name);
  const send = async (submit: SubmitEvent) => {
    submit.preventDefault();
    const words = text.value.trim();
    if (words && (await client.say(words)).ok) text.value = "";
  };
  return (
    <section class="panel talk-panel">
      <h2>{t("table.talk")}</h2>
      {said.length > 0 && (
        <div class="log" role="log" aria-label={t("table.talk")} tabIndex={0}>
          <div>
            {said
              .filter((line) => !isHidden(line))
              .map((line) => (
                <ChatLine key={line.key} line={line} own={line.seat === you} report={report} />
              ))}
            <Muted names={said.filter(isHidden).map((line) => line.name)} />
          </div>
        </div>
      )}
      {props.may && (
        <form class="talk-form" onSubmit={send}>
          <input
            aria-label={t("table.say")}
            placeholder={t("table.say")}
            dir="auto"
            maxLength={500}
            value={text.value}
            onInput={(input) => (text.value = input.currentTarget.value)}
          />
          <button type="submit">{t("table.say.send")}</button>
        </form>
      )}
    </section>
  );
}
