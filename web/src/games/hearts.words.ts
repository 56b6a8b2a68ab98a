/** Texts of Hearts: prompts, status, score sheet. */

import { cardName } from "../cards/french";
import { nameOf } from "../table/Seat";
import { lookUp, score, t } from "../texts";
import {
  acting,
  type DealResult,
  type HeartsView,
  receiver,
  SEAT_NUMBERS,
  stage,
  sums,
} from "./hearts.facts";
import type { Ending, Scene, SheetRow } from "./page";
import { ranks, totalRow } from "./sheet";

export type HeartsScene = Scene<HeartsView>;

/** Return the prompt for the decision that is due. */
export function status(scene: HeartsScene): string {
  const { view, question, you, seats } = scene;
  const legal = question?.legal[0] ?? "";
  if (legal.startsWith("pass")) {
    return t("hearts.pass.prompt", { name: nameOf(seats, receiver(view.direction, you ?? 0) ?? 0) });
  }
  if (question?.legal.includes("expose AH")) return t("hearts.expose.prompt");
  if (legal.startsWith("play")) {
    return t(view.leader === you ? "hearts.play.lead" : "hearts.play.prompt");
  }
  switch (stage(view)) {
    case "match":
      return t("hearts.matchOver");
    case "game":
      return t("hearts.gameOver", { game: view.game });
    case "between":
      return t("hearts.nextDeal");
    case "start":
      return t("hearts.dealing");
  }
  if (view.phase === "passing") {
    return t(you !== null && view.passed.includes(you) ? "hearts.pass.wait" : "hearts.pass.passing");
  }
  if (view.phase === "exposing" && view.exposed === null) return t("hearts.expose.wait");
  const [next] = acting(view);
  if (view.phase === "playing" && next !== undefined && next !== you) {
    return t("hearts.play.wait", { name: nameOf(seats, next) });
  }
  return view.phase === "dealing" ? t("hearts.dealing") : "";
}

/** Return a score as people count it: in penalty points, of which the fewest win. */
export function penalty(points: number): string {
  return score(0 - points);
}

/** Return the status line of the match. */
export function standing(view: HeartsView): string[] {
  const parts: string[] = [];
  const games = Number(view.options.match_games ?? 1);
  const deals = Number(view.options.deals ?? 4);
  if (games > 1 && view.game) parts.push(t("hearts.gameOf", { game: view.game, games }));
  const target = games === 1 ? Number(view.options.target ?? 0) : 0;
  if (view.deal && target) parts.push(t("sheet.deal", { n: view.deal }), t("hearts.target", { n: target }));
  else if (view.deal) parts.push(t("hearts.dealOf", { deal: view.deal, deals }));
  if (view.phase === "playing" && view.round) parts.push(t("hearts.round", { n: view.round }));
  else if (["passing", "exposing"].includes(view.phase) && view.direction !== "none") {
    parts.push(t(`hearts.direction.${view.direction}`));
  }
  return parts;
}

/** Return the result of a game or the match, or null before its end. */
export function ending(view: HeartsView): Ending | null {
  const now = stage(view);
  if (now !== "game" && now !== "match") return null;
  const totals = now === "match" ? sums(view.games) : view.totals;
  return {
    title: now === "match" ? t("hearts.matchOver") : t("hearts.gameOver", { game: view.game }),
    totals: totals.map((total) => 0 - total),
    ranks: ranks(totals),
    final: now === "match",
  };
}

/** Return the score lines for the cards taken in the current deal; *moon* is the seat that shot the moon, once settled. */
function scoreLines(view: HeartsView, exposed: boolean, moon: number | null): SheetRow["lines"] {
  const cells = (worth: (cards: string[]) => number | string) =>
    view.taken.map((cards) => {
      const text = worth(cards);
      return typeof text === "string" ? text : text ? score(text) : "–";
    });
  const lines = [
    {
      label: t(exposed ? "hearts.line.double" : "hearts.line.hearts"),
      cells: cells((cards) => cards.filter((card) => card.endsWith("H")).length * (exposed ? 2 : 1)),
    },
    { label: cardName("QS"), cells: cells((cards) => (cards.includes("QS") ? 13 : 0)) },
  ];
  if (view.options.ten_of_clubs !== false) {
    lines.push({ label: cardName("TC"), cells: cells((cards) => (cards.includes("TC") ? "×2" : 0)) });
  }
  if (moon !== null) {
    lines.push({
      label: lookUp(`hearts.choice.${String(view.options.moon)}`, t("hearts.moon")),
      cells: view.taken.map((_, seat) => (seat === moon ? "★" : "–")),
    });
  }
  return lines.filter((line) => line.cells.some((text) => text !== "–"));
}

function dealRow(view: HeartsView, result: DealResult, number: number): SheetRow {
  // The cards of earlier deals are not in the view.
  const here = number === view.deal && view.taken.some((cards) => cards.length);
  return {
    key: `deal ${number}`,
    label: t("sheet.deal", { n: number }),
    ...(here && { lines: scoreLines(view, result.exposed !== null, result.moon) ?? [] }),
    cells: result.scores.map((points, seat) => ({
      text: penalty(points),
      marks: [
        ...(result.moon === seat ? [{ icon: "moon" as const, label: t("hearts.moon") }] : []),
        ...(result.exposed === seat ? [{ icon: "ace" as const, label: t("hearts.showed") }] : []),
      ],
    })),
  };
}

/** Return the rows of the score sheet: finished deals, the current deal, totals, games. */
export function sheet(scene: HeartsScene): SheetRow[] {
  const { view } = scene;
  const rows = view.deals.map((result, index) => dealRow(view, result, index + 1));
  if (view.deal > view.deals.length) {
    rows.push({
      key: "now",
      label: t("sheet.deal", { n: view.deal }),
      kind: "now",
      cells: SEAT_NUMBERS.map((seat) => ({
        text: penalty(view.scores[seat] ?? 0),
        marks: view.exposed === seat ? [{ icon: "ace", label: t("hearts.showed") }] : [],
      })),
    });
  }
  rows.push(totalRow("total", t("sheet.total"), view.totals, penalty));
  if (Number(view.options.match_games ?? 1) > 1 && view.games.length) {
    view.games.forEach((totals, index) =>
      rows.push({
        key: `game ${index + 1}`,
        label: t("sheet.game", { n: index + 1 }),
        cells: totals.map((total) => ({ text: penalty(total) })),
      }),
    );
    rows.push(totalRow("match", t("sheet.match"), sums(view.games), penalty));
  }
  return rows;
}
