/** Beside the table: scores, event log, chat, fairness. */

import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { GamePage, Scene } from "../games/page";
import type { LogLine, Outcome, SaidLine } from "../net/table";
import { Icon } from "../shell/icons";
import { inSentence, t } from "../texts";
import { ScoreSheet } from "./ScoreSheet";

const SHOWN_LINES = 80;

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

export function LogPanel(props: { page: GamePage; scene: Scene; log: LogLine[] }) {
  const { page, scene, log } = props;
  const lines = log
    .slice(-SHOWN_LINES)
    .map((line) => ({ ...line, text: page.words(line.event, scene) }))
    .filter((line) => line.text);
  return (
    <section class="panel log-panel">
      <h2>{t("table.log")}</h2>
      <div class="log" role="log" aria-label={t("table.log")} tabIndex={0} data-testid="log">
        <div>
          {lines.length === 0 && <p class="faint">{t("table.log.empty")}</p>}
          {lines.map((line) => (
            <p key={line.key} class={`kind-${line.event.kind}`}>
              {line.auto ? t("table.log.auto", { text: line.text ?? "" }) : line.text}
            </p>
          ))}
        </div>
      </div>
    </section>
  );
}

export function TalkPanel(props: { said: SaidLine[]; say: ((text: string) => Promise<Outcome>) | null }) {
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
            {props.said.map((line) => (
              <p key={line.key}>
                <strong>{inSentence(line.name)}</strong> <bdi>{line.text}</bdi>
              </p>
            ))}
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
