import { afterEach, describe, expect, test, vi } from "vitest";
import {
  arrangement,
  changed,
  chooseSeat,
  firstSeats,
  presetOf,
  unhurried,
  readOption,
  paced,
  spell,
} from "../lobby/options";
import { presentAt, seatFor } from "../lobby/seats";
import { expected, offered } from "../lobby/strengths";
import { socketAddress } from "../net/api";
import { commitmentOf, verdict } from "../net/commitment";
import { cleanName } from "../net/identity";
import { backoff } from "../net/link";
import { withFrame } from "../net/lobby";
import type { GameInfo, OptionInfo, TableRow } from "../net/protocol";
import { atEnd, back, forward, LAST_STEP } from "../replay/position";
import { fetchCode, isAway } from "../shell/load";
import { parse } from "../shell/router";
import { sideOf } from "../table/places";
import { asSentence, fill, inSentence, list, lookUp, moment, score, t } from "../texts";
import { points, presetsOf } from "../games/registry";
import { learn } from "../net/games";
import server from "./fixtures/server.json";

afterEach(() => vi.unstubAllGlobals());

test("addresses are mapped to pages", () => {
  expect(parse("/")).toEqual({ page: "home" });
  expect(parse("/table/abc")).toEqual({ page: "table", id: "abc" });
  expect(parse("/t/abc/")).toEqual({ page: "table", id: "abc" });
  expect(parse("/table/abc", "?sit=2")).toEqual({ page: "table", id: "abc", sit: 2 });
  expect(parse("/table/abc", "?sit")).toEqual({ page: "table", id: "abc", sit: null });
  expect(parse("/replay/abc-1", "?deal=3&step=0")).toEqual({ page: "replay", id: "abc-1", deal: 3, step: 0 });
  expect(parse("/replay/abc-1", "?deal=x&step=-1")).toEqual({ page: "replay", id: "abc-1" });
  expect(parse("/table/a%20b")).toEqual({ page: "table", id: "a b" });
  expect(parse("/table/%E0%A4%A")).toEqual({ page: "table", id: "%E0%A4%A" });
  expect(parse("/watch")).toEqual({ page: "table", id: "default", watch: true });
  expect(parse("/t/abc/watch", "?sit=0")).toEqual({ page: "table", id: "abc", watch: true });
  expect(parse("/t/abc/watch/x")).toEqual({ page: "unknown" });
  expect(parse("/t/watch")).toEqual({ page: "table", id: "watch" });
  expect(parse("/nowhere")).toEqual({ page: "unknown" });
  expect(parse("/table/a/b")).toEqual({ page: "unknown" });
});

test("sockets connect to the server of the page", () => {
  expect(socketAddress("/house/x", { protocol: "http:", host: "h:8080" })).toBe("ws://h:8080/house/x");
  expect(socketAddress("/", { protocol: "https:", host: "h" })).toBe("wss://h/");
});

test("the next player clockwise sits at the left", () => {
  expect([0, 1, 2, 3].map((seat) => sideOf(seat, 0, 4))).toEqual(["bottom", "left", "top", "right"]);
  expect([0, 1, 2, 3].map((seat) => sideOf(seat, 2, 4))).toEqual(["top", "right", "bottom", "left"]);
  expect(sideOf(1, 0, 2)).toBe("top");
});

test("the delay doubles up to ten seconds, with jitter", () => {
  expect(backoff(0, 1)).toBe(400);
  expect(backoff(3, 1)).toBe(3200);
  expect(backoff(50, 1)).toBe(10_000);
  expect(backoff(3, 0)).toBe(2400);
});

test("a name has 1 to 64 characters and no invisible ones", () => {
  expect(cleanName("  Ann   Lee ")).toBe("Ann Lee");
  expect(cleanName("   ")).toBeNull();
  expect(cleanName("x".repeat(65))).toBeNull();
  expect(cleanName("🂡".repeat(64))).toBe("🂡".repeat(64));
  expect(cleanName("a\u0007b")).toBeNull();
});

