/** The identity of this browser: a name, a token, and the seats it has taken. It is stored only in the browser. */

import { batch, signal } from "@preact/signals";
import { keep, kept } from "./storage";

const NAME = "croupier.name";
const TOKEN = "croupier.token";
const ACCOUNT = "croupier.account";
const SEATS = "croupier.seats";
const WATCH = "croupier.watch";
const ENTRIES = "croupier.entries";
const CUPS = "croupier.cups";
const OWN_CUPS = "croupier.own_cups";
const KEPT_SEATS = 50;

/** The seat of this browser at a table, and the name used to take it. */
export interface KeptSeat {
  seat: number;
  name: string;
}

function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
}

function firstName(): string {
  const number = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
  return `Guest ${100 + (number % 900)}`;
}

export const myName = signal(kept(NAME) ?? firstName());
export const myToken = signal(kept(TOKEN) ?? randomHex(24));
/** Whether name and token belong to an account; otherwise they belong to a guest. */
export const loggedIn = signal(kept(ACCOUNT) !== null);
/** Whether the session ended without a logout; the user has to be told. */
export const sessionEnded = signal(false);
export const watchMode = signal(kept(WATCH) === "on");

keep(NAME, myName.peek());
keep(TOKEN, myToken.peek());

/** Return *raw* as a valid name, or null: 1 to 64 characters, no control characters. */
export function cleanName(raw: string): string | null {
  const name = raw.replace(/\s+/gu, " ").trim();
  return name && [...name].length <= 64 && !/\p{Cc}/u.test(name) ? name : null;
}

export function rename(raw: string): boolean {
  const name = cleanName(raw);
  if (!name) return false;
  myName.value = name;
  keep(NAME, name);
  return true;
}

function become(name: string, token: string, account: boolean): void {
  batch(() => {
    myName.value = name;
    myToken.value = token;
    loggedIn.value = account;
  });
  keep(NAME, name);
  keep(TOKEN, token);
  keep(ACCOUNT, account ? "on" : null); // last, because other windows wait for it
}

/** Log in to the account of the session *token*. */
export function logIn(name: string, token: string): void {
  become(name, token, true);
  sessionEnded.value = false;
}

/** Become a new guest and forget all seats of the account. */
export function becomeGuest(): void {
  for (const key of [SEATS, ENTRIES, CUPS]) keep(key, null);
  become(firstName(), randomHex(24), false);
}

/** Follow logins and logouts in the other windows of this browser. */
export function followOtherWindows(): void {
  addEventListener("storage", (change) => {
    if (change.key !== ACCOUNT) return;
    if (loggedIn.peek()) location.reload(); // a seat of the account may be open here
    else become(kept(NAME) ?? firstName(), kept(TOKEN) ?? randomHex(24), change.newValue !== null);
  });
}

export function setWatchMode(on: boolean): void {
  watchMode.value = on;
  keep(WATCH, on ? "on" : "off");
}

/** Values stored by id; only the newest are kept. */
function shelf<T>(key: string) {
  const all = (): Record<string, T> => {
    try {
      return JSON.parse(kept(key) ?? "{}") as Record<string, T>;
    } catch {
      return {};
    }
  };
  const without = (id: string) => Object.entries(all()).filter(([other]) => other !== id);
  return {
    get: (id: string): T | null => all()[id] ?? null,
    keep: (id: string, thing: T) =>
      keep(key, JSON.stringify(Object.fromEntries([...without(id).slice(1 - KEPT_SEATS), [id, thing]]))),
    forget: (id: string) => keep(key, JSON.stringify(Object.fromEntries(without(id)))),
  };
}

export const { get: keptSeat, keep: keepSeat, forget: forgetSeat } = shelf<KeptSeat>(SEATS);

/** The names that this browser entered in tournaments. */
export const { get: entryName, keep: keepEntry, forget: forgetEntry } = shelf<string>(ENTRIES);

/** The tournaments of this browser's tables. */
export const { get: tournamentOf, keep: keepTournamentOf } = shelf<string>(CUPS);

/** The tournaments announced by this browser. */
export const { get: isOwnCup, keep: keepOwnCup, forget: forgetOwnCup } = shelf<true>(OWN_CUPS);
