/** The restart that the operator has announced, as far as this page has been told. */

import { signal } from "@preact/signals";
import type { Notice } from "./messages";

/** When the server restarts, in ms of `Date.now()`, and the operator's note. */
export const restart = signal<{ at: number; text: string } | null>(null);

/** Note an announcement, or that it was withdrawn. */
export function heardNotice(notice: Pick<Notice, "seconds" | "text"> | null): void {
  if (notice === null || notice.seconds === null) restart.value = null;
  else restart.value = { at: Date.now() + notice.seconds * 1000, text: notice.text };
}