describe("commitments", () => {
  const seed = "00".repeat(32);
  // sha256(b"croupier commitment 1\n" + bytes(32)).hexdigest()
  const digest = "553328fd72a5357a69d07ee2c9397caf0bb92f9fa3d1c8b5fa5e134c700d5c53";

  test("a seed produces the published digest", async () => {
    expect(await commitmentOf(seed)).toBe(digest);
  });

  test("a seed is compared with its digest", async () => {
    expect(await verdict({ deal: 1, digest, seed })).toBe("kept");
    expect(await verdict({ deal: 1, digest: digest.toUpperCase(), seed })).toBe("kept");
    expect(await verdict({ deal: 1, digest, seed: "01".repeat(32) })).toBe("broken");
    expect(await verdict({ deal: 1, digest, seed: null })).toBe("sealed");
    expect(await verdict({ deal: 1, digest, seed, given: true })).toBe("given");
    expect(await verdict({ deal: 1, digest, seed, dropped: true })).toBe("broken");
    expect(await verdict({ deal: 1, digest, seed: "not hex" })).toBe("unknown");
    expect(await verdict({ deal: 1, digest: "", seed })).toBe("unknown");
  });

  test("a browser that cannot verify reports it", async () => {
    vi.stubGlobal("crypto", {});
    expect(await verdict({ deal: 1, digest, seed })).toBe("unknown");
  });
});

describe("a new table", () => {
  const option = (more: Partial<OptionInfo>): OptionInfo => ({
    name: "x",
    kind: "number",
    default: 4,
    choices: [],
    low: 1,
    high: 16,
    or_zero: false,
    unit: "",
    technical: false,
    words: "",
    ...more,
  });
  const options = [
    option({ name: "deals" }),
    option({ name: "target", default: 0, or_zero: true }),
    option({ name: "match_games", choices: ["1", "2", "4"] }),
    option({ name: "expose", kind: "switch", default: true }),
    option({ name: "ten_of_clubs", kind: "switch", default: true }),
    option({ name: "moon", kind: "choice", default: "plus4", choices: ["plus4", "zero"] }),
  ];
  const game: GameInfo = {
    name: "hearts",
    title: "Hearts",
    seats: [4],
    bots: ["random", "dummy", "novice", "heuristic", "club", "expert"],
    strengths: ["random", "novice", "club", "expert"],
    usual: "heuristic",
    options,
    table_options: [],
    presets: server.presets.hearts,
    for_people: {},
    clocks: [],
    penalties: server.penalties.includes("hearts"),
    sides: [[0], [1], [2], [3]],
    page: {},
    languages: [],
    protocol: "table",
    pages: [],
    material: null,
  };

  test("starts with me and the usual bots", () => {
    expect(firstSeats(game)).toEqual(["me", "bot heuristic", "bot heuristic", "bot heuristic"]);
    expect(firstSeats({ ...game, usual: "club" })).toEqual(["me", "bot club", "bot club", "bot club"]);
  });

  test("lists the named strengths first, each with its description", () => {
    expect(offered(game)).toEqual({
      strengths: ["random", "novice", "club", "expert"],
      others: ["dummy", "heuristic"],
    });
    expect(game.bots.map(expected)).not.toContain("");
    expect(expected("hal")).toBe("");
  });

  test("contains me once, sent to the server as a person", () => {
    const seats = chooseSeat(firstSeats(game), 2, "me");
    expect(seats).toEqual(["person", "bot heuristic", "me", "bot heuristic"]);
    expect(arrangement(seats)).toEqual(["person", "bot heuristic", "person", "bot heuristic"]);
  });

  test("sends only what differs from the default", () => {
    expect(changed(options, { deals: 4, match_games: 1, expose: true })).toEqual({ match_games: 1 });
  });

  test("is plain Hearts to 100 for people; the default is a preset of its own", () => {
    const presets = presetsOf(game);
    expect(presets[0]?.options).toMatchObject({ match_games: 1, target: 100, expose: false, moon: "zero" });
    expect(presets.map((preset) => preset.title)).toEqual([
      "Hearts to 100",
      "Trend Hearts",
      "Trend Hearts, whole match",
    ]);
    expect(presetOf(presets, options, {})).toBe("match");
  });

  test("has pauses in the chosen speed, and clocks as they are", () => {
    const options = { round_interval: 1200, turn_time: 240 };
    expect(paced(options, ["turn_time"], "fast")).toEqual({ round_interval: 600, turn_time: 240 });
    expect(paced(options, ["turn_time"], "slow")).toEqual({ round_interval: 1920, turn_time: 240 });
    expect(paced(options, [], "normal")).toEqual(options);
  });

  test("sets no clock where all others are bots, unless one was chosen", () => {
    const clocked = { ...game, clocks: ["turn_time"], for_people: { turn_time: 60, pause: 2 } };
    expect(unhurried(clocked, { turn_time: 60, pause: 2 })).toEqual({ turn_time: 0, pause: 2 });
    expect(unhurried(clocked, { turn_time: 30, pause: 2 })).toEqual({ turn_time: 30, pause: 2 });
  });

  test("recognises its presets", () => {
    const presets = presetsOf(game);
    for (const preset of presets) expect(presetOf(presets, options, preset.options)).toBe(preset.key);
    expect(presetOf(presets, options, { deals: 7 })).toBe("custom");
  });

  test("parses fields like the server", () => {
    const [deals, , games, expose] = options as [OptionInfo, OptionInfo, OptionInfo, OptionInfo];
    expect(readOption(deals, "7")).toBe(7);
    expect(readOption(deals, "17")).toBeNull();
    expect(readOption(deals, "many")).toBeNull();
    expect(readOption(deals, "0")).toBeNull();
    expect(readOption(option({ or_zero: true }), "0")).toBe(0);
    expect(readOption(games, "2")).toBe(2);
    expect(readOption(games, "3")).toBeNull();
    expect(readOption(expose, "off")).toBe(false);
    const passing = option({ kind: "list", choices: ["left", "none"], low: 1, high: 2 });
    expect(readOption(passing, "left, none")).toEqual(["left", "none"]);
    expect(readOption(passing, "left,up")).toBeNull();
    expect(readOption(passing, "left,left,left")).toBeNull();
    expect(spell(["left", "none"])).toBe("left, none");
    expect(spell(true)).toBe("on");
  });
});

