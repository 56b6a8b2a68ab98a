/** A connection to a table: joining, returning, the current view, the open question. */

import { batch, computed, signal } from "@preact/signals";
import { socketAddress } from "./api";
import { seatsOfMine } from "./account";
import { forgetSeat, keepSeat, keptSeat, loggedIn, myName, myToken } from "./identity";
import { keepLog, keptLog, type KeptLog } from "./keptLog";
import { Link } from "./link";
import { heardNotice } from "./notice";
import { keep, kept } from "./storage";
import type {
  ClientRequest,
  CommitFrame,
  Commitment,
  GameEvent,
  RefusedFrame,
  RequestId,
  ServerFrame,
  TableFrame,
  View,
} from "./protocol";

/** A running time span: both ends in ms of `performance.now()`. */
export interface Clock {
  from: number;
  until: number;
}

export interface Question {
  turn: number;
  legal: string[];
  clock: Clock | null;
}

export interface LogLine {
  key: number;
  event: GameEvent;
  auto: boolean;
}

export interface SaidLine {
  key: number;
  seat: number | null;
  name: string;
  text: string;
}

/** The outcome of a request: accepted, refused, or the connection was lost before the answer. */
export type Outcome =
  | { ok: true }
  | ({ ok: false } & Refusal);

export type Refusal = Pick<RefusedFrame, "key" | "words" | "about">;

const REPLACED = 4001;
/** The operator has banned this player, or removed them from the table. */
const EXPELLED = 4004;
/** After a `closed` frame: the table is closed permanently. A stopping server uses 1001. */
const DONE = 1000;
/** The frames that matter while the result is held. */
const ANSWERS = ["joined", "accepted", "refused", "pong", "closed"];
/** Enough for every deal of a match. */
const LOG_LINES = 6000;
/** The key of the last commitment and what this browser added to its deal. */
const NONCE = "croupier.nonce";

function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function clockFor(seconds: number | null | undefined): Clock | null {
  if (seconds == null) return null;
  const now = performance.now();
  return { from: now, until: now + seconds * 1000 };
}

/** Return whether a seat from an earlier visit is still reserved for this browser. */
function isMine(table: TableFrame, kept: { seat: number | null; name: string }, openToo: boolean): boolean {
  const place = table.seats.find((info) => info.seat === kept.seat);
  if (!place) return false;
  if (place.name) return place.name === kept.name && place.kind !== "bot";
  // Outside a game a seat is freed when its player disconnects, even to reload the page.
  return table.phase !== "playing" && (place.kind === "person" || (openToo && place.kind === "open"));
}

/** Return the query of an address with *invitation*. */
export function invited(invitation: string | undefined): string {
  return invitation === undefined ? "" : `?${new URLSearchParams({ invitation }).toString()}`;
}

export interface JoinOptions {
  /** Join immediately: this seat, or the first free one if null. */
  sit?: number | null | undefined;
  /** Whether a free seat from an earlier visit may be taken again; the game node reserves them for programs. */
  openToo?: boolean;
  /** Only watch, even if this browser has a seat. */
  watch?: boolean | undefined;
  /** The invitation to a private table. */
  invitation?: string | undefined;
}

export class TableClient {
  readonly table = signal<TableFrame | null>(null);
  readonly view = signal<View | null>(null);
  readonly question = signal<Question | null>(null);
  readonly turn = signal<{ seats: number[]; clock: Clock | null }>({ seats: [], clock: null });
  readonly log = signal<LogLine[]>([]);
  readonly said = signal<SaidLine[]>([]);
  readonly commitments = signal<Commitment[]>([]);
  readonly refusal = signal<Refusal | null>(null);
  /** An answer has been sent and not yet confirmed. */
  readonly pending = signal(false);
  /** The legal answer that has been sent and that no view contains yet: pages show its effect in advance. */
  readonly sent = signal<string[] | null>(null);
  /** Counts the views that came without an event: earlier events may have been missed. */
  readonly leaps = signal(0);
  /** The reason the server gave for closing the connection. */
  readonly farewell = signal<{ key: string; reason: string } | null>(null);
  /** The seat joined by this connection, null for a watcher. */
  readonly seat = signal<number | null>(null);
  /** When bots take the free seats. */
  readonly bots = signal<Clock | null>(null);
  /** Until when players may answer that they want another match. */
  readonly answers = signal<Clock | null>(null);
  /** The others play another match and this user has not answered: the page keeps showing the result. */
  readonly held = signal(false);
  readonly replaced = computed(() => this.endedBy(REPLACED));
  readonly expelled = computed(() => this.endedBy(EXPELLED));
  readonly closed = computed(() => this.endedBy(DONE) || this.expelled.value);
  readonly link: Link;
  /** True after the first answer of the server: messages sent from now on are not lost. */
  readonly connected = computed(() => this.link.state.value === "open");

