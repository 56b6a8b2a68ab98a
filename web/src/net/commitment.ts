/** Checks a deal's seed against what was published before the deal, in the browser. */

const PREFIX = new TextEncoder().encode("croupier commitment 1\n");

function bytesOf(hex: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[0-9a-f]{2})+$/iu.test(hex)) return null;
  return Uint8Array.from(hex.match(/../gu) ?? [], (pair) => parseInt(pair, 16));
}

/** Return the digest that *seed* (hex) gives; null if it is no seed or this browser cannot tell. */
export async function commitmentOf(seed: string): Promise<string | null> {
  const bytes = bytesOf(seed);
  // Browsers offer crypto.subtle only on https and on this machine itself.
  if (!bytes || !globalThis.crypto?.subtle) return null;
  const whole = new Uint8Array(PREFIX.length + bytes.length);
  whole.set(PREFIX);
  whole.set(bytes, PREFIX.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export type Verdict = "sealed" | "kept" | "broken" | "unknown";

/** Say whether a revealed seed is the one that was promised. */
export async function verdict(digest: string, seed: string | null): Promise<Verdict> {
  if (!seed) return "sealed";
  const found = await commitmentOf(seed);
  if (found === null || !digest) return "unknown";
  return found === digest.toLowerCase() ? "kept" : "broken";
}
