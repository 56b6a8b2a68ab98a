/** Texts of the operator's page, in English. */

export const en = {
  title: "Operator",
  lead: "Server status, updated every two seconds.",
  token: "Operator token",
  "token.more": "The content of the file given to the server with --operator-token-file. It is kept until you close this tab.",
  "token.open": "View",
  "token.wrong": "The server does not accept this token.",
  "token.forget": "Forget the token",
  none: "This server has no operator page",
  "none.more": "Start it with --operator-token-file FILE, where FILE contains a token of at least 16 characters, or set operator_token_file in the configuration.",
  away: "The server is not responding. These figures are {n} s old.",

  uptime: "Uptime",
  connections: "Connections",
  tables: "Open tables",
  actions: "Moves in total",
  rate: "Moves per second",
  late: "Event loop delay",
  queue: "Store: queued writes",
  commit: "Store: last commit",
  "rate.more": "average over the last minute",
  "late.more": "maximum over the last minute",
  "queue.more": "not yet on disk",
  "commit.more": "maximum over the last minute",

  plots: "The last two minutes",
  "plot.label": "{title}: now {now}, maximum {high} in the last {n} seconds",
  "plot.high": "maximum {high}",

  "tables.title": "Tables by game and phase",
  "tables.none": "No tables are open.",
  "tables.game": "Game",
  "tables.phase": "Phase",
  "tables.count": "Tables",
  "broken.title": "Broken tables",
  "broken.more": "These tables could not be restored from their records. The server log has the reason.",
  "pool.title": "Bot pool",
  "store.title": "Event log",
  "store.name": "Counter",
  "store.value": "Value",
  "versions.title": "Versions",
  "versions.rules": "Rules",
} as const;

export type OperatorTexts = Record<keyof typeof en, string>;
