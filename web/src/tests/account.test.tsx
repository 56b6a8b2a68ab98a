/** Accounts and profiles: who this browser is, what is wrong with a password, how a rating is drawn. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { renderToString } from "preact-render-to-string";
import { badLength, problemOf } from "../account/problems";
import { nickOf } from "../account/nick";
import { MatchPlayers } from "../lobby/MatchPlayers";
import { ApiError } from "../net/api";
import type { PlayedMatch } from "../net/protocol";
import { across, nearest, ratedOf, ratingText, signed, ticks } from "../player/figures";
import { RatingPlot } from "../player/RatingPlot";
import { parse } from "../shell/router";
import { speakIn } from "../texts";

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.resetModules();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

afterEach(() => vi.unstubAllGlobals());

/** Let the server answer with *status* and *body*. */
function answering(status: number, body: object) {
  const fetch = vi.fn(() => Promise.resolve(new Response(JSON.stringify(body), { status })));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

describe("the identity of this browser", () => {
  test("login replaces the guest, logout creates a new guest", async () => {
    kept.set("croupier.token", "of a guest");
    const me = await import("../net/identity");
    expect([me.myToken.value, me.loggedIn.value]).toEqual(["of a guest", false]);
    me.keepSeat("t1", { seat: 2, name: "Anna" });
    me.logIn("Anna", "of a session");
    expect([me.myName.value, me.myToken.value, me.loggedIn.value]).toEqual(["Anna", "of a session", true]);
    expect(kept.get("croupier.token")).toBe("of a session");
    expect(me.keptSeat("t1")).not.toBeNull();
    me.becomeGuest();
    expect(me.myName.value).toMatch(/^Guest \d{3}$/u);
    expect(me.myToken.value).toMatch(/^[0-9a-f]{48}$/u);
    expect([me.loggedIn.value, me.keptSeat("t1"), kept.has("croupier.account")]).toEqual([false, null, false]);
  });

  test("an account is remembered at the next visit", async () => {
    for (const [key, value] of [["name", "Anna"], ["token", "of a session"], ["account", "on"]] as const) {
      kept.set(`croupier.${key}`, value);
    }
    const me = await import("../net/identity");
    expect([me.myName.value, me.myToken.value, me.loggedIn.value]).toEqual(["Anna", "of a session", true]);
  });

  test("a guest does not request account seats", async () => {
    const fetch = answering(200, {});
    const { seatsOfMine } = await import("../net/account");
    expect(await seatsOfMine()).toEqual([]);
    expect(fetch).not.toHaveBeenCalled();
  });

  test("the end of a session is detected, other errors change nothing", async () => {
    const me = await import("../net/identity");
    const { seatsOfMine } = await import("../net/account");
    me.logIn("Anna", "of a session");
    answering(500, { key: "failed" });
    await expect(seatsOfMine()).rejects.toThrow();
    expect([me.loggedIn.value, me.sessionEnded.value]).toEqual([true, false]);
    answering(401, { key: "bad_token", words: "log in" });
    await expect(seatsOfMine()).rejects.toThrow();
    expect([me.loggedIn.value, me.sessionEnded.value]).toEqual([false, true]);
    me.logIn("Anna", "of another session");
    expect(me.sessionEnded.value).toBe(false);
  });

  test("other windows log in and out with this one", async () => {
    let told: (change: { key: string; newValue: string | null }) => void = () => undefined;
    const reload = vi.fn();
    vi.stubGlobal("addEventListener", (_: string, hear: typeof told) => (told = hear));
    vi.stubGlobal("location", { reload });
    const me = await import("../net/identity");
    me.followOtherWindows();
    kept.set("croupier.name", "Anna");
    kept.set("croupier.token", "of a session");
    told({ key: "croupier.token", newValue: "of a session" });
    expect(me.loggedIn.value).toBe(false);
    told({ key: "croupier.account", newValue: "on" });
    expect([me.myName.value, me.myToken.value, me.loggedIn.value]).toEqual(["Anna", "of a session", true]);
    expect(reload).not.toHaveBeenCalled();
    told({ key: "croupier.account", newValue: null });
    expect(reload).toHaveBeenCalled();
  });
});

test("errors in passwords have messages", async () => {
  expect(badLength("1234567")?.words).toContain("at least 8");
  expect(badLength("x".repeat(129))?.words).toContain("at most 128");
  expect([badLength("12345678"), badLength("🂡".repeat(128))]).toEqual([null, null]);
  const refused = new ApiError("bad_login", "name or password: …", 401);
  expect(problemOf(refused)).toEqual({ field: "password", words: "Wrong name or password." });
  expect(problemOf(refused, "error.not_yours").words).toBe("Wrong password.");
  expect(problemOf(refused, "error.bad_code")).toEqual({ field: "code", words: "Wrong name or recovery code." });
  expect(problemOf(new ApiError("name_taken", "…", 409)).field).toBe("name");
  expect(problemOf(new ApiError("of_tomorrow", "a new trouble", 400)).words).toBe("A new trouble");
  expect(problemOf(new Error("no"))).toEqual({ field: null, words: "Error: no" });
});

test("names for protocols of letters and digits", () => {
  expect(nickOf("Anna K.")).toBe("annak");
  expect(nickOf("Łukasz Đorđe-Šimić")).toBe("lukaszdordesimic");
});

test("profiles and lists have addresses", () => {
  expect(parse("/player/Anna%20K.")).toEqual({ page: "player", id: "Anna K." });
  expect(parse("/player/annak", "?game=hearts")).toEqual({ page: "player", id: "annak", game: "hearts" });
  expect(parse("/players/hearts")).toEqual({ page: "players", id: "hearts" });
  expect(parse("/players")).toEqual({ page: "unknown" });
});

test("account names link to profiles, other names do not", () => {
  const names = ["Anna K.", "Anna K. 2"];
  const drawn = renderToString(
    <MatchPlayers game="coinche" names={names} profiles={["Anna K.", null]} scores={[1, -2]} stressed={(seat) => seat === 1} />,
  );
  expect(drawn.match(/<a /gu)).toHaveLength(1);
  expect(drawn).toContain('href="/player/Anna%20K."');
  expect(drawn).toMatch(/class="best"><span dir="auto">Anna K. 2<\/span><strong>−2/u);
});

describe("the rating over time", () => {
  const one = (match: string, place: number | null, value: number | null): PlayedMatch => ({
    match,
    game: "hearts",
    started: "2026-11-16T10:00:00Z",
    ended: "2026-11-16T11:00:00Z",
    players: ["Anna", "bot2"],
    profiles: ["Anna", null],
    seat: 0,
    place,
    score: 1,
    scores: [1, 2],
    rating: value === null ? null : { value, interval: 160 },
  });

  test("is drawn from the oldest match, without aborted matches", () => {
    const points = ratedOf([one("c", 2, 1540), one("b", null, null), one("a", 1, 1500)]);
    expect(points.map((point) => point.match)).toEqual(["a", "c"]);
    const drawn = renderToString(<RatingPlot points={points} />);
    expect(drawn.match(/rating-dot/gu)).toHaveLength(2);
    expect(drawn.match(/rating-dot won/gu)).toHaveLength(1);
    expect(drawn).toContain("from 1500 to 1540");
    expect(drawn.match(/<tr/gu)).toHaveLength(3);
    expect(drawn).toContain('href="/replay/c"');
  });

  test("of one match is a dot with its interval", () => {
    const drawn = renderToString(<RatingPlot points={ratedOf([one("a", 1, 1500)])} />);
    expect(drawn).toContain("rating-span");
    expect(drawn).not.toContain("range");
  });

  test("has round numbers beside it", () => {
    expect(ticks(1420, 1580)).toEqual([1400, 1450, 1500, 1550, 1600]);
    expect(ticks(860, 2160)).toEqual([500, 1000, 1500, 2000, 2500]);
    expect(ticks(-10, 15)).toEqual([-20, 0, 20]);
    expect(ticks(1500, 1500)).toEqual([1500]);
  });

  test("selects the nearest match", () => {
    expect([across(0, 1), across(0, 3), across(2, 3)]).toEqual([0.5, 0, 1]);
    expect([nearest(-0.2, 5), nearest(0.3, 5), nearest(7, 5), nearest(0.4, 1)]).toEqual([0, 1, 4, 0]);
  });

  test("is formatted for the language", async () => {
    await speakIn("de");
    expect(ratingText({ value: 1504, interval: 320 })).toBe("1504 ± 320");
    await speakIn("en");
    expect(ratingText({ value: -26, interval: 81 })).toBe("−26 ± 81");
    expect([signed(12), signed(0), signed(-7)]).toEqual(["+12", "0", "−7"]);
  });
});
