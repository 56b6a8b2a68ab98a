/** Texts of Coinche: prompts, status, score sheet. */

import { called, nameOf } from "../table/Seat";
import { asSentence, list, lookUp, score, t } from "../texts";
import {
  acting,
  type CoincheView,
  type DealResult,
  type Doubled,
  legalBids,
  type Line,
  partnerOf,
  type PlayedDeal,
  sideOfSeat,
  SIDES,
  splitContract,
  stage,
  takenPoints,
  TRICKS,
  wasPlayed,
} from "./coinche.facts";
import type { Ending, Scene, SheetRow } from "./page";
import { totalRow } from "./sheet";

export type CoincheScene = Scene<CoincheView>;

export function levelName(level: string): string {
  return lookUp(`coinche.level.${level}`, level);
}

export function kindName(kind: string): string {
  return lookUp(`coinche.kind.${kind}`, kind);
}

/** Return "110 hearts" for "110 Hearts". */
export function contractName(contract: string): string {
  const { level, kind } = splitContract(contract);
  return t("coinche.contract", { level: levelName(level), kind: kindName(kind) });
}

/** Return the text of a call: "pass", "coinche", "110 hearts". */
export function callName(call: string): string {
  if (call.startsWith("CONTRACT ")) return contractName(call.slice("CONTRACT ".length));
  return lookUp(`coinche.call.${call}`, call);
}

/** Return the contract, its declarer, and whether it was coinched. */
export function contractBy(scene: CoincheScene, contract: string, bidder: number, doubled: Doubled): string {
  return t(`coinche.by.${doubled}`, { contract: contractName(contract), name: called(scene, bidder) });
}

export function sideNames(scene: CoincheScene, side: number): string {
  return list((SIDES[side] ?? []).map((seat) => called(scene, seat)));
}

/** Return a short name for each side: "us" and "them" for a player, letters for watchers. */
export function sideWords(scene: CoincheScene): string[] {
  const { you } = scene;
  if (you === null) return [t("coinche.team.A"), t("coinche.team.B")];
  return SIDES.map((side) => t(side.includes(you) ? "coinche.us" : "coinche.them"));
}

function bidding(scene: CoincheScene, legal: string[], you: number): string {
  const { view, seats } = scene;
  if (view.contract === null || view.bidder === null) return t("coinche.bid.open");
  const values = { contract: contractName(view.contract), name: nameOf(seats, view.bidder) };
  if (legal.includes("SURCOINCHE")) return t("coinche.bid.answer", values);
  const open = legalBids(legal).size > 0;
  if (legal.includes("COINCHE")) return t(open ? "coinche.bid.over" : "coinche.bid.close", values);
  if (!open) return t("coinche.bid.pass", values);
  return t(view.bidder === partnerOf(you) ? "coinche.bid.partner" : "coinche.bid.own", values);
}

/** Return the prompt for the decision that is due. */
export function status(scene: CoincheScene): string {
  const { view, question, you, seats } = scene;
  const now = stage(view);
  if (question && you !== null) {
    if (now === "bidding") return asSentence(bidding(scene, question.legal, you));
    return t(view.leader === you ? "coinche.play.lead" : "coinche.play.prompt");
  }
  const [next] = acting(view);
  const name = next === undefined || next === you ? null : nameOf(seats, next);
  switch (now) {
    case "over":
      return t("coinche.matchOver");
    case "between":
      return t("coinche.nextDeal");
    case "start":
      return t("coinche.dealing");
    case "bidding":
      if (view.factor !== null) return t("coinche.bid.over.wait");
      return name ? t("coinche.bid.wait", { name }) : "";
    case "playing":
      return name ? t("coinche.play.wait", { name }) : "";
  }
}

/** Return the status line of the match. */
export function standing(view: CoincheView): string[] {
  if (!view.deal) return [];
  const parts = [t("coinche.deal", { deal: view.deal }), t("coinche.target", { target: target(view) })];
  if (view.phase === "playing" && view.trick) parts.push(t("coinche.trick", { n: view.trick }));
  return parts;
}

function target(view: CoincheView): number {
  return Number(view.options.target ?? 0);
}

/** Return the result of the match, or null before its end. */
export function ending(view: CoincheView): Ending | null {
  if (view.winner === null) return null;
  return {
    title: t("coinche.matchOver"),
    totals: view.totals,
    ranks: view.winner === "A" ? [1, 2] : [2, 1],
    final: true,
  };
}

/** Return whether a contract was made, and by how much. */
export function outcome(deal: PlayedDeal): string {
  if (deal.needed === null) {
    if (deal.made) return t("coinche.made.tricks");
    const taken = deal.tricks[sideOfSeat(deal.bidder)] ?? 0;
    return taken === TRICKS ? t("coinche.failed.alone") : t("coinche.failed.tricks", { n: taken });
  }
  const values = { reached: deal.reached, needed: deal.needed };
  if (deal.made) return t("coinche.made", values);
  return t(deal.reached >= deal.needed ? "coinche.failed.beaten" : "coinche.failed", values);
}

/** Return the label of *line* in the account of a deal; *view* contains the rules. */
export function lineName(line: Line, deal: PlayedDeal, view: CoincheView): string {
  const factor = Number(
    deal.doubled === 0 ? 1 : view.options[deal.doubled === 1 ? "coinche_factor" : "surcoinche_factor"],
  );
  switch (line.what) {
    case "points":
      return t(view.options.rounding === "none" ? "coinche.line.points" : "coinche.line.points.rounded");
    case "total": {
      const told = t(deal.made ? "coinche.line.total.coinched" : "coinche.line.total.failed");
      const times = factor > 1 && view.options.coinche_scope === "all";
      return times ? t("coinche.line.total.times", { line: told, factor }) : told;
    }
    case "contract": {
      if (factor === 1) return t("coinche.line.contract");
      const value = Math.max(...line.scores) / factor;
      return t("coinche.line.contract.times", { value, factor });
    }
    case "belote":
      return t("coinche.line.belote");
  }
}

export function lineCells(scores: number[]): string[] {
  return scores.map((points) => (points ? score(points) : "–"));
}

function dealRow(scene: CoincheScene, deal: DealResult, number: number): SheetRow {
  const { view } = scene;
  const row: SheetRow = {
    key: `deal ${number}`,
    label: t("sheet.deal", { n: number }),
    note: t("coinche.note.out"),
    cells: deal.scores.map((points) => ({ text: score(points) })),
  };
  if (!wasPlayed(deal)) return row;
  return {
    ...row,
    note: t("coinche.note", {
      contract: contractBy(scene, deal.contract, deal.bidder, deal.doubled),
      outcome: outcome(deal),
    }),
    lines: deal.lines.map((line) => ({
      label: lineName(line, deal, view),
      cells: lineCells(line.scores),
    })),
  };
}

/** Return the rows of the score sheet: finished deals, the current deal, totals. */
export function sheet(scene: CoincheScene): SheetRow[] {
  const { view } = scene;
  const rows = view.deals.map((deal, index) => dealRow(scene, deal, index + 1));
  if (view.deal > view.deals.length) {
    rows.push({
      key: "now",
      label: t("sheet.deal", { n: view.deal }),
      note:
        view.contract === null || view.bidder === null
          ? t("coinche.note.bidding")
          : contractBy(scene, view.contract, view.bidder, view.doubled),
      kind: "now",
      cells: takenPoints(view).map((points) => ({ text: score(points) })),
    });
  }
  rows.push(totalRow("total", t("coinche.total", { target: target(view) }), view.totals));
  return rows;
}
