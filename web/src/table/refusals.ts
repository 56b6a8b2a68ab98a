/** Reasons of refusals in the language of the pages. English uses the texts of the server, which are more specific. */

import { asSentence, fill } from "../texts";
import { translations } from "../texts/part";

const translated = translations({
  de: () => import("../texts/de.refusals").then((module) => module.refusals),
  fr: () => import("../texts/fr.refusals").then((module) => module.refusals),
  sl: () => import("../texts/sl.refusals").then((module) => module.refusals),
  cs: () => import("../texts/cs.refusals").then((module) => module.refusals),
});

/** The start of a server text about a card or a die: "play KS: …", "play 10 Hearts: …". */
const ABOUT = /^[A-Za-z_]+ ((?:10|[7-9JQKA]) [A-Z][a-z]+|(?=\d*[A-Z])[0-9A-Z]{2,3}): /u;

/** Return the text of a refusal, starting with the code of the card or die it is about. */
export function refusalWords(refusal: { key: string; words: string } | null): string | null {
  if (!refusal) return null;
  const text = translated(refusal.key);
  if (text === undefined) return refusal.words;
  const said = fill(text, { words: refusal.words });
  const about = ABOUT.exec(refusal.words)?.[1];
  return about ? `${about}: ${said}` : asSentence(said);
}

/** Reasons for closing a table or a connection; a test compares them with the server. */
export const FAREWELLS: Record<string, string> = {
  "the match is over": "match_over",
  "nobody was here for a while": "deserted",
  "nobody is here any more": "abandoned",
  "the server is stopping; your game continues when it is back": "stopping",
};

/** Return the text for a closing *reason*. */
export function farewellWords(reason: string | null): string | null {
  const text = reason === null ? undefined : translated(FAREWELLS[reason] ?? "");
  return text === undefined ? reason : fill(text);
}
