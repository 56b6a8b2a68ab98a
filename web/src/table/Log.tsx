/** The event log: a line for each trick, auctions as tables, earlier deals folded. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { GamePage, Scene } from "../games/page";
import type { LogLine } from "../net/table";
import { Icon } from "../shell/icons";
import { t } from "../texts";
import { entriesOf, type Entry, inRows, partsOf } from "./logEntries";
import { called } from "./Seat";

interface LogProps {
  page: GamePage;
  scene: Scene;
}

/** Return the text of a line, or null if it is not logged. */
function textOf(props: LogProps, line: LogLine): string | null {
  const text = props.page.words(line.event, props.scene);
  return text && line.auto ? t("table.log.auto", { text }) : text;
}

/** A sign with its sentence, which a screen reader reads instead. */
function Sign(props: { line: LogLine; words: string | null; wins?: boolean; children: ComponentChildren }) {
  return (
    <span
      class={`log-sign kind-${props.line.event.kind} ${props.wins ? "wins" : ""} ${props.line.auto ? "auto" : ""}`}
      title={props.words ?? ""}
    >
      <span class="sr-only">{props.words} </span>
      <span aria-hidden="true">{props.children}</span>
    </span>
  );
}

function TrickLine(props: LogProps & { trick: Entry & { kind: "trick" } }) {
  const { page, scene, trick } = props;
  return (
    <p class="log-trick">
      {trick.plays.map((play) => (
        <Sign key={play.line.key} line={play.line} words={textOf(props, play.line)} wins={play.seat === trick.taker}>
          {page.log.chip?.(play.card) ?? play.card}
        </Sign>
      ))}
      {trick.taker !== null && (
        <span class="log-taker">
          {trick.end && <span class="sr-only">{textOf(props, trick.end)}</span>}
          <span aria-hidden="true" dir="auto">
            {called(scene, trick.taker)}
          </span>
        </span>
      )}
    </p>
  );
}

function AuctionTable(props: LogProps & { calls: (Entry & { kind: "auction" })["calls"] }) {
  const { page, scene } = props;
  const { order, rows } = inRows(props.calls, scene.seats.length);
  return (
    <table class="log-auction" data-testid="log-auction">
      <thead>
        <tr>
          {order.map((seat) => (
            <th key={seat} scope="col">
              <span dir="auto">{called(scene, seat)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {order.map((seat, column) => {
              const call = row[column];
              return (
                <td key={seat}>
                  {call && (
                    <Sign line={call.line} words={textOf(props, call.line)}>
                      {page.log.auction?.sign(call.line.event)}
                    </Sign>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Lines(props: LogProps & { lines: LogLine[] }) {
  const { page, scene } = props;
  return (
    <>
      {entriesOf(props.lines, page.log.auction?.kind).map((entry) => {
        switch (entry.kind) {
          case "trick":
            return <TrickLine key={entry.plays[0]?.line.key} page={page} scene={scene} trick={entry} />;
          case "auction":
            return <AuctionTable key={entry.calls[0]?.line.key} page={page} scene={scene} calls={entry.calls} />;
          case "line": {
            const text = textOf(props, entry.line);
            return text && <p key={entry.line.key} class={`kind-${entry.line.event.kind}`}>{text}</p>;
          }
        }
      })}
    </>
  );
}

export function LogPanel(props: LogProps & { log: LogLine[] }) {
  const { page, scene, log } = props;
  /** The earlier parts that the user has opened. */
  const opened = useSignal<number[]>([]);
  const parts = partsOf(log, page.log.part);
  const now = parts.pop();
  return (
    <section class="panel log-panel">
      <h2>{t("table.log")}</h2>
      <div class="log" role="log" aria-label={t("table.log")} tabIndex={0} data-testid="log">
        <div>
          {!now && <p class="faint">{t("table.log.empty")}</p>}
          {parts.map((part) => {
            const open = opened.value.includes(part.key);
            const toggle = () =>
              (opened.value = open ? opened.value.filter((key) => key !== part.key) : [...opened.value, part.key]);
            return (
              <div key={part.key} class="log-part">
                <button type="button" class="quiet sheet-why" aria-expanded={open} onClick={toggle}>
                  <Icon name="forward" turn={open ? 90 : 0} />
                  {part.title ?? "…"}
                </button>
                {open && <Lines page={page} scene={scene} lines={part.lines} />}
              </div>
            );
          })}
          {now && <Lines page={page} scene={scene} lines={now.lines} />}
        </div>
      </div>
    </section>
  );
}
