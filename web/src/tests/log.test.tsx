import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { page as coinche } from "../games/coinche";
import { page as hearts } from "../games/hearts";
import { dealPart } from "../games/page";
import { page as tarock } from "../games/tarock";
import type { GameEvent } from "../net/protocol";
import type { LogLine } from "../net/table";
import { LogPanel } from "../table/Log";
import { entriesOf, inRows, partsOf } from "../table/logEntries";
import { asks, events, sceneOf } from "./fixtures";

const lines = (told: GameEvent[]): LogLine[] => told.map((event, key) => ({ key, event, auto: false }));

describe("a deal of Hearts in the log", () => {
  const log = lines(events);

  test("has one entry for each of its thirteen tricks", () => {
    const tricks = entriesOf(log).filter((entry) => entry.kind === "trick");
    expect(tricks).toHaveLength(13);
    for (const trick of tricks) {
      expect(trick.plays).toHaveLength(4);
      expect(trick.plays.map((play) => play.seat)).toContain(trick.taker);
      expect(trick.end?.event.kind).toBe("round_ended");
    }
  });

  test("is written with chips, and with sentences for screen readers", () => {
    const html = renderToString(<LogPanel page={hearts} scene={sceneOf(asks.play.view)} log={log} />);
    expect(html.match(/class="log-trick"/gu)).toHaveLength(13);
    expect(html.match(/class="log-sign[^"]* wins/gu)).toHaveLength(13);
    expect(html).toContain("You play the ");
    expect(html).toMatch(/takes? the trick/u);
  });
});

test("the reader is called You after a label", () => {
  const scene = { ...sceneOf(asks.play.view), you: 2 };
  const started = { kind: "deal_started", deal: 1, dealer: 2, first: 3, compulsory: false };
  expect(coinche.words(started, scene)).toContain("Dealer: You. First to bid: ");
  expect(tarock.words(started, scene)).toBe("Deal 1. Dealer: You.");
  expect(coinche.words({ ...started, dealer: 1, first: 2 }, scene)).toContain("First to bid: You.");
});

test("an unfinished trick is an entry too", () => {
  const played = (seat: number, card: string) => ({ kind: "played", seat, card });
  const [entry, ...more] = entriesOf(lines([played(1, "2C"), { kind: "announced", seat: 2 }, played(2, "3C")]));
  expect(entry).toMatchObject({ kind: "trick", taker: null, plays: [{ card: "2C" }, { card: "3C" }] });
  expect(more).toHaveLength(1);
});

test("earlier deals are folded and kept", () => {
  const started = (deal: number) => ({ kind: "deal_started", deal, direction: "left" });
  const log = lines([
    { kind: "game_started", game: 1, options: {} },
    started(1),
    { kind: "passed", seat: 1 },
    started(2),
    { kind: "passed", seat: 2 },
    { kind: "game_started", game: 2, options: {} },
    started(1),
  ]);
  expect(partsOf(log, dealPart).map((part) => [part.title, part.lines.length])).toEqual([
    ["Deal 1", 3],
    ["Deal 2", 2],
    ["Deal 1", 2],
  ]);
  const html = renderToString(<LogPanel page={hearts} scene={sceneOf(asks.play.view)} log={log} />);
  expect(html.match(/aria-expanded="false"/gu)).toHaveLength(2);
  expect(html).toContain("Game 2 begins.");
  expect(html).not.toContain("has passed three cards");
});

describe("an auction", () => {
  test("is arranged in rows, one column for each seat", () => {
    const calls = [1, 2, 3, 0, 2, 1].map((seat) => ({ seat }));
    const { order, rows } = inRows(calls, 4);
    expect(order).toEqual([1, 2, 3, 0]);
    expect(rows.map((row) => order.map((_, at) => row[at]?.seat))).toEqual([
      [1, 2, 3, 0],
      [undefined, 2, undefined, undefined],
      [1, undefined, undefined, undefined],
    ]);
  });

  test.each([
    ["coinche", coinche, [{ kind: "called", seat: 1, call: "CONTRACT 80 TA" }, { kind: "called", seat: 2, call: "PASS" }], "all trumps"],
    ["tarock", tarock, [{ kind: "spoke", seat: 1, bid: "two" }, { kind: "spoke", seat: 2, bid: "pass" }], "Two"],
  ])("of %s is a table in the log", (_, page, told, sign) => {
    const html = renderToString(<LogPanel page={page} scene={sceneOf(asks.play.view)} log={lines(told)} />);
    expect(html.match(/<table/gu)).toHaveLength(1);
    expect(html.match(/<td><span/gu)).toHaveLength(2);
    expect(html).toContain(sign);
  });
});
