/** The events of this game and the facts of its views, generated from the Python types: `python -m tests.page_types`. */

/** The deal is scored and every hand is open. */
export interface DealEnded {
  kind: "deal_ended";
  deal: number;
  /** The 13 cards dealt to each seat, ascending. */
  hands: string[][];
  picked: string[][];
  received: string[][];
  scores: number[];
  totals: number[];
  /** The seat that exposed AH. */
  exposed: number | null;
  /** The seat that shot the moon. */
  moon: number | null;
}

/** The result of one deal of the current game. */
export interface DealResult {
  /** The points of each seat. */
  scores: number[];
  /** The seat that exposed AH. */
  exposed: number | null;
  /** The seat that shot the moon. */
  moon: number | null;
}

/** Deal *deal* (from 1) of the game begins; packets will travel in *direction*. */
export interface DealStarted {
  kind: "deal_started";
  deal: number;
  direction: "across" | "left" | "none" | "right";
}

/** A seat's 13 cards. */
export interface Dealt {
  kind: "dealt";
  seat: number;
  cards: string[];
}

export type Event =
  | GameStarted
  | DealStarted
  | Dealt
  | PassingStarted
  | Picked
  | Passed
  | Received
  | PassingEnded
  | ExposingStarted
  | ExposingEnded
  | TrickStarted
  | Played
  | TrickTaken
  | DealEnded
  | GameEnded
  | MatchEnded;

/** *seat* has exposed AH, or it stays hidden. */
export interface ExposingEnded {
  kind: "exposing_ended";
  /** null if AH stays hidden. */
  seat: number | null;
}

/** The holder of AH is asked whether to expose it; who holds it stays secret. */
export interface ExposingStarted {
  kind: "exposing_started";
}

/** What a seat knows. Seats are 0 to 3 clockwise and stay the same for the whole match. */
export interface Facts {
  phase: "dealing" | "exposing" | "over" | "passing" | "playing";
  game: number;
  deal: number;
  round: number;
  direction: "across" | "left" | "none" | "right";
  initial: string[];
  hand: string[];
  picked: string[];
  received: string[];
  received_from: number | null;
  counts: number[];
  /** The seats that have chosen their three cards. */
  passed: number[];
  exposed: number | null;
  leader: number | null;
  /** The card each seat has played in this round, until the next round starts. */
  table: (string | null)[];
  /** The cards of the last round, beginning with its leader's. */
  last: string[];
  last_leader: number | null;
  last_taker: number | null;
  /** Every card each seat has played in this deal, in order. */
  played: string[][];
  /** The suits each seat is known not to hold. */
  void: string[][];
  broken: boolean;
  /** The score cards each seat has taken in this deal. */
  taken: string[][];
  scores: number[];
  totals: number[];
  deals: DealResult[];
  /** The game scores of the match's finished games. */
  games: number[][];
  /** These three are known from the end of a deal until the next one starts. */
  hands: string[][];
  all_picked: string[][];
  all_received: string[][];
  /** The hands of the first game's deals by position, if later games deal them again (R11). */
  decks: string[][][];
  /** The rules of the match, known when its first game starts. */
  options: Record<string, boolean | number | string | string[]>;
  /** Where each seat sits in this game: 0 North, 1 East, 2 South, 3 West (R11). */
  positions: number[];
}

/** The last deal of a game is scored. */
export interface GameEnded {
  kind: "game_ended";
  game: number;
  totals: number[];
  ranks: number[];
}

/** Game *game* (from 1) of the match begins; everyone has moved to the next position. */
export interface GameStarted {
  kind: "game_started";
  game: number;
  /** The rules of the match, every option named. */
  options: Record<string, boolean | number | string | string[]>;
}

/** The last game of the match is scored: *totals* add up its games. */
export interface MatchEnded {
  kind: "match_ended";
  totals: number[];
  ranks: number[];
}

/** A seat has chosen its three cards; which ones stays secret. */
export interface Passed {
  kind: "passed";
  seat: number;
}

/** All packets have changed hands. */
export interface PassingEnded {
  kind: "passing_ended";
}

/** Everyone chooses three cards to pass. */
export interface PassingStarted {
  kind: "passing_started";
}

/** A seat's own choice of a card to pass. */
export interface Picked {
  kind: "picked";
  seat: number;
  card: string;
}

/** A seat has played a card. */
export interface Played {
  kind: "played";
  seat: number;
  card: string;
  /** Whether hearts are broken now. */
  broken: boolean;
}

/** The three cards passed to a seat, in the order their giver named them. */
export interface Received {
  kind: "received";
  seat: number;
  giver: number;
  cards: string[];
}

/** Round *round* (from 1) is led by *leader*. */
export interface TrickStarted {
  kind: "round_started";
  round: number;
  leader: number;
}

/** *taker* takes the round. */
export interface TrickTaken {
  kind: "round_ended";
  taker: number;
  /** The score cards in it. */
  taken: string[];
  /** Everyone's points in this deal so far. */
  scores: number[];
}
