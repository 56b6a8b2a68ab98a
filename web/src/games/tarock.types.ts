/** The events of this game and the facts of its views, generated from the Python types: `python -m tests.page_types`. */

/** A seat has announced *bonuses* and doubled *kontras*; *next* is asked now, or nobody. */
export interface Announced {
  kind: "announced";
  seat: number;
  bonuses: string[];
  kontras: string[];
  next: number | null;
}

/** The announcements are over. */
export interface AnnouncingEnded {
  kind: "announcing_ended";
}

/** *next* is to announce first. */
export interface AnnouncingStarted {
  kind: "announcing_started";
  next: number;
}

/** A bid of the auction. */
export interface Bid {
  seat: number;
  /** A contract, or `pass`. */
  bid: string;
}

/** *seat* is the declarer of *contract*. */
export interface BiddingEnded {
  kind: "bidding_ended";
  seat: number;
  contract: string;
}

/** Forehand is deemed to have bid *contract*; *next* bids first. */
export interface BiddingStarted {
  kind: "bidding_started";
  seat: number;
  contract: string;
  next: number;
}

/** A bonus that a seat has announced. */
export interface Bonus {
  seat: number;
  bonus: string;
}

/** *seat* is to call a king. */
export interface CallingStarted {
  kind: "calling_started";
  seat: number;
}

/** A bonus or an item to double that a seat has chosen in its unfinished turn to announce. */
export interface Claimed {
  kind: "claimed";
  seat: number;
  bonus: string | null;
  kontra: string | null;
}

/** The deal is scored and every card is shown. */
export interface DealEnded {
  kind: "deal_ended";
  contract: string;
  declarer: number;
  partner: number | null;
  /** The suit of the king that was called. */
  king: "C" | "D" | "H" | "S" | null;
  /** Whether declarer won the contract; null in klop. */
  won: boolean | null;
  /** The declarer's side and the defenders; every seat in klop; empty if tricks decide. */
  points: number[];
  lines: Line[];
  /** The seats whose own radelc has doubled the deal. */
  doubled: number[];
  mond: number[];
  scores: number[];
  /** After the deal. */
  radelci: number[];
  deal: number;
  totals: number[];
  discards: string[];
  /** The cards of an open talon that declarer did not take, in order. */
  talon_rest: string[];
  /** The 12 cards dealt to each seat. */
  hands: string[][];
  talon: string[];
}

/** The result of one deal. */
export interface DealResult {
  contract: string;
  declarer: number;
  partner: number | null;
  /** The suit of the king that was called. */
  king: "C" | "D" | "H" | "S" | null;
  /** Whether declarer won the contract; null in klop. */
  won: boolean | null;
  /** The declarer's side and the defenders; every seat in klop; empty if tricks decide. */
  points: number[];
  lines: Line[];
  /** The seats whose own radelc has doubled the deal. */
  doubled: number[];
  mond: number[];
  scores: number[];
  /** After the deal. */
  radelci: number[];
}

/** Deal *deal* (from 1) begins, with everyone's totals and radelci so far. */
export interface DealStarted {
  kind: "deal_started";
  deal: number;
  dealer: number;
  forehand: number;
  totals: number[];
  radelci: number[];
  /** Whether klop is played unless a player bids solo without or higher (option). */
  compulsory: boolean;
}

/** A seat's 12 cards. */
export interface Dealt {
  kind: "dealt";
  seat: number;
  cards: string[];
}

export type Event =
  | MatchStarted
  | DealStarted
  | Dealt
  | BiddingStarted
  | Spoke
  | BiddingEnded
  | CallingStarted
  | KingCalled
  | ExchangeStarted
  | SetTaken
  | LaidAway
  | ExchangeEnded
  | AnnouncingStarted
  | Claimed
  | Announced
  | AnnouncingEnded
  | HandShown
  | PlayStarted
  | Played
  | DealEnded
  | MatchEnded;

/** All discards are made; the tarocks among them are shown. */
export interface ExchangeEnded {
  kind: "exchange_ended";
  seat: number;
  picked: number;
  discarded: string[];
}

/** The talon is turned up in sets of *count* cards; *seat* takes a set and discards as many cards. */
export interface ExchangeStarted {
  kind: "exchange_started";
  seat: number;
  talon: string[][];
  count: number;
}

