/** The frame of every page: the site name, the user, and the page for the address. */

import { useEffect, useRef } from "preact/hooks";
import { api } from "../net/api";
import { heardNotice, restart } from "../net/notice";
import type { House } from "../net/protocol";
import { t } from "../texts";
import { Foot } from "./Foot";
import { LanguagePicker } from "./LanguagePicker";
import { lazily } from "./lazily";
import { useLoad } from "./load";
import { AboutMe, Me } from "./Me";
import { route, type Route } from "./router";
import { SettingsMenu } from "./SettingsMenu";
import { Failure, Loading, Nothing } from "./widgets";

const Lobby = lazily(() => import("../lobby/LobbyPage").then((module) => module.LobbyPage));
const Table = lazily(() => import("../table/TablePage").then((module) => module.TablePage));
const Replay = lazily(() => import("../replay/ReplayPage").then((module) => module.ReplayPage));
const Notation = lazily(() => import("../notation/NotationPage").then((module) => module.NotationPage));
const Connect = lazily(() => import("../connect/ConnectPage").then((module) => module.ConnectPage));
const Tournament = lazily(() => import("../tournament/TournamentPage").then((module) => module.TournamentPage));
const Player = lazily(() => import("../player/PlayerPage").then((module) => module.PlayerPage));
const Players = lazily(() => import("../player/RankingPage").then((module) => module.RankingPage));
const Operator = lazily(() => import("../operator/OperatorPage").then((module) => module.OperatorPage));
const Restart = lazily(() => import("../moderation/Restart").then((module) => module.Restart), true);
const Node = lazily(() => import("../node/NodePage").then((module) => module.NodePage));

function PageOf(props: { route: Route; house: House }) {
  const { route: here, house } = props;
  switch (here.page) {
    case "home":
      return house.mode === "node" ? <Node table={house.default_table ?? "default"} /> : <Lobby />;
    case "table":
      return <Table key={`${here.id} ${here.watch ?? ""}`} id={here.id} sit={here.sit} watch={here.watch} invitation={here.invitation} />;
    case "replay":
      return <Replay key={here.id} id={here.id} deal={here.deal} step={here.step} />;
    case "notation":
      return <Notation />;
    case "connect":
      return <Connect key={here.id} game={here.id} table={here.table} house={house} />;
    case "tournament":
      return <Tournament key={here.id} id={here.id} />;
    case "player":
      return <Player key={here.id} name={here.id} game={here.game} />;
    case "players":
      return <Players game={here.id} />;
    case "operator":
      return <Operator />;
    case "unknown":
      return <Nothing title={t("app.unknown")} words={t("app.unknown.more")} />;
  }
}

export function App() {
  const { value: house, failure, again } = useLoad(api.house, []);
  useEffect(() => {
    if (house) heardNotice(house.notice);
  }, [house]);
  const main = useRef<HTMLElement>(null);
  const here = route.value;

  // A new page is announced and scrolled to its top, as if it had been loaded.
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
        <SettingsMenu />
        <Me accounts={house?.mode === "serve"} />
      </header>
      <main id="main" tabIndex={-1} ref={main} class={`page page-${here.page}`}>
        <AboutMe />
        {restart.value && <Restart />}
        {house ? (
          <PageOf route={here} house={house} />
        ) : failure ? (
          <Failure error={failure} onRetry={again} />
        ) : (
          <Loading />
        )}
      </main>
      <footer class="foot">
        {house && <Foot house={house} lobby={here.page === "home" && house.mode === "serve"} />}
      </footer>
    </>
  );
}
