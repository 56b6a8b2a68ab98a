/** Reasons of refusals in the language of the pages. English uses the texts of the server, which are more specific. */

import { asSentence, fill, language, lookUp } from "../texts";
import { translations } from "../texts/part";
import type { Refusal } from "../net/table";

const translated = translations({
  de: () => import("../texts/de.refusals").then((module) => module.refusals),
  fr: () => import("../texts/fr.refusals").then((module) => module.refusals),
  sl: () => import("../texts/sl.refusals").then((module) => module.refusals),
  cs: () => import("../texts/cs.refusals").then((module) => module.refusals),
});

/** The code of a card or a die, the argument of an action: "KS", "10 Spades". */
const CODE = /^(?:(?:10|[7-9JQKA]) [A-Z][a-z]+|(?=\d*[A-Z])[0-9A-Z]{2,3})$/u;

/** Return the text that *game* brings for a refusal, or that of the pages; English uses the words of the server. */
function textOf(refusal: Refusal, game: string): string | undefined {
  const brought = language() === "en" ? "" : lookUp(`${game}.refusal.${refusal.key}`, "");
  return brought || translated(refusal.key);
}

/** Return the text of a refusal, starting with the code of the card or die it is about. */
export function refusalWords(refusal: Refusal | null, game = ""): string | null {
  if (!refusal) return null;
  const text = textOf(refusal, game);
  if (text === undefined) return asSentence(refusal.words);
  const said = fill(text, { words: refusal.words });
  const code = refusal.about?.action?.split(" ").slice(1).join(" ") ?? "";
  return CODE.test(code) ? `${code}: ${said}` : asSentence(said);
}

/** Return the text of a refusal without the action it is about. */
export function bareRefusal(refusal: Refusal | null, game = ""): string | null {
  if (!refusal) return null;
  const text = textOf(refusal, game);
  const action = `${refusal.about?.action ?? ""}: `;
  const words = refusal.words.startsWith(action) ? refusal.words.slice(action.length) : refusal.words;
  return asSentence(text === undefined ? words : fill(text, { words }));
}

/** Return why the table or the connection was closed. */
export function farewellWords(farewell: { key: string; reason: string } | null): string | null {
  const text = farewell === null ? undefined : translated(farewell.key);
  return text === undefined ? (farewell?.reason ?? null) : fill(text, { words: farewell?.reason ?? "" });
}
