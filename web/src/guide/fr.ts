import type { en } from "./en";

export const fr: typeof en = {
  title: "Votre première partie",
  ok: "Compris",
  skip: "Sans explications",
};
