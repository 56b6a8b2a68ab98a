/** Why the server refuses something, in the language of the pages. In English they are its own words, which say more. */

import { asSentence, fill } from "../texts";
import { translations } from "../texts/part";

const translated = translations({
  de: () => import("../texts/de.refusals").then((module) => module.refusals),
  fr: () => import("../texts/fr.refusals").then((module) => module.refusals),
  sl: () => import("../texts/sl.refusals").then((module) => module.refusals),
  cs: () => import("../texts/cs.refusals").then((module) => module.refusals),
});

/** What the server's words begin with if they are about a card or a die: "play KS: …", "play 10 Hearts: …". */
const ABOUT = /^[A-Za-z_]+ ((?:10|[7-9JQKA]) [A-Z][a-z]+|(?=\d*[A-Z])[0-9A-Z]{2,3}): /u;

/** Return the words of a refusal, with the code of the card or die it is about in front. */
export function refusalWords(refusal: { key: string; words: string } | null): string | null {
  if (!refusal) return null;
  const text = translated(refusal.key);
  if (text === undefined) return refusal.words;
  const said = fill(text, { words: refusal.words });
  const about = ABOUT.exec(refusal.words)?.[1];
  return about ? `${about}: ${said}` : asSentence(said);
}

/** Why the server closes a table or says goodbye; a test compares them with its own. */
const FAREWELLS: Record<string, string> = {
  "the match is over": "match_over",
  "nobody was here for a while": "deserted",
  "the server stops; your game goes on when it is back": "stopping",
};

/** Return the last words of the server. */
export function farewellWords(reason: string | null): string | null {
  const text = reason === null ? undefined : translated(FAREWELLS[reason] ?? "");
  return text === undefined ? reason : fill(text);
}
