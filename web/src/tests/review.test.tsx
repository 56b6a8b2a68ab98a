/** The review of a deal: lines as they come, what is costly, what is said of a step. */

import { renderToString } from "preact-render-to-string";
import { beforeAll, describe, expect, test } from "vitest";
import { page } from "../games/hearts";
import { BrokenOff, costlySteps, type DealReview, type Finding, heard, linesOf, losses, mistakesOf, nextAfter, NOTHING, type Reason } from "../review/findings";
import { why } from "../review/Chosen";
import { ApiError } from "../net/api";
import { complaint, noHint } from "../review/request";
import { preference, ReviewControls, ReviewMarks, ReviewNote } from "../review/Review";
import { speakIn } from "../texts";
import { moments, sceneOf } from "./fixtures";

beforeAll(() => speakIn("en"));

const scene = sceneOf(moments["played 5"], { you: null });

function played(step: number, seat: number, card: string, best: string, difference: number): Finding {
  const line = (one: string) => ({
    actions: [`play ${one}`],
    events: [{ kind: "played", seat, card: one, broken: false }],
    value: 0,
    visits: 9,
  });
  return { deal: 1, step, seat, by: "", played: line(card), best: line(best), difference, options: [], reasons: [] };
}

const review: DealReview = {
  total: 4,
  findings: [played(3, 0, "AD", "2D", 13.24), played(4, 1, "3C", "3C", 0), played(7, 0, "4S", "5S", 0.01), played(9, 2, "KS", "3S", 4)],
  costly: 2,
};

describe("lines from the server", () => {
  test("lines arrive in pieces", async () => {
    const text = '{"decisions":1}\n{"done":true,"costly":2}\n';
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (const part of [bytes.slice(0, 5), bytes.slice(5, 20), bytes.slice(20)]) stream.enqueue(part);
        stream.close();
      },
    });
    let found = NOTHING;
    for await (const told of linesOf(body)) found = heard(found, told);
    expect(found).toEqual({ total: 1, findings: [], costly: 2 });
  });

  test("a failed review throws", () => {
    expect(() => heard(NOTHING, { key: "broken_off", words: "the review failed: try again" })).toThrow(BrokenOff);
  });
});

test("the sentence of the coach is made from facts", () => {
  const name = scene.seats[2]?.name ?? "";
  expect(why([], scene)).toBe("");
  expect(why([{ kind: "stake", number: 14 }, { kind: "void", seat: 2, suit: "hearts" }], scene)).toBe(
    `Why: this trick holds 14 points and ${name} has no hearts left.`,
  );
  const other = scene.seats[3]?.name ?? "";
  const voids: Reason[] = [2, 3].map((seat) => ({ kind: "void", seat, suit: "clubs" }));
  expect(why(voids, scene)).toBe(`Why: ${name} and ${other} have no clubs left.`);
});

test("a refusal of the coach is told in the language of the pages", async () => {
  const refused = new ApiError("not_alone", "there are hints only if all other players are bots", 409);
  const busy = new ApiError("busy", "other hints are being computed: try again in a few seconds", 429);
  const other = new ApiError("cannot_store", "the server cannot store data at the moment: try again later", 503);
  expect(noHint(refused)).toBe("There are hints only if all other players are bots.");
  expect(complaint(other)).toBe("The review failed. The server cannot store data at the moment: try again later");
  await speakIn("de");
  expect(noHint(refused)).toBe("Tipps gibt es nur, wenn alle anderen Bots sind.");
  expect(complaint(busy)).toBe("Gerade werden zu viele Tipps und Analysen berechnet. Versuch es gleich noch einmal.");
  expect(complaint(new BrokenOff())).toBe("Die Analyse wurde abgebrochen.");
  await speakIn("en");
});

describe("costly decisions", () => {
  test("are the player's mistakes if the player made them", () => {
    expect(mistakesOf(review, 0).map((one) => one.step)).toEqual([3]);
    expect(mistakesOf(review, 1)).toEqual([]);
  });

  test("are known when all decisions are reviewed", () => {
    expect(costlySteps({ ...review, costly: null })).toEqual([]);
    expect(costlySteps(review)).toEqual([3, 9]);
    expect(costlySteps({ ...review, costly: 0 })).toEqual([3, 9]);
  });

  test("are visited in order, then from the start", () => {
    expect([0, 3, 9].map((step) => nextAfter([3, 9], step))).toEqual([3, 9, 3]);
    expect(nextAfter([], 3)).toBeUndefined();
  });

  test("add up", () => expect(losses(review, 4)).toEqual([13.3, 0, 4, 0]));
});

describe("comments", () => {
  const note = (step: number, only: number | null = null) =>
    renderToString(<ReviewNote review={review} step={step} only={only} page={page} scene={scene} />);

  test("on a step", () => {
    expect(note(3)).toContain("plays the two of diamonds.");
    expect(note(3)).toContain("Expected gain in points: 13.2");
    expect(note(4)).toContain("The expert would have done the same.");
    expect(note(7)).toContain("About as good");
    expect(note(5)).not.toContain("<p");
    expect(note(3, 0)).toContain("<p");
    expect(note(3, 1)).not.toContain("<p");
  });

  test("on cards that are discarded face down", () => {
    const pass = (cards: string[]) => ({
      actions: cards.map((card) => `pass ${card}`),
      events: cards.map((card) => ({ kind: "picked", seat: 0, card })),
      value: 0,
      visits: 9,
    });
    const finding = { ...played(1, 0, "AD", "2D", 1), played: pass(["2C", "3C"]), best: pass(["QS", "KS"]) };
    expect(preference(finding, page, scene)).toBe("QS and KS");
  });

  test("in every state", () => {
    const draw = (more: object) =>
      renderToString(
        <ReviewControls
          reviewed={{ review: NOTHING, running: false, failure: null, start: () => undefined, stop: () => undefined, ...more }}
          scene={scene}
          step={0}
          go={() => undefined}
        />,
      );
    expect(draw({})).toContain("Review this deal");
    expect(draw({ failure: new BrokenOff() })).toContain("The review failed.<");
    expect(draw({ running: true })).toContain("Starting the review…");
    expect(draw({ running: true, review: { ...review, costly: null } })).toContain("4 of 4 decisions reviewed");
    expect(draw({ review })).toContain("2 costly decisions");
    expect(draw({ review: { ...review, costly: 99 } })).toContain("No costly decision in this deal.");
    expect(renderToString(<ReviewMarks review={review} length={11} />)).toContain("--at:0.3");
  });
});
