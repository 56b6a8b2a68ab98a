/** The house protocol (docs/house-protocol.md) as types. */

export type SeatKind = "open" | "person" | "bot";

export type Phase = "gathering" | "playing" | "resting" | "closed";

export interface SeatInfo {
  seat: number;
  kind: SeatKind;
  bot: string | null;
  name: string;
  number: number;
  person: boolean;
  connected: boolean;
  late: boolean;
  auto: boolean;
  timeouts: number;
  errors: number;
}

export type OptionValue = boolean | number | string | string[];

export type OptionValues = Record<string, OptionValue>;

/** An event of a game: its kind and its values, which only the game's own page reads. */
export interface GameEvent {
  kind: string;
  [key: string]: unknown;
}

/** What every view has; the rest are the game's own facts. */
export interface View {
  seat: number | null;
  to_act: number[];
  legal: string[];
  /** The facts of every seat, for watchers of a table that is open to them. */
  open?: Facts[];
  [fact: string]: unknown;
}

export type Facts = Record<string, unknown>;

export interface TableFrame {
  type: "table";
  id: string;
  game: string;
  title: string;
  phase: Phase;
  /** It plays as soon as its seats are filled. */
  started: boolean;
  options: OptionValues;
  table_options: OptionValues;
  seed: string | null;
  you: number | null;
  watch_open: boolean;
  /** How many seconds later than the players watchers see a match. */
  watch_delay: number;
  seats: SeatInfo[];
}

export interface ViewFrame {
  type: "view";
  number: number;
  view: View;
  turn: number | null;
  seconds: number | null;
}

export interface EventFrame {
  type: "event";
  number: number;
  event: GameEvent;
  auto: boolean;
  view?: View;
}

export interface AskFrame {
  type: "ask";
  turn: number;
  seconds: number | null;
  legal: string[];
  view: View;
}

export interface TurnFrame {
  type: "turn";
  seats: number[];
  seconds: number | null;
}

export type RequestId = string | number;

export interface RefusedFrame {
  type: "refused";
  id?: RequestId | null;
  key: string;
  words: string;
}

export type ServerFrame =
  | TableFrame
  | ViewFrame
  | EventFrame
  | AskFrame
  | TurnFrame
  | RefusedFrame
  | { type: "commit"; deal: number; digest: string }
  | { type: "reveal"; deal: number; seed: string }
  | { type: "said"; seat: number | null; name: string; text: string }
  | { type: "joined"; seat: number; back: boolean; id?: RequestId | null }
  | { type: "accepted"; id?: RequestId | null }
  | { type: "pong"; id?: RequestId | null }
  | { type: "closed"; reason: string };

export type ClientRequest =
  | {
      type: "join";
      name: string;
      token: string;
      seat?: number;
      person?: boolean;
      views?: "ask" | "all";
      last?: number;
    }
  | { type: "watch"; views: "ask" | "all" }
  | { type: "act"; turn: number; actions: string[] }
  | { type: "start" }
  | { type: "arrange"; seats: string[] }
  | { type: "say"; text: string }
  | { type: "leave" }
  | { type: "ping" };

// The lobby over HTTP.

export interface House {
  mode: "serve" | "node";
  version: string;
  compiled: boolean;
  default_table: string | null;
  /** TCP ports of protocols of lines. */
  doors: { game: string; port: number; line: boolean; tls: boolean }[];
}

/** What GET /api/operator tells. */
export interface OperatorReport {
  version: string;
  python: string;
  compiled: boolean;
  uptime: number;
  connections: number;
  actions: number;
  tables: { game: string; phase: string; count: number }[];
  broken: string[];
  store: Record<string, number>;
  /** Of the processes that think for searching bots; empty where there are none. */
  thinkers: Record<string, number>;
  /** One a second, oldest first. */
  samples: Record<string, number>[];
}

export interface OptionInfo {
  name: string;
  kind: "switch" | "number" | "choice" | "list" | "text";
  default: OptionValue;
  choices: string[];
  low: number;
  high: number;
  /** It may be 0 as well, below its range. */
  or_zero: boolean;
  unit: string;
  words: string;
}

export interface GameInfo {
  name: string;
  title: string;
  /** How many may play. */
  seats: number[];
  /** Every bot, weakest first. */
  bots: string[];
  /** The named strengths among them. */
  strengths: string[];
  /** Who sits down where nobody says which bot: one that answers almost at once. */
  usual: string;
  options: OptionInfo[];
  table_options: OptionInfo[];
}

