/** Explains errors, using the tables of codes from the protocol documents. */

import { part } from "../texts/part";
import { en } from "./en";
import type { Entry } from "./log";

export const say = part({
  en,
  de: () => import("./de").then((module) => module.de),
  fr: () => import("./fr").then((module) => module.fr),
  sl: () => import("./sl").then((module) => module.sl),
  cs: () => import("./cs").then((module) => module.cs),
});

type Key = keyof typeof en;

/** Return the explanation of *code* in the table of *protocol*, or *otherwise*. */
function lookUp(protocol: string, code: string, otherwise: Key | null): string | null {
  const key = `${protocol}.${code}`;
  if (Object.hasOwn(en, key)) return say(key as Key);
  return otherwise && say(otherwise);
}

function object(text: string): Record<string, unknown> | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null && !Array.isArray(found)
      ? (found as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Return the explanation of an entry, or null if it is not an error; *name*: the name of the program. */
export function explain(entry: Entry, name?: string): string | null {
  switch (entry.way) {
    case "open":
      return null;
    case "ignored":
      return say("ignored");
    case "hang":
      return lookUp("code", String(entry.length), null);
    case "end": // no explanation if the server closed the connection with one
      return entry.length === 1006 || entry.length === 1009 ? lookUp("code", String(entry.length), null) : null;
    case "in":
      return entry.protocol === "hearts" ? trendSent(entry) : null;
    case "out":
      break;
  }
  switch (entry.protocol) {
    case "house":
      return house(entry.text);
    case "hearts":
      return trend(entry.text, name);
    case "tarock":
    case "taroky":
      return rooms(entry.text);
    case "coinche":
      return /^[45]\d\d/u.test(entry.text)
        ? lookUp("coinche", entry.text.slice(0, 3), "coinche.other")
        : null;
    case "sagrada":
      return lookUp("sagrada", entry.text.split(/[\t ]/u)[0] ?? "", null);
  }
  return null;
}

function house(text: string): string | null {
  if (!text.includes('"refused"') && !text.includes('"closed"')) return null;
  const frame = object(text);
  if (frame?.["type"] === "closed") return say("house.closedFrame");
  return frame?.["type"] === "refused" ? lookUp("house", String(frame["key"]), "house.other") : null;
}

function rooms(text: string): string | null {
  const frame = text.includes('"error"') ? object(text) : null;
  return typeof frame?.["error"] === "string" ? lookUp("rooms", frame["error"], "rooms.other") : null;
}

function trend(text: string, name: string | undefined): string | null {
  if (!/"(?:join_error|player_name_dup|turn_end)"/u.test(text)) return null;
  const frame = object(text);
  const data = (frame?.["data"] ?? {}) as Record<string, unknown>;
  switch (frame?.["eventName"]) {
    case "join_error":
      return lookUp("hearts", String(data["code"]), "hearts.other");
    case "player_name_dup":
      return say("hearts.player_name_dup");
    case "turn_end":
      return data["serverRandom"] === true && data["turnPlayer"] === name ? say("hearts.random") : null;
  }
  return null;
}

const SENT = ["join", "pass_my_cards", "expose_my_cards", "pick_card"];

function trendSent(entry: Entry): string | null {
  if (entry.text.length < entry.length) return null; // the entry contains only the beginning of the message
  const frame = object(entry.text);
  if (!frame) return say("hearts.json");
  return SENT.includes(String(frame["eventName"])) ? null : say("hearts.event");
}

/** Return the name in *entry* if it is a join of the Trend protocol. */
export function joining(entry: Entry): string | null {
  if (entry.way !== "in" || entry.protocol !== "hearts" || !entry.text.includes('"join"')) return null;
  const data = object(entry.text)?.["data"] as Record<string, unknown> | undefined;
  return typeof data?.["playerName"] === "string" ? data["playerName"] : null;
}
