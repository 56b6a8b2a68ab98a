/** The texts of the chosen language: look-up, placeholders, and formats for numbers, dates and lists. */

import { signal } from "@preact/signals";
import type { TextKey, Texts } from "./en";

export type { TextKey } from "./en";

/** The languages, each by its own name. The chosen one is loaded before the first page is drawn. */
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

/** The plural forms of a counted text, in the order used in the catalogue. */
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
    // No grouping for four digits, as on a score sheet.
    numbers: new Intl.NumberFormat(language, { useGrouping: "min2" }),
    lists: new Intl.ListFormat(language, { type: "conjunction" }),
    moments: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }),
  };
}

// Every component reads this signal, so that a language change redraws the page.
const tongue = signal(speak("en", {} as Texts));

const KEPT = "croupier.language";

function isLanguage(name: string | null): name is Language {
  return name !== null && Object.hasOwn(LANGUAGES, name);
}

/** Return the first of *wanted* ("de-AT", "fr") that the catalogue contains. */
export function preferred(wanted: readonly string[]): Language {
  return wanted.map((one) => one.split("-")[0]?.toLowerCase() ?? "").find(isLanguage) ?? "en";
}

export function language(): Language {
  return tongue.value.language;
}

/** Loads the texts of a part of the pages in a language (part.ts). */
const parts: ((next: Language) => Promise<void>)[] = [];

export function alsoSpeak(fetch: (next: Language) => Promise<void>): void {
  parts.push(fetch);
}

/** Load the texts of all loaded parts in *next*. */
export async function fetchParts(next = tongue.peek().language): Promise<void> {
  await Promise.all(parts.map((fetch) => fetch(next)));
}

/** Switch to *next*; fails if its texts cannot be loaded. */
export async function speakIn(next: Language): Promise<void> {
  const [texts] = await Promise.all([LOAD[next](), fetchParts(next)]);
  tongue.value = speak(next, texts);
  if (typeof document !== "undefined") document.documentElement.lang = next;
}

/** Switch to *next* and remember the choice in this browser. */
export async function choose(next: Language): Promise<void> {
  await speakIn(next);
  try {
    localStorage.setItem(KEPT, next);
  } catch {
    // storage may be forbidden: the choice lasts until the page is closed
  }
}

/** Use the remembered language or the browser's preference; English if it cannot be loaded. */
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

/** The texts that games from outside bring, by language and key. */
const brought = signal<Partial<Record<Language, Record<string, string>>>>({});

/** Return whether the catalogue contains the texts of *game*. */
export function isBuiltIn(game: string): boolean {
  return Object.hasOwn(tongue.peek().texts, `${game}.title`);
}

/** Add the texts of *game* in the language *next*. */
export function bring(game: string, next: Language, texts: Record<string, string>): void {
  const named = Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${game}.${key}`, text]));
  brought.value = { ...brought.peek(), [next]: { ...brought.peek()[next], ...named } };
}

/** Return the text of a key built at run time, or *otherwise* if there is none. */
export function lookUp(key: string, otherwise: string): string {
  const { texts, language } = tongue.value;
  const text = Object.hasOwn(texts, key) ? texts[key as TextKey] : brought.value[language]?.[key];
  return text === undefined ? otherwise : bind(text, language);
}

/** Return the title of *game*, or *otherwise* if these pages do not know it. */
export function gameTitle(game: string, otherwise: string): string {
  return lookUp(`${game}.title`, otherwise);
}

/** Non-breaking spaces: before punctuation in French, after one-letter prepositions in Slavic languages. */
const BOUND: Partial<Record<string, RegExp>> = {
  fr: / (?=[:;!?»])|(?<=«) /gu,
  sl: /(?<=(?:^|[\s(»])[hkosvzHKOSVZ]) /gu,
  cs: /(?<=(?:^|[\s(„])[kosuvzKOSUVZ]) /gu,
};

/** Return *text* with these spaces. */
export function bind(text: string, language: string): string {
  const spaces = BOUND[language];
  return spaces ? text.replace(spaces, "\u00a0") : text;
}

/** Replace `{n}` with its value and `{n|card|cards}` with the matching form. */
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

/** Return *name* for use in a sentence: shortened, and isolated from the text direction around it. */
export function inSentence(name: string): string {
  const signs = [...name];
  const short = signs.length > NAME_IN_SENTENCE ? `${signs.slice(0, NAME_IN_SENTENCE - 1).join("")}…` : name;
  // First strong isolate … pop directional isolate: a right-to-left name stays in one piece.
  return LEFT_TO_RIGHT.test(short) ? short : `\u2068${short}\u2069`;
}

/** Return the *words* of the server with a capital letter, as a sentence. */
export function asSentence(words: string): string {
  return words.charAt(0).toLocaleUpperCase(tongue.value.language) + words.slice(1);
}

export function list(items: string[]): string {
  return tongue.value.lists.format(items);
}

/** Return a server time (seconds since 1970, or ISO text) in the format of the language. */
export function moment(when: number | string | null): string {
  if (when === null) return "";
  const date = new Date(typeof when === "number" ? when * 1000 : when);
  return Number.isNaN(date.getTime()) ? "" : tongue.value.moments.format(date);
}

/** Return a number in the format of the language, with a true minus sign. */
export function score(points: number): string {
  const size = tongue.value.numbers.format(Math.abs(points));
  return points < 0 ? `−${size}` : size;
}
