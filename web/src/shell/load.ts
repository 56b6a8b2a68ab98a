/** Fetching for a page: tells what came, or why nothing came, and tries again while the server is away. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, ApiError } from "../net/api";
import { backoff } from "../net/link";
import { fetchParts, t } from "../texts";

export interface Loaded<T> {
  /** What came last; it stays while something newer is fetched. */
  value: T | null;
  failure: Error | null;
  again: () => void;
}

/** Say whether *error* means that nobody answered, so that the same request may do better later. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Fetch code that is split off, and its texts. What a server that answers does not have is of another version. */
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

/** Fetch by *load* now and whenever one of *inputs* changes. */
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
