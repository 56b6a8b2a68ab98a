/** Texts of a part that is fetched by itself: the same keys in every language, English where one is missing. */

import { fill, language, type Values } from "./index";

/** Return the `t` of a part: looks a key of its own texts up and fills it in. */
export function part<K extends string>(
  languages: { en: Record<K, string> } & Record<string, Record<K, string>>,
): (key: K, values?: Values) => string {
  return (key, values) => fill((languages[language()] ?? languages.en)[key], values);
}
