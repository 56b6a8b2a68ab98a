/** The house protocol (docs/house-protocol.md) as types. */

export type SeatKind = "open" | "person" | "bot";

export type Phase = "gathering" | "playing" | "resting" | "closed";

export interface SeatInfo {
  /** The name of the player's account, for the profile. */
  account?: string | null;
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

/** An event of a game: its kind, and values that only the game's own page reads. */
export interface GameEvent {
  kind: string;
  [key: string]: unknown;
}

/** The part that all views share; the rest are the game's own facts. */
export interface View {
  seat: number | null;
  to_act: number[];
  legal: string[];
  /** The facts of every seat, for watchers of a table with open hands. */
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
  /** The id of the current or last match. */
  match: string | null;
  /** It starts as soon as its seats are taken. */
  started: boolean;
  options: OptionValues;
  table_options: OptionValues;
  seed: string | null;
  you: number | null;
  watch_open: boolean;
  /** The delay for watchers, in seconds. */
  watch_delay: number;
  seats: SeatInfo[];
  /** A seed, cards or a position was given: a player may know the cards. */
  fixed_deal: boolean;
  /** The commitment of the next deal, null if cards are given. */
  next_deal: string | null;
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
  about?: RefusalAbout;
}

/** What a refusal is about. */
export interface RefusalAbout {
  action?: string;
  name?: string;
  seat?: number;
}

export interface CommitFrame {
  type: "commit";
  deal: number;
  digest: string;
  /** What the seats have added to the seed, by seat; "" for nothing. */
  nonces?: string[];
  /** The commitment of the deal after this one. */
  next?: string;
}

export type ServerFrame =
  | TableFrame
  | ViewFrame
  | EventFrame
  | AskFrame
  | TurnFrame
  | RefusedFrame
  | CommitFrame
  | { type: "reveal"; deal: number; seed: string }
  | { type: "said"; seat: number | null; name: string; text: string }
  | { type: "joined"; seat: number; back: boolean; id?: RequestId | null }
  | { type: "accepted"; id?: RequestId | null }
  | { type: "pong"; id?: RequestId | null }
  | { type: "closed"; reason: string; key: string };

export type ClientRequest =
  | {
      type: "join";
      name: string;
      token: string;
      seat?: number;
      person?: boolean;
      views?: "ask" | "all";
      last?: number;
      nonce?: string;
      digest?: string;
    }
  | { type: "nonce"; nonce: string; digest: string }
  | { type: "watch"; views: "ask" | "all" }
  | { type: "act"; turn: number; actions: string[] }
  | { type: "start" }
  | { type: "arrange"; seats: string[] }
  | { type: "say"; text: string }
  | { type: "leave" }
  | { type: "continue" }
  | { type: "undo" }
  | { type: "ping" };

// The lobby over HTTP.

export interface House {
  mode: "serve" | "node";
  version: string;
  compiled: boolean;
  /** The rules are being compiled for the next start. */
  compiling: boolean;
  default_table: string | null;
  /** TCP ports of the line protocols. */
  doors: { game: string; port: number; line: boolean; tls: boolean }[];
}

/** The answer of GET /api/operator. */
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
  /** The processes of the bot pool; empty if there are none. */
  bot_pool: Record<string, number>;
  /** One per second, oldest first. */
  samples: Record<string, number>[];
}

export interface OptionInfo {
  name: string;
  kind: "switch" | "number" | "choice" | "list" | "text";
  default: OptionValue;
  choices: string[];
  low: number;
  high: number;
  /** 0 is allowed too, below the range. */
  or_zero: boolean;
  unit: string;
  /** For protocols, lobbies and tests: not shown to people. */
  technical: boolean;
  words: string;
}

