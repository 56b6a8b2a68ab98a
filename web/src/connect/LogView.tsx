/** The live log: messages in both directions, with an explanation below every error. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ConnectionBanner } from "../shell/widgets";
import { explain, say } from "./explain";
import type { Entry, LogClient } from "./log";

const SHORT = 220;
const times = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** Make tabs visible: they are part of some protocols. */
function visible(text: string): string {
  return text.replaceAll("\t", "⇥");
}

function Words(props: { entry: Entry }) {
  const { entry } = props;
  switch (entry.way) {
    case "open":
      return <>{say("log.open", { protocol: say(`protocol.${entry.protocol as "house"}`) })}</>;
    case "hang":
      return <>{say("log.hang", { code: String(entry.length), words: entry.text })}</>;
    case "end":
      return <>{say("log.end", { code: String(entry.length) })}</>;
  }
  const text = visible(entry.text);
  const cut = entry.length > entry.text.length;
  if (text.length <= SHORT) return <code>{text}</code>;
  return (
    <details>
      <summary>
        <code>{text.slice(0, SHORT)}…</code>
      </summary>
      <code>
        {text.slice(SHORT)}
        {cut && ` ${say("log.cut", { n: entry.length })}`}
      </code>
    </details>
  );
}

function Line(props: { entry: Entry; wrong: string | null }) {
  const { entry, wrong } = props;
  const frame = entry.way === "in" || entry.way === "out" || entry.way === "ignored";
  return (
    <li class={`log-${entry.way} ${wrong ? "log-wrong" : ""}`} data-testid="log-line" data-way={entry.way}>
      <span class="log-meta">
        <span title={say("log.connection", { n: entry.connection })}>#{entry.connection}</span>
        <time>{times.format(entry.at * 1000)}</time>
        {frame && <span class="log-who">{say(entry.way === "out" ? "log.out" : "log.in")}</span>}
      </span>
      <div class="log-words">
        <Words entry={entry} />
        {wrong && (
          <p class="log-why" data-testid="log-why">
            {wrong}
          </p>
        )}
      </div>
    </li>
  );
}

export function LogView(props: { client: LogClient }) {
  const { client } = props;
  const onlyErrors = useSignal(false);
  const list = useRef<HTMLOListElement>(null);
  const atEnd = useRef(true);
  const lines = client.entries.value.map((entry) => ({
    entry,
    wrong: explain(entry, client.names.get(entry.connection)),
  }));
  const errors = lines.filter((line) => line.wrong);
  const shown = onlyErrors.value ? errors : lines;
  useLayoutEffect(() => {
    if (atEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  });
  return (
    <section class="panel connect-log" aria-labelledby="connect-log">
      <div class="connect-log-head">
        <h2 id="connect-log">{say("log.title")}</h2>
        <span class={errors.length ? "log-count" : "faint"} role="status" data-testid="log-count">
          {errors.length ? say("log.count", { n: errors.length }) : ""}
        </span>
        <label>
          <input
            type="checkbox"
            checked={onlyErrors.value}
            onChange={(change) => (onlyErrors.value = change.currentTarget.checked)}
          />
          {say("log.errors")}
        </label>
        <button type="button" class="quiet small" onClick={() => client.clear()}>
          {say("log.clear")}
        </button>
      </div>
      <ConnectionBanner link={client.link} />
      {lines.length === 0 ? (
        <p class="empty">{say("log.waiting")}</p>
      ) : shown.length === 0 ? (
        <p class="empty">{say("log.noErrors")}</p>
      ) : (
        <ol
          ref={list}
          class="connect-lines"
          tabIndex={0}
          aria-label={say("log.list")}
          data-testid="connect-lines"
          onScroll={(scroll) => {
            const box = scroll.currentTarget;
            atEnd.current = box.scrollTop + box.clientHeight > box.scrollHeight - 40;
          }}
        >
          {shown.map((line) => (
            <Line key={line.entry.number} {...line} />
          ))}
        </ol>
      )}
      <p class="faint">{say("log.bound")}</p>
    </section>
  );
}
