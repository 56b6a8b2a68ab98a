/** What the server may say has words in every language. Python writes the table: `python -m tests.page_tables`. */

import { describe, expect, test } from "vitest";
import { PLAIN } from "../lobby/hints";
import { LANGUAGES } from "../texts";
import server from "./fixtures/server.json";

type Modules = Record<string, Record<string, Record<string, string>>>;
const catalogues = import.meta.glob("../texts/??.*.ts", { eager: true }) as Modules;
const keys = (language: string, kind: string) => Object.keys(catalogues[`../texts/${language}.${kind}.ts`]?.[kind] ?? {});
const missing = (wanted: string[], there: string[]) => wanted.filter((key) => !there.includes(key));
const games = Object.entries(server.options);

describe.each(Object.keys(LANGUAGES).filter((language) => language !== "en"))("in %s", (language) => {
  test("every refusal has words", () => {
    expect(missing([...server.refusals, ...server.farewells], keys(language, "refusals"))).toEqual([]);
  });

  test("every fault of a notation has words", () => {
    expect(missing(server.faults, keys(language, "faults"))).toEqual([]);
  });

  test.each(games)("%s: every option has a title, and a hint or needs none", (game, options) => {
    const titles = options.map((name) => `${game}.option.${name}`);
    expect(missing(titles, keys(language, game))).toEqual([]);
    const needless = (PLAIN[game] ?? "").split(" ").map((name) => `${game}.${name}`);
    const hints = keys(language, "hints").filter((key) => key.startsWith(`${game}.`));
    expect([...hints, ...needless].sort()).toEqual(options.map((name) => `${game}.${name}`).sort());
  });
});

test.each(Object.entries(server.choices))("%s: every choice has a name", (game, choices) => {
  const names = choices.map((choice) => `${game}.choice.${choice}`);
  expect(missing(names, keys("en", game))).toEqual([]);
});
