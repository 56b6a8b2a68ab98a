/** A request that a button starts: whether it is on its way, and why it failed. */

import { useSignal } from "@preact/signals";

export function useRequest() {
  const busy = useSignal(false);
  const failure = useSignal<string | null>(null);
  /** Do *work*, and tell whether it was done. */
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    busy.value = true;
    failure.value = null;
    try {
      await work();
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    }
    busy.value = false;
    return failure.value === null;
  };
  return { busy, failure, attempt };
}