  /** The seat to take. If not `sure`, it comes from an earlier visit and may no longer be reserved: check first. */
  private wanted: { seat: number | null; name: string; sure: boolean } | null = null;
  /** The key of the last line of the log that is older than this page. */
  recalled = 0;
  private joined = false;
  /** The seat of a bot will be this user's when the next deal begins; until then they watch. */
  private promised = false;
  private leaving = false;
  /** The last description of the table, also while the result is held. */
  private newest: TableFrame | null = null;
  private greeted = false;
  /** Counts connections, to detect that one was lost while waiting. */
  private visit = 0;
  private last: number | null = null;
  private nextId = 1;
  private nextKey = 1;
  /** The key of the last log line when a question was asked, by its number. */
  private readonly asked = new Map<number, number>();
  private undone = false;
  private readonly waiting = new Map<RequestId, (outcome: Outcome) => void>();
  /** What this player has added to the deal with this commitment, and whether the server must use it. */
  private added: { digest: string; nonce: string; stored: boolean } | null = null;

  constructor(
    readonly id: string,
    private readonly joinOptions: JoinOptions = {},
  ) {
    const kept = joinOptions.watch ? null : keptSeat(id);
    if (kept) {
      this.wanted = { ...kept, sure: false };
      this.recall(keptLog(id, kept.seat));
    }
    else if (joinOptions.sit !== undefined && !joinOptions.watch) {
      this.wanted = { seat: joinOptions.sit, name: myName.peek(), sure: true };
    }
    this.link = new Link({
      address: socketAddress(`/house/${encodeURIComponent(id)}${invited(joinOptions.invitation)}`),
      onOpen: () => {
        this.joined = this.greeted = this.promised = false;
        this.visit += 1;
      },
      onFrame: (frame) => this.receive(frame as ServerFrame),
      onLost: () => this.lost(),
      probe: () => ({ type: "ping" }),
      final: (code) => code === REPLACED || code === EXPELLED || (code === DONE && this.farewell.peek() !== null),
    });
    globalThis.addEventListener?.("pagehide", this.onLeave);
  }

  /** Whether this page may offer seats. */
  get maySit(): boolean {
    return !this.joinOptions.watch;
  }

  /** Take a seat; without a number, the first free one. */
  async sit(seat: number | null): Promise<Outcome> {
    this.wanted = { seat, name: myName.peek(), sure: true };
    this.last = null;
    return this.enter();
  }

  /** Join; in a quick match this may mean to watch until the next deal begins. */
  private async enter(): Promise<Outcome> {
    const outcome = await this.request(this.joinRequest());
    if (!outcome.ok) {
      if (!this.joined) this.turnedAway(outcome);
    } else if (!this.joined) {
      this.promised = true;
      void this.watch();
    }
    return outcome;
  }

  async leave(): Promise<void> {
    if (this.held.peek()) {
      this.release();
      return;
    }
    this.leaving = true;
    const outcome = await this.request({ type: "leave" });
    this.leaving = false;
    if (!outcome.ok) {
      this.refusal.value = outcome;
      return;
    }
    this.forget();
    void this.watch();
  }

  /** Take this seat back from the newer window. */
  playHere(): void {
    this.link.connect();
  }

  async act(actions: string[]): Promise<void> {
    const question = this.question.peek();
    if (!question || this.pending.peek()) return;
    this.pending.value = true;
    this.refusal.value = null;
    // The rest of a batch may become legal only through its first action.
    if (question.legal.includes(actions[0] ?? "")) this.sent.value = actions;
    const outcome = await this.request({ type: "act", turn: question.turn, actions });
    this.pending.value = false;
    if (!outcome.ok) {
      this.sent.value = null;
      if (outcome.key !== "lost") this.refusal.value = outcome;
    } else if (this.question.peek()?.turn === question.turn) {
      this.question.value = null;
    }
  }

