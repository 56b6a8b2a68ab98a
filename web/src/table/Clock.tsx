/** Remaining time, as a ring or as seconds. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Clock } from "../net/table";
import { t } from "../texts";

/** A ring around a round element, emptied by a CSS animation. */
export function ClockRing(props: { clock: Clock | null }) {
  const { clock } = props;
  if (!clock) return null;
  const now = performance.now();
  return (
    <svg class="clock-ring" viewBox="0 0 40 40" aria-hidden="true" key={clock.from}>
      <circle class="groove" cx="20" cy="20" r="18" />
      <circle
        class="left"
        cx="20"
        cy="20"
        r="18"
        pathLength={100}
        style={{
          animationDuration: `${clock.until - clock.from}ms`,
          animationDelay: `${Math.min(0, clock.from - now)}ms`,
        }}
      />
    </svg>
  );
}

/** Return the remaining seconds, counting down; null without a clock. */
function useSeconds(clock: Clock | null): number | null {
  const tick = useSignal(0);
  useEffect(() => {
    if (!clock) return;
    const timer = setInterval(() => (tick.value += 1), 250);
    return () => clearInterval(timer);
  }, [clock?.until]);
  void tick.value;
  return clock && Math.max(0, Math.ceil((clock.until - performance.now()) / 1000));
}

/** A text with the remaining seconds. */
export function Countdown(props: { clock: Clock | null; words: (n: number) => string }) {
  const left = useSeconds(props.clock);
  return left === null ? null : <p role="timer">{props.words(left)}</p>;
}

/** The remaining seconds. */
export function Seconds(props: { clock: Clock | null }) {
  const left = useSeconds(props.clock);
  if (left === null) return null;
  return (
    <span class={`seconds ${left <= 5 ? "short" : ""}`} role="timer">
      <span class="sr-only">{t("table.secondsLeft", { n: left })}</span>
      <span aria-hidden="true">{left}</span>
    </span>
  );
}
