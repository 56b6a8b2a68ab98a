/** Texts of a part of the pages that is loaded separately, and translations of the server's texts. */

import { signal } from "@preact/signals";
import { alsoSpeak, fill, language, type Language, type Values } from "./index";

type Catalogue<K extends string> = Record<K, string>;
/** A large catalogue is a separate chunk, loaded when its language is used. */
type Source<K extends string> = Catalogue<K> | (() => Promise<Catalogue<K>>);

/** The loaded texts; components that use them are redrawn when more arrive. */
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

/** Return the `t` function of a part. Pages wait for its texts (shell/load.ts). */
export function part<K extends string>(
  languages: { en: Catalogue<K> } & Record<Exclude<Language, "en">, Source<K>>,
): (key: K, values?: Values) => string {
  const { here, fetch } = shelf<K>(languages);
  alsoSpeak(fetch);
  return (key, values) => fill((here.value[language()] ?? languages.en)[key], values);
}

/** Return a look-up for translations of the server's texts, by key. They are loaded on first use. */
export function translations(
  languages: Record<Exclude<Language, "en">, () => Promise<Catalogue<string>>>,
): (key: string) => string | undefined {
  const { here, fetch } = shelf<string>(languages);
  const asked = new Set<Language>();
  return (key) => {
    const now = language();
    if (!here.value[now] && !asked.has(now)) {
      asked.add(now);
      fetch(now).catch(() => asked.delete(now)); // until then the English text is used
    }
    return here.value[now]?.[key];
  };
}
