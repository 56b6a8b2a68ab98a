/** Looks texts up and fills them in. */

import { en, type TextKey, type Texts } from "./en";

export type { TextKey } from "./en";

/** One line a language; the page's `lang` follows. */
const languages: Record<string, Texts> = { en };

const chosen = "en";
const texts = languages[chosen] ?? en;

export type Values = Record<string, string | number>;

/** Return the text *key* with `{name}` replaced from *values*. */
export function t(key: TextKey, values?: Values): string {
  return fill(texts[key], values);
}

/** Return the text of a key put together at run time, or *otherwise* where the catalogue has none. */
export function lookUp(key: string, otherwise: string): string {
  return Object.hasOwn(texts, key) ? texts[key as TextKey] : otherwise;
}

export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/gu, (whole, name: string) => String(values[name] ?? whole));
}

const NAME_IN_SENTENCE = 20;
const LEFT_TO_RIGHT = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\p{N}\p{P}\p{Zs}]*$/u;

/** Return *name* as part of a sentence: not too long, and unable to turn the words around it. */
export function inSentence(name: string): string {
  const signs = [...name];
  const short = signs.length > NAME_IN_SENTENCE ? `${signs.slice(0, NAME_IN_SENTENCE - 1).join("")}…` : name;
  // First strong isolate … pop directional isolate: a name from right to left stays one piece.
  return LEFT_TO_RIGHT.test(short) ? short : `\u2068${short}\u2069`;
}

/** Return the server's *words* with a capital, as a sentence of their own begins. */
export function asSentence(words: string): string {
  return words.charAt(0).toLocaleUpperCase(chosen) + words.slice(1);
}

const lists = new Intl.ListFormat(chosen, { type: "conjunction" });
const moments = new Intl.DateTimeFormat(chosen, { dateStyle: "medium", timeStyle: "short" });

export function list(items: string[]): string {
  return lists.format(items);
}

/** Return a time of the server (seconds since 1970, or ISO text) for people. */
export function moment(when: number | string | null): string {
  if (when === null) return "";
  const date = new Date(typeof when === "number" ? when * 1000 : when);
  return Number.isNaN(date.getTime()) ? "" : moments.format(date);
}

/** Return a score with a true minus sign. */
export function score(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}
