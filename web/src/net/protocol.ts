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

export type { House, HouseNode, OperatorReport } from "./messages";

export type { Order, Overview as ModerationOverview } from "./messages";

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

export type { TournamentBoard, TournamentInfo as Tournament, TournamentRow } from "./messages";

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

export type {
  AccountInfo,
  GameRecord,
  MadeAccount as NewAccount,
  PlayedMatch,
  PlayerInfo,
  RankingRow,
  Rating,
  RatingChanges,
  SessionInfo,
} from "./messages";
