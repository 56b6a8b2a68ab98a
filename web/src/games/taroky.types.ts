/** The events of this game and the facts of its views, generated from the Python types: `python -m tests.page_types`. */

/** A seat is asked for a level of contra, in secret. */
export interface ContraAsked {
  kind: "contra_asked";
  seat: number;
  level: "contra" | "rhea" | "supra";
}

/** A seat has called contra, rhea or supra. */
export interface ContraCalled {
  kind: "contra_called";
  seat: number;
  level: "contra" | "rhea" | "supra";
  multiplier: number;
}

/** A seat has said no to a level of contra, in secret. */
export interface ContraDeclined {
  kind: "contra_declined";
  seat: number;
  level: "contra" | "rhea" | "supra";
}

/** Nobody doubles any more; the I on the end may be announced now. */
export interface ContraEnded {
  kind: "contra_ended";
  multiplier: number;
}

/** The deal is settled and every card is shown. */
export interface DealEnded {
  kind: "deal_ended";
  deal: number;
  /** The twelve cards dealt to each seat. */
  hands: string[][];
  talon: string[];
  /** The discards of each seat, in order. */
  discards: string[][];
  result: DealResult;
}

/** The result of one deal, which is public. */
export interface DealResult {
  povinnost: number;
  /** The declaring side. */
  declarers: number[];
  /** The points of the declaring side and of its opponents; the tricks likewise. */
  points: number[];
  tricks: number[];
  /** How *x* was computed. */
  steps: Step[];
  x: number;
  /** The payments of the settlement alone, by seat. */
  payments: number[];
  /** The chips that each seat has got or paid for money cards in this deal. */
  money: number[];
  /** The chips after the deal. */
  chips: number[];
}

/** Deal *deal* (from 1) begins; *povinnost* is asked for prever first. */
export interface DealStarted {
  kind: "deal_started";
  deal: number;
  povinnost: number;
  chips: number[];
}

/** A seat's twelve cards, in the order they were dealt. */
export interface Dealt {
  kind: "dealt";
  seat: number;
  cards: string[];
}

/** Everyone holds twelve cards; money cards are called now. */
export interface DiscardEnded {
  kind: "discard_ended";
}

/** *seat* is the first to discard, *left* cards. */
export interface DiscardStarted {
  kind: "discard_started";
  seat: number;
  left: number;
}

/** A seat has discarded a card: *shown* is the card if it is a trump. *next* discards now and has *left* cards to discard. */
export interface Discarded {
  kind: "discarded";
  seat: number;
  shown: string | null;
  next: number | null;
  left: number;
}

export type Event =
  | MatchStarted
  | DealStarted
  | Dealt
  | PreverAnswered
  | PreverEnded
  | TalonCards
  | TalonDrawn
  | TalonAnswered
  | TalonEnded
  | HalfSeen
  | HalfOffered
  | HalfShown
  | HalfEnded
  | DiscardStarted
  | LaidAway
  | Discarded
  | DiscardEnded
  | MoneyCalled
  | MoneyEnded
  | PartnerNamed
  | ValatAnswered
  | ValatEnded
  | ContraAsked
  | ContraDeclined
  | ContraCalled
  | ContraEnded
  | IoteDeclined
  | IoteCalled
  | IoteEnded
  | Played
  | TrickTaken
  | DealEnded
  | MatchEnded;

/** What a seat knows. Seats stay the same for the whole match. */
export interface Facts {
  phase: "contra" | "dealing" | "discard" | "finished" | "iote" | "moneycards" | "partner" | "play" | "prever" | "prever_talon" | "talon" | "valat";
  deal: number;
  povinnost: number | null;
  /** The number of each seat in this deal: 1 is Povinnost. */
  players: number[];
  chips: number[];
  initial: string[];
  hand: string[];
  drawn: string[];
  seen: string[];
  laid: string[];
  asked: ("contra" | "rhea" | "supra")[];
  refused: ("contra" | "rhea" | "supra")[];
  kept_quiet: boolean;
  counts: number[];
  turn: number | null;
  prevers: boolean[];
  prever: number | null;
  gifts: ("drew" | "given" | "offered" | "open" | "returned")[];
  draws: number[];
  step: number;
  shown: string[];
  half: "B" | "R" | "T" | null;
  left: number;
  discards: number[];
  thrown: string[][];
  /** The money cards called, starting with Povinnost. */
  money: string[][];
  brought: number[];
  named: string | null;
  partner: number | null;
  valats: boolean[];
  valat: number | null;
  contras: number[];
  multiplier: number;
  iote: number | null;
  leader: number | null;
  trick: string[];
  tricks: Trick[];
  /** The results of the settled deals. */
  results: DealResult[];
  hands: string[][];
  talon: string[];
  all_discards: string[][];
  /** The finished deal, until the next one is dealt. */
  notation: string | null;
  options: Record<string, boolean | number | string | string[]>;
}

/** The prever player has taken a half of the talon. */
export interface HalfEnded {
  kind: "half_ended";
  seat: number;
  half: "B" | "R" | "T";
  multiplier: number;
}

/** The prever player looks at the first (*step* 1) or second half of the talon. */
export interface HalfOffered {
  kind: "half_offered";
  seat: number;
  step: number;
}