  /** Ask why *actions* are illegal: they are refused and change nothing. Without arguments, clear the last answer. */
  async why(actions: string[]): Promise<void> {
    const question = this.question.peek();
    const last = actions.at(-1);
    if (last === undefined) this.refusal.value = null;
    if (!question || last === undefined || question.legal.includes(last) || this.pending.peek()) return;
    const outcome = await this.request({ type: "act", turn: question.turn, actions });
    if (!outcome.ok && outcome.key !== "lost" && this.question.peek() === question) this.refusal.value = outcome;
  }

  async start(): Promise<Outcome> {
    return this.told(await this.request({ type: "start" }));
  }

  /** Answer that this user wants another match: in their own seat, or in a free one if that was too late. */
  async again(): Promise<void> {
    if (!this.held.peek()) {
      await this.start();
      return;
    }
    this.release();
    if ((await this.sit(null)).ok && this.joined) await this.request({ type: "start" });
  }

  /** Let a bot take a free seat. */
  async fill(seat: number): Promise<Outcome> {
    return this.told(await this.request({ type: "fill", seat }));
  }

  async arrange(seats: string[]): Promise<Outcome> {
    return this.told(await this.request({ type: "arrange", seats }));
  }

  async say(text: string): Promise<Outcome> {
    return this.told(await this.request({ type: "say", text }));
  }

  /** Report the player of *seat* to the operator. */
  async report(seat: number, text: string): Promise<Outcome> {
    return this.request({ type: "report", seat, text });
  }

  /** End the current pause; only among bots. */
  async continue(): Promise<Outcome> {
    return this.request({ type: "continue" });
  }

  /** Take back the last decision of this deal; only in unrated matches among bots. */
  async undo(): Promise<void> {
    const outcome = await this.request({ type: "undo" });
    this.refusal.value = outcome.ok ? null : outcome;
    this.undone = outcome.ok;
  }

  close(): void {
    globalThis.removeEventListener?.("pagehide", this.onLeave);
    this.link.close();
  }

  private readonly onLeave = (): void => {
    const seat = this.seat.peek();
    if (seat !== null && this.last !== null) keepLog({ table: this.id, seat, last: this.last, log: this.log.peek() });
  };

  /** Continue the log from before a reload: the server then sends what was missed. */
  private recall(before: KeptLog | null): void {
    if (!before) return;
    this.last = before.last;
    this.log.value = before.log;
    this.recalled = before.log.at(-1)?.key ?? 0;
    this.nextKey = this.recalled + 1;
  }

  private endedBy(code: number): boolean {
    return this.link.state.value === "ended" && this.link.closeCode.value === code;
  }

  private told(outcome: Outcome): Outcome {
    this.refusal.value = outcome.ok ? null : outcome;
    return outcome;
  }

  private joinRequest(): ClientRequest {
    const { seat, name } = this.wanted ?? { seat: null, name: myName.peek() };
    return {
      type: "join",
      name,
      token: myToken.peek(),
      person: true,
      views: "all",
      ...(seat !== null && { seat }),
      ...(this.last !== null && { last: this.last }),
      ...this.contribution(this.table.peek()?.next_deal),
    };
  }

  /** Return the nonce for the deal with this commitment: random, but the same after reloading the page. */
  private contribution(digest: string | null | undefined): { nonce: string; digest: string } | null {
    if (!digest) return null;
    if (this.added?.digest !== digest) {
      const [before, old] = kept(NONCE)?.split(" ") ?? [];
      const nonce = before === digest && old ? old : randomText();
      this.added = { digest, nonce, stored: false };
      keep(NONCE, `${digest} ${nonce}`);
    }
    return { nonce: this.added.nonce, digest };
  }

  /** Add randomness to the next deal, once. */
  private async contribute(digest: string | null | undefined): Promise<void> {
    if (this.seat.peek() === null || !this.joined || this.added?.digest === digest) return;
    const contribution = this.contribution(digest);
    if (!contribution) return;
    const { added } = this;
    const outcome = await this.request({ type: "nonce", ...contribution });
    if (added) added.stored = outcome.ok;
  }

