/** Loading data for a page: the data, or the error, with retries while the server is unreachable. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, ApiError } from "../net/api";
import { backoff } from "../net/link";
import { fetchParts, t } from "../texts";

export interface Loaded<T> {
  /** The last data; kept while newer data is loading. */
  value: T | null;
  failure: Error | null;
  again: () => void;
}

/** Return whether *error* means that the server did not answer, so that a retry may succeed. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Load split code and its texts. If the server answers but does not have it, the versions differ. */
export async function fetchCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    const code = await load();
    await fetchParts();
    return code;
  } catch {
    await api.house();
    throw new Error(t("app.outdated"));
  }
}

/** Call *load* now and when one of *inputs* changes. */
export function useLoad<T>(load: () => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const value = useSignal<{ it: T } | null>(null);
  const failure = useSignal<Error | null>(null);
  const round = useSignal(0);
  useEffect(() => {
    let current = true;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = () => {
      load().then(
        (it) => {
          if (!current) return;
          value.value = { it };
          failure.value = null;
        },
        (error: unknown) => {
          if (!current) return;
          failure.value = error instanceof Error ? error : new Error(String(error));
          if (isAway(error)) timer = setTimeout(attempt, backoff(tries++, Math.random()));
        },
      );
    };
    attempt();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [...inputs, round.value]);
  return { value: value.value?.it ?? null, failure: failure.value, again: () => (round.value += 1) };
}
