/** Records proved in the browser: the example of the documents, and changed copies of it. */

import { expect, test } from "vitest";
import page from "../../../docs/record.md?raw";
import { jointSeed } from "../net/commitment";
import { dealsOf, judge, shows } from "../replay/proof";

const RECORD = /```text\n(croupier record 1\n[^`]*)```/u.exec(page)?.[1] ?? "";

async function verdictOn(record: string): Promise<string> {
  const [deal] = dealsOf(record);
  return deal ? judge(deal) : "none";
}

const RANDOM = RECORD.replace("seed 7\n", "");

test("a deal whose seed produces its digest and its cards is verified", async () => {
  expect(dealsOf(RANDOM)).toHaveLength(1);
  expect(await verdictOn(RANDOM)).toBe("kept");
});

test("a deal whose cards were given is not random", async () => {
  expect(await verdictOn(RECORD)).toBe("given");
  expect(await verdictOn(RECORD.replace("seed 7", "cards given"))).toBe("given");
});

test("what players have added changes the seed of the draws", async () => {
  // joint_seed(bytes(32), [(1, "b-2"), (3, "d_4")]) as docs/record.md has it
  const joint = await jointSeed(new Uint8Array(32), ["", "b-2", "", "d_4"]);
  expect(Array.from(joint.slice(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("")).toBe("0ccc0c2f");
  const [commit = ""] = /commit 1 .*\n/u.exec(RANDOM) ?? [];
  expect(dealsOf(RANDOM.replace(commit, `${commit}nonce 1 1 b-2\nnonce 1 3 d_4\n`))[0]?.nonces).toEqual(["", "b-2", "", "d_4"]);
  expect(await verdictOn(RANDOM.replace(commit, `${commit}nonce 1 0 mine\n`))).toBe("broken");
  expect(await verdictOn(RANDOM.replace(commit, `${commit}nonce 1 1 b\nnonce 1 0 a\n`))).toBe("broken");
});

test("any change to a record is detected", async () => {
  const [, seed = ""] = /reveal 1 (\w+)/u.exec(RECORD) ?? [];
  const changes: [string, string][] = [
    ["draw TH QH", "draw QH TH"],
    ["draw TH", "draw AS"],
    ["pool 2D 3D", "pool 3D 2D"],
    ["pool 2D", "pool 3D"],
    ["commit 1 27e0", "commit 1 27e1"],
    ["reveal 1 0967", "reveal 1 0968"],
    ["reveal 1 0967", "reveal 1 zz67"],
    ["reveal 1", `reveal 1 ${"0".repeat(64)}\nreveal 1`],
    ["0 pass AS", `reveal 1 ${seed}\ndraw 2D\n0 pass AS`],
  ];
  for (const [what, by] of changes) {
    expect(RECORD).toContain(what);
    expect(await verdictOn(RECORD.replace(what, by)), `${what} -> ${by}`).toBe("broken");
  }
});

test("without a seed or without digests nothing is verified", async () => {
  expect(await verdictOn(RECORD.replace(/reveal.*\n/u, ""))).toBe("sealed");
  expect(await verdictOn(RECORD.replace(/commit.*\n/u, ""))).toBe("none");
});

test("dice are drawn with replacement", async () => {
  // roll(words(bytes(32)), "1 2 3 4 5 6", 12) as docs/record.md has it
  const digest = "553328fd72a5357a69d07ee2c9397caf0bb92f9fa3d1c8b5fa5e134c700d5c53";
  const deal = {
    deal: 1,
    digest,
    seed: "00".repeat(32),
    nonces: [],
    given: false,
    draws: [{ pool: ["1", "2", "3", "4", "5", "6"], items: DICE, roll: true }],
    faulty: false,
  };
  expect(await judge(deal)).toBe("kept");
  expect(await judge({ ...deal, draws: [{ ...deal.draws[0]!, roll: false }] })).toBe("broken");
});

const DICE = "2 3 4 4 2 6 6 4 1 3 5 4".split(" ");

test("a replay must match its record", () => {
  const [deal] = dealsOf(RECORD);
  const drawn = RECORD.split("\n").filter((line) => line.startsWith("draw "));
  expect(shows(deal!, [...drawn, "0 play 2C"])).toBe(true);
  expect(shows(deal!, [drawn[0]!.replace("TH QH", "QH TH")])).toBe(false);
  expect(shows(deal!, [])).toBe(false);
});
