/** The house protocol and the HTTP API as the pages use them; messages.ts is generated from the types of the server. */

import type * as messages from "./messages";

export type SeatInfo = messages.Place;
export type TableFrame = Told<messages.Table, { options: OptionValues }>;
export type Phase = TableFrame["phase"];
export type RefusedFrame = messages.Refused;
export type CommitFrame = messages.Commit;
export type RequestId = NonNullable<messages.Accepted["id"]>;
export type ClientRequest = messages.ClientMessage;

export type OptionValue = boolean | number | string | string[];

export type OptionValues = Record<string, OptionValue>;

/** An event of a game: its kind, and values that only the game's own page reads. */
export interface GameEvent {
  kind: string;
  [key: string]: unknown;
}

/** The part that all views share; the rest are the game's own facts. */
export interface View extends messages.Known {
  [fact: string]: unknown;
}

export type Facts = Record<string, unknown>;

/** A message of the server, with the types of its game. */
type Told<Message, Members> = Omit<Message, keyof Members> & Members;
export type AskFrame = Told<messages.Ask, { view: View }>;
export type ServerFrame =
  | Exclude<messages.ServerMessage, messages.Table | messages.View | messages.Event | messages.Ask>
  | TableFrame
  | Told<messages.View, { view: View }>
  | Told<messages.Event, { event: GameEvent; view?: View }>
  | AskFrame;

// The lobby over HTTP.

export type { OptionRow as OptionInfo, GameRow as GameInfo, TableRow } from "./messages";

export interface House {
  mode: "serve" | "node";
  version: string;
  compiled: boolean;
  /** The rules are being compiled for the next start. */
  compiling: boolean;
  default_table: string | null;
  /** TCP ports of the line protocols. */
  doors: { game: string; port: number; line: boolean; tls: boolean }[];
  /** The restart that the operator has announced. */
  notice: { seconds: number; text: string } | null;
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
  /** The nodes of the house; empty if the server is alone. */
  nodes: HouseNode[];
}

/** One of several servers that share a database. */
export interface HouseNode {
  id: number;
  name: string;
  version: string;
  /** Seconds until its lease expires; negative if it has expired. */
  lease: number;
  tables: number;
  draining: boolean;
  /** True if it has the lobbies, tournaments and accounts. */
  service: boolean;
}

/** The answer of GET /api/operator/moderation. */
export interface ModerationOverview {
  people: {
    name: string;
    account: string | null;
    game: string;
    table: string | null;
    seat: number | null;
    connected: boolean;
  }[];
  measures: { id: string; kind: "ban" | "mute"; whom: string; until: string; why: string }[];
  reports: {
    id: string;
    when: string;
    table: string;
    game: string;
    by: string;
    whom: string;
    text: string;
    lines: { when: string; name: string; text: string }[];
  }[];
  audit: { when: string; by: string; act: Order["act"]; whom: string; until: string | null; new: string; why: string }[];
  /** Seconds until the announced restart. */
  restart: number | null;
}

/** An order of the operator: the body of POST /api/operator/orders. */
export type Order = { by?: string; why?: string } & (
  | { act: "close"; table: string }
  | { act: "remove"; name: string; table: string }
  | { act: "rename"; name: string; new: string; table: string }
  | { act: "ban" | "mute"; who: string; seconds: number; addresses: boolean }
  | { act: "lift"; id: string }
  | { act: "announce"; seconds: number; text: string }
  | { act: "withdraw" }
  | { act: "dismiss"; report: string }
);

/** A frame of the feed of open tables: a part of all of them, or what has changed. */
export type LobbyFrame =
  | { type: "tables"; first: boolean; more: boolean; tables: messages.TableRow[] }
  | { type: "changed"; tables: messages.TableRow[]; closed: string[] };
export type { Notice } from "./messages";

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

// Notation.

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

/** The answer of POST /api/account. */
export interface NewAccount extends SessionInfo {
  /** Codes with which a forgotten password can be replaced, each once. */
  recovery: string[];
}

export interface AccountInfo {
  name: string;
  created: string;
  /** The seats of the account. */
  tables: { id: string; game: string; page: string; seat: number; phase: Phase }[];
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
