/** The lobby over HTTP. */

import type {
  DealSteps,
  GameInfo,
  House,
  MatchInfo,
  MatchRow,
  NewTable,
  TableRow,
} from "./protocol";

export class ApiError extends Error {
  constructor(
    readonly key: string,
    words: string,
    readonly status: number,
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
    throw new ApiError(told.key ?? "failed", told.words ?? `the server says ${answer.status}`, answer.status);
  }
  return (await answer.json()) as T;
}

export const api = {
  house: () => request<House>("/api/house"),
  games: () => request<GameInfo[]>("/api/games"),
  tables: () => request<TableRow[]>("/api/tables"),
  create: (wish: NewTable) =>
    request<{ id: string; page: string } & Record<string, string>>("/api/tables", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(wish),
    }),
  matches: (limit: number, game?: string) =>
    request<MatchRow[]>(`/api/matches?limit=${limit}${game ? `&game=${encodeURIComponent(game)}` : ""}`),
  match: (id: string) => request<MatchInfo>(`/api/matches/${encodeURIComponent(id)}`),
  steps: (id: string, deal: number) =>
    request<DealSteps>(`/api/matches/${encodeURIComponent(id)}/steps?deal=${deal}`),
  recordAddress: (id: string) => `/api/matches/${encodeURIComponent(id)}/record`,
};

/** Return the WebSocket address of *path* on the server this page came from. */
export function socketAddress(path: string, where: { protocol: string; host: string } = location): string {
  return `${where.protocol === "https:" ? "wss:" : "ws:"}//${where.host}${path}`;
}
