/** The HTTP API of notations. */

import type { NotationSummary, NotationTable } from "../games/taroky.types";
import { post } from "../net/api";
import type { KeptMatch, Opened } from "../net/protocol";

export const check = (text: string) => post<NotationSummary>("/api/notation/check", { text });
export const keep = (text: string) => post<KeptMatch>("/api/notation/record", { text });
export const play = (body: NotationTable) => post<Opened>("/api/notation/table", body);
