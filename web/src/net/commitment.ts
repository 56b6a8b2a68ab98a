/** Compares a deal's seed with the digest published before the deal. */

import type { Commitment } from "./protocol";

const PREFIX = new TextEncoder().encode("croupier commitment 1\n");
const JOINT = new TextEncoder().encode("croupier joint seed 1\n");

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[0-9a-f]{2})+$/iu.test(hex)) return null;
  return Uint8Array.from(hex.match(/../gu) ?? [], (pair) => parseInt(pair, 16));
}

/** Return the digest of *seed* (hex); null if it is not a seed or this browser cannot compute it. */
export async function commitmentOf(seed: string): Promise<string | null> {
  const bytes = bytesOf(seed);
  // Browsers provide crypto.subtle only on https and on localhost.
  if (!bytes || !globalThis.crypto?.subtle) return null;
  const digest = await sha256(PREFIX, bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the seed of the draws: the server's own, or its hash with what the seats have added (by seat, "" for nothing). */
export async function jointSeed(seed: Uint8Array<ArrayBuffer>, nonces: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const added = nonces.map((nonce, seat) => nonce && `\n${seat} ${nonce}`).join("");
  return added ? sha256(JOINT, seed, new TextEncoder().encode(added)) : seed;
}

async function sha256(...parts: Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** `given`: the seed is right, but a seed or cards were given in advance. */
export type Verdict = "sealed" | "kept" | "given" | "broken" | "unknown";

/** Return whether a revealed seed matches the published digest. */
export async function verdict({ digest, seed, given, dropped }: Commitment): Promise<Verdict> {
  if (dropped) return "broken";
  if (!seed) return given ? "given" : "sealed";
  const found = await commitmentOf(seed);
  if (found === null || !digest) return "unknown";
  if (found !== digest.toLowerCase()) return "broken";
  return given ? "given" : "kept";
}
