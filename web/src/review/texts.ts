/** Texts of the coach and the review, which the terminal uses too. */

import en from "../../../src/croupier/texts/coach/en.json";
import { part } from "../texts/part";

export const say = part({
  en,
  de: () => import("../../../src/croupier/texts/coach/de.json").then((module) => module.default),
  fr: () => import("../../../src/croupier/texts/coach/fr.json").then((module) => module.default),
  sl: () => import("../../../src/croupier/texts/coach/sl.json").then((module) => module.default),
  cs: () => import("../../../src/croupier/texts/coach/cs.json").then((module) => module.default),
});