describe("the seats of a table", () => {
  const nobody = { seat: 0, kind: "person", bot: "", account: null, name: "", number: 0, person: false } as const;
  const unused = { connected: false, late: false, auto: false, timeouts: 0, errors: 0, next: "", ready: false };
  const free = { ...nobody, ...unused };
  const ann = { ...free, name: "ann", person: true, connected: true };
  const bot = { ...free, kind: "bot" as const, name: "Ida", connected: true };
  const program = { ...free, kind: "open" as const, name: "prog", connected: true };

  test("may be free, or those of bots in a quick match", () => {
    expect(seatFor({ seats: [ann, free, bot], quick_match: false })).toBe("free");
    expect(seatFor({ seats: [ann, bot], quick_match: true })).toBe("bot");
    expect(seatFor({ seats: [ann, bot], quick_match: false })).toBeNull();
    expect(seatFor({ seats: [ann, { ...bot, next: "eve" }], quick_match: true })).toBeNull();
  });

  test("count people who are there: not programs, bots and those who have left", () => {
    expect(presentAt({ seats: [ann, bot, program, { ...ann, connected: false }], watchers: 2 })).toBe(3);
  });
});

describe("a replay", () => {
  test("steps from deal to deal", () => {
    expect(forward({ deal: 1, step: 3 }, 10, 4)).toEqual({ deal: 1, step: 4 });
    expect(forward({ deal: 1, step: 9 }, 10, 4)).toEqual({ deal: 2, step: 0 });
    expect(forward({ deal: 4, step: 9 }, 10, 4)).toEqual({ deal: 4, step: 9 });
    expect(back({ deal: 2, step: 1 }, 10)).toEqual({ deal: 2, step: 0 });
    expect(back({ deal: 2, step: 0 }, 10)).toEqual({ deal: 1, step: LAST_STEP });
    expect(back({ deal: 2, step: LAST_STEP }, 10)).toEqual({ deal: 2, step: 8 });
    expect(back({ deal: 1, step: 0 }, 10)).toEqual({ deal: 1, step: 0 });
    expect(atEnd({ deal: 4, step: 9 }, 10, 4)).toBe(true);
    expect(atEnd({ deal: 3, step: 9 }, 10, 4)).toBe(false);
  });
});

