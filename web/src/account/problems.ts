/** Messages for invalid names and passwords. */

import { ApiError } from "../net/api";
import { asSentence } from "../texts";
import { en, type Key } from "./en";
import { say } from "./texts";

const SHORTEST = 8;
const LONGEST = 128;

/** The field with the error, and the message. */
export interface Problem {
  field: "name" | "password" | "code" | null;
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

/** The part of a login that was wrong: name or password, the user's own password, or a recovery code. */
export type BadLogin = "error.bad_login" | "error.not_yours" | "error.bad_code";

/** Return the message for a refusal by the server. */
export function problemOf(error: unknown, badLogin: BadLogin = "error.bad_login"): Problem {
  if (!(error instanceof ApiError)) return { field: null, words: String(error) };
  const key = error.key === "bad_login" ? badLogin : `error.${error.key}`;
  const words = Object.hasOwn(en, key) ? say(key as Key) : asSentence(error.message);
  return { field: key === "error.bad_code" ? "code" : (FIELDS[error.key] ?? null), words };
}