/** What a seat knows. Seats are 0 to 3 in playing order; the dealer moves on with every deal. */
export interface Facts {
  phase: "announcing" | "bidding" | "calling" | "dealing" | "exchanging" | "over" | "playing";
  deal: number;
  dealer: number | null;
  forehand: number | null;
  compulsory: boolean;
  /** The seat to act, which is public in this game. */
  turn: number | null;
  dealt: string[];
  hand: string[];
  /** The seat's discards, in the order named. */
  my_discards: string[];
  /** The bonuses chosen in the seat's unfinished turn. */
  claimed: string[];
  /** The items chosen to double in it. */
  raised: string[];
  standing: string | null;
  /** All bids, without forehand's standing bid. */
  bids: Bid[];
  contract: string | null;
  declarer: number | null;
  /** The suit that was called. */
  king: "C" | "D" | "H" | "S" | null;
  partner: number | null;
  partner_known: boolean;
  opponents: number[];
  /** The talon, if it was turned up. */
  talon: string[][];
  /** How many cards are exchanged. */
  count: number;
  picked: number | null;
  /** For each set the possible discards, while this seat is choosing a set. */
  layable: string[][];
  talon_rest: string[];
  /** The tarocks declarer has discarded. */
  discarded: string[];
  turns: Turn[];
  announced: Bonus[];
  /** The factor of each item. */
  kontra: Record<string, number>;
  leader: number | null;
  /** The cards on the table, beginning with the leader's. */
  trick: string[];
  tricks: Trick[];
  tricks_won: number[];
  counts: number[];
  /** The remaining cards of an open beggar's shown hand. */
  revealed: string[];
  totals: number[];
  radelci: number[];
  results: DealResult[];
  hands: string[][];
  whole_talon: string[];
  discards: string[];
  final: number[];
  ranking: number[][];
  /** The rules of the match, known when it starts. */
  options: Record<string, boolean | number | string | string[]>;
}

/** The hand of an open beggar's declarer is shown. */
export interface HandShown {
  kind: "hand_shown";
  seat: number;
  cards: string[];
}

/** *seat* has called the king of *suit*; only its holder knows who has it. */
export interface KingCalled {
  kind: "king_called";
  seat: number;
  suit: "C" | "D" | "H" | "S";
}

/** A card that a seat has discarded, in secret. */
export interface LaidAway {
  kind: "laid_away";
  seat: number;
  card: string;
}

/** One line of a deal's score: it includes kontra, not the radelc. */
export interface Line {
  /** `game`, or a bonus. */
  item: string;
  /** This and *difference* only for the game. */
  value?: number;
  difference?: number;
  /** This, *by* and *made* only for a bonus. */
  announced?: boolean;
  by?: number | null;
  made?: boolean;
  kontra: number;
  score: number;
}

/** The last deal is scored: *final* are the totals minus the cost of the remaining radelci. */
export interface MatchEnded {
  kind: "match_ended";
  totals: number[];
  radelci: number[];
  final: number[];
  /** The seats from the best to the worst, those with equal scores together. */
  ranking: number[][];
}

/** The match begins. */
export interface MatchStarted {
  kind: "match_started";
  /** The rules of the match, with every option. */
  options: Record<string, boolean | number | string | string[]>;
}

/** *leader* leads to the first trick. */
export interface PlayStarted {
  kind: "play_started";
  leader: number;
}

/** A seat has played a card; the fourth one ends the trick. */
export interface Played {
  kind: "played";
  seat: number;
  card: string;
  /** The seat that plays next; null if the deal is over. */
  next: number | null;
  /** The seat that has won the trick; null if it is not finished. */
  winner: number | null;
  /** The talon card that went to the winner in klop. */
  gift: string | null;
}

/** *seat* has taken set *picked* (from 0) into its hand. */
export interface SetTaken {
  kind: "set_taken";
  seat: number;
  picked: number;
}

/** A seat has bid a contract or passed; *next* is asked now, nobody if the auction is over. */
export interface Spoke {
  kind: "spoke";
  seat: number;
  bid: string;
  next: number | null;
}

/** A finished trick, in klop with the talon card that its winner got. */
export interface Trick {
  leader: number;
  cards: string[];
  winner: number;
  gift: string | null;
}

/** A seat's turn to announce: its bonuses and the items it doubled. */
export interface Turn {
  seat: number;
  bonuses: string[];
  kontras: string[];
}