export interface TableRow {
  id: string;
  game: string;
  title: string;
  phase: Phase;
  seats: SeatInfo[];
  watch_delay: number;
  watchers: number;
  created: number | string;
  page: string;
}

export interface NewTable {
  game: string;
  seats: string[];
  options: OptionValues;
  table_options: OptionValues;
  seed?: string;
  auto_cycle?: boolean;
  watch_open?: boolean;
  watch_delay?: number;
  start: boolean;
}

export interface MatchRow {
  id: string;
  game: string;
  table: string;
  players: string[];
  /** For each seat the name of the account that played there. */
  profiles: (string | null)[];
  started: number | string;
  ended: number | string | null;
  /** The scores by seat. */
  result: number[];
}

export interface Commitment {
  deal: number;
  digest: string;
  seed: string | null;
}

export interface MatchInfo extends MatchRow {
  options: OptionValues;
  deals: number;
  commitments: Commitment[];
}

export interface Step {
  entry: string;
  events: GameEvent[];
  /** For each event the seats that heard it. */
  heard: number[][];
  /** Of every seat. */
  views: Facts[];
}

export interface DealSteps {
  deal: number;
  deals: number;
  steps: Step[];
}

// Taroky Notation.

export interface NotationSummary {
  /** In canonical form. */
  notation: string;
  finished: boolean;
  phase: string;
  turn: number | null;
  saved_by: number | null;
  /** Of players 1 to 4, as are the chips. */
  hands: string[][];
  talon: string[];
  discards: string[][];
  /** What a watcher sees at the end of it: the calls, and how it was settled. */
  view: View;
  tricks: { cards: string[]; winner: number }[];
  open_trick: string[];
  /** Before the deal, money cards player by player, the settlement, and what everybody has now. */
  payments: { chips: number[] }[];
  settings: string;
}

/** Where a text is wrong. */
export interface NotationFault {
  offset: number;
  field: number;
  slot: string;
  reason: string;
  detail: string;
}

export interface NotationWish {
  text: string;
  seats: string[];
  table_options: OptionValues;
}

export interface TournamentRow {
  id: string;
  name: string;
  game: string;
  seats: number;
  format: "swiss" | "round-robin" | "knockout";
  rounds: number;
  starts: string;
  phase: "open" | "running" | "over" | "called off";
  entrants: number;
  /** The present round, from 1; 0 before the start. */
  round: number;
  page: string;
}

export interface TournamentBoard {
  table: string;
  /** By seat; null is a bot. */
  players: (string | null)[];
  match: string | null;
  ended: boolean;
  payoffs: number[];
}

export interface Tournament extends TournamentRow {
  fill: string;
  patience: number;
  options: OptionValues;
  players: string[];
  standings: { name: string; points: number; payoff: number; matches: number }[];
  /** Round by round. */
  tables: TournamentBoard[][];
}

export interface TournamentWish {
  name: string;
  game: string;
  starts_in: number;
  seats: number;
  format: string;
  rounds: number;
  fill: string;
  options: OptionValues;
  table_options: OptionValues;
  token: string;
}

/** What POST /api/account and POST /api/session answer. */
export interface SessionInfo {
  name: string;
  token: string;
}

export interface AccountInfo {
  name: string;
  created: string;
  /** Where the account sits. */
  tables: { id: string; game: string; page: string; seat: number; phase: TableRow["phase"] }[];
}

/** It lies within *interval* of *value* in 19 cases of 20. */
export interface Rating {
  value: number;
  interval: number;
}

/** What somebody has done in one game. */
export interface GameRecord {
  game: string;
  title: string;
  matches: number;
  won: number;
  /** How often first, second, … */
  places: number[];
  broken_off: number;
  rating: Rating | null;
}

export interface PlayedMatch {
  match: string;
  game: string;
  started: string;
  ended: string;
  players: string[];
  profiles: (string | null)[];
  seat: number;
  /** These three are null where the match was broken off. */
  place: number | null;
  score: number | null;
  scores: number[] | null;
  /** After the match. */
  rating: Rating | null;
}

export interface PlayerInfo {
  name: string;
  created: string;
  games: GameRecord[];
  /** A page of them, the newest first. */
  results: PlayedMatch[];
  more: boolean;
}

/** A person, or the bots of a strength: the other is null. */
export interface RankingRow {
  name: string | null;
  bot: string | null;
  matches: number;
  rating: Rating;
}