export interface GameInfo {
  name: string;
  title: string;
  /** The possible numbers of players. */
  seats: number[];
  /** Every bot, weakest first. */
  bots: string[];
  /** The named strengths among them. */
  strengths: string[];
  /** The bot for seats without a chosen bot: one that answers quickly. */
  usual: string;
  options: OptionInfo[];
  table_options: OptionInfo[];
}

export interface TableRow {
  id: string;
  /** Counts the tables since the start of the server. */
  number: number;
  game: string;
  title: string;
  phase: Phase;
  seats: SeatInfo[];
  watch_open: boolean;
  watch_delay: number;
  fixed_deal: boolean;
  watchers: number;
  /** Everyone has left it. */
  deserted: boolean;
  created: number | string;
  page: string;
}

/** A frame of the feed of open tables: a part of all of them, or what has changed. */
export type LobbyFrame =
  | { type: "tables"; first: boolean; more: boolean; tables: TableRow[] }
  | { type: "changed"; tables: TableRow[]; closed: string[] };

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
  /** The account names of the players, by seat. */
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
  /** What the seats have added to the seed, by seat; "" for nothing. */
  nonces?: string[] | undefined;
  /** A seed or cards were given: the deal is not random. */
  given?: boolean | undefined;
  /** The server has not used what this player added. */
  dropped?: boolean | undefined;
}

export interface MatchInfo extends MatchRow {
  options: OptionValues;
  deals: number;
  commitments: Commitment[];
}

export interface Step {
  entry: string;
  events: GameEvent[];
  /** For each event the seats that received it. */
  heard: number[][];
  /** For every seat. */
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
  /** For players 1 to 4, like the chips. */
  hands: string[][];
  talon: string[];
  discards: string[][];
  /** The view of a watcher at the end of the deal: the calls and the settlement. */
  view: View;
  tricks: { cards: string[]; winner: number }[];
  open_trick: string[];
  /** The balance before the deal, money cards by player, the settlement, and the balance now. */
  payments: { chips: number[] }[];
  settings: string;
}

/** The position of the error in a text. */
export interface NotationFault {
  offset: number;
  field: number;
  slot: string;
  reason: string;
  detail: string;
}

export interface NotationTable {
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
  /** The current round, from 1; 0 before the start. */
  round: number;
  page: string;
}

export interface TournamentBoard {
  table: string;
  /** By seat, like the next four. */
  players: string[];
  bots: boolean[];
  /** The names of accounts. */
  profiles: (string | null)[];
  match: string | null;
  ended: boolean;
  scores: number[];
  places: number[];
}

export interface Tournament extends TournamentRow {
  fill: string;
  patience: number;
  options: OptionValues;
  players: string[];
  standings: {
    name: string;
    bot: boolean;
    profile: string | null;
    place: number;
    points: number;
    score: number;
    matches: number;
  }[];
  /** One per round. */
  tables: TournamentBoard[][];
}

export interface NewTournament {
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

/** The answer of POST /api/account and POST /api/session. */
export interface SessionInfo {
  name: string;
  token: string;
}

export interface AccountInfo {
  name: string;
  created: string;
  /** The seats of the account. */
  tables: { id: string; game: string; page: string; seat: number; phase: TableRow["phase"] }[];
}

/** The 95 % interval is *value* ± *interval*. */
export interface Rating {
  value: number;
  interval: number;
}

/** The answer of GET /api/matches/<id>/ratings. */
export interface RatingChanges {
  /** False while the ratings are being computed. */
  rated: boolean;
  /** By seat. */
  ratings: ((Rating & { change: number }) | null)[];
}

/** A player's results in one game. */
export interface GameRecord {
  game: string;
  title: string;
  matches: number;
  won: number;
  /** The number of first places, second places, … */
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
  /** These three are null if the match was aborted. */
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
  /** One page, newest first. */
  results: PlayedMatch[];
  more: boolean;
}

/** A person, or the bots of one strength; the other field is null. */
export interface RankingRow {
  name: string | null;
  bot: string | null;
  matches: number;
  rating: Rating;
}
