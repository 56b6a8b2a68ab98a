/** The operator page: figures, the last two minutes, versions. It asks for the token first. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiError, api } from "../net/api";
import { Moderation } from "../moderation/Moderation";
import type { HouseNode, OperatorReport } from "../net/protocol";
import { isAway } from "../shell/load";
import { Failure, Loading, Nothing, useTitle } from "../shell/widgets";
import { gameTitle, lookUp, t } from "../texts";
import { part } from "../texts/part";
import { en } from "./en";
import { duration, MINUTE, mean, most, numbersOf } from "./figures";
import "./operator.css";
import { Plot } from "./Plot";

const say = part({
  en,
  de: () => import("./de").then((module) => module.de),
  fr: () => import("./fr").then((module) => module.fr),
  sl: () => import("./sl").then((module) => module.sl),
  cs: () => import("./cs").then((module) => module.cs),
});
const KEY = "croupier.operator";
const EVERY = 2000;

function kept(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function keep(token: string): void {
  try {
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
  } catch {
    // Not stored: asked for again after a reload.
  }
}

function Ask(props: { wrong: boolean; onToken: (token: string) => void }) {
  const draft = useSignal("");
  return (
    <form
      class="panel operator-ask"
      onSubmit={(submit) => {
        submit.preventDefault();
        if (draft.value.trim()) props.onToken(draft.value.trim());
      }}
    >
      <label>
        {say("token")}
        <input
          type="password"
          autocomplete="off"
          data-testid="operator-token"
          value={draft.value}
          aria-invalid={props.wrong}
          onInput={(input) => (draft.value = input.currentTarget.value)}
        />
      </label>
      <p class="faint">{say("token.more")}</p>
      <p class="refusal" role="alert">
        {props.wrong && say("token.wrong")}
      </p>
      <button type="submit" class="primary" data-testid="operator-look">
        {say("token.open")}
      </button>
    </form>
  );
}

function Figure(props: { title: string; value: string; note?: string }) {
  return (
    <div class="operator-figure">
      <dt>{props.title}</dt>
      <dd>
        <strong>{props.value}</strong>
        {props.note && <small>{props.note}</small>}
      </dd>
    </div>
  );
}

function Figures(props: { report: OperatorReport }) {
  const { report } = props;
  const of = (name: string) => numbersOf(report.samples, name);
  const ms = (n: number) => `${n.toFixed(n < 10 ? 1 : 0)} ms`;
  return (
    <dl class="operator-figures" data-testid="operator-figures">
      <Figure title={say("uptime")} value={duration(report.uptime)} />
      <Figure title={say("tables")} value={String(report.tables.reduce((sum, row) => sum + row.count, 0))} />
      <Figure title={say("connections")} value={String(report.connections)} />
      <Figure title={say("actions")} value={String(report.actions)} />
      <Figure title={say("rate")} value={mean(of("actions").slice(-MINUTE)).toFixed(1)} note={say("rate.more")} />
      <Figure title={say("late")} value={ms(most(of("late_ms").slice(-MINUTE)))} note={say("late.more")} />
      <Figure title={say("queue")} value={String(of("store_queue").at(-1) ?? 0)} note={say("queue.more")} />
      <Figure title={say("commit")} value={ms(most(of("store_ms").slice(-MINUTE)))} note={say("commit.more")} />
    </dl>
  );
}

const PLOTS = [
  { title: "rate", name: "actions", unit: "" },
  { title: "late", name: "late_ms", unit: " ms" },
  { title: "commit", name: "store_ms", unit: " ms" },
  { title: "queue", name: "store_queue", unit: "" },
  { title: "connections", name: "connections", unit: "" },
  { title: "tables", name: "tables", unit: "" },
] as const;

function Report(props: { report: OperatorReport }) {
  const { report } = props;
  return (
    <>
      <Figures report={report} />
      {report.broken.length > 0 && (
        <section class="panel operator-broken">
          <h2>{say("broken.title")}</h2>
          <p>{say("broken.more")}</p>
          <p>
            <code>{report.broken.join(", ")}</code>
          </p>
        </section>
      )}
      {report.nodes.length > 0 && <Nodes nodes={report.nodes} />}
      <section aria-labelledby="operator-plots">
        <h2 id="operator-plots">{say("plots")}</h2>
        <div class="operator-plots">
          {PLOTS.map((plot) => {
            const values = numbersOf(report.samples, plot.name);
            const show = (n: number) => `${Number.isInteger(n) ? n : n.toFixed(1)}${plot.unit}`;
            const now = show(values.at(-1) ?? 0);
            const high = show(most(values));
            return (
              <figure key={plot.name} class="panel">
                <figcaption>
                  <span>{say(plot.title)}</span>
                  <small>{say("plot.high", { high })}</small>
                </figcaption>
                <Plot
                  values={values}
                  label={say("plot.label", { title: say(plot.title), now, high, n: values.length })}
                />
              </figure>
            );
          })}
        </div>
      </section>
      <div class="operator-tables">
        <section class="panel">
          <h2>{say("tables.title")}</h2>
          {report.tables.length ? (
            <table data-testid="operator-tables">
              <thead>
                <tr>
                  <th scope="col">{say("tables.game")}</th>
                  <th scope="col">{say("tables.phase")}</th>
                  <th scope="col">{say("tables.count")}</th>
                </tr>
              </thead>
              <tbody>
                {report.tables.map((row) => (
                  <tr key={`${row.game} ${row.phase}`}>
                    <th scope="row">{gameTitle(row.game, row.game)}</th>
                    <td>{lookUp(`phase.${row.phase}`, row.phase)}</td>
                    <td>{row.count}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <p class="empty">{say("tables.none")}</p>
          )}
        </section>
        <Counts title={say("store.title")} counts={report.store} />
        <Counts title={say("pool.title")} counts={report.bot_pool} />
        <section class="panel">
          <h2>{say("versions.title")}</h2>
          <Pairs
            rows={[
              ["Croupier", report.version],
              ["Python", report.python],
              [say("versions.rules"), t(report.compiled ? "app.compiled" : "app.interpreted")],
            ]}
          />
        </section>
      </div>
    </>
  );
}

/** All nodes of the house; the figures of the page are those of the node that answers. */
export function Nodes(props: { nodes: HouseNode[] }) {
  const state = (node: HouseNode) =>
    node.lease < 0
      ? say("nodes.expired")
      : [node.service && say("nodes.service"), node.draining && say("nodes.draining")].filter(Boolean).join(", ") ||
        say("nodes.running");
  return (
    <section class="panel">
      <h2>{say("nodes.title")}</h2>
      <table data-testid="operator-nodes">
        <thead>
          <tr>
            <th scope="col">{say("nodes.node")}</th>
            <th scope="col">{say("versions.title")}</th>
            <th scope="col">{say("tables.count")}</th>
            <th scope="col">{say("nodes.state")}</th>
          </tr>
        </thead>
        <tbody>
          {props.nodes.map((node) => (
            <tr key={node.id}>
              <th scope="row">
                {node.id}: {node.name}
              </th>
              <td>{node.version}</td>
              <td>{node.tables}</td>
              <td>{state(node)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Pairs(props: { rows: [string, string][]; head?: [string, string] }) {
  return (
    <table>
      {props.head && (
        <thead>
          <tr>
            {props.head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {props.rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Counts(props: { title: string; counts: Record<string, number> }) {
  return (
    <section class="panel">
      <h2>{props.title}</h2>
      <Pairs
        head={[say("store.name"), say("store.value")]}
        rows={Object.entries(props.counts).map(([name, value]) => [
          name.replaceAll("_", " "),
          String(Number.isInteger(value) ? value : Number(value.toFixed(4))),
        ])}
      />
    </section>
  );
}

export function OperatorPage() {
  useTitle(say("title"));
  const token = useSignal(kept());
  const report = useSignal<{ it: OperatorReport; at: number } | null>(null);
  const failure = useSignal<Error | null>(null);
  const round = useSignal(0);

  useEffect(() => {
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        const it = await api.operator(token.value);
        if (!current) return;
        report.value = { it, at: Date.now() };
        failure.value = null;
        keep(token.value);
      } catch (error) {
        if (!current) return;
        failure.value = error instanceof Error ? error : new Error(String(error));
        if (!isAway(error)) return; // no token or a wrong one: retrying does not help
      }
      timer = setTimeout(() => void look(), EVERY);
    };
    void look();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [token.value, round.value]);

  const wrong = failure.value instanceof ApiError ? failure.value : null;
  if (wrong?.key === "no_operator") return <Nothing title={say("none")} words={say("none.more")} />;
  const forget = () => {
    keep("");
    token.value = "";
    report.value = null;
  };
  return (
    <>
      <header class="operator-head">
        <h1>{say("title")}</h1>
        {report.value && (
          <button type="button" class="quiet" onClick={forget}>
            {say("token.forget")}
          </button>
        )}
        <p>{say("lead")}</p>
      </header>
      {wrong?.key === "bad_token" ? (
        <Ask wrong={token.value !== ""} onToken={(next) => (token.value = next)} />
      ) : report.value ? (
        <>
          {failure.value && (
            <div class="banner" role="status">
              {say("away", { n: Math.round((Date.now() - report.value.at) / 1000) })}
            </div>
          )}
          <Report report={report.value.it} />
          <Moderation token={token.value} />
        </>
      ) : failure.value ? (
        <Failure error={failure.value} onRetry={() => (round.value += 1)} />
      ) : (
        <Loading />
      )}
    </>
  );
}
