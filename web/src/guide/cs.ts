import type { en } from "./en";

export const cs: typeof en = {
  title: "Vaše první partie",
  ok: "Rozumím",
  skip: "Bez vysvětlivek",
};
