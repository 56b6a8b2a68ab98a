/** The games. The page of a game is loaded when its first table is opened. */

import type { OptionValues } from "../net/protocol";
import { fetchCode } from "../shell/load";
import { t } from "../texts";
import type { GamePage, Preset } from "./page";

export interface GameEntry {
  load: () => Promise<GamePage>;
  /** The "play now" button uses the first one. */
  presets: () => Preset[];
  /** Pauses for tables with people. */
  tableOptions: OptionValues;
  /** Scores are shown as penalty points, of which the fewest win. */
  penalties?: boolean;
  /** The time limits of people: without others nobody waits, so there is no clock. */
  clocks: string[];
  /** Paths of the game's own protocols for programs: title and address. */
  protocols: (table: string) => { title: string; path: string }[];
  /** Other pages of the game, linked from the lobby. */
  tools?: () => { title: string; words: string; link: string; path: string }[];
}

export const GAMES: Record<string, GameEntry> = {
  hearts: {
    load: () => import("./hearts").then((module) => module.page),
    presets: () => [
      {
        key: "plain",
        title: t("hearts.preset.plain"),
        words: t("hearts.preset.plain.more"),
        // Each deal has 26 points: after 16 deals a player has 100.
        options: { match_games: 1, deals: 16, target: 100, expose: false, ten_of_clubs: false, moon: "zero" },
      },
      {
        key: "game",
        title: t("hearts.preset.game"),
        words: t("hearts.preset.game.more"),
        options: { match_games: 1 },
      },
      { key: "match", title: t("hearts.preset.match"), words: t("hearts.preset.match.more"), options: {} },
    ],
    penalties: true,
    tableOptions: { command_interval: 500, round_interval: 1200, deal_interval: 4000 },
    clocks: ["human_pass_timeout", "human_expose_timeout", "human_pick_timeout"],
    protocols: (table) => [
      { title: t("table.connect.trend"), path: table === "default" ? "/" : `/t/${encodeURIComponent(table)}` },
    ],
  },
  coinche: {
    load: () => import("./coinche").then((module) => module.page),
    presets: () => [
      {
        key: "short",
        title: t("coinche.preset.short"),
        words: t("coinche.preset.short.more"),
        options: { target: 500 },
      },
      {
        key: "standard",
        title: t("coinche.preset.standard"),
        words: t("coinche.preset.standard.more"),
        options: {},
      },
      {
        key: "club",
        title: t("coinche.preset.club"),
        words: t("coinche.preset.club.more"),
        options: { rounding: "nearest10", undertrump: "free" },
      },
      {
        key: "whole",
        title: t("coinche.preset.whole"),
        words: t("coinche.preset.whole.more"),
        options: { coinche_scope: "all", rounding: "nearest10" },
      },
      {
        key: "announced",
        title: t("coinche.preset.announced"),
        words: t("coinche.preset.announced.more"),
        options: { scoring: "contract_only" },
      },
      {
        key: "contree",
        title: t("coinche.preset.contree"),
        words: t("coinche.preset.contree.more"),
        options: {
          undertrump: "free",
          surcoinche_factor: 3,
          belote_on_loss: "winner",
          capot_closes: false,
          allow_generale: false,
          allow_ta_sa: false,
        },
      },
    ],
    tableOptions: { call_pause: 700, card_pause: 600, trick_pause: 1400, deal_pause: 7000 },
    clocks: ["bid_seconds", "play_seconds"],
    protocols: () => [{ title: t("coinche.connect"), path: "/coinche" }],
  },
  sagrada: {
    load: () => import("./sagrada").then((module) => module.page),
    presets: () => [
      {
        key: "two",
        title: t("sagrada.preset.two"),
        words: t("sagrada.preset.two.more"),
        options: {},
        seats: 2,
      },
      {
        key: "three",
        title: t("sagrada.preset.three"),
        words: t("sagrada.preset.three.more"),
        options: {},
        seats: 3,
      },
      {
        key: "four",
        title: t("sagrada.preset.four"),
        words: t("sagrada.preset.four.more"),
        options: {},
        seats: 4,
      },
      {
        key: "alone",
        title: t("sagrada.preset.alone"),
        words: t("sagrada.preset.alone.more"),
        options: {},
        seats: 1,
      },
      {
        key: "hard",
        title: t("sagrada.preset.hard"),
        words: t("sagrada.preset.hard.more"),
        options: { solo_tools: 1 },
        seats: 1,
      },
    ],
    tableOptions: { schema_time: 180, extract_time: 60, turn_time: 240, turn_interval: 1200 },
    clocks: ["schema_time", "extract_time", "turn_time"],
    protocols: () => [],
  },
  tarock: {
    load: () => import("./tarock").then((module) => module.page),
    presets: () => [
      {
        key: "short",
        title: t("tarock.preset.short"),
        words: t("tarock.preset.short.more"),
        options: { deals: 4 },
      },
      { key: "match", title: t("tarock.preset.match"), words: t("tarock.preset.match.more"), options: {} },
      {
        key: "kontra",
        title: t("tarock.preset.kontra"),
        words: t("tarock.preset.kontra.more"),
        options: { deals: 4, kontra: true },
      },
      {
        key: "exact",
        title: t("tarock.preset.exact"),
        words: t("tarock.preset.exact.more"),
        // The options of the preset with this name.
        options: {
          rounding: 1,
          mond_penalty: 21,
          radelc_end: 40,
          discard_tarocks: "free",
          silent_ultimo_penalty: false,
          open_beggar_reveal: "at_start",
        },
      },
    ],
    tableOptions: {
      turn_timeout_ms: 120_000,
      call_pause_ms: 700,
      card_pause_ms: 600,
      trick_pause_ms: 1600,
      deal_pause_ms: 8000,
    },
    clocks: ["turn_timeout_ms"],
    protocols: () => [{ title: t("tarock.connect"), path: "/tarock" }],
  },
  taroky: {
    load: () => import("./taroky").then((module) => module.page),
    presets: () => [
      {
        key: "short",
        title: t("taroky.preset.short"),
        words: t("taroky.preset.short.more"),
        options: { hands: 4 },
      },
      { key: "match", title: t("taroky.preset.match"), words: t("taroky.preset.match.more"), options: {} },
      {
        key: "tournament",
        title: t("taroky.preset.tournament"),
        words: t("taroky.preset.tournament.more"),
        options: { ace_high: true },
      },
      {
        key: "single",
        title: t("taroky.preset.single"),
        words: t("taroky.preset.single.more"),
        options: { hands: 1 },
      },
    ],
    tableOptions: { timeout: 120_000, card_pause: 700, trick_pause: 1600, deal_pause: 9000, secret_pause: 1500 },
    clocks: ["timeout"],
    protocols: () => [{ title: t("taroky.connect"), path: "/taroky" }],
    tools: () => [
      {
        title: t("taroky.tool"),
        words: t("taroky.tool.more"),
        link: t("taroky.notation.open"),
        path: "/notation",
      },
    ],
  },
};

/** Return the page of *game*; the caller shows an error for an unknown game. */
export async function loadPage(game: string): Promise<GamePage> {
  const entry = GAMES[game];
  if (!entry) throw new Error(`no page for the game ${game}`);
  return fetchCode(entry.load);
}

/** Return a *score* of *game* as people count it. */
export function points(game: string, score: number): number {
  return GAMES[game]?.penalties ? 0 - score : score;
}
