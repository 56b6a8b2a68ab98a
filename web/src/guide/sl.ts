import type { en } from "./en";

export const sl: typeof en = {
  title: "Vaša prva partija",
  ok: "Razumem",
  skip: "Brez pojasnil",
};
