import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import type { CardPage, Scene } from "../games/page";
import { ranks } from "../games/sheet";
import { page } from "../games/taroky";
import { TarokyCard, withTaroky } from "../games/taroky.cards";
import {
  acting,
  cardName,
  faceOf,
  legalPartners,
  sorted,
  type TarokyView,
  transfers,
  winning,
} from "../games/taroky.facts";
import { settleSteps, type TarokyScene } from "../games/taroky.words";
import type { GameEvent } from "../net/protocol";
import { parse } from "../shell/router";
import { Felt } from "../table/Felt";
import { ScoreSheet } from "../table/ScoreSheet";
import { sceneFor, table } from "./fixtures";
import recorded from "./fixtures/taroky.json";

/** Both annotated games of the specification: what the seat that is asked sees, and at the end seat 0. */
interface Deal {
  asks: Record<string, TarokyView>;
  /** What another seat sees while the question is open. */
  others: Record<string, TarokyView>;
  events: GameEvent[];
  final: TarokyView;
}
const { partner, prever } = recorded as unknown as { partner: Deal; prever: Deal };
const drawn = page as CardPage;
const seats = ["ann", "bea", "cyr", "dan"].map((name, seat) => ({ ...table.seats[seat]!, name }));

function sceneOf(view: TarokyView, more: Partial<Scene> = {}): TarokyScene {
  return sceneFor(view, { seats, ...more }) as TarokyScene;
}

const hand = (view: TarokyView) => renderToString(<drawn.Hand scene={sceneOf(view)} />);
const felt = (view: TarokyView) => renderToString(<Felt page={drawn} scene={sceneOf(view)} clock={null} />);

describe("cards", () => {
  test("black digits are ten to seven, red ones four to ace", () => {
    expect(faceOf("S4")).toEqual({ suit: "S", rank: "10" });
    expect(faceOf("C1")).toEqual({ suit: "C", rank: "7" });
    expect(faceOf("H4")).toEqual({ suit: "H", rank: "4" });
    expect([cardName("C1"), cardName("D1"), cardName("HR")]).toEqual([
      "seven of clubs",
      "ace of diamonds",
      "rider of hearts",
    ]);
    expect([cardName("T01"), cardName("T19"), cardName("T22")]).toEqual([
      "trump I, the Pagat",
      "trump XIX",
      "the Škýz",
    ]);
  });

  test("all 54 are drawn, each like no other", () => {
    const codes = [
      ...[..."SCHD"].flatMap((suit) => [..."1234JRQK"].map((rank) => suit + rank)),
      ...Array.from({ length: 22 }, (_, at) => `T${String(at + 1).padStart(2, "0")}`),
    ];
    const svgs = codes.map((code) => renderToString(<TarokyCard code={code} />));
    expect(new Set(svgs).size).toBe(54);
    for (const svg of svgs) expect(svg).not.toMatch(/NaN|undefined/u);
  });

  test("a hand is held trumps first, and red aces go where the rules have them", () => {
    const cards = ["H1", "T03", "SK", "H4", "T21", "HJ"];
    expect(sorted(cards, false)).toEqual(["T21", "T03", "SK", "HJ", "H4", "H1"]);
    expect(sorted(cards, true)).toEqual(["T21", "T03", "SK", "HJ", "H1", "H4"]);
  });

  test("the highest trump takes a trick, else the highest of the suit led", () => {
    expect(winning(["H2", "HK", "H4", "T06"], 1, false)).toBe(0);
    expect(winning(["H4", "H1", "SK", "DK"], 2, false)).toBe(2);
    expect(winning(["H4", "H1", "SK", "DK"], 2, true)).toBe(3);
    expect(winning([], 2, false)).toBeNull();
  });

  test("codes in the server's words become cards", () => {
    const html = renderToString(<p>{withTaroky("card T05: hearts were led and you can follow")}</p>);
    expect(html).toContain('aria-label="trump V"');
    expect(html).not.toContain("card ");
    expect(renderToString(<p>{withTaroky("partner 8: name XIX")}</p>)).toContain("XVIII: name XIX");
  });
});

