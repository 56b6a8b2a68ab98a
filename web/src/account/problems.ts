/** Messages for invalid names and passwords. */

import { ApiError } from "../net/api";
import { asSentence } from "../texts";
import { en, type Key } from "./en";
import { say } from "./texts";

const SHORTEST = 8;
const LONGEST = 128;

/** The field with the error, and the message. */
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

/** Return the error in the length of a new *password*. */
export function badLength(password: string): Problem | null {
  const { length } = [...password];
  if (length >= SHORTEST && length <= LONGEST) return null;
  return { field: "password", words: say(length < SHORTEST ? "error.short" : "error.long") };
}

/** Return the message for a refusal by the server; *own*: the user's own password was wrong. */
export function problemOf(error: unknown, own = false): Problem {
  if (!(error instanceof ApiError)) return { field: null, words: String(error) };
  const key = own && error.key === "bad_login" ? "error.not_yours" : `error.${error.key}`;
  const words = Object.hasOwn(en, key) ? say(key as Key) : asSentence(error.message);
  return { field: FIELDS[error.key] ?? null, words };
}