test("texts are filled in", () => {
  expect(t("hearts.dealOf", { deal: 2, deals: 4 })).toBe("Deal 2 of 4");
  expect(fill("{a} and {b}", { a: 1 })).toBe("1 and {b}");
  expect(lookUp("bot.heuristic", "x")).toBe("experienced");
  expect(lookUp("bot.unheard", "x")).toBe("x");
  expect(list(["a", "b", "c"])).toBe("a, b, and c");
  expect(score(-13)).toBe("−13");
  expect(score(0)).toBe("0");
  expect(asSentence("the server stops; come back")).toBe("The server stops; come back");
  expect(moment("not a date")).toBe("");
  expect(moment(null)).toBe("");
});

test("scores of Hearts are shown as penalty points", () => {
  const games = ["hearts", "coinche"].map((name) => ({ name, languages: [], penalties: server.penalties.includes(name) }));
  learn(games as unknown as GameInfo[]);
  expect(points("hearts", -13)).toBe(13);
  expect(score(points("hearts", 0))).toBe("0");
  expect(points("coinche", -13)).toBe(-13);
});

test("a name in a sentence is shortened and isolated", () => {
  expect(inSentence("Ann-Lee 2")).toBe("Ann-Lee 2");
  expect(inSentence("W".repeat(64))).toBe(`${"W".repeat(19)}…`);
  expect(inSentence("דנה")).toBe("\u2068דנה\u2069");
  expect(inSentence("ann\u202e")).toBe("\u2068ann\u202e\u2069");
});

describe("code that cannot be fetched", () => {
  const gone = () => Promise.reject(new TypeError("failed to fetch"));

  test("is waited for while the server is unreachable", async () => {
    vi.stubGlobal("fetch", gone);
    const failure = await fetchCode(gone).catch((error: unknown) => error);
    expect(isAway(failure)).toBe(true);
  });

  test("has a different version if the server answers", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ mode: "serve" })));
    const failure = await fetchCode(gone).catch((error: unknown) => error);
    expect(isAway(failure)).toBe(false);
    expect(String(failure)).toContain("different versions");
  });

  test("is returned when loaded", async () => {
    expect(await fetchCode(() => Promise.resolve(7))).toBe(7);
  });
});

test("the lobby follows pages and changes of the list of tables", () => {
  const row = (number: number, watchers = 0) => ({ id: `t${number}`, number, watchers }) as TableRow;
  const ids = (rows: TableRow[]) => rows.map((one) => one.id);
  let rows = withFrame([row(9)], { type: "tables", first: true, more: true, tables: [row(3), row(2)] });
  rows = withFrame(rows, { type: "tables", first: false, more: false, tables: [row(1)] });
  expect(ids(rows)).toEqual(["t3", "t2", "t1"]);
  rows = withFrame(rows, { type: "changed", tables: [row(4), row(1, 7)], closed: [] });
  expect(ids(rows)).toEqual(["t4", "t3", "t2", "t1"]);
  expect(rows[3]?.watchers).toBe(7);
  rows = withFrame(rows, { type: "changed", tables: [], closed: ["t4", "t2"] });
  expect(ids(rows)).toEqual(["t3", "t1"]);
});