describe("every question", () => {
  const yesNo: [string, TarokyView | undefined, RegExp, string][] = [
    ["prever", partner.asks.prever, /alone against the other three/u, "Play prever"],
    ["talon", partner.asks.talon, /pass it on unseen to dan/u, "Draw it"],
    ["an offered card", partner.asks.offered, /bea passes a talon card to you/u, "Give it back"],
    ["the first half", prever.asks.prever_talon1, /costs double/u, "Swap for the other half"],
    ["the second half", prever.asks.prever_talon2, /four times/u, "Take the first half back"],
    ["valat", partner.asks.valat, /all twelve tricks/u, "Announce valat"],
    ["contra", partner.asks.contra, /multiplied by 2/u, "Call contra"],
    ["the I", partner.asks.iote, /wins the last trick/u, "Announce the I"],
  ];
  test.each(yesNo)("about %s has two answers in words", (_, view, prompt, answer) => {
    const html = hand(view!);
    expect(html).toMatch(prompt);
    expect(html).toContain('data-testid="answer-yes"');
    expect(html).toContain('data-testid="answer-no"');
    expect(html).toContain(answer);
    expect(html).not.toContain('data-state="legal"');
    expect(felt(view!)).not.toMatch(/undefined|NaN|\{/u);
  });

  test("about Uni or Bida says which it is and what it brings", () => {
    const view = { ...partner.asks.valat!, phase: "moneycards" as const, hand: ["SK", "T05", "H1"] };
    expect(hand(view)).toContain("You hold Bida. Call it? Each other player then pays you 2.");
    expect(hand({ ...view, hand: ["SK"] })).toContain("Call Uni");
  });

  test("about the partner names the trumps that may be named", () => {
    expect(legalPartners(["partner 9", "partner 8"])).toEqual([18, 19]);
    const html = hand(partner.asks.partner!);
    expect(html).toContain('data-testid="partner-19"');
    expect(html).toContain("Name XVIII");
    expect(html).toContain("you play alone, secretly");
  });

  test("about discards marks what may be discarded, and waits for all of them", () => {
    const view = partner.asks.discard!;
    const html = hand(view);
    expect(html).toContain("Discard 4 cards");
    expect(html.match(/data-state="legal"/gu)).toHaveLength(view.legal.length);
    expect(html).toMatch(/data-testid="confirm-discard" disabled/u);
  });

  test("for a card marks the legal ones", () => {
    const view = partner.asks.play!;
    expect(hand(view).match(/data-state="legal"/gu)).toHaveLength(view.legal.length);
  });
});

describe("secret questions", () => {
  test.each(["contra", "iote"])("%s: the others see nobody asked", (phase) => {
    const view = partner.others[phase]!;
    expect(view.legal).toEqual([]);
    expect(acting(view)).toEqual([]);
    const html = felt(view) + hand(view);
    expect(html).not.toContain('data-acting="true"');
    expect(html).not.toContain('data-testid="answer-yes"');
  });

  test("what the others read does not depend on who is asked", () => {
    const view = partner.others.contra!;
    const again = { ...view, to_act: [], legal: [] };
    expect(felt(again)).toBe(felt(view));
    expect(drawn.status(sceneOf(view))).toBe("The payment may be doubled now");
  });
});

describe("the settlement", () => {
  test("explains every step of the partner game", () => {
    const scene = sceneOf(partner.final);
    const steps = settleSteps(scene, partner.final.results[0]!);
    expect(steps.map((step) => step.value)).toEqual(["", "5", "× 4", "+4", "24"]);
    expect(steps[1]?.words).toBe("(13 + 10) × 2 = 46, rounded to tens, halves up");
    expect(steps[2]?.words).toContain("dan contra and cyr rhea-contra");
  });

  test("explains every step of the lost prever", () => {
    const steps = settleSteps(sceneOf(prever.final), prever.final.results[0]!);
    expect(steps.map((step) => step.value)).toEqual(["", "6", "× 2", "× 2", "−2", "26"]);
    expect(steps[2]?.words).toBe("Prever lost with half B");
  });

  test("moves the chips from payers to receivers", () => {
    expect(transfers([26, -78, 26, 26])).toEqual([
      { from: 1, to: 0, amount: 26 },
      { from: 1, to: 2, amount: 26 },
      { from: 1, to: 3, amount: 26 },
    ]);
    expect(transfers([24, -24, 24, -24])).toHaveLength(2);
    expect(transfers([0, 0, 0, 0])).toEqual([]);
    expect(felt(prever.final).match(/class="taroky-flight"/gu)).toHaveLength(3);
  });

  test("is on the table, and the sheet explains the deal", () => {
    const html = felt(partner.final);
    expect(html).toContain('data-testid="settlement"');
    expect(html).toContain("66 points in 6 tricks against 40");
    const rows = drawn.sheet(sceneOf(partner.final));
    expect(rows[0]?.lines?.map((line) => line.label)).toEqual([
      "66 : 40 points",
      "distance 13 gives 5",
      "contra, × 4",
      "I on the end, +4",
      "Money cards",
      "Settlement",
    ]);
    expect(rows.at(-1)?.cells.map((cell) => cell.text)).toEqual(["134", "70", "126", "70"]);
    expect(renderToString(<ScoreSheet seats={seats} rows={rows} you={0} />)).toContain("+34");
  });

  test("ends with ranks, and equal chips share one", () => {
    expect(drawn.ending(partner.final)?.ranks).toEqual([1, 3, 2, 3]);
    expect(ranks([5, 5, 1, 9])).toEqual([2, 2, 4, 1]);
  });

  test("hands the notation over to be copied", () => {
    const Aside = drawn.Aside!;
    const html = renderToString(<Aside scene={sceneOf(partner.final)} match="abc-1" />);
    expect(html).toContain(partner.final.notation);
    expect(html).toContain("/api/matches/abc-1/notation");
    expect(renderToString(<Aside scene={sceneOf(partner.asks.play!)} />)).toBe("");
  });
});

test("every event that people want to read is told in words", () => {
  for (const deal of [partner, prever]) {
    const scene = sceneOf(deal.final, { you: 0 });
    const told = deal.events.map((event) => drawn.words(event, scene)).filter((text) => text !== null);
    expect(told.length).toBeGreaterThan(60);
    for (const text of told) expect(text).not.toMatch(/[{}]|undefined|NaN/u);
  }
  const scene = sceneOf(partner.final, { you: 0 });
  const all = partner.events.map((event) => drawn.words(event, scene));
  expect(all).toContain("dan gives the card back to bea.");
  expect(all).toContain("cyr calls rhea-contra: × 4.");
  expect(all).toContain("You announce the I on the end.");
});

test("the page for notations has an address", () => {
  expect(parse("/notation")).toEqual({ page: "notation" });
  expect(parse("/notation/x")).toEqual({ page: "unknown" });
});
