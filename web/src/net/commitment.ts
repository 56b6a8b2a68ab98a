/** Compares a deal's seed with the digest published before the deal. */

const PREFIX = new TextEncoder().encode("croupier commitment 1\n");

function bytesOf(hex: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[0-9a-f]{2})+$/iu.test(hex)) return null;
  return Uint8Array.from(hex.match(/../gu) ?? [], (pair) => parseInt(pair, 16));
}

/** Return the digest of *seed* (hex); null if it is not a seed or this browser cannot compute it. */
export async function commitmentOf(seed: string): Promise<string | null> {
  const bytes = bytesOf(seed);
  // Browsers provide crypto.subtle only on https and on localhost.
  if (!bytes || !globalThis.crypto?.subtle) return null;
  const whole = new Uint8Array(PREFIX.length + bytes.length);
  whole.set(PREFIX);
  whole.set(bytes, PREFIX.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export type Verdict = "sealed" | "kept" | "broken" | "unknown";

/** Return whether a revealed seed matches the published digest. */
export async function verdict(digest: string, seed: string | null): Promise<Verdict> {
  if (!seed) return "sealed";
  const found = await commitmentOf(seed);
  if (found === null || !digest) return "unknown";
  return found === digest.toLowerCase() ? "kept" : "broken";
}
