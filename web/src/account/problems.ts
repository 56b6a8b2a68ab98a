/** What is wrong with a name or a password, in words. */

import { ApiError } from "../net/api";
import { asSentence } from "../texts";
import { en, type Key } from "./en";
import { say } from "./texts";

const SHORTEST = 8;
const LONGEST = 128;

/** Which field to look at, and what to say. */
export interface Problem {
  field: "name" | "password" | null;
  words: string;
}

const FIELDS: Record<string, "name" | "password"> = {
  bad_name: "name",
  name_taken: "name",
  bad_login: "password",
  bad_password: "password",
};

/** Return what is wrong with the length of a new *password*. */
export function badLength(password: string): Problem | null {
  const { length } = [...password];
  if (length >= SHORTEST && length <= LONGEST) return null;
  return { field: "password", words: say(length < SHORTEST ? "error.short" : "error.long") };
}

/** Return why the server refused; *own*: it was one's own password that did not fit. */
export function problemOf(error: unknown, own = false): Problem {
  if (!(error instanceof ApiError)) return { field: null, words: String(error) };
  const key = own && error.key === "bad_login" ? "error.not_yours" : `error.${error.key}`;
  const words = Object.hasOwn(en, key) ? say(key as Key) : asSentence(error.message);
  return { field: FIELDS[error.key] ?? null, words };
}
