/** Texts for refused tournament requests. */

import { ApiError } from "../net/api";
import { plainly } from "../shell/request";
import { en, type Key } from "./en";
import { say } from "./texts";

export function refusal(error: unknown): string {
  const key = error instanceof ApiError ? `error.${error.key}` : "";
  if (Object.hasOwn(en, key)) return say(key as Key);
  return plainly(error);
}
