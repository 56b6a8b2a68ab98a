/** Who this browser is: a name, a token, and the seats it has taken. All of it stays in the browser. */

import { signal } from "@preact/signals";

const NAME = "croupier.name";
const TOKEN = "croupier.token";
const SEATS = "croupier.seats";
const WATCH = "croupier.watch";
const KEPT_SEATS = 50;

/** The seat this browser has at a table, and the name it took it under. */
export interface KeptSeat {
  seat: number;
  name: string;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage may be forbidden: play goes on until the page is closed
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // as above
  }
}

function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
}

function firstName(): string {
  const number = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
  return `Guest ${100 + (number % 900)}`;
}

export const myName = signal(read(NAME) ?? firstName());
export const myToken = read(TOKEN) ?? randomHex(24);
export const watchMode = signal(read(WATCH) === "on");

write(NAME, myName.peek());
write(TOKEN, myToken);

/** Return *raw* as a name the server takes, or null: 1 to 64 characters, no control characters. */
export function cleanName(raw: string): string | null {
  const name = raw.replace(/\s+/gu, " ").trim();
  return name && [...name].length <= 64 && !/\p{Cc}/u.test(name) ? name : null;
}

export function rename(raw: string): boolean {
  const name = cleanName(raw);
  if (!name) return false;
  myName.value = name;
  write(NAME, name);
  return true;
}

export function setWatchMode(on: boolean): void {
  watchMode.value = on;
  write(WATCH, on ? "on" : "off");
}

function seats(): Record<string, KeptSeat> {
  try {
    return JSON.parse(read(SEATS) ?? "{}") as Record<string, KeptSeat>;
  } catch {
    return {};
  }
}

export function keptSeat(table: string): KeptSeat | null {
  return seats()[table] ?? null;
}

export function keepSeat(table: string, seat: KeptSeat): void {
  const { [table]: _, ...others } = seats();
  const kept = Object.entries(others).slice(1 - KEPT_SEATS);
  write(SEATS, JSON.stringify({ ...Object.fromEntries(kept), [table]: seat }));
}

export function forgetSeat(table: string): void {
  const { [table]: _, ...others } = seats();
  write(SEATS, JSON.stringify(others));
}
