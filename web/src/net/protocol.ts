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

export type { LobbyMessage, Notice } from "./messages";

export type { KeptMatch, MatchInfo, MatchRow, NewTable, NewTournament, Opened } from "./messages";

/** A commitment as the pages show it: of a finished match, or of a deal at the table. */
export interface Commitment extends Omit<messages.DealCommitment, "nonces"> {
  nonces?: string[] | undefined;
  /** A seed or cards were given: the deal is not random. */
  given?: boolean | undefined;
  /** The server has not used what this player added. */
  dropped?: boolean | undefined;
}

export type Step = Told<messages.MatchStep, { events: GameEvent[]; views: Facts[] }>;
export type DealSteps = Told<messages.DealSteps, { steps: Step[] }>;

export type { TournamentBoard, TournamentInfo as Tournament, TournamentRow } from "./messages";

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
