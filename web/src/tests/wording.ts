/** What is wrong with the texts of a language beside the English ones: keys, gaps, forms, words left over. */

import { FORMS, type Language } from "../texts";

const HOLES = /\{(\w+)(?:\|[^{}]*)?\}/gu;
const COUNTED = /\{(\w+)\|([^{}]*)\}/gu;

/** Words of texts that may read as in English: names of the house and of games, words that languages share. */
const SHARED = new Set(
  (
    "a b d belote bida bot capot chips club coinche contrée croupier final générale hearts klop kontra mond mordkontra " +
    "notation pagat partner pause points prever program radelci rebelote rekontra second secret six škis standard " +
    "subkontra surcoinche table talon tarock tarocky taroky total trend trul trula ultimo uni valat west " +
    "animations hand maximum name phase server versions"
  ).split(" "),
);

type Texts = Record<string, string>;

function holes(text: string): string {
  return [...new Set([...text.matchAll(HOLES)].map((found) => found[1]))].sort().join(" ");
}

function leftInEnglish(text: string): boolean {
  return (text.replace(HOLES, "").match(/\p{L}+/gu) ?? []).some((word) => !SHARED.has(word.toLowerCase()));
}

/** Return what is wrong, a line each; *same* where both are the same texts. */
export function wrongTexts(language: Language, english: Texts, texts: Texts, same = language === "en"): string[] {
  const wrong: string[] = [];
  for (const key of new Set([...Object.keys(english), ...Object.keys(texts)])) {
    const [one, other] = [english[key], texts[key]];
    if (one === undefined || other === undefined) {
      wrong.push(`${key}: ${one === undefined ? "not there in English" : "missing"}`);
      continue;
    }
    if (!other.trim()) wrong.push(`${key}: empty`);
    if (holes(one) !== holes(other)) wrong.push(`${key}: fills in {${holes(other)}} instead of {${holes(one)}}`);
    if (/[{}]/u.test(other.replace(HOLES, ""))) wrong.push(`${key}: a stray brace`);
    const counted = [...other.matchAll(COUNTED)];
    for (const [, name] of one.matchAll(COUNTED)) {
      if (!counted.some((found) => found[1] === name)) wrong.push(`${key}: no forms for {${name}}`);
    }
    for (const [, name, forms] of counted) {
      if (forms?.split("|").length !== FORMS[language].length) wrong.push(`${key}: wrong number of forms for {${name}}`);
    }
    if (language !== "en" && /["']/u.test(other)) wrong.push(`${key}: straight quotation marks`);
    if (!same && one === other && leftInEnglish(other)) wrong.push(`${key}: left in English: ${other}`);
  }
  return wrong;
}
