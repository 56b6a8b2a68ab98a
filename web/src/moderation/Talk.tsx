/** A chat message, with what a player can do about its author: mute them, or report them to the operator. */

import { useSignal } from "@preact/signals";
import type { Outcome, SaidLine } from "../net/table";
import { refusalWords } from "../table/refusals";
import { inSentence } from "../texts";
import { mute } from "./muted";
import { say } from "./texts";

export type Report = (seat: number, text: string) => Promise<Outcome>;

/** *report* is null for the player's own messages, and for watchers. */
export function ChatLine(props: { line: SaidLine; own: boolean; report: Report | null }) {
  const { line } = props;
  const open = useSignal(false);
  const name = inSentence(line.name);
  return (
    <>
      <p>
        <strong>{name}</strong> <bdi>{line.text}</bdi>
        {!props.own && (
          <button
            type="button"
            class="quiet small talk-more"
            aria-expanded={open.value}
            aria-label={say("more", { name })}
            title={say("more", { name })}
            onClick={() => (open.value = !open.value)}
          >
            ⋯
          </button>
        )}
      </p>
      {open.value && (
        <div class="talk-acts" role="group" aria-label={say("more", { name })}>
          <button type="button" class="small" data-testid="mute" onClick={() => mute(line.name, true)}>
            {say("mute", { name })}
          </button>
          {props.report && line.seat !== null && <ReportForm seat={line.seat} name={name} report={props.report} />}
        </div>
      )}
    </>
  );
}

function ReportForm(props: { seat: number; name: string; report: Report }) {
  const text = useSignal("");
  const outcome = useSignal<Outcome | null>(null);
  const send = async (submit: SubmitEvent) => {
    submit.preventDefault();
    outcome.value = await props.report(props.seat, text.value.trim());
  };
  if (outcome.value?.ok) return <p role="status">{say("reported", { name: props.name })}</p>;
  return (
    <form class="talk-form" onSubmit={send}>
      <input
        aria-label={say("report.text")}
        placeholder={say("report.text")}
        dir="auto"
        maxLength={500}
        value={text.value}
        onInput={(input) => (text.value = input.currentTarget.value)}
      />
      <button type="submit" data-testid="report">
        {say("report", { name: props.name })}
      </button>
      <p class="refusal" role="alert">
        {outcome.value && !outcome.value.ok && refusalWords(outcome.value)}
      </p>
    </form>
  );
}

/** The people whose messages are hidden. */
export function Muted(props: { names: string[] }) {
  return (
    <>
      {[...new Set(props.names)].map((name) => (
        <p key={name} class="talk-muted" data-testid="muted">
          <span>{say("muted", { name: inSentence(name) })}</span>
          <button type="button" class="quiet small" onClick={() => mute(name, false)}>
            {say("unmute")}
          </button>
        </p>
      ))}
    </>
  );
}
