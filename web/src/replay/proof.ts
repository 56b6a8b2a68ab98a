/** Verifies the deals of a finished match from its record, as described in docs/record.md: seeds, digests and every draw. */

import { bytesOf, commitmentOf, jointSeed, type Verdict } from "../net/commitment";

interface Drawn {
  pool: string[];
  items: string[];
  /** Drawn with replacement. */
  roll: boolean;
}

/** One deal of a record. */
export interface Deal {
  deal: number;
  digest: string;
  seed: string | null;
  /** What the seats have added to the seed, by seat; "" for nothing. */
  nonces: string[];
  draws: Drawn[];
  /** A seed or cards were given: the deal is not random. */
  given: boolean;
  /** Its lines contradict each other, so that no seed can prove it. */
  faulty: boolean;
}

/** Return the deals in the record *text*. */
export function dealsOf(text: string): Deal[] {
  const lines = text.split(/\r?\n/u);
  const deals: Deal[] = [];
  const head = lines.slice(0, lines.indexOf(""));
  const given = head.some((line) => line.startsWith("seed") || line === "cards given");
  let pool: string[] = [];
  for (const line of lines.slice(head.length + 1)) {
    const [key = "", ...words] = line.split(" ");
    const last = deals.at(-1);
    if (key === "commit") {
      const deal = Number(words[0]);
      const faulty = deals.some((one) => one.deal === deal);
      deals.push({ deal, digest: words[1] ?? "", seed: null, nonces: [], draws: [], given, faulty });
    } else if (key === "nonce" && last) {
      const seat = Number(words[1]);
      last.faulty ||= Number(words[0]) !== last.deal || last.draws.length > 0 || seat < last.nonces.length;
      while (last.nonces.length < seat) last.nonces.push("");
      last.nonces.push(words[2] ?? "");
    } else if (key === "pool") pool = words;
    else if ((key === "draw" || key === "roll") && words.length && last) {
      last.draws.push({ pool, items: words, roll: key === "roll" });
      last.faulty ||= last.seed !== null;
    } else if (key === "reveal") {
      const known = deals.find((one) => one.deal === Number(words[0]));
      if (known) {
        known.faulty ||= known.seed !== null && known.seed !== words[1];
        known.seed = words[1] ?? "";
      }
    }
  }
  return deals;
}

/** The infinite stream of 32-bit words generated from a seed. */
class Words {
  private block = 0;
  private row: number[] = [];

  constructor(private readonly seed: Uint8Array) {}

  async below(n: number): Promise<number> {
    const limit = 2 ** 32 - (2 ** 32 % n);
    let word = await this.next();
    while (word >= limit) word = await this.next();
    return word % n;
  }

  private async next(): Promise<number> {
    const [word] = this.row;
    if (word === undefined) {
      const bytes = new Uint8Array(this.seed.length + 8);
      bytes.set(this.seed);
      new DataView(bytes.buffer).setUint32(bytes.length - 4, this.block++);
      const digest = new DataView(await crypto.subtle.digest("SHA-256", bytes));
      this.row = [0, 4, 8, 12, 16, 20, 24, 28].map((at) => digest.getUint32(at));
      return this.next();
    }
    this.row.shift();
    return word;
  }
}

async function drawn(words: Words, { pool, items, roll }: Drawn): Promise<string[]> {
  const cards = [...pool];
  const outcome: string[] = [];
  for (let at = 0; at < items.length; at++) {
    const from = roll ? 0 : at;
    if (from >= cards.length) break;
    const to = from + (await words.below(cards.length - from));
    outcome.push(cards[to] ?? "");
    if (!roll) [cards[from], cards[to]] = [cards[to] ?? "", cards[from] ?? ""];
  }
  return outcome;
}

/** Return whether the seed of *deal* matches its digest and produces every card or die that was drawn. */
export async function judge(deal: Deal): Promise<Verdict> {
  if (deal.faulty) return "broken";
  if (deal.seed === null) return "sealed";
  if (!/^[0-9a-f]{64}$/u.test(deal.seed)) return "broken";
  const digest = await commitmentOf(deal.seed);
  if (digest === null) return "unknown";
  if (digest !== deal.digest) return "broken";
  const seed = bytesOf(deal.seed);
  if (!seed) return "broken";
  const words = new Words(await jointSeed(seed, deal.nonces));
  for (const one of deal.draws) {
    if ((await drawn(words, one)).join(" ") !== one.items.join(" ")) return "broken";
  }
  return deal.given ? "given" : "kept";
}

/** Return whether the deal shown in a replay matches the record; *entries* belong to its steps. */
export function shows(deal: Deal, entries: string[]): boolean {
  const shown = entries.filter((entry) => /^(?:draw|roll) ./u.test(entry));
  return shown.join("\n") === deal.draws.map((one) => `${one.roll ? "roll" : "draw"} ${one.items.join(" ")}`).join("\n");
}
