/** The lobby over HTTP. */

import type {
  DealSteps,
  GameInfo,
  House,
  MatchInfo,
  MatchRow,
  NewTable,
  NotationSummary,
  NotationWish,
  OperatorReport,
  TableRow,
} from "./protocol";

export class ApiError extends Error {
  constructor(
    readonly key: string,
    words: string,
    readonly status: number,
    /** All that the server said about it. */
    readonly told: object = {},
  ) {
    super(words);
  }
}

async function request<T>(path: string, init?: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new ApiError("unreachable", "the server does not answer", 0);
  }
  if (!answer.ok) {
    const told = (await answer.json().catch(() => ({}))) as { key?: string; words?: string };
    throw new ApiError(told.key ?? "failed", told.words ?? `the server says ${answer.status}`, answer.status, told);
  }
  return (await answer.json()) as T;
}

function post<T>(path: string, body: object): Promise<T> {
  return request<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

export const api = {
  house: () => request<House>("/api/house"),
  games: () => request<GameInfo[]>("/api/games"),
  tables: () => request<TableRow[]>("/api/tables"),
  create: (wish: NewTable) => post<{ id: string; page: string } & Record<string, string>>("/api/tables", wish),
  matches: (limit: number, game?: string) =>
    request<MatchRow[]>(`/api/matches?limit=${limit}${game ? `&game=${encodeURIComponent(game)}` : ""}`),
  match: (id: string) => request<MatchInfo>(`/api/matches/${encodeURIComponent(id)}`),
  steps: (id: string, deal: number) =>
    request<DealSteps>(`/api/matches/${encodeURIComponent(id)}/steps?deal=${deal}`),
  checkNotation: (text: string) => post<NotationSummary>("/api/notation/check", { text }),
  keepNotation: (text: string) => post<{ id: string; page: string }>("/api/notation/record", { text }),
  playNotation: (wish: NotationWish) => post<{ id: string; page: string }>("/api/notation/table", wish),
  operator: (token: string) =>
    request<OperatorReport>("/api/operator", { headers: { authorization: `Bearer ${token}` } }),
  recordAddress: (id: string) => `/api/matches/${encodeURIComponent(id)}/record`,
};

/** Return the WebSocket address of *path* on the server this page came from. */
export function socketAddress(path: string, where: { protocol: string; host: string } = location): string {
  return `${where.protocol === "https:" ? "wss:" : "ws:"}//${where.host}${path}`;
}
