import { expect, test, vi } from "vitest";
import { programOf } from "../connect/Example";
import { pathOf } from "../connect/ConnectPage";
import { protocolPath } from "../games/registry";
import type { GameInfo } from "../net/protocol";
import { en } from "../connect/en";
import { explain, joining } from "../connect/explain";
import type { Entry } from "../connect/log";
import { duration, mean, most, points } from "../operator/figures";
import { blocksOf, loadRules } from "../rules";

function entry(way: Entry["way"], protocol: string, text: string, length = text.length): Entry {
  return { number: 1, at: 0, connection: 1, protocol, way, text, length };
}

const out = (protocol: string, text: string) => explain(entry("out", protocol, text));

test("all refusals are explained, and nothing else", () => {
  expect(out("house", '{"type":"refused","id":1,"key":"stale","words":"…"}')).toBe(en["house.stale"]);
  expect(out("house", '{"type":"refused","id":1,"key":"hearts_not_broken","words":"…"}')).toBe(en["house.other"]);
  expect(out("house", '{"type":"said","text":"\\"refused\\""}')).toBeNull();
  expect(out("house", '{"type":"accepted","id":1}')).toBeNull();
  expect(out("tarock", '{"error":"not_your_turn","error_description":"…"}')).toBe(en["rooms.not_your_turn"]);
  expect(out("taroky", '{"error":"something_new"}')).toBe(en["rooms.other"]);
  expect(out("tarock", '{"response":"user.login"}')).toBeNull();
  expect(out("coinche", "425 you must trump.")).toBe(en["coinche.425"]);
  expect(out("coinche", "499 new")).toBe(en["coinche.other"]);
  expect(out("coinche", "200 bidding okay.")).toBeNull();
  expect(out("sagrada", "constrains_violated")).toBe(en["sagrada.constrains_violated"]);
  expect(out("sagrada", "dice\tB3")).toBeNull();
  expect(out("hearts", '{"eventName":"join_error","data":{"code":"table_full"}}')).toBe(en["hearts.table_full"]);
});

test("the page detects errors that the Trend protocol does not report", () => {
  const join = entry("in", "hearts", '{"eventName":"join","data":{"playerName":"ann"}}');
  expect(joining(join)).toBe("ann");
  expect(explain(join)).toBeNull();
  const turn = entry("out", "hearts", '{"eventName":"turn_end","data":{"turnPlayer":"ann","serverRandom":true}}');
  expect(explain(turn, "ann")).toBe(en["hearts.random"]);
  expect(explain(turn, "bob")).toBeNull();
  expect(explain(entry("in", "hearts", "nonsense"))).toBe(en["hearts.json"]);
  expect(explain(entry("in", "hearts", '{"eventName":"hello"}'))).toBe(en["hearts.event"]);
  expect(explain(entry("in", "hearts", '{"eventName":"pick_card", "da', 99))).toBeNull();
});

test("close codes are explained", () => {
  expect(explain(entry("hang", "house", "newer", 4001))).toBe(en["code.4001"]);
  expect(explain(entry("end", "house", "", 1006))).toBe(en["code.1006"]);
  expect(explain(entry("end", "house", "", 1000))).toBeNull();
  expect(explain(entry("ignored", "house", "{}"))).toBe(en.ignored);
});

test("addresses and programs", () => {
  const game = (name: string, protocol: GameInfo["protocol"]) => ({ name, protocol }) as GameInfo;
  expect(pathOf(game("a", null), "house", null)).toBeNull();
  expect(pathOf(game("a", null), "house", "a b")).toBe("/house/a%20b");
  expect(protocolPath(game("a", null), "x1")).toBeNull();
  expect(protocolPath(game("a", "table"), null)).toBe("/");
  expect(protocolPath(game("a", "table"), "default")).toBe("/");
  expect(protocolPath(game("a", "table"), "x1")).toBe("/t/x1");
  expect(protocolPath(game("a", "lobby"), "x1")).toBe("/a");
  for (const protocol of ["house", "hearts", "tarock", "taroky", "coinche", "sagrada"] as const) {
    expect(programOf(protocol, "ws://h/$&?log=1")).toContain('URL = "ws://h/$&?log=1"');
    expect(programOf(protocol, null)).toContain("ws://127.0.0.1:8080/");
  }
});

test("figures of the operator's page", () => {
  expect(duration(0)).toBe("0 s");
  expect(duration(3 * 86_400 + 3600 * 5 + 60)).toBe("3 d 5 h");
  expect(duration(61)).toBe("1 min 1 s");
  expect(mean([])).toBe(0);
  expect(most([1, 3, 2])).toBe(3);
  expect(points([0, 2], 100, 10, 101)).toBe("99.0,10.0 100.0,0.0");
  expect(points([0], 100, 10, 101)).toBe("100.0,10.0");
});

test("the rules of a game from outside are on the server", async () => {
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation((path) => Promise.resolve(new Response(`of ${String(path)}`)));
  expect(await loadRules("whist", "de")).toBe("of /api/games/whist/rules/de");
  asked.mockRestore();
});

test("the Markdown subset of the rules", () => {
  expect(blocksOf("one\ntwo\n\n## Head\n\n- a\n- b\n\n1. c\n\n| | x |\n|---|---|\n| p | q |")).toEqual([
    { kind: "paragraph", text: "one two" },
    { kind: "heading", text: "Head" },
    { kind: "list", ordered: false, items: ["a", "b"] },
    { kind: "list", ordered: true, items: ["c"] },
    { kind: "table", head: ["", "x"], rows: [["p", "q"]] },
  ]);
});
