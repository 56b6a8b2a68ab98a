/** Reviews of the deals of one match, loaded on request and kept while the page is open. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type DealReview, NOTHING } from "./findings";
import { reviewDeal } from "./request";

export interface Reviewed {
  review: DealReview;
  running: boolean;
  failure: Error | null;
  start: () => void;
  stop: () => void;
}

interface Known {
  review: DealReview;
  running: boolean;
  failure: Error | null;
}

const UNKNOWN: Known = { review: NOTHING, running: false, failure: null };

export function useReview(match: string, deal: number): Reviewed {
  const known = useSignal<Record<number, Known>>({});
  const running = useMemo(() => new Map<number, AbortController>(), [match]);
  useEffect(
    () => () => {
      for (const one of running.values()) one.abort();
    },
    [running],
  );

  const change = (number: number, more: Partial<Known>) => {
    known.value = { ...known.peek(), [number]: { ...UNKNOWN, ...known.peek()[number], ...more } };
  };
  const fetchReview = async (number: number, signal: AbortSignal) => {
    change(number, { review: NOTHING, running: true, failure: null });
    try {
      await reviewDeal(match, number, signal, (review) => change(number, { review }));
      change(number, { running: false });
    } catch (error) {
      if (signal.aborted) change(number, UNKNOWN);
      else change(number, { running: false, failure: error instanceof Error ? error : new Error(String(error)) });
    }
    running.delete(number);
  };
  return {
    ...(known.value[deal] ?? UNKNOWN),
    start: () => {
      if (running.has(deal)) return;
      const controller = new AbortController();
      running.set(deal, controller);
      void fetchReview(deal, controller.signal);
    },
    stop: () => running.get(deal)?.abort(),
  };
}
