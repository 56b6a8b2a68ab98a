/** The messages of the server and the HTTP API, generated from the Python types: `python -m tests.page_types`. */

/** What a refusal is about: an action, a name or a seat. */
export interface About {
  action?: string;
  arguments?: Record<string, string | number>;
  name?: string;
  reason?: string;
  seat?: number;
}

/** The request was carried out. */
export interface Accepted {
  type: "accepted";
  id: number | string | null;
}

/** The answer to GET /api/account. */
export interface AccountInfo {
  name: string;
  created: string;
  tables: AccountSeat[];
}

/** A seat that an account has at a table. */
export interface AccountSeat {
  /** Of the table. */
  id: string;
  game: string;
  page: string;
  seat: number;
  phase: "closed" | "gathering" | "playing" | "resting";
}

/** Answer the question *turn* with actions (all or none are carried out) or with a text. */
export interface Act {
  type: "act";
  /** The number of the question, from `Ask`. */
  turn: number;
  actions?: string[] | null;
  /** What a person would type in a terminal; ignored if there are actions. */
  text?: string | null;
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** Announce a restart to everyone; the server does not stop by itself. */
export interface Announce {
  act: "announce";
  seconds: number;
  /** A note that is added to the announcement. */
  text?: string;
  /** The person who gives the order, for the audit log. */
  by?: string;
  /** The reason. The person concerned is told. */
  why?: string;
}

/** Set who may take which seat, while no game is running. */
export interface Arrange {
  type: "arrange";
  /** For each seat `open`, `person` or `bot <name>`. */
  seats: string[];
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** A question to the seat. */
export interface Ask {
  type: "ask";
  /** The number of the question, to be given in the answer. */
  turn: number;
  /** The time left; null if there is no limit. */
  seconds: number | null;
  /** The legal actions. */
  legal: string[];
  view: Record<string, unknown>;
}

/** A line of the audit log. */
export interface AuditEntry {
  when: string;
  by: string;
  act: "announce" | "ban" | "close" | "dismiss" | "lift" | "mute" | "remove" | "rename" | "withdraw";
  /** The person, the table or the address (the first digits of its digest). */
  whom: string;
  until: string | null;
  /** The new name, or the text of an announcement. */
  new: string;
  why: string;
}

/** Refuse a person on every protocol for a time, and end their connections. */
export interface Ban {
  act: "ban";
  /** The name of an account or of a guest who is present, or an address. */
  who: string;
  seconds: number;
  /** Also the addresses from which the account is connected now. */
  addresses?: boolean;
  /** The person who gives the order, for the audit log. */
  by?: string;
  /** The reason. The person concerned is told. */
  why?: string;
}

/** What has changed, sent over the WebSocket /api/lobby. */
export interface ChangedTables {
  type: "changed";
  /** The new and changed ones. */
  tables: TableRow[];
  /** The ids of those that were closed. */
  closed: string[];
}

/** A chat message. */
export interface ChatLine {
  when: string;
  name: string;
  text: string;
}

export type ClientMessage =
  | Join
  | Watch
  | Act
  | Start
  | Fill
  | Arrange
  | Say
  | Report
  | Leave
  | Continue
  | Undo
  | Nonce
  | Ping;

/** Close a table; a running match is aborted. */
export interface CloseTable {
  act: "close";
  table: string;
  /** The person who gives the order, for the audit log. */
  by?: string;
  /** The reason. The person concerned is told. */
  why?: string;
}

/** The table is closed or the server stops; the connection ends. */
export interface Closed {
  type: "closed";
  /** In English, for people. */
  reason: string;
  /** `match_over`, `abandoned` (all players have left), `deserted` (it was unused for a while), `stopping` (the game continues when the server is back), `banned`, `removed` (by the operator), else `closed`. */
  key: string;
}

/** The SHA-256 of the seed of a deal, sent before the cards are dealt. */
export interface Commit {
  type: "commit";
  deal: number;
  digest: string;
  /** What players have added to the seed, by seat, empty for none; empty if nobody did. */
  nonces?: string[];
  /** The commitment of the deal after this one, as `Table.next_deal`. */
  next?: string | null;
}

/** End the current pause of the table; only if all other players are bots. */
export interface Continue {
  type: "continue";
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** The commitment of a deal, and its seed once the deal is over. */
export interface DealCommitment {
  deal: number;
  digest: string;
  /** What the seats have added to the seed, by seat; empty strings for nothing. */
  nonces: string[];
  seed: string | null;
}

/** The answer to GET /api/matches/<id>/steps. */
export interface DealSteps {
  deal: number;
  deals: number;
  steps: MatchStep[];
}

/** Remove a report from the list. */
export interface Dismiss {
  act: "dismiss";
  report: string;
  /** The person who gives the order, for the audit log. */
  by?: string;
  /** The reason. The person concerned is told. */
  why?: string;
}

/** Something has happened. */
export interface Event {
  type: "event";
  /** Increases by 1 with every event to this seat. */
  number: number;
  event: Record<string, unknown>;
  /** The server chose the action for the seat. */
  auto: boolean;
  words?: string | null;
  view?: Record<string, unknown> | null;
}

/** Let a bot take a free seat until the end of the next match, while no game is running. */
export interface Fill {
  type: "fill";
  seat: number;
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** The review of one decision, a line of GET /api/matches/<id>/review. */
export interface Finding {
  deal: number;
  /** The index among the draws and decisions of the deal, from 0. */
  step: number;
  seat: number;
  /** Who decided, if not the seat itself. */
  by: string;
  played: ReviewLine;
  best: ReviewLine;
  /** The points that expert expects to gain compared with the action played; at least 0. */
  difference: number;
  /** Best first. */
  options: ReviewOption[];
  /** As in `Hint`. */
  reasons: unknown[];
}

/** A player's results in one game. */
export interface GameRecord {
  game: string;
  title: string;
  matches: number;
  won: number;
  /** The number of first places, second places and so on. */
  places: number[];
  broken_off: number;
  rating: Rating | null;
}

/** A game, as GET /api/games lists it. */
export interface GameRow {
  name: string;
  title: string;
  /** The possible numbers of seats. */
  seats: number[];
  /** All bots, weakest first. */
  bots: string[];
  /** The named strengths among them. */
  strengths: string[];
  /** The bot for seats without a chosen bot: one that answers quickly. */
  usual: string;
  options: OptionRow[];
  table_options: OptionRow[];
  /** The first one is the default for people. */
  presets: PresetRow[];
  /** Table options at tables with people: pauses that let them follow. */
  for_people: Record<string, boolean | number | string | string[]>;
  /** The table options with the time limits of a decision by a person. */
  clocks: string[];
  /** Scores are penalty points: the fewest win. */
  penalties: boolean;
  /** The seats that win and lose together. */
  sides: number[][];
  /** How pages find the parts of the table in the facts of a view: role to name, if they differ. */
  page: Record<string, string>;
  /** The languages of the game's texts. */
  languages: string[];
  /** Where connections of its published protocol begin, if it has one. */
  protocol: "lobby" | "table" | null;
  /** Paths of its further pages in the browser. */
  pages: string[];
  /** The address of the list of the game's printed material, if it has any. */
  material: string | null;
}

/** The answer to GET /api/health. */
export interface Health {
  ok: boolean;
  tables: number;
  /** The number of tables that could not be restored. */
  broken: number;
}

/** The answer to POST /api/tables/<id>/hint: what expert would do. */
export interface Hint {
  actions: string[];
  /** The first event that each action would cause. */
  events: unknown[];
  /** How many points more than the next best choice it is expected to bring. */
  gain: number;
  simulations: number;
  /** What the seat knows that matters here: `{kind: "stake" or "trumps", number}` or `{kind: "void", seat, suit}`. */
  reasons: unknown[];
}

/** The answer to GET /api/house. */
export interface House {
  mode: "node" | "serve";
  version: string;
  /** The rules are compiled. */
  compiled: boolean;
  /** The rules are being compiled for the next start. */
  compiling: boolean;
  default_table: string | null;
  doors: LinePort[];
  /** The restart that the operator has announced. */
  notice: Notice | null;
}

/** One of several servers that share a database. */
export interface HouseNode {
  id: number;
  name: string;
  version: string;
  started: string;
  /** Seconds until its lease expires; negative if it has expired. */
  lease: number;
  tables: number;
  draining: boolean;
  /** True if it has the lobbies, tournaments and accounts. */
  service: boolean;
}

/** Take a seat, or, with the name and token of your own seat, return to it. A person who joins a quick match in progress takes the seat of a bot when the next deal begins: the answer is `Accepted`, and `Joined` without an id follows then. */
export interface Join {
  type: "join";
  /** 1 to 64 characters; ignored with the token of a session, which joins with its account. */
  name: string;
  /** Your secret, with which you return to your seat; stored only as a hash. */
  token?: string;
  /** The seat; null: the first free one. */
  seat?: number | null;
  /** A person decides, so time limits are longer. */
  person?: boolean;
  /** `all`: every event contains the view after it; `ask`: only questions contain one. */
  views?: "all" | "ask";
  /** Send events and views also in words, for programs that read text. */
  words?: boolean;
  /** The language of the words: `de`; English if the server does not have it. */
  language?: string;
  /** The number of the last event received, when returning. */
  last?: number | null;
  /** This and *nonce* as in `Nonce`; ignored if the next deal has another digest. */
  digest?: string | null;
  nonce?: string | null;
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** The answer to `Join`. */
export interface Joined {
  type: "joined";
  seat: number;
  /** The player already had this seat. */
  back: boolean;
  id: number | string | null;
}

/** The answer to a request that stores a match. */
export interface KeptMatch {
  id: string;
  /** The path of its replay. */
  page: string;
}

/** The members of a view that are the same in every game; the others are the game's facts. */
export interface Known {
  /** null for a watcher. */
  seat: number | null;
  /** The seats to act, as far as this seat may know. */
  to_act: number[];
  /** The legal actions, if this seat is to act. */
  legal: string[];
  /** The facts of every seat, for watchers of a table with `Table.watch_open`. */
  open?: Record<string, unknown>[];
  /** If the client requested it. */
  words?: Words;
}

/** Leave the seat permanently; during a game a bot takes it over. */
export interface Leave {
  type: "leave";
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** End a ban or a mute. */
export interface Lift {
  act: "lift";
  id: string;
  /** The person who gives the order, for the audit log. */
  by?: string;
  /** The reason. The person concerned is told. */
  why?: string;
}

/** A TCP port of a published protocol. */
export interface LinePort {
  game: string;
  port: number;
  /** True for a protocol of lines, False for HTTP. */
  line: boolean;
  tls: boolean;
}

export type LobbyMessage = OpenTables | ChangedTables | Notice;

/** The answer to POST /api/account. */
export interface MadeAccount {
  name: string;
  token: string;
  /** Codes with which a forgotten password can be replaced, each once. */
  recovery: string[];
}

/** The answer to GET /api/matches/<id>. */
export interface MatchInfo {
  id: string;
  game: string;
  table: string;
  players: string[];
  /** The account names of the players, by seat. */
  profiles: (string | null)[];
  started: string;
  ended: string | null;
  /** The scores by seat. */
  result: number[];
  /** As in the record. */
  options: Record<string, string>;
  seed: string | null;
  /** As in `Table`. */
  fixed_deal: boolean;
  /** Their number. */
  deals: number;
  commitments: DealCommitment[];
}

/** A finished match, as GET /api/matches lists it. */
export interface MatchRow {
  id: string;
  game: string;
  table: string;
  players: string[];
  /** The account names of the players, by seat. */
  profiles: (string | null)[];
  started: string;
  ended: string | null;
  /** The scores by seat. */
  result: number[];
}

/** A draw or a decision of a finished match. */
export interface MatchStep {
  /** As in the record. */
  entry: string;
  events: unknown[];
  /** For each event the seats that received it. */
  heard: number[][];
  /** The facts of every seat. */
  views: unknown[];
}

/** A ban or a mute as the operator sees it. */
export interface MeasureRow {
  id: string;
  /** ban or mute. */
  kind: string;
  whom: string;
  until: string;
  why: string;
}

/** Refuse the chat messages of a person for a time. */
export interface Mute {
  act: "mute";
  /** The name of an account or of a guest who is present, or an address. */
  who: string;
  seconds: number;
  /** Also the addresses from which the account is connected now. */
  addresses?: boolean;
  /** The person who gives the order, for the audit log. */
  by?: string;
  /** The reason. The person concerned is told. */
  why?: string;
}

/** The body of POST /api/tables. */
export interface NewTable {
  game: string;
  /** For each seat `open`, `person` or `bot <name>`. */
  seats: string[];
  options?: Record<string, boolean | number | string | string[]>;
  table_options?: Record<string, boolean | number | string | string[]>;
  seed?: string | number | null;
  auto_cycle?: boolean;
  start?: boolean;
  watch_open?: boolean;
  watch_delay?: number;
  /** The tokens for which seats are reserved, one per seat; an empty one reserves nothing. */
  seat_tokens?: string[];
}

/** The body of POST /api/tournaments. */
export interface NewTournament {
  name: string;
  game: string;
  /** Seconds from now. */
  starts_in: number;
  seats?: number | null;
  format?: string;
  rounds?: number;
  fill?: string;
  patience?: number;
  options?: Record<string, boolean | number | string | string[]>;
  table_options?: Record<string, boolean | number | string | string[]>;
  /** The token that can cancel it. */
  token?: string;
}

/** Add randomness to the next deal, before it begins. */
export interface Nonce {
  type: "nonce";
  /** The commitment of the next deal: `Table.next_deal` or `Commit.next`. */
  digest: string;
  /** 1 to 64 letters, digits, `-` and `_`, which nobody could foresee. */
  nonce: string;
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** The operator announces a restart: when that happens, and on connecting while it is announced. */
export interface Notice {
  type: "notice";
  /** The time left; null if the restart will not take place. */
  seconds: number | null;
  /** What the operator adds, in any language. */
  text: string;
}

/** A part of the open tables, sent over the WebSocket /api/lobby before what changes; newest first. */
export interface OpenTables {
  type: "tables";
  /** The reader forgets what it knew. */
  first: boolean;
  /** Other parts follow. */
  more: boolean;
  tables: TableRow[];
}

/** The answer to POST /api/tables: the addresses of the table. */
export interface Opened {
  id: string;
  /** The path of the table's page. */
  page: string;
  /** The address of the table in this protocol. */
  house: string;
  /** The address in the game's published protocol, of the table or of its lobby; absent if there is none. */
  protocol?: string | null;
}

/** The answer to GET /api/operator. */
export interface OperatorReport {
  version: string;
  python: string;
  compiled: boolean;
  uptime: number;
  connections: number;
  actions: number;
  tables: TableCount[];
  broken: string[];
  store: Record<string, number>;
  /** The processes of the bot pool; empty if there are none. */
  bot_pool: Record<string, number>;
  /** One per second, oldest first. */
  samples: Record<string, number>[];
  /** The nodes of the house; empty if the server is alone. */
  nodes: HouseNode[];
}

/** An option of a game or of its tables. */
export interface OptionRow {
  name: string;
  kind: "choice" | "list" | "number" | "switch" | "text";
  default: boolean | number | string | string[];
  choices: string[];
  low: number;
  high: number;
  /** 0 is also allowed, below the range. */
  or_zero: boolean;
  /** For protocols, lobbies and tests: not shown to people. */
  technical: boolean;
  unit: string;
  words: string;
}

export type Order = CloseTable | Remove | Rename | Mute | Ban | Lift | Announce | Withdraw | Dismiss;

/** The answer to GET /api/operator/moderation. */
export interface Overview {
  people: Person[];
  measures: MeasureRow[];
  reports: PlayerReport[];
  /** The last entries, newest first. */
  audit: AuditEntry[];
  /** The seconds until the announced restart. */
  restart: number | null;
}

/** A person who has a seat, or a name in a lobby. */
export interface Person {
  name: string;
  account: string | null;
  /** Empty in a lobby. */
  game: string;
  table: string | null;
  seat: number | null;
  connected: boolean;
}

/** Ask for a `Pong`. */
export interface Ping {
  type: "ping";
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** One seat of a table and who sits there. */
export interface Place {
  seat: number;
  kind: "bot" | "open" | "person";
  /** The strength of a bot, else empty. */
  bot: string;
  /** The name of the player; empty if the seat is free. */
  name: string;
  /** The name of the player's account, which has a profile. */
  account: string | null;
  number: number;
  person: boolean;
  connected: boolean;
  /** The player did not answer a question in time and has not answered one since. */
  late: boolean;
  /** The server chose the last action. */
  auto: boolean;
  timeouts: number;
  errors: number;
  /** The name of the person who takes the seat of this bot when the next deal begins. */
  next: string;
  /** The player wants to play the next match. */
  ready: boolean;
}

/** A match in the list of a player's results. */
export interface PlayedMatch {
  match: string;
  game: string;
  started: string;
  ended: string;
  players: string[];
  /** The account names of the players, by seat. */
  profiles: (string | null)[];
  seat: number;
  /** Null if the match was aborted, like both scores. */
  place: number | null;
  score: number | null;
  scores: number[] | null;
  /** After the match. */
  rating: Rating | null;
}

/** The answer to GET /api/players/<name>. */
export interface PlayerInfo {
  name: string;
  created: string;
  games: GameRecord[];
  /** One page, newest first. */
  results: PlayedMatch[];
  more: boolean;
}

/** A report of a player about another one. */
export interface PlayerReport {
  id: string;
  when: string;
  table: string;
  game: string;
  by: string;
  whom: string;
  text: string;
  /** The last chat messages at the table. */
  lines: ChatLine[];
}

/** The answer to `Ping`. */
export interface Pong {
  type: "pong";
  id: number | string | null;
}

/** A named set of options for people. */
export interface PresetRow {
  key: string;
  options: Record<string, boolean | number | string | string[]>;
  /** The number of seats; null: the largest possible number. */
  seats: number | null;
}

/** The body of every error response. */
export interface Problem {
  key: string;
  words: string;
  /** What it is about; absent if there is nothing to add. */
  about?: About;
}

/** A person, or the bots of one strength, in GET /api/players: the other member is null. */
export interface RankingRow {
  name: string | null;
  bot: string | null;
  matches: number;
  rating: Rating;
}

/** A rating: with a probability of 95 % it is within *interval* of *value*. */
export interface Rating {
  value: number;
  interval: number;
}

/** A rating after a match, and how the match has changed it. */
export interface RatingChange {
  value: number;
  interval: number;
  change: number;
}

/** The answer to GET /api/matches/<id>/ratings. */
export interface RatingChanges {
  /** False while the ratings are being computed. */
  rated: boolean;
  /** By seat. */
  ratings: (RatingChange | null)[];
}

/** The request was not carried out; nothing has changed. */
export interface Refused {
  type: "refused";
  id: number | string | null;
  /** The reason, for programs: one of the protocol's, or one of the game's rules. */
  key: string;
  /** The reason in English, for people. */
  words: string;
  /** What it is about; absent if there is nothing to add. */
  about?: About;
}

/** Remove a person from their seats and end their connections there; during a match a bot takes over. */
export interface Remove {
  act: "remove";
  name: string;
  /** Only at this table. */
  table?: string;
  /** The person who gives the order, for the audit log. */
  by?: string;
  /** The reason. The person concerned is told. */
  why?: string;
}

/** Rename an account, or a guest at the tables where they sit. */
export interface Rename {
  act: "rename";
  name: string;
  new: string;
  /** Rename them at this table only. */
  table?: string;
  /** The person who gives the order, for the audit log. */
  by?: string;
  /** The reason. The person concerned is told. */
  why?: string;
}

/** Report another player to the operator of the server, who also gets the last 30 chat messages. Answered by `Accepted` when the report is stored. At most 5 reports within 10 minutes. To mute a player, a client ignores their `Said`. */
export interface Report {
  type: "report";
  /** The seat of the player. */
  seat: number;
  /** What is wrong, in your own words. */
  text?: string;
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** The seed of a deal, sent after the deal has ended. */
export interface Reveal {
  type: "reveal";
  deal: number;
  seed: string;
}

/** The first line of GET /api/matches/<id>/review. */
export interface ReviewBegun {
  /** How many findings follow. */
  decisions: number;
}

/** The last line of a complete review. */
export interface ReviewEnded {
  done: true;
  /** A decision with at least this difference is costly. */
  costly: number;
}

/** One way to decide. */
export interface ReviewLine {
  actions: string[];
  /** The first event that each action would cause, for seats that may hear it. */
  events: unknown[];
  /** The expected payoff of the deal for the seat from there on, in points; null if it was not tried. */
  value: number | null;
  /** The number of simulations: the more, the more reliable. */
  visits: number;
}

/** An alternative at the last step of expert's decision. */
export interface ReviewOption {
  action: string;
  value: number;
  visits: number;
}

/** A chat message of a player. */
export interface Said {
  type: "said";
  seat: number;
  name: string;
  text: string;
}

/** Send a chat message of up to 500 characters to all connections at the table. */
export interface Say {
  type: "say";
  text: string;
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

export type ServerMessage =
  | Table
  | View
  | Event
  | Ask
  | Turn
  | Commit
  | Reveal
  | Said
  | Joined
  | Accepted
  | Refused
  | Pong
  | Closed
  | Notice;

/** The answer to POST /api/session and POST /api/account/recovery. */
export interface SessionInfo {
  name: string;
  token: string;
}

/** Start the table, or its next game. After a match: agree to play another one. The next match begins when all people at the table have agreed. Those who do not answer in time (`Table.answer_in`) lose their seats. */
export interface Start {
  type: "start";
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** The table and its players: sent on connecting, after joining, and after every change. */
export interface Table {
  type: "table";
  id: string;
  game: string;
  title: string;
  phase: "closed" | "gathering" | "playing" | "resting";
  /** The match begins as soon as all seats are taken. */
  started: boolean;
  options: Record<string, unknown>;
  table_options: Record<string, unknown>;
  /** Not null if the deals are reproducible. */
  seed: string | null;
  you: number | null;
  watch_open: boolean;
  watch_delay: number;
  seats: Place[];
  /** A seed, cards or a position was given, so a player could know the cards; the match is not rated. */
  fixed_deal: boolean;
  /** The commitment of the next deal, to which players may add a nonce; null if cards are given. */
  next_deal: string | null;
  /** The id of the current or last match. */
  match: string | null;
  /** Anyone may join, and people replace bots between deals. */
  quick_match: boolean;
  /** The seconds until bots take the free seats; null: they do not. */
  bots_in: number | null;
  /** After a match that someone wants to follow by another: the seconds left to agree. */
  answer_in: number | null;
}

/** The number of tables of a game in a phase. */
export interface TableCount {
  game: string;
  phase: string;
  count: number;
}

/** The answer to GET /api/tables/<id>/deals. */
export interface TableDeals {
  match: string | null;
  fixed_deal: boolean;
  deals: DealCommitment[];
  next_deal: string | null;
}

/** An open table, as GET /api/tables lists it. */
export interface TableRow {
  id: string;
  game: string;
  title: string;
  phase: "closed" | "gathering" | "playing" | "resting";
  seats: Place[];
  watch_delay: number;
  watchers: number;
  created: string;
  page: string;
  /** Counts the tables since the start of the server; the list is ordered by it. */
  number: number;
  /** Watchers see every hand, as long as no person plays. */
  watch_open: boolean;
  /** As in `Table`. */
  fixed_deal: boolean;
  /** Everyone has left it; a quick match also before the first player has come. */
  deserted: boolean;
  /** As in `Table`. */
  quick_match: boolean;
}

/** A table of a tournament. */
export interface TournamentBoard {
  table: string;
  /** By seat, like the next two, the scores and the places. */
  players: string[];
  bots: boolean[];
  /** The names of accounts. */
  profiles: (string | null)[];
  match: string | null;
  ended: boolean;
  scores: number[];
  places: number[];
}

/** The answer to GET /api/tournaments/<id>. */
export interface TournamentInfo {
  id: string;
  name: string;
  game: string;
  seats: number;
  format: "knockout" | "round-robin" | "swiss";
  rounds: number;
  starts: string;
  phase: "called off" | "open" | "over" | "running";
  entrants: number;
  /** The current round, from 1; 0 before the start. */
  round: number;
  page: string;
  fill: string;
  patience: number;
  options: Record<string, boolean | number | string | string[]>;
  players: string[];
  standings: TournamentStanding[];
  /** One list for each round. */
  tables: TournamentBoard[][];
}

/** A tournament, as GET /api/tournaments lists it. */
export interface TournamentRow {
  id: string;
  name: string;
  game: string;
  seats: number;
  format: "knockout" | "round-robin" | "swiss";
  rounds: number;
  starts: string;
  phase: "called off" | "open" | "over" | "running";
  entrants: number;
  /** The current round, from 1; 0 before the start. */
  round: number;
  page: string;
}

/** A line of the standings. */
export interface TournamentStanding {
  name: string;
  bot: boolean;
  profile: string | null;
  place: number;
  points: number;
  score: number;
  matches: number;
}

/** One frame of a connection, or its beginning or end. */
export interface TrafficEntry {
  number: number;
  /** Seconds since 1970. */
  at: number;
  /** Counts the connections of this log from 1. */
  connection: number;
  /** `house`, or the game whose own protocol it is. */
  protocol: string;
  /** `in` from the program, `out` to it, `ignored` if the server did not read it; `hang` if it ends the connection. */
  way: "end" | "hang" | "ignored" | "in" | "open" | "out";
  /** The frame, or its beginning; why a connection ends. */
  text: string;
  /** Characters of the whole frame; of `hang` and `end` the close code. */
  length: number;
}

/** A frame of the WebSocket /api/log/<id>. */
export interface TrafficFrame {
  /** It has all entries; otherwise the new ones. */
  whole: boolean;
  entries: TrafficEntry[];
}

/** The seats to act now, as far as this seat may know. */
export interface Turn {
  type: "turn";
  seats: number[];
  seconds: number | null;
}

/** Take back your last decision of this deal, with everything after it. Only in a match that is not rated, against bots, without a delay for watchers. The match ends as aborted, and a new match begins with the same cards and the same decisions before this one; `Table` and `View` follow. The record of the new match has the line `cards given`. */
export interface Undo {
  type: "undo";
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** Everything the seat may know: after joining, and on returning if missed events are no longer kept. */
export interface View {
  type: "view";
  /** The number of the last event included. */
  number: number;
  view: Record<string, unknown>;
  /** The number of the open question to the seat. */
  turn: number | null;
  /** The time left for it; null if there is no limit. */
  seconds: number | null;
}

/** Stay a watcher, with views and words as in `Join`. */
export interface Watch {
  type: "watch";
  views?: "all" | "ask";
  words?: boolean;
  language?: string;
  /** Returned in the answer to this message. */
  id?: number | string | null;
}

/** Withdraw the announcement of a restart. */
export interface Withdraw {
  act: "withdraw";
  /** The person who gives the order, for the audit log. */
  by?: string;
  /** The reason. The person concerned is told. */
  why?: string;
}

/** A view in words: the member `words` of a view, if the client requested it. */
export interface Words {
  /** The cards or dice, with a list for each suit. */
  hand: string[][];
  /** What all players see, line by line. */
  table: string[];
  /** The last trick or similar. */
  last: string;
  /** The rows of a table, beginning with its heading. */
  scores: string[][];
  /** The question to this seat. */
  question: string | null;
}
