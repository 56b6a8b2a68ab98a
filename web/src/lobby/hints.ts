/** The descriptions of options in the language of the pages. English uses the texts of the server. */

import type { OptionInfo } from "../net/protocol";
import { fill } from "../texts";
import { translations } from "../texts/part";

const translated = translations({
  de: () => import("../texts/de.hints").then((module) => module.hints),
  fr: () => import("../texts/fr.hints").then((module) => module.hints),
  sl: () => import("../texts/sl.hints").then((module) => module.hints),
  cs: () => import("../texts/cs.hints").then((module) => module.hints),
});

/** Options whose title and choices need no description. */
export const PLAIN: Record<string, string> = {
  hearts:
    "deals qs_breaks_hearts pass_cards_timeout expose_cards_timeout pick_card_timeout " +
    "human_pass_timeout human_expose_timeout human_pick_timeout command_interval round_interval " +
    "deal_interval game_interval",
  tarock:
    "deals mond_penalty discard_tarocks solo_without announcements kontra_max radelc_end " +
    "open_beggar_reveal partner_share valat_value call_pause_ms card_pause_ms trick_pause_ms " +
    "deal_pause_ms",
  coinche:
    "target first_dealer min_bid max_bid allow_ta_sa generale_closes generale_leads undertrump " +
    "ta_values belote_for_contract belote_on_loss scoring coinche_scope coinche_factor " +
    "surcoinche_factor capot_value generale_value total total_all_tricks eighty_needs_82 " +
    "warn_seconds grace_seconds max_auto rematch_seconds on_quit call_pause " +
    "card_pause trick_pause deal_pause",
  taroky:
    "hands prever_priority contra_on_valat start_chips bot_play_time bot_think_time card_pause " +
    "trick_pause deal_pause",
  sagrada: "extract_time max_timeouts abandon_wait turn_interval",
};

const PLAIN_KEYS = new Set(
  Object.entries(PLAIN).flatMap(([game, names]) => names.split(" ").map((name) => `${game}.${name}`)),
);

/** Return the description below the title of an option of *game*. */
export function hintOf(game: string, option: OptionInfo): string {
  const key = `${game}.${option.name}`;
  if (PLAIN_KEYS.has(key)) return "";
  const text = translated(key);
  return text === undefined ? option.words : fill(text);
}
