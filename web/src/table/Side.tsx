/** Beside the table: scores, chat, the sheet of a small window. */

import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { GamePage, Scene } from "../games/page";
import type { Outcome, SaidLine } from "../net/table";
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
  // At once, not after the next frame: Escape may follow the tap.
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

export function TalkPanel(props: {
  said: SaidLine[];
  you: number | null;
  say: ((text: string) => Promise<Outcome>) | null;
  report: Report;
}) {
  const text = useSignal("");
  if (!props.say && !props.said.length) return null;
  const send = async (submit: SubmitEvent) => {
    submit.preventDefault();
    const words = text.value.trim();
    if (words && props.say && (await props.say(words)).ok) text.value = "";
  };
  return (
    <section class="panel talk-panel">
      <h2>{t("table.talk")}</h2>
      {props.said.length > 0 && (
        <div class="log" role="log" aria-label={t("table.talk")} tabIndex={0}>
          <div>
            {props.said.map((line) => {
              const own = line.seat === props.you;
              const report = props.you === null ? null : props.report;
              return (own || !muted.value.includes(line.name)) && <ChatLine key={line.key} line={line} own={own} report={report} />;
            })}
            <Muted names={props.said.filter((line) => line.seat !== props.you).map((line) => line.name)} />
          </div>
        </div>
      )}
      {props.say && (
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
