/** Moderation on the operator's page: people, orders, bans and mutes, reports, the audit log. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { api } from "../net/api";
import type { ModerationOverview, Order } from "../net/protocol";
import { keep, kept } from "../net/storage";
import { gameTitle } from "../texts";
import { part } from "../texts/part";
import { en } from "./orders.en";
import { countdown } from "./Restart";

const say = part({
  en,
  de: () => import("./orders.de").then((module) => module.de),
  fr: () => import("./orders.fr").then((module) => module.fr),
  sl: () => import("./orders.sl").then((module) => module.sl),
  cs: () => import("./orders.cs").then((module) => module.cs),
});
const EVERY = 5000;
/** Where the name of the person at the operator's page is kept. */
const BY = "croupier.operator.by";
const ACTS = ["ban", "mute", "remove", "rename", "close", "announce"] as const;
const HOURS = [1, 24, 7 * 24, 30 * 24, 365 * 24] as const;
const MINUTES = [1, 5, 10, 30, 60] as const;

type Act = (typeof ACTS)[number];
type Give = (order: Order) => Promise<boolean>;

/** The values that the buttons beside people and reports fill into the form. */
interface Draft {
  act: Act;
  whom: string;
  table: string;
}

function Panel(props: { title: string; empty: string; children: ComponentChildren[] }) {
  return (
    <section class="panel">
      <h2>{props.title}</h2>
      {props.children.length ? <ul class="moderation-list">{props.children}</ul> : <p class="empty">{props.empty}</p>}
    </section>
  );
}

