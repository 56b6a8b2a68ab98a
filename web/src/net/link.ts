/** A WebSocket that comes back by itself. */

import { signal } from "@preact/signals";

/** What a page may say about its connection. `ended`: closed for good, the reason tells why. */
export type LinkState = "connecting" | "open" | "lost" | "ended";

export interface LinkOptions {
  address: string;
  onOpen?: () => void;
  onFrame: (frame: unknown) => void;
  onLost?: () => void;
  /** Sent when nothing has come for a while; no frame after it means the line is dead. */
  probe?: () => unknown;
  /** Say whether coming back would be wrong after this close code (a newer window has the seat). */
  final?: (code: number) => boolean;
}

const FIRST_DELAY = 400;
const LONGEST_DELAY = 10_000;
const QUIET = 15_000;
const DEAD = 8_000;

/** Return how long to wait before attempt *attempt* (from 0), in ms; *chance* is from 0 to 1. */
export function backoff(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempt);
  return full * (0.75 + chance / 4);
}

export class Link {
  readonly state = signal<LinkState>("connecting");
  /** How many times it was tried to come back since the line was lost. */
  readonly attempts = signal(0);
  readonly closeCode = signal<number | null>(null);
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  /** After sleep a line may be dead without having been closed: ask at once. */
  private readonly wake = () => {
    if (document.visibilityState === "hidden") return;
    if (this.state.peek() === "lost") this.connect();
    else if (this.state.peek() === "open") this.ask();
  };

  constructor(private readonly options: LinkOptions) {
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  send(frame: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Open a fresh connection now, whatever the old one is doing. */
  connect(): void {
    this.drop();
    if (this.state.peek() === "ended") this.state.value = "connecting";
    const socket = new WebSocket(this.options.address);
    this.socket = socket;
    socket.onopen = () => {
      this.closeCode.value = null;
      this.listen();
      this.options.onOpen?.();
    };
    socket.onmessage = (message) => {
      if (this.state.peek() !== "open") {
        // Only a frame shows that the server is there: a proxy in between may accept and hang up.
        this.state.value = "open";
        this.attempts.value = 0;
      }
      this.listen();
      let frame: unknown;
      try {
        frame = JSON.parse(String(message.data));
      } catch {
        return;
      }
      this.options.onFrame(frame);
    };
    socket.onclose = (closing) => this.lost(closing.code);
  }

  close(): void {
    this.drop();
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.state.value = "ended";
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.watchdog);
    if (this.socket) {
      this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
      this.socket.close();
      this.socket = null;
    }
  }

  private lost(code: number): void {
    this.drop();
    this.closeCode.value = code;
    this.options.onLost?.();
    if (this.options.final?.(code)) {
      this.state.value = "ended";
      return;
    }
    this.state.value = "lost";
    this.timer = setTimeout(() => this.connect(), backoff(this.attempts.peek(), Math.random()));
    this.attempts.value += 1;
  }

  private listen(): void {
    clearTimeout(this.watchdog);
    if (this.options.probe) this.watchdog = setTimeout(() => this.ask(), QUIET);
  }

  private ask(): void {
    if (!this.options.probe) return;
    clearTimeout(this.watchdog);
    this.send(this.options.probe());
    this.watchdog = setTimeout(() => this.lost(0), DEAD);
  }
}
