/** The headline of the result: who has won, with the reader first. */

import { renderToString } from "preact-render-to-string";
import { afterAll, describe, expect, test } from "vitest";
import { page } from "../games/hearts";
import { Result } from "../table/Result";
import { speakIn, type Language } from "../texts";
import { asks, sceneOf } from "./fixtures";

afterAll(() => speakIn("en"));

const scene = { ...sceneOf(asks.play.view), you: 2 };
const other = scene.seats[0]?.name ?? "";

function headline(ranks: number[], you: number | null = 2): string {
  const ending = { title: "", totals: [1, 2, 1, 2], ranks, final: false };
  const html = renderToString(
    <Result ending={ending} scene={{ ...scene, you }} page={page} table="t" match={null} answers={null} late={false} />,
  );
  return /<h2>(.*)<\/h2>/u.exec(html)?.[1] ?? "";
}

describe("a shared win names the reader first", () => {
  test.each<[Language, string]>([
    ["en", `You share the win with ${other}`],
    ["de", `Du teilst dir den Sieg mit ${other}`],
    ["fr", `Vous partagez la victoire avec ${other}`],
    ["sl", `Zmago si delite: vi in ${other}`],
    ["cs", `O\u00a0výhru se dělíte: vy a ${other}`],
  ])("in %s", async (language, words) => {
    await speakIn(language);
    expect(headline([1, 3, 1, 3])).toBe(words);
  });

  test("watchers read all names", async () => {
    await speakIn("en");
    expect(headline([1, 3, 1, 3], null)).toBe(`${other} and ${scene.seats[2]?.name} share the win`);
  });
});
