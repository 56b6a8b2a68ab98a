import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ServerFrame, View } from "../net/protocol";
import { asks, table as recorded } from "./fixtures";

/** A socket whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closing: { code: number }) => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  say(frame: ServerFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  hangUp(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

const kept = new Map<string, string>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  FakeSocket.all = [];
  kept.clear();
  kept.set("croupier.name", "ann");
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { protocol: "http:", host: "here:1" });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
  vi.stubGlobal("document", { addEventListener: () => undefined, removeEventListener: () => undefined });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const table = { ...recorded, seats: recorded.seats.map((info) => (info.seat ? info : { ...info, name: "" })) };
const mine = recorded;
const view = (more: Partial<View>): View => ({ ...asks.pass.view, ...more }) as View;

async function sitDown(sit?: number, watch?: boolean) {
  const { TableClient } = await import("../net/table");
  const client = new TableClient("t1", { sit, watch });
  const socket = FakeSocket.all[0] as FakeSocket;
  socket.open();
  socket.say(table);
  await vi.advanceTimersByTimeAsync(0);
  return { client, socket };
}

async function seated() {
  const { client, socket } = await sitDown(0);
  const join = socket.sent[0];
  socket.say({ type: "joined", seat: 0, back: false, id: join?.id as number });
  socket.say({ type: "view", number: 10, view: view({ seat: 0 }), turn: null, seconds: null });
  await vi.advanceTimersByTimeAsync(0);
  return { client, socket };
}

describe("the next deal", () => {
  const next = (digest: string) => ({ ...table, next_deal: digest });

  async function joining(digest: string) {
    const { TableClient } = await import("../net/table");
    const client = new TableClient("t1", { sit: 0 });
    const socket = FakeSocket.all.at(-1) as FakeSocket;
    socket.open();
    socket.say(next(digest));
    await vi.advanceTimersByTimeAsync(0);
    const join = socket.sent[0] as { id: number; nonce: string; digest: string };
    return { client, socket, join };
  }

  test("gets randomness of the player with the join, and every later one when it is announced", async () => {
    const { client, socket, join } = await joining("d1");
    expect(join.digest).toBe("d1");
    expect(join.nonce).toMatch(/^[0-9a-f]{32}$/u);
    socket.say({ type: "joined", seat: 0, back: false, id: join.id });
    socket.say(next("d1"));
    socket.say({ type: "commit", deal: 1, digest: "d1", nonces: [join.nonce, "", "", ""], next: "d2" });
    expect(client.commitments.value).toMatchObject([{ deal: 1, digest: "d1", dropped: false }]);
    expect(socket.sent.slice(1)).toMatchObject([{ type: "nonce", digest: "d2" }]);
    expect(socket.sent[1]?.nonce).not.toBe(join.nonce);
    socket.say({ type: "accepted", id: socket.sent[1]?.id as number });
    await vi.advanceTimersByTimeAsync(0);
    socket.say({ type: "commit", deal: 2, digest: "d2", nonces: ["", "x", "", ""] });
    expect(client.commitments.value[1]?.dropped, "the server has not used it").toBe(true);
    client.close();
  });

  test("gets the same after the page was reloaded", async () => {
    const first = await joining("d1");
    first.client.close();
    const second = await joining("d1");
    expect(second.join.nonce).toBe(first.join.nonce);
    second.client.close();
  });
});

describe("another match", () => {
  const over = { ...mine, phase: "gathering" as const, you: 0 };
  const without = { ...mine, phase: "playing" as const, you: null, seats: table.seats };

  async function unseated() {
    const { client, socket } = await seated();
    socket.say(over);
    socket.say({ ...over, answer_in: 20, bots_in: 20 });
    const left = (client.answers.value?.until ?? 0) - performance.now();
    expect(left).toBe(20_000);
    socket.say(without);
    return { client, socket };
  }

  test("does not take the result from the screen of those who have not answered", async () => {
    const { client, socket } = await unseated();
    expect(client.held.value).toBe(true);
    expect(client.table.value?.phase).toBe("gathering");
    const before = client.view.value;
    socket.say({ type: "view", number: 0, view: view({ seat: null }), turn: null, seconds: null });
    socket.say({ type: "commit", deal: 1, digest: "d9" });
    expect(client.view.value).toBe(before);
    expect(client.commitments.value).toEqual([]);
    expect([client.seat.value, kept.get("croupier.seats")]).toEqual([0, "{}"]);
    client.close();
  });

  test("can be joined later, with the next deal", async () => {
    const { client, socket } = await unseated();
    void client.again();
    expect(client.table.value?.phase).toBe("playing");
    expect(client.seat.value).toBeNull();
    const join = socket.sent.at(-1);
    expect(join).toMatchObject({ type: "join", person: true });
    socket.say({ type: "accepted", id: join?.id as number });
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.sent.at(-1)).toMatchObject({ type: "watch", views: "all" });
    const seen = view({ seat: null });
    socket.say({ type: "view", number: 3, view: seen, turn: null, seconds: null });
    expect(client.view.value, "until then the user watches").toEqual(seen);
    socket.say({ type: "joined", seat: 2, back: false, id: null });
    socket.say({ ...without, you: 2 });
    expect([client.seat.value, client.held.value]).toEqual([2, false]);
    client.close();
  });

  test("is not for those who leave", async () => {
    const { client } = await unseated();
    await client.leave();
    expect([client.seat.value, client.held.value]).toEqual([null, false]);
    client.close();
  });

  test("begins for those who answer in time", async () => {
    const { client, socket } = await seated();
    socket.say(over);
    void client.again();
    expect(socket.sent.at(-1)).toMatchObject({ type: "start" });
    client.close();
  });
});

describe("a watcher", () => {
  test("does not join, and takes every view from the server", async () => {
    const { client, socket } = await sitDown();
    expect(socket.address).toBe("ws://here:1/house/t1");
    expect(socket.sent).toMatchObject([{ type: "watch", views: "all" }]);
    socket.say({ type: "accepted", id: socket.sent[0]?.id as number });
    socket.say({ type: "view", number: 3, view: view({ seat: null }), turn: null, seconds: null });
    expect(client.view.value?.seat).toBeNull();
    const after = view({ seat: null, to_act: [2] });
    socket.say({ type: "event", number: 4, event: { kind: "passing_started" }, auto: false, view: after });
    expect(client.view.value).toEqual(after);
    expect(client.log.value.map((line) => line.event.kind)).toEqual(["passing_started"]);
    client.close();
  });

  test("takes no seat where nobody may, not even one that is kept", async () => {
    kept.set("croupier.seats", JSON.stringify({ t1: { seat: 0, name: "ann" } }));
    const { client, socket } = await sitDown(1, true);
    expect(socket.sent.map((frame) => frame.type)).toEqual(["watch"]);
    expect(client.maySit).toBe(false);
    expect(kept.get("croupier.seats")).toContain("ann");
    client.close();
  });

  test("asks for views again after reconnecting", async () => {
    const { client, socket } = await sitDown();
    socket.hangUp();
    await vi.advanceTimersByTimeAsync(500);
    const again = FakeSocket.all[1] as FakeSocket;
    again.open();
    again.say(table);
    expect(again.sent.map((frame) => frame.type)).toEqual(["watch"]);
    client.close();
  });
});

describe("a player", () => {
  test("joins as a person who wants every view, and reads nothing meant for watchers", async () => {
    const { client, socket } = await sitDown(2);
    expect(socket.sent[0]).toMatchObject({ type: "join", seat: 2, person: true, views: "all" });
    expect(String(socket.sent[0]?.token)).toMatch(/^[0-9a-f]{48}$/u);
    socket.say({ type: "view", number: 3, view: view({ seat: null }), turn: null, seconds: null });
    expect(client.view.value).toBeNull();
    client.close();
  });

  test("reconnects with the last event number", async () => {
    const { client, socket } = await seated();
    socket.say({ type: "event", number: 11, event: { kind: "passing_started" }, auto: false, view: view({ seat: 0 }) });
    socket.hangUp();
    expect(client.link.state.value).toBe("lost");
    await vi.advanceTimersByTimeAsync(500);
    const again = FakeSocket.all[1] as FakeSocket;
    again.open();
    again.say(mine);
    await vi.advanceTimersByTimeAsync(0);
    expect(again.sent[0]).toMatchObject({ type: "join", seat: 0, views: "all", last: 11 });
    expect(client.link.state.value).toBe("open");
    client.close();
  });

  test("keeps its log when the page is reloaded, and asks for what it missed", async () => {
    const leave: (() => void)[] = [];
    vi.stubGlobal("addEventListener", (kind: string, act: () => void) => kind === "pagehide" && leave.push(act));
    const store = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => store.set(key, value),
    });
    const { client, socket } = await seated();
    socket.say({ type: "event", number: 11, event: { kind: "passing_started" }, auto: false });
    for (const act of leave) act();
    client.close();

    const { TableClient } = await import("../net/table");
    const again = new TableClient("t1");
    expect(again.log.value.map((line) => line.event.kind)).toEqual(["passing_started"]);
    expect(again.recalled).toBe(again.log.value.at(-1)?.key);
    const next = FakeSocket.all.at(-1) as FakeSocket;
    next.open();
    next.say(mine);
    await vi.advanceTimersByTimeAsync(0);
    expect(next.sent[0]).toMatchObject({ type: "join", seat: 0, last: 11 });
    again.close();
    expect(new TableClient("t2").log.value).toEqual([]);
  });

  test("takes no event twice", async () => {
    const { client, socket } = await seated();
    for (const number of [11, 11, 12]) {
      socket.say({ type: "event", number, event: { kind: "passing_started" }, auto: false });
    }
    expect(client.log.value).toHaveLength(2);
    client.close();
  });

  test("answers the open question once and gets the reason of a refusal", async () => {
    const { client, socket } = await seated();
    const asked = view({ seat: 0, to_act: [0], legal: ["play 2C"] });
    socket.say({ type: "ask", turn: 5, seconds: 30, legal: ["play 2C"], view: asked });
    const first = client.act(["play QS"]);
    void client.act(["play QS"]);
    const acts = socket.sent.filter((frame) => frame.type === "act");
    expect(acts).toHaveLength(1);
    socket.say({ type: "refused", id: acts[0]?.id as number, key: "must_lead", words: "the two of clubs leads" });
    await first;
    expect(client.refusal.value?.words).toBe("the two of clubs leads");
    expect(client.question.value?.turn).toBe(5);
    const second = client.act(["play 2C"]);
    socket.say({ type: "accepted", id: socket.sent.at(-1)?.id as number });
    await second;
    expect(client.question.value).toBeNull();
    expect(client.refusal.value).toBeNull();
    client.close();
  });

  test("keeps a legal answer to show until a view contains it, and drops it when it is refused or lost", async () => {
    const { client, socket } = await seated();
    const ask = (turn: number) =>
      socket.say({ type: "ask", turn, seconds: 30, legal: ["play 2C"], view: view({ seat: 0, to_act: [0] }) });
    const answer = () => socket.sent.at(-1)?.id as number;
    ask(5);
    void client.act(["play QS"]);
    expect(client.sent.value).toBeNull(); // illegal: the server gives the reason
    socket.say({ type: "refused", id: answer(), key: "must_lead", words: "the two of clubs leads" });
    await vi.advanceTimersByTimeAsync(0);

    const refused = client.act(["play 2C"]);
    expect(client.sent.value).toEqual(["play 2C"]);
    socket.say({ type: "event", number: 11, event: { kind: "passed", seat: 2 }, auto: false, view: view({ seat: 0 }) });
    expect(client.sent.value).toEqual(["play 2C"]); // another seat's action in between
    socket.say({ type: "refused", id: answer(), key: "stale", words: "decision 5 is past" });
    await refused;
    expect(client.sent.value).toBeNull();
    expect(client.refusal.value?.key).toBe("stale");

    ask(6);
    const accepted = client.act(["play 2C"]);
    socket.say({ type: "accepted", id: answer() });
    await accepted;
    expect(client.sent.value).toEqual(["play 2C"]);
    socket.say({ type: "event", number: 12, event: { kind: "played" }, auto: false, view: view({ seat: 0 }) });
    expect(client.sent.value).toBeNull();

    ask(7);
    const lost = client.act(["play 2C"]);
    socket.hangUp();
    await lost;
    expect(client.sent.value).toBeNull();
    client.close();
  });

  test("has nothing to answer when the server chose for it", async () => {
    const { client, socket } = await seated();
    socket.say({
      type: "ask",
      turn: 5,
      seconds: 1,
      legal: ["play 2C"],
      view: view({ seat: 0, to_act: [0], legal: ["play 2C"] }),
    });
    const after = view({ seat: 0, to_act: [] });
    socket.say({ type: "event", number: 11, event: { kind: "played", seat: 0, card: "2C" }, auto: true, view: after });
    expect(client.question.value).toBeNull();
    client.close();
  });

  test("leaves the seat to a newer window until told otherwise", async () => {
    const { client, socket } = await seated();
    socket.hangUp(4001);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.replaced.value).toBe(true);
    expect(FakeSocket.all).toHaveLength(1);
    client.playHere();
    expect(FakeSocket.all).toHaveLength(2);
    expect(client.replaced.value).toBe(false);
    client.close();
  });

  test("catches up: the events it has missed, then the present view", async () => {
    const { client, socket } = await seated();
    socket.hangUp();
    await vi.advanceTimersByTimeAsync(500);
    const again = FakeSocket.all[1] as FakeSocket;
    again.open();
    again.say(mine);
    again.say({ type: "joined", seat: 0, back: true, id: again.sent[0]?.id as number });
    again.say({ type: "event", number: 11, event: { kind: "passing_started" }, auto: false });
    again.say({ type: "event", number: 12, event: { kind: "passed", seat: 1 }, auto: false });
    const now = view({ seat: 0, to_act: [0], legal: ["pass 2C"] });
    again.say({ type: "view", number: 12, view: now, turn: 3, seconds: 20 });
    expect(client.log.value.map((line) => line.event.kind)).toEqual(["passing_started", "passed"]);
    expect(client.view.value).toEqual(now);
    expect(client.question.value).toMatchObject({ turn: 3, legal: ["pass 2C"] });
    client.close();
  });

  test("finds its place gone after a restart, and watches", async () => {
    const { client, socket } = await seated();
    socket.hangUp();
    await vi.advanceTimersByTimeAsync(500);
    const again = FakeSocket.all[1] as FakeSocket;
    again.open();
    again.say({ ...mine, seats: mine.seats.map((info) => (info.seat ? info : { ...info, name: "bob" })) });
    expect(again.sent.map((frame) => frame.type)).toEqual(["watch"]);
    expect(client.seat.value).toBeNull();
    client.close();
  });

  test("becomes a watcher when the seat is refused", async () => {
    const { client, socket } = await sitDown(0);
    socket.say({ type: "view", number: 1, view: view({ seat: null }), turn: null, seconds: null });
    expect(client.view.value).toBeNull();
    socket.say({ type: "refused", id: socket.sent[0]?.id as number, key: "seat_taken", words: "seat 0: it is not free" });
    await vi.advanceTimersByTimeAsync(0);
    expect(client.refusal.value?.key).toBe("seat_taken");
    expect(socket.sent.map((frame) => frame.type)).toEqual(["join", "watch"]);
    socket.say({ type: "view", number: 2, view: view({ seat: null }), turn: null, seconds: null });
    expect(client.view.value).not.toBeNull();
    client.close();
  });

  test("leaves and keeps watching on the same connection", async () => {
    const { client, socket } = await seated();
    const leaving = client.leave();
    socket.say({ type: "accepted", id: socket.sent.at(-1)?.id as number });
    await leaving;
    expect(socket.sent.map((frame) => frame.type)).toEqual(["join", "leave", "watch"]);
    expect(client.seat.value).toBeNull();
    expect(kept.get("croupier.seats")).toBe("{}");
    client.close();
  });

  test("detects a dead connection", async () => {
    const { client, socket } = await seated();
    await vi.advanceTimersByTimeAsync(16_000);
    expect(socket.sent.at(-1)).toMatchObject({ type: "ping" });
    await vi.advanceTimersByTimeAsync(9_000);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
    client.close();
  });
});

describe("a later visit", () => {
  async function visit(seat: Partial<(typeof mine.seats)[number]>, openToo: boolean, phase = table.phase as string) {
    kept.set("croupier.seats", JSON.stringify({ t1: { seat: 0, name: "ann" } }));
    const { TableClient } = await import("../net/table");
    const client = new TableClient("t1", { openToo });
    const socket = FakeSocket.all.at(-1) as FakeSocket;
    socket.open();
    const seats = mine.seats.map((info) => (info.seat === 0 ? { ...info, ...seat } : info));
    socket.say({ ...mine, seats, phase: phase as "playing" });
    await vi.advanceTimersByTimeAsync(0);
    client.close();
    return socket.sent;
  }

  test("takes back its reserved seat", async () => {
    expect(await visit({ name: "ann", kind: "person" }, true)).toMatchObject([{ type: "join", name: "ann", seat: 0 }]);
  });

  test("does not take a seat that another player has taken", async () => {
    expect(await visit({ name: "bob", kind: "person" }, true)).toMatchObject([{ type: "watch" }]);
    expect(await visit({ name: "ann", kind: "bot" }, true)).toMatchObject([{ type: "watch" }]);
  });

  test("sits down again where reloading the page has freed the seat", async () => {
    expect(await visit({ name: "", kind: "person" }, false, "gathering")).toMatchObject([{ type: "join" }]);
    expect(await visit({ name: "", kind: "open" }, true, "resting")).toMatchObject([{ type: "join" }]);
    expect(await visit({ name: "", kind: "open" }, false, "gathering")).toMatchObject([{ type: "watch" }]);
  });
});

describe("the end of a connection", () => {
  test("a closed table stays closed", async () => {
    const { client, socket } = await seated();
    socket.say({ type: "closed", reason: "the table was unused for a while", key: "deserted" });
    socket.hangUp(1000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.closed.value).toBe(true);
    expect(client.farewell.value?.key).toBe("deserted");
    expect(FakeSocket.all).toHaveLength(1);
    client.close();
  });

  test("a server that stops is waited for", async () => {
    const { client, socket } = await seated();
    socket.say({ type: "closed", reason: "the server stops", key: "stopping" });
    socket.hangUp(1001);
    expect(client.closed.value).toBe(false);
    expect(client.farewell.value?.key).toBe("stopping");
    await vi.advanceTimersByTimeAsync(500);
    const again = FakeSocket.all[1] as FakeSocket;
    again.open();
    again.say(mine);
    expect(client.farewell.value).toBeNull();
    expect(again.sent.map((frame) => frame.type)).toEqual(["join"]);
    client.close();
  });
});

test("promises and seeds of a deal come together, and those of a match before are forgotten", async () => {
  const { client, socket } = await seated();
  socket.say({ type: "reveal", deal: 1, seed: "01" });
  expect(client.commitments.value).toEqual([{ deal: 1, digest: "", seed: "01" }]);
  socket.say({ type: "commit", deal: 1, digest: "aa" });
  socket.say({ type: "reveal", deal: 1, seed: "01" });
  socket.say({ type: "commit", deal: 2, digest: "bb" });
  expect(client.commitments.value).toMatchObject([
    { deal: 1, digest: "aa", seed: "01" },
    { deal: 2, digest: "bb", seed: null },
  ]);
  socket.say({ type: "commit", deal: 1, digest: "cc" });
  expect(client.commitments.value).toMatchObject([{ deal: 1, digest: "cc", seed: null }]);
  client.close();
});

describe("orders of the operator", () => {
  test("a player who was removed does not come back by themselves", async () => {
    const { client, socket } = await seated();
    socket.say({ type: "closed", reason: "the operator has removed you from this table", key: "removed" });
    socket.hangUp(4004);
    expect(client.expelled.value).toBe(true);
    expect(client.closed.value).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  test("a restart is announced and withdrawn", async () => {
    const { restart } = await import("../net/notice");
    const { socket } = await seated();
    socket.say({ type: "notice", seconds: 60, text: "an update" });
    expect(restart.value).toEqual({ at: Date.now() + 60_000, text: "an update" });
    socket.say({ type: "notice", seconds: null, text: "" });
    expect(restart.value).toBeNull();
  });
});

describe("a player with an account", () => {
  const told = (tables: object[]) =>
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ name: "ann", tables }))));

  beforeEach(() => {
    kept.set("croupier.account", "on");
    kept.set("croupier.token", "of a session");
  });

  test("comes back to a seat that was taken elsewhere", async () => {
    told([{ id: "t0", seat: 1 }, { id: "t1", seat: 0 }]);
    const { client, socket } = await sitDown();
    expect(socket.sent).toMatchObject([{ type: "join", seat: 0, token: "of a session" }]);
    client.close();
  });

  test("watches if it has no seat, and requests none if it only watches", async () => {
    told([{ id: "t0", seat: 1 }]);
    const { client, socket } = await sitDown();
    expect(socket.sent.map((frame) => frame.type)).toEqual(["watch"]);
    client.close();
    told([{ id: "t1", seat: 0 }]);
    FakeSocket.all = [];
    const watcher = await sitDown(undefined, true);
    expect(watcher.socket.sent.map((frame) => frame.type)).toEqual(["watch"]);
    watcher.client.close();
  });

  test("sits down once, also before it is known whether it has a seat", async () => {
    let answer: (response: Response) => void = () => undefined;
    vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
    const { client, socket } = await sitDown();
    void client.sit(0);
    answer(new Response(JSON.stringify({ tables: [] })));
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.sent.map((frame) => frame.type)).toEqual(["join"]);
    client.close();
  });

  test("asks once more after reconnecting", async () => {
    let answer: (response: Response) => void = () => undefined;
    vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
    const { client, socket } = await sitDown();
    const late = answer;
    socket.hangUp();
    await vi.advanceTimersByTimeAsync(20_000);
    const again = FakeSocket.all[1] as FakeSocket;
    again.open();
    again.say(table);
    late(new Response(JSON.stringify({ tables: [] })));
    answer(new Response(JSON.stringify({ tables: [{ id: "t1", seat: 0 }] })));
    await vi.advanceTimersByTimeAsync(0);
    expect(again.sent.map((frame) => frame.type)).toEqual(["join"]);
    client.close();
  });
});
