/** A WebSocket that reconnects automatically. */

import { signal } from "@preact/signals";

/** The state of a connection as shown by pages. `ended`: closed permanently, with a reason. */
export type LinkState = "connecting" | "open" | "lost" | "ended";

export interface LinkOptions {
  address: string;
  onOpen?: () => void;
  onFrame: (frame: unknown) => void;
  onLost?: () => void;
  /** Sent after a silence; if no frame follows, the connection is dead. */
  probe?: () => unknown;
  /** Return whether a close code forbids reconnecting (a newer window has the seat). */
  final?: (code: number) => boolean;
}

const FIRST_DELAY = 400;
const LONGEST_DELAY = 10_000;
const QUIET = 15_000;
const DEAD = 8_000;

/** Return the delay before attempt *attempt* (from 0) in ms; *chance* is a random number from 0 to 1. */
export function backoff(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempt);
  return full * (0.75 + chance / 4);
}

export class Link {
  readonly state = signal<LinkState>("connecting");
  /** The number of attempts since the connection was lost. */
  readonly attempts = signal(0);
  readonly closeCode = signal<number | null>(null);
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  /** Check the connection now: after sleep it may be dead without having been closed. */
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

  /** Open a new connection now and drop the old one. */
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
        // Only a frame proves that the server is there: a proxy may accept and close the connection.
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
