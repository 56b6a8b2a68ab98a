/** Texts of a part of the pages that is fetched by itself, and the server's words in other languages than its own. */

import { signal } from "@preact/signals";
import { alsoSpeak, fill, language, type Language, type Values } from "./index";

type Catalogue<K extends string> = Record<K, string>;
/** A big catalogue is a chunk of its own, fetched when its language is spoken. */
type Source<K extends string> = Catalogue<K> | (() => Promise<Catalogue<K>>);

/** What has been fetched; whatever is drawn from it is drawn again when more comes. */
function shelf<K extends string>(sources: Partial<Record<Language, Source<K>>>) {
  const here = signal<Partial<Record<Language, Catalogue<K>>>>({});
  const fetch = async (next: Language): Promise<void> => {
    const source = sources[next];
    if (!source || here.peek()[next]) return;
    const texts = typeof source === "function" ? await source() : source;
    here.value = { ...here.peek(), [next]: texts };
  };
  return { here, fetch };
}

/** Return the `t` of a part: looks a key of its own texts up and fills it in. Pages wait for it (shell/load.ts). */
export function part<K extends string>(
  languages: { en: Catalogue<K> } & Record<Exclude<Language, "en">, Source<K>>,
): (key: K, values?: Values) => string {
  const { here, fetch } = shelf<K>(languages);
  alsoSpeak(fetch);
  return (key, values) => fill((here.value[language()] ?? languages.en)[key], values);
}

/** Return a look-up of what the server says in English, by its keys. Fetched when the first is wanted. */
export function translations(
  languages: Record<Exclude<Language, "en">, () => Promise<Catalogue<string>>>,
): (key: string) => string | undefined {
  const { here, fetch } = shelf<string>(languages);
  const asked = new Set<Language>();
  return (key) => {
    const now = language();
    if (!here.value[now] && !asked.has(now)) {
      asked.add(now);
      fetch(now).catch(() => asked.delete(now)); // its own words will do until then
    }
    return here.value[now]?.[key];
  };
}
