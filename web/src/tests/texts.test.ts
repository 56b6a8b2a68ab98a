import { expect, test } from "vitest";
import { en } from "../texts/en";

const sources = Object.entries(
  import.meta.glob<string>(["../**/*.ts", "../**/*.tsx", "!../tests/**", "!../texts/en*.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

/** Keys put together at run time: `rank.${…}` uses all that start with "rank.". */
const prefixes = sources.flatMap(([, text]) =>
  [...text.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z]+)*\.)\$\{/gu)].map((match) => match[1] ?? ""),
);

test("the catalogue has no text that nobody shows", () => {
  const unused = Object.keys(en).filter(
    (key) =>
      !sources.some(([, text]) => text.includes(`"${key}"`)) &&
      !prefixes.some((prefix) => key.startsWith(prefix)) &&
      !key.endsWith(".title") &&
      !/^\w+\.(option|choice)\./u.test(key),
  );
  expect(unused).toEqual([]);
});

test("no page has words of its own", () => {
  // Words between two tags that are not an expression.
  const found = sources.flatMap(([name, text]) =>
    [...text.matchAll(/<\w[^<>]*[^=]>\s*([A-Za-z]{2}[\w ,.]*)<\/\w/gu)].map((match) => `${name}: ${match[1]}`),
  );
  expect(found).toEqual([]);
});
