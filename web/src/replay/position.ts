/** The position of a replay: a deal of the match and a step in it. */

export interface Position {
  /** From 1. */
  deal: number;
  /** From 0. */
  step: number;
}

/** Return the next position, or the same at the end; *length* is the length of the current deal. */
export function forward(at: Position, length: number, deals: number): Position {
  if (at.step < length - 1) return { deal: at.deal, step: at.step + 1 };
  return at.deal < deals ? { deal: at.deal + 1, step: 0 } : at;
}

/** The end of a deal of unknown length. */
export const LAST_STEP = Number.MAX_SAFE_INTEGER;

export function back(at: Position, length: number): Position {
  const step = Math.min(at.step, length - 1);
  if (step > 0) return { deal: at.deal, step: step - 1 };
  return at.deal > 1 ? { deal: at.deal - 1, step: LAST_STEP } : { deal: 1, step: 0 };
}

export function atEnd(at: Position, length: number, deals: number): boolean {
  return at.deal >= deals && at.step >= length - 1;
}