  private request(request: ClientRequest): Promise<Outcome> {
    const id = this.nextId++;
    return new Promise((resolve) => {
      if (this.link.send({ ...request, id })) this.waiting.set(id, resolve);
      else resolve({ ok: false, key: "lost", words: "" });
    });
  }

  /** Watch: each event then includes the view after it, as for seated players. */
  private watch(): Promise<Outcome> {
    return this.request({ type: "watch", views: "all" });
  }

  private async greet(table: TableFrame): Promise<void> {
    this.greeted = true;
    this.farewell.value = null;
    if (this.wanted && !this.wanted.sure && !isMine(table, this.wanted, this.joinOptions.openToo ?? true)) {
      this.forget();
    }
    if (!this.wanted && this.maySit && loggedIn.peek()) {
      const { visit } = this;
      const own = await this.ownSeat(table);
      if (visit !== this.visit || this.wanted) return; // the connection was lost, or the user took a seat in the meantime
      this.wanted = own;
    }
    if (!this.wanted) {
      this.last = null;
      await this.watch();
      return;
    }
    await this.enter();
  }

  /** The seat of the user's account at this table, taken in another browser or protocol. */
  private async ownSeat(table: TableFrame): Promise<typeof this.wanted> {
    const mine = await seatsOfMine().catch(() => []);
    const seat = mine.find((one) => one.id === this.id)?.seat;
    if (seat === undefined) return null;
    return { seat, name: table.seats.find((info) => info.seat === seat)?.name || myName.peek(), sure: true };
  }

  /** Joining failed: continue as a watcher. Frames received meanwhile were ignored, but watching brings a view. */
  private turnedAway(outcome: Outcome & { ok: false }): void {
    if (outcome.key === "lost") return; // retried after reconnecting
    void seatsOfMine().catch(() => undefined); // detects that the session has ended
    this.refusal.value = outcome;
    this.forget();
    void this.watch();
  }

  private forget(): void {
    forgetSeat(this.id);
    this.wanted = null;
    this.last = null;
    this.log.value = [];
    this.seat.value = null;
    this.question.value = null;
  }

  /** The server has given this user's seat away. */
  private unseat(frame: TableFrame): void {
    const resting = this.table.peek()?.phase !== "playing";
    if (resting) {
      forgetSeat(this.id);
      this.wanted = null;
      this.joined = false;
      this.newest = frame;
      this.held.value = true;
    } else {
      this.forget();
      this.table.value = frame;
      void this.watch();
    }
  }

  /** Show the table as it is now. */
  private release(): void {
    batch(() => {
      this.held.value = false;
      this.greeted = true;
      this.forget();
      if (this.newest) this.describe(this.newest);
    });
  }

  private describe(frame: TableFrame): void {
    this.table.value = frame;
    this.bots.value = clockFor(frame.bots_in);
    this.answers.value = clockFor(frame.answer_in);
    if (frame.phase !== "playing") this.turn.value = { seats: [], clock: null };
  }

  private lost(): void {
    this.joined = false;
    for (const resolve of this.waiting.values()) resolve({ ok: false, key: "lost", words: "" });
    this.waiting.clear();
  }

  private settle(id: RequestId | null | undefined, outcome: Outcome): void {
    if (id == null) return;
    this.waiting.get(id)?.(outcome);
    this.waiting.delete(id);
  }

