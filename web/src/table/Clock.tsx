/** Remaining time, as a ring or as seconds. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Clock } from "../net/table";
import { t } from "../texts";

/** Return the remaining milliseconds, counted down four times a second; null without a clock. */
function useLeft(clock: Clock | null): number | null {
  const tick = useSignal(0);
  useEffect(() => {
    if (!clock) return;
    const timer = setInterval(() => (tick.value += 1), 250);
    return () => clearInterval(timer);
  }, [clock?.until]);
  void tick.value;
  return clock && Math.max(0, clock.until - performance.now());
}

function useSeconds(clock: Clock | null): number | null {
  const left = useLeft(clock);
  return left === null ? null : Math.ceil(left / 1000);
}

/** A ring around a round element, emptied in steps: an animation would paint every frame and delay each tap by one. */
export function ClockRing(props: { clock: Clock | null }) {
  const { clock } = props;
  const left = useLeft(clock);
  if (!clock || left === null) return null;
  return (
    <svg class="clock-ring" viewBox="0 0 40 40" aria-hidden="true">
      <circle class="groove" cx="20" cy="20" r="18" />
      <circle
        class="left"
        cx="20"
        cy="20"
        r="18"
        pathLength={100}
        style={{ strokeDashoffset: 100 - (100 * left) / (clock.until - clock.from) }}
      />
    </svg>
  );
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
