/** Sums over the samples of the last two minutes, one per second. */

import type { OperatorReport } from "../net/protocol";

export const MINUTE = 60;

export function numbersOf(samples: OperatorReport["samples"], name: string): number[] {
  return samples.map((sample) => sample[name] ?? 0);
}

export function mean(values: number[]): number {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
}

export function most(values: number[]): number {
  return Math.max(0, ...values);
}

/** Return *seconds* as days, hours, minutes: the two largest units. */
export function duration(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [Math.floor(seconds) % 60, "s"],
  ];
  const first = parts.findIndex(([n]) => n > 0);
  return (first < 0 ? parts.slice(-1) : parts.slice(first, first + 2)).map(([n, unit]) => `${n} ${unit}`).join(" ");
}

/** Return the points of a line through *values* in a box of *width* × *height*, newest on the right. */
export function points(values: number[], width: number, height: number, slots: number): string {
  const high = most(values) || 1;
  const step = width / (slots - 1);
  return values
    .map((value, at) => {
      const x = width - (values.length - 1 - at) * step;
      return `${x.toFixed(1)},${(height - (value / high) * height).toFixed(1)}`;
    })
    .join(" ");
}
