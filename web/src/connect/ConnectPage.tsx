/** The page "Connect a program": the addresses of a game's protocols, an example and the message log. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { AsAccount } from "../account/AsAccount";
import { presetsOf, protocolPath } from "../games/registry";
import { listGames } from "../net/games";
import { firstSeats } from "../lobby/options";
import { api, socketAddress } from "../net/api";
import type { GameInfo, House } from "../net/protocol";
import { Icon } from "../shell/icons";
import { useLoad } from "../shell/load";
import { useRequest } from "../shell/request";
import { go } from "../shell/router";
import { Copyable, Failure, Loading, Nothing, useTitle } from "../shell/widgets";
import { gameTitle, t } from "../texts";
import "./connect.css";
import { Example } from "./Example";
import { say } from "./explain";
import { LogClient, logId } from "./log";
import { LogView } from "./LogView";

type Protocol = "house" | "hearts" | "tarock" | "taroky" | "coinche" | "sagrada";

const DOCS: Record<Protocol, string> = {
  house: "docs/house-protocol.md",
  hearts: "docs/protocol-hearts.md",
  tarock: "docs/protocol-rooms.md",
  taroky: "docs/protocol-rooms.md",
  coinche: "docs/protocol-coinche.md",
  sagrada: "docs/protocol-sagrada.md",
};

/** Return the path of *protocol* at *table*; null if it needs a table and there is none. */
export function pathOf(game: GameInfo, protocol: Protocol, table: string | null): string | null {
  return protocol === "house" ? table && `/house/${encodeURIComponent(table)}` : protocolPath(game, table);
}

function TableStep(props: { game: GameInfo; table: string | null }) {
  const { game, table } = props;
  const { busy, failure, attempt } = useRequest();
  const open = () =>
    attempt(async () => {
      const seats = firstSeats(game, presetsOf(game)[0]?.seats);
      const made = await api.create({
        game: game.name,
        seats: seats.map((choice) => (choice === "me" ? "open" : choice)),
        options: {},
        table_options: {},
        start: true,
      });
      go(`/connect/${game.name}?table=${encodeURIComponent(made.id)}`, "replace");
    });
  return (
    <section class="panel" aria-labelledby="connect-table">
      <h2 id="connect-table">{say("table.title")}</h2>
      {table ? (
        <p data-testid="connect-table">{say("table.own", { id: table })}</p>
      ) : (
        <p>{say(game.protocol === "table" ? "table.none.hearts" : "table.none")}</p>
      )}
      <div class="connect-actions">
        {table && (
          <a class="button" href={`/t/${encodeURIComponent(table)}/watch`} target="_blank" rel="noopener">
            <Icon name="eye" />
            {say("table.see")}
          </a>
        )}
        <button
          type="button"
          class={table ? "quiet" : "primary"}
          data-testid="connect-open"
          disabled={busy.value}
          onClick={() => void open()}
        >
          {say(busy.value ? "table.opening" : table ? "table.another" : "table.open")}
        </button>
      </div>
      <p class="refusal" role="alert">
        {failure.value}
      </p>
    </section>
  );
}

function Doors(props: { game: string; house: House }) {
  const doors = props.house.doors.filter((door) => door.game === props.game);
  return (
    <>
      <h3>{say("doors")}</h3>
      {doors.length ? (
        <ul class="connect-doors">
          {doors.map((door) => (
            <li key={door.port}>
              <code>
                {say(door.line || props.game === "coinche" ? "doors.port.line" : "doors.port", {
                  host: location.hostname,
                  port: String(door.port), // an address, not an amount
                })}
              </code>{" "}
              {door.tls && say("doors.tls")}
            </li>
          ))}
        </ul>
      ) : (
        <p class="faint">{say("doors.none")}</p>
      )}
      {doors.length > 0 && <p class="faint">{say("doors.more")}</p>}
    </>
  );
}

function Steps(props: { game: GameInfo; house: House; table: string | null; log: string }) {
  const { game, house, table } = props;
  const offered: Protocol[] = game.protocol ? [game.name as Protocol, "house"] : ["house"];
  const chosen = useSignal(offered[0] ?? "house");
  const path = pathOf(game, chosen.value, table);
  const address = path && `${socketAddress(path)}?log=${props.log}`;
  return (
    <div class="connect-steps">
      <TableStep game={game} table={table} />
      <section class="panel" aria-labelledby="connect-protocol">
        <h2 id="connect-protocol">{say("protocol.title")}</h2>
        <div class="connect-choice" role="radiogroup" aria-labelledby="connect-protocol">
          {offered.map((one) => (
            <label key={one} class={chosen.value === one ? "chosen" : ""}>
              <input
                type="radio"
                name="protocol"
                data-testid={`protocol-${one}`}
                checked={chosen.value === one}
                onChange={() => (chosen.value = one)}
              />
              {say(`protocol.${one}`)}
            </label>
          ))}
        </div>
        <p>{say(`protocol.${chosen.value}.more`)}</p>
        <p class="faint">{say("protocol.read", { doc: DOCS[chosen.value] })}</p>
        {address ? (
          <>
            <Copyable label={say("address")} text={address} />
            <p class="faint">{say("address.secret")}</p>
          </>
        ) : (
          <p class="empty">{say("address.table")}</p>
        )}
        {chosen.value !== "house" && game.protocol === "lobby" && <Doors game={game.name} house={house} />}
        {house.mode === "serve" && <AsAccount protocol={chosen.value} />}
      </section>
      <Example protocol={chosen.value} address={address} />
    </div>
  );
}

export function ConnectPage(props: { game: string; table?: string | undefined; house: House }) {
  const { value: games, failure, again } = useLoad(listGames, []);
  const game = games?.find((one) => one.name === props.game);
  useTitle(say("title", { game: gameTitle(props.game, game?.title ?? props.game) }));
  const log = useMemo(logId, []);
  const client = useMemo(() => new LogClient(log), [log]);
  useEffect(() => () => client.close(), [client]);
  if (failure && !games) return <Failure error={failure} onRetry={again} />;
  if (!games) return <Loading />;
  if (!game) return <Nothing title={t("app.unknown")} words={t("app.unknown.more")} />;
  const table = props.table ?? (props.house.mode === "node" ? props.house.default_table : null);
  return (
    <>
      <header class="connect-head">
        <h1>{say("title", { game: gameTitle(game.name, game.title) })}</h1>
        <p>{say("lead")}</p>
        <nav aria-label={say("others")}>
          {games
            .filter((one) => one !== game && props.house.mode === "serve")
            .map((one) => (
              <a key={one.name} class="button quiet small" href={`/connect/${one.name}`}>
                {gameTitle(one.name, one.title)}
              </a>
            ))}
        </nav>
      </header>
      <div class="connect-columns">
        <Steps key={game.name} game={game} house={props.house} table={table} log={log} />
        <LogView client={client} />
      </div>
    </>
  );
}
