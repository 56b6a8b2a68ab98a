/** A request that a button starts: whether it is on its way, and why it failed. */

import { useSignal } from "@preact/signals";

/** What the server said, or whatever it was. */
export function plainly(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** *words* says what went wrong. */
export function useRequest(words: (error: unknown) => string = plainly) {
  const busy = useSignal(false);
  const failure = useSignal<string | null>(null);
  /** Do *work*, and tell whether it was done. */
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    busy.value = true;
    failure.value = null;
    try {
      await work();
    } catch (error) {
      failure.value = words(error);
    }
    busy.value = false;
    return failure.value === null;
  };
  return { busy, failure, attempt };
}
