/** The texts of the chosen language: looks them up, fills them in, writes numbers, dates and lists as it does. */

import { signal } from "@preact/signals";
import type { TextKey, Texts } from "./en";

export type { TextKey } from "./en";

/** What the catalogue is written in, each by its own name. One of them is fetched before anything is drawn. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  sl: "Slovenščina",
  cs: "Čeština",
} as const;
export type Language = keyof typeof LANGUAGES;

const LOAD: Record<Language, () => Promise<Texts>> = {
  en: () => import("./en").then((module) => module.en),
  de: () => import("./de").then((module) => module.de),
  fr: () => import("./fr").then((module) => module.fr),
  sl: () => import("./sl").then((module) => module.sl),
  cs: () => import("./cs").then((module) => module.cs),
};

/** The forms a counted text has, in the order in which the catalogue lists them. */
export const FORMS: Record<Language, readonly Intl.LDMLPluralRule[]> = {
  en: ["one", "other"],
  de: ["one", "other"],
  fr: ["one", "other"],
  sl: ["one", "two", "few", "other"],
  cs: ["one", "few", "other"],
};

function speak(language: Language, texts: Texts) {
  return {
    language,
    texts,
    plural: new Intl.PluralRules(language),
    // Four digits stay together, as on a score sheet.
    numbers: new Intl.NumberFormat(language, { useGrouping: "min2" }),
    lists: new Intl.ListFormat(language, { type: "conjunction" }),
    moments: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }),
  };
}

// Whatever is drawn reads this, so a new language redraws it.
const tongue = signal(speak("en", {} as Texts));

const KEPT = "croupier.language";

function isLanguage(name: string | null): name is Language {
  return name !== null && Object.hasOwn(LANGUAGES, name);
}

/** Return the first of *wanted* ("de-AT", "fr") that the catalogue has. */
export function preferred(wanted: readonly string[]): Language {
  return wanted.map((one) => one.split("-")[0]?.toLowerCase() ?? "").find(isLanguage) ?? "en";
}

export function language(): Language {
  return tongue.value.language;
}

/** Fetches what a part of the pages says in a language (part.ts). */
const parts: ((next: Language) => Promise<void>)[] = [];

export function alsoSpeak(fetch: (next: Language) => Promise<void>): void {
  parts.push(fetch);
}

/** Fetch what the parts that are here say in *next*. */
export async function fetchParts(next = tongue.peek().language): Promise<void> {
  await Promise.all(parts.map((fetch) => fetch(next)));
}

/** Speak *next* from now on; fails if its texts cannot be fetched. */
export async function speakIn(next: Language): Promise<void> {
  const [texts] = await Promise.all([LOAD[next](), fetchParts(next)]);
  tongue.value = speak(next, texts);
  if (typeof document !== "undefined") document.documentElement.lang = next;
}

/** Speak *next* now and whenever this browser comes again. */
export async function choose(next: Language): Promise<void> {
  await speakIn(next);
  try {
    localStorage.setItem(KEPT, next);
  } catch {
    // storage may be forbidden: the choice holds until the page is closed
  }
}

/** Speak what was chosen here, or what the browser prefers; English where that cannot be fetched. */
export async function startTexts(): Promise<void> {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // as above
  }
  await speakIn(isLanguage(kept) ? kept : preferred(navigator.languages)).catch(() => speakIn("en"));
}

export type Values = Record<string, string | number>;

/** Return the text *key* with `{name}` replaced from *values*. */
export function t(key: TextKey, values?: Values): string {
  return fill(tongue.value.texts[key], values);
}

/** Return the text of a key put together at run time, or *otherwise* where the catalogue has none. */
export function lookUp(key: string, otherwise: string): string {
  const { texts, language } = tongue.value;
  return Object.hasOwn(texts, key) ? bind(texts[key as TextKey], language) : otherwise;
}

/** Return what *game* is called, or *otherwise* for a game these pages do not know. */
export function gameTitle(game: string, otherwise: string): string {
  return lookUp(`${game}.title`, otherwise);
}

/** Spaces at which no line is broken: before signs in French, after prepositions of one letter in Slavic languages. */
const BOUND: Partial<Record<string, RegExp>> = {
  fr: / (?=[:;!?»])|(?<=«) /gu,
  sl: /(?<=(?:^|[\s(»])[hkosvzHKOSVZ]) /gu,
  cs: /(?<=(?:^|[\s(„])[kosuvzKOSUVZ]) /gu,
};

/** Return *text* with such spaces in it. */
export function bind(text: string, language: string): string {
  const spaces = BOUND[language];
  return spaces ? text.replace(spaces, "\u00a0") : text;
}

/** Replace `{n}` by its value and `{n|card|cards}` by the form that goes with it. */
export function fill(text: string, values: Values = {}): string {
  return bind(text, tongue.value.language).replace(/\{(\w+)(?:\|([^{}]*))?\}/gu, (whole, name: string, forms?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (forms !== undefined) return formFor(Number(value), forms.split("|"));
    return typeof value === "number" ? score(value) : value;
  });
}

function formFor(count: number, forms: string[]): string {
  const { language, plural } = tongue.value;
  const at = FORMS[language].indexOf(plural.select(count));
  return forms[at] ?? forms.at(-1) ?? "";
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
  return words.charAt(0).toLocaleUpperCase(tongue.value.language) + words.slice(1);
}

export function list(items: string[]): string {
  return tongue.value.lists.format(items);
}

/** Return a time of the server (seconds since 1970, or ISO text) for people. */
export function moment(when: number | string | null): string {
  if (when === null) return "";
  const date = new Date(typeof when === "number" ? when * 1000 : when);
  return Number.isNaN(date.getTime()) ? "" : tongue.value.moments.format(date);
}

/** Return a number as the language writes it, with a true minus sign. */
export function score(points: number): string {
  const size = tongue.value.numbers.format(Math.abs(points));
  return points < 0 ? `−${size}` : size;
}
