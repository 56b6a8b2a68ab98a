/** Reasons of refusals in the language of the pages: those of a game are in its texts, the others in src/croupier/texts/refusals. */

import { asSentence, fill, language, lookUp } from "../texts";
import { translations } from "../texts/part";
import type { Refusal } from "../net/table";

const translated = translations({
  de: () => import("../../../src/croupier/texts/refusals/de.json").then((module) => module.default),
  fr: () => import("../../../src/croupier/texts/refusals/fr.json").then((module) => module.default),
  sl: () => import("../../../src/croupier/texts/refusals/sl.json").then((module) => module.default),
  cs: () => import("../../../src/croupier/texts/refusals/cs.json").then((module) => module.default),
});

/** The code of a card or a die, the argument of an action: "KS", "10 Spades". */
const CODE = /^(?:(?:10|[7-9JQKA]) [A-Z][a-z]+|(?=\d*[A-Z])[0-9A-Z]{2,3})$/u;

/**
 * Return why something is refused, in the words of *game* or of the pages, undefined if there are none.
 *
 * The text of a key stands for its cases. English uses the words of the server.
 */
function reasonOf({ key, about, words }: Refusal, game: string): string | undefined {
  if (language() === "en") return undefined;
  const reasons = [about?.reason ?? key, key];
  const found =
    reasons.map((reason) => lookUp(`${game}.refusal.${reason}`, "")).find(Boolean) ?? reasons.map(translated).find(Boolean);
  const given = Object.entries(about?.arguments ?? {});
  const values = given.map(([name, value]) => [name, lookUp(`${game}.${name}.${value}`, "") || value]);
  return found && fill(found, { ...Object.fromEntries(values), words });
}

/** Return the text of a refusal, starting with the code of the card or die it is about. */
export function refusalWords(refusal: Refusal | null, game = ""): string | null {
  if (!refusal) return null;
  const said = reasonOf(refusal, game);
  if (said === undefined) return asSentence(refusal.words);
  const code = refusal.about?.action?.split(" ").slice(1).join(" ") ?? "";
  return CODE.test(code) ? `${code}: ${said}` : asSentence(said);
}

/** Return the text of a refusal without the action it is about. */
export function bareRefusal(refusal: Refusal | null, game = ""): string | null {
  if (!refusal) return null;
  const action = `${refusal.about?.action ?? ""}: `;
  const words = refusal.words.startsWith(action) ? refusal.words.slice(action.length) : refusal.words;
  return asSentence(reasonOf(refusal, game) ?? words);
}

/** Return why the table or the connection was closed. */
export function farewellWords(farewell: { key: string; reason: string } | null): string | null {
  const text = farewell === null ? undefined : translated(farewell.key);
  return text === undefined ? (farewell?.reason ?? null) : fill(text, { words: farewell?.reason ?? "" });
}
