import type { en } from "./en";

export const de: typeof en = {
  title: "Deine erste Partie",
  ok: "Verstanden",
  skip: "Keine Hinweise mehr",
};
