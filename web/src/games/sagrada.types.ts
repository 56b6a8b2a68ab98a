/** The events of this game and the facts of its views, generated from the Python types: `python -m tests.page_types`. */

/** The die in hand went back into the bag. */
export interface Bagged {
  kind: "bagged";
  seat: number;
  die: string;
}

export type Event =
  | MatchStarted
  | ObjectiveDealt
  | WindowsOffered
  | WindowPicked
  | WindowChosen
  | WindowsShown
  | ObjectivesShown
  | RoundStarted
  | Rolled
  | TurnStarted
  | ToolActivated
  | ToolDropped
  | Picked
  | PicksDropped
  | ToolUsed
  | Placed
  | Moved
  | TakenInHand
  | HandChanged
  | Swapped
  | Bagged
  | PoolRerolled
  | Returned
  | TurnEnded
  | RoundEnded
  | MatchEnded;

/** What a seat knows. Printed material is given by number. */
export interface Facts {
  phase: "choosing" | "extracting" | "over" | "setup" | "turn";
  seats: number;
  /** The rules of the match, without a fixed deal. */
  options: Record<string, boolean | number | string | string[]>;
  privates: number[];
  offered: Pattern[];
  /** The pattern this seat has chosen. */
  window: number | null;
  tools: Tool[];
  publics: number[];
  chosen: number[];
  windows: Window[];
  round: number;
  /** The start seat of this round. */
  start: number | null;
  pool: string[];
  /** The dice of each finished round's slot. */
  track: string[][];
  /** The dice that have left the game to pay for tools (solo). */
  paid: string[];
  turn_seat: number | null;
  turn: "extra" | "first" | "second" | null;
  dropped: number[];
  drafted: boolean;
  /** The tool that has taken effect in this turn. */
  used: number | null;
  /** The die in the hand of the seat whose turn it is. */
  hand: string | null;
  /** The cells that dice have been moved to in this turn. */
  moved: string[];
  /** The tool this seat has activated. */
  active: number | null;
  /** The die set aside to pay for it, in the solo variant. */
  paying: string | null;
  /** The actions of a dialogue that can still be taken back. */
  picks: string[];
  activations: number;
  private_points: number | null;
  scores: Score[];
  all_privates: number[][];
  ranking: number[];
  target: number | null;
}

/** The die in hand has changed. */
export interface HandChanged {
  kind: "hand_changed";
  seat: number;
  die: string;
  how: "drawn" | "flipped" | "named" | "rerolled";
}

/** Every seat's score and private objectives; *ranking* has the seats, best first. */
export interface MatchEnded {
  kind: "match_ended";
  scores: Score[];
  privates: number[][];
  ranking: number[];
  /** The points to beat in the solo variant. */
  target: number | null;
}

/** A match begins with these tools; *options* are those that everyone may know. */
export interface MatchStarted {
  kind: "match_started";
  seats: number;
  tools: number[];
  options: Record<string, boolean | number | string | string[]>;
}

/** A seat has moved dice of its window, in this order; the two of tool 4 together. */
export interface Moved {
  kind: "moved";
  seat: number;
  from: string[];
  to: string[];
}

/** A seat's private objective; the solo variant has two, which are public. */
export interface ObjectiveDealt {
  kind: "objective_dealt";
  seat: number;
  privates: number[];
}

/** The public objectives. */
export interface ObjectivesShown {
  kind: "objectives_shown";
  publics: number[];
}

/** A pattern of a window card. */
export interface Pattern {
  pattern: number;
  tokens: number;
  /** Twenty symbols, row by row: a colour, a value, or `.` for a free cell. */
  grid: string;
}

/** A step inside a dialogue that its seat can still take back. */
export interface Picked {
  kind: "picked";
  seat: number;
  action: string;
}

/** A seat has taken its steps back; an active tool stays active. */
export interface PicksDropped {
  kind: "picks_dropped";
  seat: number;
}

/** A seat has placed a die; *taken* is the die as it was in the pool, null if it came from the hand. */
export interface Placed {
  kind: "placed";
  seat: number;
  die: string;
  cell: string;
  taken: string | null;
}

/** The whole pool was rolled again. */
export interface PoolRerolled {
  kind: "pool_rerolled";
  seat: number;
  dice: string[];
}

/** The die in hand went back to the pool. */
export interface Returned {
  kind: "returned";
  seat: number;
  die: string;
}

/** The draft pool of the round. */
export interface Rolled {
  kind: "rolled";
  dice: string[];
}

/** The round is over; the rest of the pool is on the round track. */
export interface RoundEnded {
  kind: "round_ended";
  round: number;
  dice: string[];
}

/** Round *round* (from 1) begins; seat *start* is to draw the dice. */
export interface RoundStarted {
  kind: "round_started";
  round: number;
  start: number;
}

/** The score of one window, line by line. */
export interface Score {
  publics: number[];
  private: number;
  tokens: number;
  empty: number;
  /** The cost of the empty cells. */
  fine: number;
  total: number;
}

/** A pool die went to the slot of *round* and the *die* from there is in hand. */
export interface Swapped {
  kind: "swapped";
  seat: number;
  given: string;
  die: string;
  round: number;
}

/** A seat has taken a die from the pool into its hand. */
export interface TakenInHand {
  kind: "taken_in_hand";
  seat: number;
  die: string;
}

/** A tool of this match. */
export interface Tool {
  tool: number;
  /** In tokens; null in the solo variant, where it is paid with a die of *colour*. */
  cost: number | null;
  colour: string | null;
  used: boolean;
}

/** A seat has activated a tool and set its cost aside (solo: a die); only the seat knows. */
export interface ToolActivated {
  kind: "tool_activated";
  seat: number;
  tool: number;
  /** The die set aside in the solo variant. */
  paying: string | null;
}

/** A seat has put its tool back and kept its cost. */
export interface ToolDropped {
  kind: "tool_dropped";
  seat: number;
}

/** A tool takes effect and its cost is paid: *cost* tokens, or the die *paid* in the solo variant. */
export interface ToolUsed {
  kind: "tool_used";
  seat: number;
  tool: number;
  cost: number;
  paid: string | null;
  /** What the seat has left. */
  tokens: number;
}

/** A seat's turn is over. */
export interface TurnEnded {
  kind: "turn_ended";
  seat: number;
  turn: "extra" | "first" | "second";
}

/** A seat's first, second or extra turn begins. */
export interface TurnStarted {
  kind: "turn_started";
  seat: number;
  turn: "extra" | "first" | "second";
}

/** A seat's window; *tokens* are those the seat has left. */
export interface Window {
  pattern: number;
  tokens: number;
  /** Twenty symbols, row by row: a colour, a value, or `.` for a free cell. */
  grid: string;
  dice: (string | null)[];
  /** The current points for each public objective. */
  publics: number[];
  /** The number of empty cells. */
  empty: number;
  /** What they cost. */
  fine: number;
}

/** A seat has chosen its pattern; which one stays secret for now. */
export interface WindowChosen {
  kind: "window_chosen";
  seat: number;
}

/** A seat's own choice of a pattern. */
export interface WindowPicked {
  kind: "window_picked";
  seat: number;
  pattern: number;
}

/** The four patterns on a seat's two window cards. */
export interface WindowsOffered {
  kind: "windows_offered";
  seat: number;
  patterns: number[];
}

/** All have chosen: the patterns and tokens of every seat. */
export interface WindowsShown {
  kind: "windows_shown";
  patterns: number[];
  tokens: number[];
}
