import { afterEach, describe, expect, test } from "vitest";
import { fill, FORMS, type Language, LANGUAGES, list, moment, preferred, score, speakIn, t } from "../texts";
import { cs } from "../texts/cs";
import { de } from "../texts/de";
import { en, type Texts } from "../texts/en";
import { fr } from "../texts/fr";
import { sl } from "../texts/sl";
import { wrongTexts } from "./wording";

const sources = Object.entries(
  import.meta.glob<string>(["../**/*.ts", "../**/*.tsx", "!../tests/**", "!../texts/??.ts", "!../texts/keys.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

/** Keys put together at run time: `rank.${…}` uses all that start with "rank.". */
const prefixes = sources.flatMap(([, text]) =>
  [...text.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z]+)*\.)\$\{/gu)].map((match) => match[1] ?? ""),
);

test("the catalogue has no unused text", () => {
  const unused = Object.keys(en).filter(
    (key) =>
      !sources.some(([, text]) => text.includes(`"${key}"`)) &&
      !prefixes.some((prefix) => key.startsWith(prefix)) &&
      !key.endsWith(".title") &&
      !/^\w+\.(about|connect(\.account)?|(action|log|option|choice|preset|page|guide|terminal)\..*)$/u.test(key),
  );
  expect(unused).toEqual([]);
});

test("no page contains literal text", () => {
  // Words between two tags that are not an expression.
  const found = sources.flatMap(([name, text]) =>
    [...text.matchAll(/<\w[^<>]*[^=]>\s*([A-Za-z]{2}[\w ,.]*)<\/\w/gu)].map((match) => `${name}: ${match[1]}`),
  );
  expect(found).toEqual([]);
});

const catalogue: Record<Language, Texts> = { en, de, fr, sl, cs };

/** Texts for which English uses those of the server. */
const ENGLISH_ON_SERVER = /^\w+\.(?:refusal\.[\w.]+|fault\.\w+|option\.\w+\.more)$/u;

function parted(texts: Record<string, string>, server: boolean): Record<string, string> {
  const said = Object.entries(texts).filter(([key, text]) => ENGLISH_ON_SERVER.test(key) === server && (text || !server));
  return Object.fromEntries(said);
}

describe.each(Object.keys(LANGUAGES) as Language[])("%s", (language) => {
  test("has the same keys and placeholders as English, or as German if English is on the server", () => {
    expect(wrongTexts(language, parted(en, false), parted(catalogue[language], false))).toEqual([]);
    if (language === "en") expect(parted(en, true)).toEqual({});
    else expect(wrongTexts(language, parted(de, true), parted(catalogue[language], true), language === "de")).toEqual([]);
  });

  test("has all plural forms", () => {
    const rules = new Intl.PluralRules(language);
    const used = new Set(Array.from({ length: 300 }, (_, n) => rules.select(n)));
    expect([...used].sort()).toEqual([...FORMS[language]].sort());
  });
});

describe("choosing a language", () => {
  afterEach(() => speakIn("en"));

  test("takes the first preferred language in the catalogue", () => {
    expect(preferred(["pt-BR", "de-AT", "fr"])).toBe("de");
    expect(preferred(["SL"])).toBe("sl");
    expect(preferred(["pt", "toString"])).toBe("en");
    expect(preferred([])).toBe("en");
  });

  test("changes texts, numbers, lists and dates", async () => {
    expect(t("table.secondsLeft", { n: 1 })).toBe("1 second left");
    await speakIn("de");
    expect(t("table.secondsLeft", { n: 1 })).toBe("noch 1 Sekunde");
    expect(t("table.secondsLeft", { n: 12345 })).toBe("noch 12.345 Sekunden");
    expect(list(["Ana", "Bo", "Cy"])).toBe("Ana, Bo und Cy");
    expect(score(-2000)).toBe("−2000");
    expect(moment("2026-11-16T12:00:00")).toContain("16.11.2026");
  });

  test("every form of a counted text is used", async () => {
    await speakIn("sl");
    expect([1, 2, 3, 5, 101].map((n) => fill("{n|karta|karti|karte|kart}", { n }))).toEqual([
      "karta",
      "karti",
      "karte",
      "kart",
      "karta",
    ]);
    await speakIn("cs");
    expect([1, 2, 5].map((n) => t("hearts.cards", { n }))).toEqual(["1 karta", "2 karty", "5 karet"]);
    await speakIn("fr");
    expect([0, 1, 2].map((n) => t("hearts.cards", { n }))).toEqual(["0 carte", "1 carte", "2 cartes"]);
  });

  test("lines are not broken before signs in French, nor after prepositions of one letter", async () => {
    expect(fill("a : {b}", { b: "c : d" })).toBe("a : c : d");
    await speakIn("fr");
    expect(fill("« a » : {b} !", { b: "c : d" })).toBe("«\u00a0a\u00a0»\u00a0: c : d\u00a0!");
    await speakIn("cs");
    expect(fill("S kartou v ruce a {n}", { n: "v klidu" })).toBe("S\u00a0kartou v\u00a0ruce a v klidu");
  });
});
