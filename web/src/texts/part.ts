/** Texts of a part that is fetched by itself: the same keys in every language, English where one is missing. */

import { fill, type Values } from "./index";

/** Return which of *languages* the page is in. */
export function spoken<T>(languages: { en: T } & Record<string, T>): T {
  const chosen = typeof document === "undefined" ? "en" : document.documentElement.lang;
  return languages[chosen] ?? languages.en;
}

/** Return the `t` of a part: looks a key of its own texts up and fills it in. */
export function part<K extends string>(
  languages: { en: Record<K, string> } & Record<string, Record<K, string>>,
): (key: K, values?: Values) => string {
  const texts = spoken(languages);
  return (key, values) => fill(texts[key], values);
}
