/** Texts of the operator's page, in English. */

export const en = {
  title: "Operator",
  lead: "What this server is doing, read anew every two seconds.",
  token: "Operator's token",
  "token.more": "The content of the file that the server was given with --operator-token-file. It is kept until this tab is closed.",
  "token.open": "Look",
  "token.wrong": "The server does not know this token.",
  "token.forget": "Forget the token",
  none: "This server has no operator's page",
  "none.more": "Start it with --operator-token-file FILE, where FILE holds a token of at least 16 characters, or set operator_token_file in its configuration.",
  away: "The server does not answer; what you see is {n} s old.",

  uptime: "Running for",
  connections: "Connections",
  tables: "Open tables",
  actions: "Moves in all",
  rate: "Moves a second",
  late: "Delay of the event loop",
  queue: "Store: waiting",
  commit: "Store: last commit",
  "rate.more": "mean of the last minute",
  "late.more": "highest of the last minute",
  "queue.more": "writes that are not on disk yet",
  "commit.more": "highest of the last minute",

  plots: "The last two minutes",
  "plot.label": "{title}: now {now}, highest {high} in the last {n} seconds",
  "plot.high": "highest {high}",

  "tables.title": "Tables by game and phase",
  "tables.none": "No table is open.",
  "tables.game": "Game",
  "tables.phase": "Phase",
  "tables.count": "Tables",
  "broken.title": "Broken tables",
  "broken.more": "They could not be brought back from their records; the log says why.",
  "thinkers.title": "Thinking bots",
  "store.title": "Event log",
  "store.name": "Count",
  "store.value": "Value",
  "versions.title": "Versions",
  "versions.rules": "Rules",
} as const;

export type OperatorTexts = Record<keyof typeof en, string>;
