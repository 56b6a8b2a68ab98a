/** What is fetched beside the catalogue: parts, the server's words, the rules; the same in every language. */

import { afterEach, describe, expect, test } from "vitest";
import { type Block, blocksOf, loadRules } from "../rules";
import { bareRefusal, refusalWords } from "../table/refusals";
import { fetchParts, type Language, LANGUAGES, speakIn } from "../texts";
import { part } from "../texts/part";
import server from "./fixtures/server.json";
import { wrongTexts } from "./wording";

type Modules = Record<string, Record<string, Record<string, string>>>;
const others = (Object.keys(LANGUAGES) as Language[]).filter((one) => one !== "en");

/** Every folder with an `en.ts` has the other languages beside it. */
const parts = import.meta.glob(["../*/??.ts", "!../texts/*"], { eager: true }) as Modules;
const folders = Object.keys(parts).flatMap((path) => /^\.\.\/(\w+)\/en\.ts$/u.exec(path)?.[1] ?? []);
/** The texts of the house that the terminal uses too. */
const house = import.meta.glob<Record<string, string>>("../../../src/croupier/texts/*/??.json", { eager: true, import: "default" });

test("there are parts", () => expect(folders).toEqual(expect.arrayContaining(["connect", "operator"])));

describe.each(folders)("the part %s", (folder) => {
  test.each(others)("in %s", (language) => {
    const english = parts[`../${folder}/en.ts`]?.["en"] ?? {};
    expect(wrongTexts(language, english, parts[`../${folder}/${language}.ts`]?.[language] ?? {})).toEqual([]);
  });
});

describe.each(["shared", "coach", "terminal"])("the house's texts: %s", (folder) => {
  const of = (language: string) => house[`../../../src/croupier/texts/${folder}/${language}.json`] ?? {};

  test.each(others)("in %s", (language) => expect(wrongTexts(language, of("en"), of(language))).toEqual([]));
});

describe("refusals", () => {
  const of = (language: string) => house[`../../../src/croupier/texts/refusals/${language}.json`] ?? {};

  test.each(others)("are the same in %s as in German", (language) => {
    expect(wrongTexts(language, of("de"), of(language), language === "de")).toEqual([]);
  });
});

describe("rules for players", () => {
  const shape = (block: Block): string => {
    if (block.kind === "list") return `list of ${block.items.length}${block.ordered ? ", numbered" : ""}`;
    return block.kind === "table" ? `table ${block.rows.map((row) => row.length).join(" ")}` : block.kind;
  };
  const numbers = (block: Block) => [...JSON.stringify(block).matchAll(/\d+/gu)].map((found) => found[0]).sort();

  test.each(Object.keys(server.options))("%s: the same pieces, the same numbers", async (game) => {
    const english = blocksOf((await loadRules(game, "en")) ?? "");
    expect(english.filter((block) => block.kind === "heading").length).toBeGreaterThanOrEqual(3);
    for (const block of english) {
      if (block.kind === "table") for (const row of block.rows) expect(row).toHaveLength(block.head.length);
      if (block.kind === "paragraph") expect(block.text).not.toMatch(/^[#|-]|`/u);
    }
    for (const language of others) {
      const text = (await loadRules(game, language)) ?? "";
      const blocks = blocksOf(text);
      expect(blocks.map(shape), language).toEqual(english.map(shape));
      for (const [at, block] of blocks.entries()) {
        expect(numbers(block), `${language}: ${JSON.stringify(block)}`).toEqual(numbers(english[at] as Block));
      }
      expect(text.match(/["']/u), language).toBeNull();
      expect(text.split("**").length, language).toBe((await loadRules(game, "en"))?.split("**").length);
    }
  });
});

describe("fetching", () => {
  afterEach(() => speakIn("en"));

  test("a part speaks as soon as the pages do, English until it has been fetched", async () => {
    await speakIn("de");
    const languages = { de: { a: "eins" }, fr: { a: "un" }, sl: { a: "ena" }, cs: { a: "jedna" } };
    const say = part({ en: { a: "one" }, ...languages, de: () => Promise.resolve(languages.de) });
    expect(say("a")).toBe("one");
    await fetchParts();
    expect(say("a")).toBe("eins");
    await speakIn("fr");
    expect(say("a")).toBe("un");
    await speakIn("en");
    expect(say("a")).toBe("one");
  });

  test("a refusal is said in the language of the pages, with the card it is about", async () => {
    const words = "play KS: hearts were led and you can follow";
    const refusal = { key: "must_follow", words, about: { action: "play KS" } };
    expect(refusalWords(refusal)).toBe("Play KS: hearts were led and you can follow");
    expect(bareRefusal(refusal)).toBe("Hearts were led and you can follow");
    expect(refusalWords(null)).toBeNull();
    await speakIn("de");
    await expect.poll(() => refusalWords(refusal)).toBe("KS: du musst Farbe bedienen");
    expect(bareRefusal(refusal)).toBe("Du musst Farbe bedienen");
    const trump = { key: "must_trump", words: "you must", about: { action: "PLAY 10 Hearts" } };
    expect(refusalWords(trump)).toMatch(/^10 Hearts: du /u);
    expect(refusalWords({ key: "not_now", words: "a game is running" })).toBe("Das geht jetzt nicht");
    const kings = { action: "discard HK", reason: "invalid_card.king" };
    expect(refusalWords({ key: "invalid_card", words: "kings", about: kings }, "tarock")).toBe("HK: Könige werden nicht abgelegt");
    const low = { action: "bid two", reason: "invalid_contract.too_low", arguments: { contract: "one" } };
    expect(refusalWords({ key: "invalid_contract", words: "low", about: low }, "tarock")).toBe("Zu niedrig, mindestens: Einser");
    const another = { reason: "not_now.of_tomorrow" };
    expect(refusalWords({ key: "not_now", words: "no", about: another })).toBe("Das geht jetzt nicht");
    expect(refusalWords({ key: "bad_seats", words: "2 seats: expected 4" })).toContain("2 seats: expected 4");
    expect(refusalWords({ key: "of_tomorrow", words: "a new rule" })).toBe("A new rule");
  });
});
