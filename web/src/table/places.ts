/** The positions of seats around the table, seen from one of them. */

export type Side = "bottom" | "left" | "top-left" | "top" | "top-right" | "right";

/** By number of seats: the sides in playing order, clockwise from the seat at the bottom. */
const SIDES: Record<number, Side[]> = {
  1: ["bottom"],
  2: ["bottom", "top"],
  3: ["bottom", "top-left", "top-right"],
  4: ["bottom", "left", "top", "right"],
  5: ["bottom", "left", "top-left", "top-right", "right"],
};

/** Return the side of *seat* at a table of *seats* with *bottom* at the bottom; the next seat is on the left, or right. */
export function sideOf(seat: number, bottom: number, seats: number, rightwards = false): Side {
  const away = rightwards ? bottom - seat : seat - bottom;
  const step = ((away % seats) + seats) % seats;
  return SIDES[seats]?.[step] ?? "top";
}