/** The half of the talon that the prever player looks at, told to that seat alone. */
export interface HalfSeen {
  kind: "half_seen";
  seat: number;
  cards: string[];
}

/** The half that the prever player has refused is shown. */
export interface HalfShown {
  kind: "half_shown";
  seat: number;
  cards: string[];
}

/** A seat announces that it will win the last trick with T01. */
export interface IoteCalled {
  kind: "iote_called";
  seat: number;
}

/** The holder of T01 does not announce it, in secret. */
export interface IoteDeclined {
  kind: "iote_declined";
  seat: number;
}

/** All announcements are made; *leader* plays the first card. */
export interface IoteEnded {
  kind: "iote_ended";
  leader: number;
}

/** The card that a seat discards, told to that seat alone. */
export interface LaidAway {
  kind: "laid_away";
  seat: number;
  card: string;
}

/** The last deal is settled. */
export interface MatchEnded {
  kind: "match_ended";
  chips: number[];
  ranks: number[];
}

/** A match begins; *options* are all its rules. */
export interface MatchStarted {
  kind: "match_started";
  options: Record<string, boolean | number | string | string[]>;
}

/** A seat's money cards, what each other seat pays for them, and the chips after that. */
export interface MoneyCalled {
  kind: "money_called";
  seat: number;
  codes: string[];
  value: number;
  chips: number[];
}

/** All money cards are paid. */
export interface MoneyEnded {
  kind: "money_ended";
  chips: number[];
}

/** The answer to a notation that is not valid: what is wrong, and where. */
export interface NotationFault {
  key: string;
  words: string;
  /** Of the first invalid character. */
  offset: number;
  field: number;
  slot: string;
  reason: string;
  detail: string;
}

/** The answer to POST /api/notation/check. */
export interface NotationSummary {
  /** In canonical form. */
  notation: string;
  finished: boolean;
  phase: "contra" | "dealing" | "discard" | "finished" | "iote" | "moneycards" | "partner" | "play" | "prever" | "prever_talon" | "talon" | "valat";
  turn: number | null;
  saved_by: number | null;
  /** Of players 1 to 4, as in the other lists. */
  hands: string[][];
  talon: string[];
  discards: string[][];
  calls: string[];
  /** The facts of a watcher at the end of the deal: the calls and the settlement. */
  view: Facts;
  tricks: NotationTrick[];
  open_trick: string[];
  /** Why chips are paid. */
  reasons: string[];
  /** The balance before the deal, money cards by player, the settlement, and the balance now. */
  payments: Payment[];
  settings: string;
}

/** The body of POST /api/notation/table. */
export interface NotationTable {
  text: string;
  /** Of players 1 to 4; by default the player who saved the game is a person and the others are bots. */
  seats?: string[];
  table_options?: Record<string, boolean | number | string | string[]>;
  hands?: number;
}

/** A trick of a notation. */
export interface NotationTrick {
  cards: string[];
  winner: number;
}

/** Povinnost plays with the holder of trump *trump*. */
export interface PartnerNamed {
  kind: "partner_named";
  seat: number;
  trump: string;
}

/** A row of a settlement. */
export interface Payment {
  name: string;
  /** Of players 1 to 4. */
  chips: number[];
}

/** A seat has played a card; *next* plays now, unless the trick is complete. */
export interface Played {
  kind: "played";
  seat: number;
  card: string;
  next: number | null;
}

/** A seat plays prever or does not; *next* is asked now, or nobody. */
export interface PreverAnswered {
  kind: "prever_answered";
  seat: number;
  prever: boolean;
  next: number | null;
}

/** *seat* plays prever, or nobody does. */
export interface PreverEnded {
  kind: "prever_ended";
  seat: number | null;
}

/** A factor or an addend of the settlement: reason and value. */
export type Step = [string, number];

/** A seat draws or passes its card, or player 4 accepts or rejects what *offered_by* passed. */
export interface TalonAnswered {
  kind: "talon_answered";
  seat: number;
  action: "accept" | "draw" | "pass" | "reject";
  offered_by: number | null;
  next: number | null;
}

/** The talon cards that a seat takes, told to that seat alone. */
export interface TalonCards {
  kind: "talon_cards";
  seat: number;
  cards: string[];
}

/** A seat takes *count* cards of the talon. */
export interface TalonDrawn {
  kind: "talon_drawn";
  seat: number;
  count: number;
}

/** The talon has been distributed; *counts* are the cards each seat took. */
export interface TalonEnded {
  kind: "talon_ended";
  counts: number[];
}

/** A finished trick. */
export interface Trick {
  leader: number;
  cards: string[];
  taker: number;
}

/** *taker* takes trick *number* (from 1) and leads the next, if there is one. */
export interface TrickTaken {
  kind: "trick_ended";
  number: number;
  taker: number;
}

/** A seat announces valat or does not; *next* is asked now, or nobody. */
export interface ValatAnswered {
  kind: "valat_answered";
  seat: number;
  call: boolean;
  next: number | null;
}

/** *seat* has announced valat, or nobody; contra may be called now. */
export interface ValatEnded {
  kind: "valat_ended";
  seat: number | null;
}
