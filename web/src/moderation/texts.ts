import { part } from "../texts/part";
import { en } from "./en";

export const say = part({
  en,
  de: () => import("./de").then((module) => module.de),
  fr: () => import("./fr").then((module) => module.fr),
  sl: () => import("./sl").then((module) => module.sl),
  cs: () => import("./cs").then((module) => module.cs),
});
