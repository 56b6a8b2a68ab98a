/** A request started by a button: whether it is running, and why it failed. */

import { useSignal } from "@preact/signals";

/** The server's text, or the text of any other error. */
export function plainly(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** *words* returns the error text. */
export function useRequest(words: (error: unknown) => string = plainly) {
  const busy = useSignal(false);
  const failure = useSignal<string | null>(null);
  /** Run *work*, and return whether it succeeded. */
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
