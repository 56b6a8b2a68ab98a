/** What the server may say has words in every language. Python writes the table: `python -m tests.page_tables`. */

import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../texts";
import server from "./fixtures/server.json";

const own = import.meta.glob<Record<string, string>>("../../../src/croupier/games/*/texts/*.json", { eager: true, import: "default" });
const keys = (language: string, game: string) => Object.keys(own[`../../../src/croupier/games/${game}/texts/${language}.json`] ?? {});
const missing = (wanted: string[], there: string[]) => wanted.filter((key) => !there.includes(key));
const games = Object.entries(server.options);

describe.each(Object.keys(LANGUAGES).filter((language) => language !== "en"))("in %s", (language) => {
  test.each(games)("%s: every option has a title, and a hint, which is empty if it needs none", (game, options) => {
    const needed = options.flatMap((name) => [`option.${name}`, `option.${name}.more`]);
    expect(keys(language, game).filter((key) => key.startsWith("option.")).sort()).toEqual(needed.sort());
  });
});

test.each(Object.entries(server.choices))("%s: every choice has a name", (game, choices) => {
  const names = choices.map((choice) => `choice.${choice}`);
  expect(missing(names, keys("en", game))).toEqual([]);
});
