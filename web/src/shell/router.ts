/** A minimal router on the browser's history. */

import { signal } from "@preact/signals";

export type Route =
  | { page: "home" }
  | { page: "table"; id: string; sit?: number | null; watch?: true; invitation?: string }
  | { page: "replay"; id: string; deal?: number; step?: number }
  | { page: "notation" }
  | { page: "connect"; id: string; table?: string }
  | { page: "tournament"; id: string }
  | { page: "player"; id: string; game?: string }
  | { page: "players"; id: string }
  | { page: "operator" }
  | { page: "unknown" };

/** Return the page for *path* and *search*. */
export function parse(path: string, search = ""): Route {
  const parts = path.split("/").filter(Boolean).map(decode);
  const query = new URLSearchParams(search);
  const invitation = query.get("invitation");
  const invited = invitation !== null ? { invitation } : {};
  const [first, id] = parts;
  if (first === undefined) return { page: "home" };
  // Watcher addresses, the same for programs and browsers: they never take a seat.
  if (first === "watch" && parts.length === 1) return { page: "table", id: "default", watch: true };
  if (first === "t" && id !== undefined && parts[2] === "watch" && parts.length === 3) {
    return { page: "table", id, watch: true, ...invited };
  }
  if (first === "notation" && parts.length === 1) return { page: "notation" };
  if (first === "operator" && parts.length === 1) return { page: "operator" };
  if (id === undefined || parts.length > 2) return { page: "unknown" };
  if (first === "table" || first === "t") {
    const sit = query.get("sit");
    if (sit === null) return { page: "table", id, ...invited };
    return { page: "table", id, sit: /^\d+$/u.test(sit) ? Number(sit) : null, ...invited };
  }
  if (first === "tournament") return { page: "tournament", id };
  if (first === "player") {
    const game = query.get("game");
    return { page: "player", id, ...(game && { game }) };
  }
  if (first === "players") return { page: "players", id };
  if (first === "connect") {
    const table = query.get("table");
    return { page: "connect", id, ...(table && { table }) };
  }
  if (first === "replay") {
    const deal = Number(query.get("deal") ?? NaN);
    const step = Number(query.get("step") ?? NaN);
    return {
      page: "replay",
      id,
      ...(Number.isInteger(deal) && deal > 0 && { deal }),
      ...(Number.isInteger(step) && step >= 0 && { step }),
    };
  }
  return { page: "unknown" };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const here = (): Route => parse(location.pathname, location.search);

export const route = signal<Route>(typeof location === "undefined" ? { page: "home" } : here());

export function go(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  if (how === "push") scrollTo(0, 0);
  route.value = here();
}

/** Change the address without leaving the page, so that the link contains the position. */
export function note(address: string): void {
  history.replaceState(null, "", address);
}

/** Make clicks on internal links change the page without reloading. */
export function startRouter(): void {
  addEventListener("popstate", () => (route.value = here()));
  document.addEventListener("click", (click) => {
    if (click.defaultPrevented || click.button !== 0) return;
    if (click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    const link = (click.target as Element | null)?.closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
    if (link.hash && link.pathname === location.pathname) return;
    click.preventDefault();
    go(link.pathname + link.search);
  });
}
