/** The events of this game and the facts of its views, generated from the Python types: `python -m tests.page_types`. */

/** A seat has played the first card of a belote, or the second. */
export interface Announced {
  kind: "announced";
  seat: number;
  word: "belote" | "rebelote";
  suit: string;
}

/** A belote or rebelote that *seat* has announced. */
export interface Announcement {
  seat: number;
  suit: string;
  word: "belote" | "rebelote";
}

/** The auction has ended with the contract of *bidder*. */
export interface AuctionEnded {
  kind: "auction_ended";
  bidder: number;
  contract: string;
  /** 1 coinched, 2 surcoinched, else 0. */
  doubled: 0 | 1 | 2;
  /** The factor by which the contract is multiplied. */
  factor: number;
}

/** A call of the auction. */
export interface Call {
  seat: number;
  call: string;
}

/** A seat has made a call: a pass, a contract, a coinche or a surcoinche. */
export interface Called {
  kind: "called";
  seat: number;
  call: string;
}

/** The eighth trick is taken and the deal is scored. */
export interface DealEnded {
  kind: "deal_ended";
  deal: number;
  made: boolean;
  /** By team: card points and the last trick, or the points for all eight tricks. */
  points: number[];
  tricks: number[];
  /** The belote points each team held, no matter which team scores them. */
  belote: number[];
  scores: number[];
  totals: number[];
}

/** The result of one deal. Without a contract it was passed out, and the other members are absent. */
export interface DealResult {
  dealer: number;
  contract: string | null;
  bidder?: number;
  doubled?: 0 | 1 | 2;
  made?: boolean;
  /** By team, like all lists of this result. */
  points?: number[];
  tricks?: number[];
  belote?: number[];
  scores: number[];
  /** The points required by the contract; null if tricks decide. */
  needed?: number | null;
  /** The points of the contract's team, including a belote that counts. */
  reached?: number;
  lines?: Line[];
}

/** Deal *deal* (from 1) begins: *dealer* has dealt, *first* speaks first and leads. */
export interface DealStarted {
  kind: "deal_started";
  deal: number;
  dealer: number;
  first: number;
}

/** A seat's eight cards. */
export interface Dealt {
  kind: "dealt";
  seat: number;
  cards: string[];
}

export type Event =
  | MatchStarted
  | DealStarted
  | Dealt
  | Called
  | AuctionEnded
  | PassedOut
  | TrickStarted
  | Played
  | Announced
  | TrickTaken
  | DealEnded
  | MatchEnded;

/** What a seat knows. Pairs are by team: index 0 for seats 0 and 2, index 1 for seats 1 and 3. */
export interface Facts {
  phase: "bidding" | "dealing" | "over" | "playing";
  deal: number;
  dealer: number | null;
  initial: string[];
  hand: string[];
  /** All calls of this deal. */
  calls: Call[];
  contract: string | null;
  bidder: number | null;
  doubled: 0 | 1 | 2;
  /** The factor of the contract, once the auction is over. */
  factor: number | null;
  stakes: Stake[] | null;
  /** The number of the trick being played, from 1. */
  trick: number;
  leader: number | null;
  /** The card each seat has played to this trick, until the next one starts. */
  table: (string | null)[];
  /** The tricks of this deal that were taken. */
  tricks: Trick[];
  announced: Announcement[];
  counts: number[];
  totals: number[];
  deals: DealResult[];
  /** The team that has won the match. */
  winner: "A" | "B" | null;
  /** The rules of the match, known when it starts. */
  options: Record<string, boolean | number | string | string[]>;
}

/** A line of a deal's score: points by team with their reason. */
export interface Line {
  what: "belote" | "contract" | "points" | "total";
  scores: number[];
}

/** A team has reached the target and has more points than the other. */
export interface MatchEnded {
  kind: "match_ended";
  /** The team. */
  winner: "A" | "B";
  totals: number[];
}

/** The match begins. */
export interface MatchStarted {
  kind: "match_started";
  /** The rules of the match, with every option. */
  options: Record<string, boolean | number | string | string[]>;
}

/** Four passes: nothing is scored, the next seat deals. */
export interface PassedOut {
  kind: "passed_out";
  deal: number;
  /** The match score by team, unchanged. */
  totals: number[];
}

/** A seat has played a card. */
export interface Played {
  kind: "played";
  seat: number;
  card: string;
}

/** The value of a contract without belotes: as it is, coinched or surcoinched. */
export interface Stake {
  factor: number;
  contract: number;
  /** The score of its team if it makes the contract; null if it depends on the points taken. */
  made: number | null;
  /** The score of the other team if it does not. */
  failed: number;
}

/** A trick that was taken, and the *points* of its cards. */
export interface Trick {
  leader: number;
  cards: string[];
  taker: number;
  points: number;
}

/** Trick *trick* (from 1) is led by *leader*. */
export interface TrickStarted {
  kind: "trick_started";
  trick: number;
  leader: number;
}

/** *taker* takes trick *trick*; *points* are those of its cards, without the last trick's ten. */
export interface TrickTaken {
  kind: "trick_taken";
  trick: number;
  taker: number;
  points: number;
}
