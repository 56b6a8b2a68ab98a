/** Beside the table: scores, what happened, talk, fairness. */

import { useSignal } from "@preact/signals";
import type { GamePage, Scene } from "../games/page";
import type { LogLine, Outcome, SaidLine } from "../net/table";
import { inSentence, t } from "../texts";
import { ScoreSheet } from "./ScoreSheet";

const SHOWN_LINES = 80;

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
