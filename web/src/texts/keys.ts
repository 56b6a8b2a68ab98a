/** The keys of the texts of the built-in games, generated from the Python types: `python -m tests.page_types`. */

import type hearts from "../../../src/croupier/games/hearts/texts/en.json";
import type tarock from "../../../src/croupier/games/tarock/texts/en.json";
import type coinche from "../../../src/croupier/games/coinche/texts/en.json";
import type taroky from "../../../src/croupier/games/taroky/texts/en.json";
import type sagrada from "../../../src/croupier/games/sagrada/texts/en.json";

export type GameKey =
  | `hearts.${keyof typeof hearts}`
  | `tarock.${keyof typeof tarock}`
  | `coinche.${keyof typeof coinche}`
  | `taroky.${keyof typeof taroky}`
  | `sagrada.${keyof typeof sagrada}`;
