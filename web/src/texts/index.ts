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
