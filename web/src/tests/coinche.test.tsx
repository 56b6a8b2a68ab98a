import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { BidBox } from "../games/coinche.bid";
import {
  acting,
  auctionRows,
  type CoincheView,
  legalBids,
  playedName,
  type PlayedDeal,
  sorted,
} from "../games/coinche.facts";
import { page, withNamedCards } from "../games/coinche";
import { type CoincheScene, outcome } from "../games/coinche.words";
import type { CardPage } from "../games/page";
import type { GameEvent } from "../net/protocol";
import { Felt } from "../table/Felt";
import { ScoreSheet } from "../table/ScoreSheet";
import { sceneFor, table } from "./fixtures";
import recorded from "./fixtures/coinche.json";

/** The deal of the protocol's example, seen by the seat that was asked, by a watcher, and at its end. */
const { asks, moments, events } = recorded as unknown as {
  asks: Record<"open" | "bid" | "coinche" | "surcoinche" | "play", CoincheView>;
  moments: Record<"auction over" | "played 14" | "over", CoincheView>;
  events: GameEvent[];
};
const drawn = page as CardPage;

const hand = (view: CoincheView) => renderToString(<drawn.Hand scene={sceneFor(view)} />);

describe("the auction", () => {
  test("the seat to act follows from the calls", () => {
    for (const view of Object.values(asks)) expect(acting(view)).toEqual(view.to_act);
  });

  test("has a column for each seat, the first caller on the left", () => {
    const { order, rows } = auctionRows(asks.surcoinche);
    expect(order).toEqual([0, 1, 2, 3]);
    expect(rows.map((row) => [...row])).toEqual([
      ["PASS", "CONTRACT 80 Spades", "CONTRACT 90 Hearts", "PASS"],
      ["CONTRACT 110 Hearts", "COINCHE"],
    ]);
  });

  test("offers only what may be bid", () => {
    expect([...legalBids(asks.open.legal).keys()]).toHaveLength(11);
    const html = hand(asks.coinche);
    const level = (name: string) => html.match(new RegExp(`<input[^>]*data-testid="level-${name}"[^>]*>`, "u"))?.[0];
    expect(level("80")).toContain("disabled");
    expect(level("90")).not.toContain("disabled");
    expect(level("generale")).not.toContain("disabled");
    expect(html).toMatch(/data-testid="bid" disabled/u);
  });

  test("omits levels that the rules exclude", () => {
    const legal = asks.open.legal.filter((action) => !/generale|TA|SA|80|90/u.test(action));
    const options = { ...asks.open.options, allow_generale: false, allow_ta_sa: false, min_bid: 100 };
    const scene = sceneFor({ ...asks.open, options }) as CoincheScene;
    const html = renderToString(<BidBox scene={scene} legal={legal} />);
    expect(html).not.toMatch(/level-(80|90|generale)|kind-(TA|SA)/u);
    expect(html).toContain("kind-Spades");
  });

  test("shows the effect of a coinche and a surcoinche", () => {
    expect(hand(asks.coinche)).toContain("Coinche ×2");
    expect(hand(asks.coinche)).toContain(
      "if 80 spades fails you score 322 instead of 242; if it is made they score 322",
    );
    const answer = hand(asks.surcoinche);
    expect(answer).toContain("110 hearts is coinched: surcoinche or pass");
    expect(answer).toContain(
      "if you make 110 hearts you score 602 instead of 382; if it fails they score 602",
    );
    expect(answer).not.toContain("level-");
  });
});

describe("play", () => {
  test("marks what may be played and answers in the server's words", () => {
    const html = hand(asks.play);
    expect(html.match(/data-state="legal"/gu)).toHaveLength(asks.play.legal.length);
    const named = asks.play.hand.map((code) => `PLAY ${playedName(code)}`);
    expect(named).toEqual(expect.arrayContaining(asks.play.legal));
  });

  test("holds trumps first, the strongest on the left", () => {
    const cards = ["7H", "JH", "10S", "AS", "9H", "KD"];
    expect(sorted(cards, "110 Hearts")).toEqual(["JH", "9H", "7H", "AS", "10S", "KD"]);
    expect(sorted(cards, null)).toEqual(["AS", "10S", "JH", "9H", "7H", "KD"]);
    expect(sorted(["AS", "JS", "9S"], "100 TA")).toEqual(["JS", "9S", "AS"]);
  });

  test("shows contract, coinche, belote and the trick", () => {
    const html = renderToString(<Felt page={page} scene={sceneFor(moments["played 14"])} clock={null} />);
    expect(html).toContain('aria-label="110 hearts"');
    expect(html).toContain("coinched ×2");
    expect(html).toContain('data-testid="last-trick"');
    for (const card of moments["played 14"].table) {
      if (card) expect(html).toContain(`data-testid="trick-card-${card}"`);
    }
    expect(html).not.toMatch(/undefined|NaN/u);
  });

  test("draws the cards in a refusal", () => {
    const html = renderToString(<p>{withNamedCards("PLAY 10 Hearts: Clubs were led and you can follow")}</p>);
    expect(html).toMatch(/^<p><span[^>]*aria-label="ten of hearts".*: Clubs were led/u);
    const bid = renderToString(<p>{withNamedCards("CONTRACT 80 Hearts: 90 Spades was bid before")}</p>);
    expect(bid).toBe("<p>80 Hearts: 90 Spades was bid before</p>");
  });
});

describe("the end of a deal", () => {
  const [deal] = moments.over.deals as PlayedDeal[];

  test("is explained line by line, by side", () => {
    const rows = page.sheet(sceneFor(moments.over));
    expect(rows[0]?.note).toMatch(/^110 hearts, .*, coinched: made, 126 of 110 points$/u);
    expect(rows[0]?.lines?.map((line) => line.cells)).toEqual([
      ["162", "–"],
      ["220", "–"],
      ["20", "–"],
    ]);
    expect(rows[0]?.lines?.[1]?.label).toMatch(/^Contract, 110.×.2$/u);
    expect(rows.at(-1)?.cells.map((cell) => cell.text)).toEqual(["402", "0"]);
    const html = renderToString(<ScoreSheet seats={table.seats} rows={rows} you={0} sides={page.sides} />);
    expect(html.match(/scope="col"/gu)).toHaveLength(2);
    expect(html).toContain('aria-expanded="true"');
  });

  test("tells why a contract failed", () => {
    const failed = { ...(deal as PlayedDeal), made: false };
    expect(outcome({ ...failed, reached: 100 })).toBe("failed, 100 of 110 points");
    expect(outcome(failed)).toMatch(/not more than the defenders/u);
    expect(outcome({ ...failed, needed: null, tricks: [6, 2] })).toBe("failed with 6 of 8 tricks");
    expect(outcome({ ...failed, needed: null, tricks: [8, 0] })).toMatch(/alone/u);
  });

  test("is the end of the match for one side", () => {
    expect(page.ending(moments.over)).toMatchObject({ ranks: [1, 2], totals: [402, 0], final: true });
    expect(page.ending(moments["played 14"])).toBeNull();
  });
});

test("every event that people want to read is told in words", () => {
  const told = events.map((event) => page.words(event, sceneFor(moments.over))).filter((text) => text !== null);
  expect(told.length).toBeGreaterThan(45);
  for (const text of told) expect(text).not.toMatch(/[{}]|undefined|NaN/u);
  expect(told.some((text) => /: rebelote!$/u.test(text))).toBe(true);
});