  private receive(frame: ServerFrame): void {
    // While returning to a seat the connection first receives a watcher's frames: ignore them.
    const strange = this.wanted !== null && !this.joined && !this.promised;
    if (this.held.peek() && !ANSWERS.includes(frame.type)) {
      if (frame.type === "table") this.newest = frame;
      return;
    }
    switch (frame.type) {
      case "table":
        if (this.joined && frame.you === null && !this.leaving) {
          this.unseat(frame);
          break;
        }
        this.describe(frame);
        if (!this.greeted) void this.greet(frame);
        else void this.contribute(frame.next_deal);
        break;
      case "joined":
        this.joined = true;
        this.promised = false;
        this.seat.value = frame.seat;
        this.wanted = { seat: frame.seat, name: this.wanted?.name ?? myName.peek(), sure: false };
        keepSeat(this.id, { seat: frame.seat, name: this.wanted.name });
        this.refusal.value = null;
        this.question.value = null;
        // A player who returns may have added another nonce on another device.
        if (this.added && !frame.back) this.added.stored = true;
        this.settle(frame.id, { ok: true });
        break;
      case "view":
        if (strange) break;
        this.last = frame.number;
        this.leaps.value += 1;
        this.setView(frame.view);
        this.question.value =
          frame.turn === null
            ? null
            : { turn: frame.turn, legal: frame.view.legal, clock: clockFor(frame.seconds) };
        this.turn.value = { seats: frame.view.to_act, clock: this.turn.peek().clock };
        break;
      case "event":
        if (!strange) this.event(frame.number, frame.event, frame.auto, frame.view);
        break;
      case "ask":
        this.rewind(frame.turn);
        this.setView(frame.view);
        this.refusal.value = null;
        this.question.value = { turn: frame.turn, legal: frame.legal, clock: clockFor(frame.seconds) };
        break;
      case "turn":
        if (!strange) this.turn.value = { seats: frame.seats, clock: clockFor(frame.seconds) };
        break;
      case "commit":
        this.committed(frame);
        void this.contribute(frame.next);
        break;
      case "reveal":
        this.revealed(frame.deal, frame.seed);
        break;
      case "said":
        this.said.value = [
          ...this.said.peek().slice(-99),
          { key: this.nextKey++, seat: frame.seat, name: frame.name, text: frame.text },
        ];
        break;
      case "accepted":
      case "pong":
        this.settle(frame.id, { ok: true });
        break;
      case "refused":
        this.refused(frame);
        break;
      case "closed":
        this.farewell.value = frame;
        // Do not take the seat again after a reload.
        if (frame.key === "banned" || frame.key === "removed") forgetSeat(this.id);
        break;
      case "notice":
        heardNotice(frame);
        break;
    }
  }

  private setView(view: View): void {
    batch(() => {
      this.view.value = view;
      // The author hears of an accepted action first, so the view after the answer contains it.
      if (!this.pending.peek()) this.sent.value = null;
    });
    const question = this.question.peek();
    if (question && view.seat !== null && !view.to_act.includes(view.seat)) this.question.value = null;
  }

  private event(number: number, event: GameEvent, auto: boolean, view: View | undefined): void {
    if (this.last !== null && number <= this.last) return;
    this.last = number;
    // Missed events come without a view; the current one follows them.
    if (view) this.setView(view);
    this.log.value = [...this.log.peek().slice(1 - LOG_LINES), { key: this.nextKey++, event, auto }];
  }

  /** Remember the log at question *turn*; if the answer was taken back, return to what it was then. */
  private rewind(turn: number): void {
    const last = this.asked.get(turn);
    if (this.undone && last !== undefined) this.log.value = this.log.peek().filter((line) => line.key <= last);
    this.undone = false;
    this.asked.set(turn, this.log.peek().at(-1)?.key ?? 0);
  }

  /** Deals are numbered from 1 in every match: drop commitments for this deal and later ones. */
  private committed({ deal, digest, nonces }: CommitFrame): void {
    const before = this.commitments.peek().filter((one) => one.deal < deal);
    const seat = this.seat.peek();
    const mine = this.added?.digest === digest && this.added.stored ? this.added.nonce : null;
    const dropped = mine !== null && seat !== null && nonces?.[seat] !== mine;
    const given = this.table.peek()?.fixed_deal;
    this.commitments.value = [...before, { deal, digest, seed: null, nonces, given, dropped }];
  }

  private revealed(deal: number, seed: string): void {
    const all = this.commitments.peek();
    const promised = all.find((one) => one.deal === deal);
    this.commitments.value = [
      ...all.filter((one) => one !== promised),
      { ...promised, deal, digest: promised?.digest ?? "", seed },
    ];
  }

  private refused(frame: RefusedFrame): void {
    const outcome: Outcome = { ...frame, ok: false };
    if (frame.id != null) this.settle(frame.id, outcome);
    else this.refusal.value = outcome;
  }
}
