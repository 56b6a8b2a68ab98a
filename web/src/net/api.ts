/** The HTTP API. */

import { fill, lookUp, t } from "../texts";
import { loggedIn, myToken } from "./identity";
import type { Hinted } from "../review/findings";
import type {
  AccountInfo,
  DealSteps,
  GameInfo,
  House,
  MatchInfo,
  MatchRow,
  ModerationOverview,
  NewAccount,
  NewTable,
  NewTournament,
  Opened,
  OperatorReport,
  Order,
  PlayerInfo,
  RankingRow,
  RatingChanges,
  SessionInfo,
  Tournament,
  TournamentRow,
} from "./protocol";

/** A refused request, in the language of the pages; in English mostly in the words of the server. */
export class ApiError extends Error {
  constructor(
    readonly key: string,
    words: string,
    readonly status: number,
    /** The whole answer of the server. */
    readonly told: object = {},
  ) {
    super(words);
  }
}

async function fetched(path: string, init?: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new ApiError("unreachable", t("error.unreachable"), 0);
  }
  if (!answer.ok) {
    const told = (await answer.json().catch(() => ({}))) as { key?: string; words?: string };
    const { key = "failed", words = String(answer.status) } = told;
    throw new ApiError(key, fill(lookUp(`error.${key}`, words), { words }), answer.status, told);
  }
  return answer;
}

async function request<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await fetched(path, init)).json()) as T;
}

/** Send a request with a body. */
export function post<T>(path: string, body: object, method = "POST", token?: string): Promise<T> {
  return request<T>(path, {
    method,
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
}

function bearer(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** Send a request whose answer has no content. */
async function order(path: string, token: string, method: string, body: object | null = null): Promise<void> {
  const type = body && { "content-type": "application/json" };
  const headers = { authorization: `Bearer ${token}`, ...type };
  await fetched(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

export const api = {
  house: () => request<House>("/api/house"),
  games: () => request<GameInfo[]>("/api/games"),
  texts: (game: string, language: string) =>
    request<Record<string, string>>(`/api/games/${encodeURIComponent(game)}/texts/${language}`),
  rules: async (game: string, language: string): Promise<string> =>
    (await fetched(`/api/games/${encodeURIComponent(game)}/rules/${language}`)).text(),
  /** Return whether a table is open; its address answers an ordinary request with 426 then. */
  exists: async (id: string): Promise<boolean> => {
    try {
      await fetched(`/house/${encodeURIComponent(id)}`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) throw error;
      return error.status !== 404;
    }
    return true;
  },
  /** Open a table; those of an account are counted for it. */
  create: (body: NewTable) =>
    post<Opened>("/api/tables", body, "POST", loggedIn.peek() ? myToken.peek() : undefined),
  /** Find a public table of a game with room for a person, or open one. */
  quickMatch: (game: string) =>
    post<Opened>("/api/quick-match", { game }, "POST", loggedIn.peek() ? myToken.peek() : undefined),
  matches: (limit: number, game?: string) =>
    request<MatchRow[]>(`/api/matches?limit=${limit}${game ? `&game=${encodeURIComponent(game)}` : ""}`),
  match: (id: string) => request<MatchInfo>(`/api/matches/${encodeURIComponent(id)}`),
  ratings: (id: string) => request<RatingChanges>(`/api/matches/${encodeURIComponent(id)}/ratings`),
  steps: (id: string, deal: number) =>
    request<DealSteps>(`/api/matches/${encodeURIComponent(id)}/steps?deal=${deal}`),
  /** One line of JSON for each decision, sent as it is reviewed. */
  review: (id: string, deal: number, signal: AbortSignal) =>
    fetched(`/api/matches/${encodeURIComponent(id)}/review?deal=${deal}`, { signal }),
  hint: (table: string, token: string) =>
    post<Hinted>(`/api/tables/${encodeURIComponent(table)}/hint`, { token }),
  tournaments: () => request<TournamentRow[]>("/api/tournaments"),
  tournament: (id: string) => request<Tournament>(`/api/tournaments/${encodeURIComponent(id)}`),
  newTournament: (body: NewTournament) => post<Tournament>("/api/tournaments", body),
  cancel: (id: string, token: string) =>
    post<Tournament>(`/api/tournaments/${encodeURIComponent(id)}`, { token }, "DELETE"),
  enter: (id: string, name: string, token: string) =>
    post<Tournament>(`/api/tournaments/${encodeURIComponent(id)}/entry`, { name, token }),
  withdraw: (id: string, name: string, token: string) =>
    post<Tournament>(`/api/tournaments/${encodeURIComponent(id)}/entry`, { name, token }, "DELETE"),
  operator: (token: string) =>
    request<OperatorReport>("/api/operator", bearer(token)),
  moderation: (token: string) => request<ModerationOverview>("/api/operator/moderation", bearer(token)),
  order: (token: string, order: Order) => post<object>("/api/operator/orders", order, "POST", token),
  account: (token: string) => request<AccountInfo>("/api/account", bearer(token)),
  makeAccount: (name: string, password: string, guest: string) =>
    post<NewAccount>("/api/account", { name, password, guest }),
  recover: (name: string, code: string, password: string) =>
    post<SessionInfo>("/api/account/recovery", { name, code, password }),
  logIn: (name: string, password: string, guest: string) => post<SessionInfo>("/api/session", { name, password, guest }),
  logOut: (token: string) => order("/api/session", token, "DELETE"),
  changePassword: (token: string, old: string, fresh: string) =>
    order("/api/account/password", token, "POST", { old, new: fresh }),
  deleteAccount: (token: string, password: string) => order("/api/account", token, "DELETE", { password }),
  player: (name: string, limit: number, game?: string, before?: string) => {
    const query = new URLSearchParams({ limit: String(limit), ...(game && { game }), ...(before && { before }) });
    return request<PlayerInfo>(`/api/players/${encodeURIComponent(name)}?${query.toString()}`);
  },
  ranking: (game: string, bots: boolean) =>
    request<RankingRow[]>(`/api/players?game=${encodeURIComponent(game)}&limit=100&bots=${bots ? "yes" : "no"}`),
  record: async (id: string): Promise<string> => (await fetched(api.recordAddress(id))).text(),
  recordAddress: (id: string) => `/api/matches/${encodeURIComponent(id)}/record`,
};

/** Return the WebSocket address of *path* on the server of this page. */
export function socketAddress(path: string, where: { protocol: string; host: string } = location): string {
  return `${where.protocol === "https:" ? "wss:" : "ws:"}//${where.host}${path}`;
}
