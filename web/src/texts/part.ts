/** Texts of a part that is fetched by itself: the same keys in every language, English where one is missing. */

import { fill, language, type Values } from "./index";

/** Return which of *languages* the page is in. */
export function spoken<T>(languages: { en: T } & Record<string, T>): T {
  return languages[language()] ?? languages.en;
}

/** Return the `t` of a part: looks a key of its own texts up and fills it in. */
export function part<K extends string>(
  languages: { en: Record<K, string> } & Record<string, Record<K, string>>,
): (key: K, values?: Values) => string {
  // Asked anew each time: the language may change under an open page.
  return (key, values) => fill(spoken(languages)[key], values);
}