function OrderForm(props: { draft: Draft; give: Give; onDraft: (draft: Draft) => void }) {
  const { draft } = props;
  const hours = useSignal<number>(24);
  const minutes = useSignal<number>(10);
  const fresh = useSignal("");
  const why = useSignal("");
  const addresses = useSignal(false);
  const change = (some: Partial<Draft>) => props.onDraft({ ...draft, ...some });
  const lasts = draft.act === "ban" || draft.act === "mute";
  const order = (): Order => {
    const common = { why: why.value.trim() };
    const { whom, table } = draft;
    switch (draft.act) {
      case "ban":
      case "mute":
        return { ...common, act: draft.act, who: whom, seconds: hours.value * 3600, addresses: addresses.value };
      case "remove":
        return { ...common, act: "remove", name: whom, table };
      case "rename":
        return { ...common, act: "rename", name: whom, new: fresh.value.trim(), table };
      case "close":
        return { ...common, act: "close", table };
      case "announce":
        return { act: "announce", seconds: minutes.value * 60, text: common.why };
    }
  };
  const send = async (submit: SubmitEvent) => {
    submit.preventDefault();
    if (await props.give(order())) {
      why.value = fresh.value = "";
      change({ whom: "", table: "" });
    }
  };
  return (
    <form class="panel moderation-form" data-testid="moderation-form" onSubmit={send}>
      <h2>{say("order")}</h2>
      <label>
        {say("order.act")}
        <select value={draft.act} onInput={(input) => change({ act: input.currentTarget.value as Act })}>
          {ACTS.map((act) => (
            <option key={act} value={act}>
              {say(`act.${act}`)}
            </option>
          ))}
        </select>
      </label>
      {draft.act !== "close" && draft.act !== "announce" && (
        <label>
          {lasts ? say("order.who") : say("order.name")}
          <input required maxLength={64} value={draft.whom} onInput={(input) => change({ whom: input.currentTarget.value })} />
        </label>
      )}
      {draft.act === "rename" && (
        <label>
          {say("order.new")}
          <input required maxLength={64} value={fresh.value} onInput={(input) => (fresh.value = input.currentTarget.value)} />
        </label>
      )}
      {(draft.act === "close" || draft.act === "remove" || draft.act === "rename") && (
        <label>
          {draft.act === "close" ? say("order.table") : say("order.atTable")}
          <input
            required={draft.act === "close"}
            value={draft.table}
            onInput={(input) => change({ table: input.currentTarget.value })}
          />
        </label>
      )}
      {lasts && (
        <>
          <label>
            {say("order.for")}
            <select value={hours.value} onInput={(input) => (hours.value = Number(input.currentTarget.value))}>
              {HOURS.map((one) => (
                <option key={one} value={one}>
                  {one < 24 ? say("hours", { n: one }) : say("days", { n: one / 24 })}
                </option>
              ))}
            </select>
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={addresses.value}
              onInput={(input) => (addresses.value = input.currentTarget.checked)}
            />
            {say("order.addresses")}
          </label>
          <p class="faint">{say("order.guest")}</p>
        </>
      )}
      {draft.act === "announce" && (
        <label>
          {say("order.in")}
          <select value={minutes.value} onInput={(input) => (minutes.value = Number(input.currentTarget.value))}>
            {MINUTES.map((one) => (
              <option key={one} value={one}>
                {say("minutes", { n: one })}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {draft.act === "announce" ? say("order.text") : say("order.why")}
        <input maxLength={200} value={why.value} onInput={(input) => (why.value = input.currentTarget.value)} />
      </label>
      <button type="submit" class="primary" data-testid="moderation-send">
        {say(`act.${draft.act}`)}
      </button>
    </form>
  );
}

function Audit(props: { entries: ModerationOverview["audit"] }) {
  if (!props.entries.length) return <p class="empty">{say("audit.none")}</p>;
  return (
    <div class="moderation-audit">
      <table data-testid="audit">
        <thead>
          <tr>
            {(["when", "by", "what", "whom", "untilWhen", "why"] as const).map((key) => (
              <th key={key} scope="col">
                {say(`audit.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.entries.map((one, at) => (
            <tr key={at}>
              <td>{one.when}</td>
              <td>{one.by}</td>
              <td>{say(`done.${one.act}`)}</td>
              <td>
                <bdi>{one.new ? `${one.whom} → ${one.new}` : one.whom}</bdi>
              </td>
              <td>{one.until}</td>
              <td>{one.why}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Moderation(props: { token: string }) {
  const { token } = props;
  const found = useSignal<ModerationOverview | null>(null);
  const wrong = useSignal("");
  const draft = useSignal<Draft>({ act: "ban", whom: "", table: "" });
  const by = useSignal(kept(BY) ?? "");
  const look = async () => {
    try {
      found.value = await api.moderation(token);
    } catch {
      // The page shows that the server is unavailable, and the request is repeated.
    }
  };
  useEffect(() => {
    void look();
    const timer = setInterval(() => void look(), EVERY);
    return () => clearInterval(timer);
  }, [token]);
  const give: Give = async (order) => {
    try {
      const name = by.value.trim();
      await api.order(token, name ? { ...order, by: name } : order);
      keep(BY, name || null);
      wrong.value = "";
    } catch (error) {
      wrong.value = error instanceof Error ? error.message : String(error);
    }
    await look();
    return wrong.value === "";
  };
  const now = found.value;
  if (!now) return null;
  const about = (act: Act, whom: string, table = "") => (
    <button type="button" class="quiet small" onClick={() => (draft.value = { act, whom, table })}>
      {say(`act.${act}`)}
    </button>
  );
  return (
    <section aria-labelledby="moderation" data-testid="moderation">
      <h2 id="moderation">{say("title")}</h2>
      {now.restart !== null && (
        <div class="banner" role="status">
          <span>{say("restart", { left: countdown(now.restart) })}</span>
          <button type="button" onClick={() => void give({ act: "withdraw" })}>
            {say("withdraw")}
          </button>
        </div>
      )}
      <label>
        {say("order.by")}{" "}
        <input maxLength={40} value={by.value} onInput={(input) => (by.value = input.currentTarget.value)} />
      </label>
      <OrderForm draft={draft.value} give={give} onDraft={(next) => (draft.value = next)} />
      <p class="refusal" role="alert">
        {wrong.value}
      </p>
      <Panel title={say("reports")} empty={say("reports.none")}>
        {now.reports.map((report) => (
          <li key={report.id} data-testid="report-row">
            <strong>{say("report", { by: report.by, whom: report.whom })}</strong> <bdi>{report.text}</bdi>
            <blockquote>
              {report.lines.map((line, at) => (
                <p key={at}>
                  <strong>{line.name}</strong> <bdi>{line.text}</bdi>
                </p>
              ))}
            </blockquote>
            {about("mute", report.whom)}
            {about("ban", report.whom)}
            {about("close", "", report.table)}
            <button type="button" class="small" onClick={() => void give({ act: "dismiss", report: report.id })}>
              {say("dismiss")}
            </button>
          </li>
        ))}
      </Panel>
      <Panel title={say("people")} empty={say("people.none")}>
        {now.people.map((one) => (
          <li key={`${one.name} ${one.table} ${one.seat}`} data-testid="person-row">
            <strong>
              <bdi>{one.name}</bdi>
            </strong>{" "}
            {one.account ? say("account") : say("guest")}{" "}
            {one.table ? (
              <a href={`/table/${one.table}?watch`}>{gameTitle(one.game, one.game)}</a>
            ) : (
              say("lobby")
            )}
            {about("mute", one.name)}
            {about("ban", one.name)}
            {one.table && about("remove", one.name, one.table)}
            {about("rename", one.name, one.account ? "" : (one.table ?? ""))}
            {one.table && about("close", "", one.table)}
          </li>
        ))}
      </Panel>
      <Panel title={say("measures")} empty={say("measures.none")}>
        {now.measures.map((one) => (
          <li key={one.id} data-testid="measure-row">
            {one.kind === "ban" ? say("banned") : say("muted")} <strong>{one.whom}</strong> {say("until", { until: one.until })}{" "}
            <bdi>{one.why}</bdi>
            <button type="button" class="small" onClick={() => void give({ act: "lift", id: one.id })}>
              {say("lift")}
            </button>
          </li>
        ))}
      </Panel>
      <section class="panel">
        <h2>{say("audit")}</h2>
        <Audit entries={now.audit} />
      </section>
    </section>
  );
}
