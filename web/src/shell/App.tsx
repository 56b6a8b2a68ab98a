/** What stands around every page: the name of the house, who I am, the page of the address. */

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { api } from "../net/api";
import { cleanName, myName, rename } from "../net/identity";
import type { House } from "../net/protocol";
import { t } from "../texts";
import { Icon } from "./icons";
import { LanguagePicker } from "./LanguagePicker";
import { fetchCode, useLoad } from "./load";
import { route, type Route } from "./router";
import { Failure, Loading, Nothing } from "./widgets";

function Me() {
  const editing = useSignal(false);
  const draft = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (editing.value) field.current?.select();
  }, [editing.value]);
  if (!editing.value) {
    return (
      <button
        type="button"
        class="quiet me"
        data-testid="my-name"
        title={t("name.change")}
        onClick={() => {
          draft.value = myName.value;
          editing.value = true;
        }}
      >
        <Icon name="person" />
        <span class="sr-only">{t("name.label")}: </span>
        <span class="me-name" dir="auto">
          {myName.value}
        </span>
        <Icon name="pencil" />
      </button>
    );
  }
  const bad = cleanName(draft.value) === null;
  const save = (submit: SubmitEvent) => {
    submit.preventDefault();
    if (rename(draft.value)) editing.value = false;
  };
  return (
    <form class="me-form" onSubmit={save}>
      <input
        ref={field}
        aria-label={t("name.label")}
        aria-invalid={bad}
        title={bad ? t("name.bad") : undefined}
        dir="auto"
        value={draft.value}
        onInput={(input) => (draft.value = input.currentTarget.value)}
        onKeyDown={(key) => {
          if (key.key === "Escape") editing.value = false;
        }}
      />
      <button type="submit" class="primary" disabled={bad}>
        {t("name.save")}
      </button>
    </form>
  );
}

/** Fetch a page's code when it is first wanted. */
function lazily<P>(load: () => Promise<ComponentType<P>>) {
  return function Lazy(props: P & { key?: string }) {
    const { value: Page, failure } = useLoad(() => fetchCode(load), []);
    if (Page) return <Page {...props} />;
    return failure ? <Failure error={failure} onRetry={() => location.reload()} /> : <Loading />;
  };
}

const Lobby = lazily(() => import("../lobby/LobbyPage").then((module) => module.LobbyPage));
const Table = lazily(() => import("../table/TablePage").then((module) => module.TablePage));
const Replay = lazily(() => import("../replay/ReplayPage").then((module) => module.ReplayPage));
const Notation = lazily(() => import("../notation/NotationPage").then((module) => module.NotationPage));
const Connect = lazily(() => import("../connect/ConnectPage").then((module) => module.ConnectPage));
const Operator = lazily(() => import("../operator/OperatorPage").then((module) => module.OperatorPage));
const Node = lazily(() => import("../node/NodePage").then((module) => module.NodePage));

function PageOf(props: { route: Route; house: House }) {
  const { route: here, house } = props;
  switch (here.page) {
    case "home":
      return house.mode === "node" ? <Node table={house.default_table ?? "default"} /> : <Lobby />;
    case "table":
      return <Table key={`${here.id} ${here.watch ?? ""}`} id={here.id} sit={here.sit} watch={here.watch} />;
    case "replay":
      return <Replay key={here.id} id={here.id} deal={here.deal} step={here.step} />;
    case "notation":
      return <Notation />;
    case "connect":
      return <Connect key={here.id} game={here.id} table={here.table} house={house} />;
    case "operator":
      return <Operator />;
    case "unknown":
      return <Nothing title={t("app.unknown")} words={t("app.unknown.more")} />;
  }
}

export function App() {
  const { value: house, failure, again } = useLoad(api.house, []);
  const main = useRef<HTMLElement>(null);
  const here = route.value;

  // A new page is announced and read from its top, as if it had been loaded.
  const first = useRef(true);
  const where = "id" in here ? `${here.page} ${here.id}` : here.page;
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [where]);

  return (
    <>
      <a class="skip" href="#main" onClick={() => main.current?.focus()}>
        {t("app.skip")}
      </a>
      <header class="top">
        <a class="brand" href="/">
          <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
            <path d="M16 25.5C13 21 6.5 17.8 6.5 12.2C6.5 8.7 9 6.8 11.5 6.8C13.7 6.8 15.3 8.3 16 10.2C16.7 8.3 18.3 6.8 20.5 6.8C23 6.8 25.5 8.7 25.5 12.2C25.5 17.8 19 21 16 25.5Z" />
          </svg>
          {t("app.name")}
        </a>
        <LanguagePicker />
        <Me />
      </header>
      <main id="main" tabIndex={-1} ref={main} class={`page page-${here.page}`}>
        {house ? (
          <PageOf route={here} house={house} />
        ) : failure ? (
          <Failure error={failure} onRetry={again} />
        ) : (
          <Loading />
        )}
      </main>
      <footer class="foot">
        {house && (
          <small>
            {t("app.version", { version: house.version })} ·{" "}
            {t(house.compiled ? "app.compiled" : "app.interpreted")}
          </small>
        )}
      </footer>
    </>
  );
}
