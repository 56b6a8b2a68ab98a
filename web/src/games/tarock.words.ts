/** Texts of Slovenian Tarock: prompts, status, score sheet. */

import { called, nameOf } from "../table/Seat";
import { list, lookUp, score, t } from "../texts";
import type { Ending, Scene, SheetRow } from "./page";
import { totalRow } from "./sheet";
import {
  answersTo,
  type DealResult,
  faceOf,
  type Line,
  ranks,
  SEAT_NUMBERS,
  scorers,
  stage,
  type TarockView,
  TRICKS,
  valueOf,
} from "./tarock.facts";

export type TarockScene = Scene<TarockView>;

/** Return "king of hearts" for "HK", "tarock 17" for "T17", and the trula by name. */
export function cardName(code: string): string {
  const { suit, rank } = faceOf(code);
  if (suit === "T") return lookUp(`tarock.name.${rank}`, t("tarock.name", { n: rank }));
  return t("card.name", { rank: lookUp(`rank.${rank}`, rank), suit: lookUp(`suit.${suit}`, suit) });
}

export function contractName(contract: string): string {
  return lookUp(`tarock.contract.${contract}`, contract);
}

/** Return the name of an item of the account or the answers: the game, or a bonus. */
export function itemName(item: string): string {
  return lookUp(`tarock.item.${item}`, item);
}

/** Return the name of the next doubling of an item with *factor*. */
export function kontraName(factor: number): string {
  return lookUp(`tarock.kontra.${factor}`, `×${factor}`);
}

// Prompts.

function asked(scene: TarockScene): string | null {
  const { view, question, you } = scene;
  const verb = question?.legal[0]?.split(" ")[0] ?? "";
  switch (verb) {
    case "bid":
      if (question?.legal.includes("bid pass")) return t("tarock.bid.prompt");
      return t(view.bids.some((bid) => bid.bid !== "pass") ? "tarock.bid.last" : "tarock.bid.free");
    case "call":
      return t("tarock.call.prompt");
    case "take":
      return t("tarock.talon.prompt");
    case "discard":
      return awayWords(left(view));
    case "announce":
    case "kontra":
    case "done":
      return t(answersTo(question?.legal ?? [], "announce").length ? "tarock.announce.prompt" : "tarock.kontra.prompt");
    case "play":
      return t(view.trick.length === 0 && view.leader === you ? "tarock.play.lead" : "tarock.play.prompt");
  }
  return null;
}

export function awayWords(many: number): string {
  return t("tarock.discard.prompt", { n: many });
}

/** Return how many cards must still be discarded. */
export function left(view: TarockView): number {
  return view.count - view.my_discards.length;
}

/** Return the prompt for the decision that is due. */
export function status(scene: TarockScene): string {
  const { view, you, seats } = scene;
  const due = asked(scene);
  if (due) return due;
  switch (stage(view)) {
    case "match":
      return t("tarock.matchOver");
    case "between":
      return t("tarock.nextDeal");
    case "start":
      return t("tarock.dealing");
  }
  if (view.phase === "dealing" || view.phase === "over") return t("tarock.dealing");
  if (view.turn === null || view.turn === you) return "";
  return t(`tarock.wait.${view.phase}`, { name: nameOf(seats, view.turn) });
}

/** Return the status line of the match. */
export function standing(view: TarockView): string[] {
  const parts: string[] = [];
  if (view.deal) parts.push(t("tarock.dealOf", { deal: view.deal, deals: Number(view.options.deals ?? 12) }));
  if (view.contract) parts.push(contractName(view.contract));
  if (view.phase === "playing") {
    parts.push(t("tarock.trickOf", { n: Math.min(view.tricks.length + 1, TRICKS), of: TRICKS }));
  }
  return parts;
}

/** Return what a seat announces in its turn: bonuses, and items to double. */
export function announcement(bonuses: string[], kontras: string[]): string {
  const parts = [...bonuses.map(itemName), ...kontras.map((item) => t("tarock.kontraOn", { item: itemName(item) }))];
  return parts.length ? list(parts) : t("tarock.nothing");
}

/** Return the outcome of a deal: "Ann and Ben: three won, 41 points to 29." */
export function outcome(result: DealResult, scene: TarockScene): string {
  if (result.contract === "klop") return t("tarock.outcome.klop");
  const values = {
    names: list(scorers(result).map((seat) => called(scene, seat))),
    contract: contractName(result.contract),
    ours: result.points[0] ?? 0,
    theirs: result.points[1] ?? 0,
  };
  if (result.points.length) return t(result.won ? "tarock.outcome.won.points" : "tarock.outcome.lost.points", values);
  return t(result.won ? "tarock.outcome.won" : "tarock.outcome.lost", values);
}

// The account of a deal.

export interface AccountLine {
  label: string;
  /** By seat; null if the line does not apply to a seat. */
  scores: (number | null)[];
}

function only(seats: number[], points: number): (number | null)[] {
  return SEAT_NUMBERS.map((seat) => (seats.includes(seat) ? points : null));
}

function times(kontra: number): string {
  return kontra > 1 ? t("tarock.line.times", { name: kontraName(kontra), n: kontra }) : "";
}

function lineLabel(line: Line, result: DealResult, scene: TarockScene): string {
  if (line.item === "game") {
    const values = { contract: contractName(result.contract), value: line.value ?? 0, difference: line.difference ?? 0 };
    const difference = line.difference
      ? t("tarock.line.difference", { n: line.difference, points: result.points[0] ?? 0 })
      : "";
    return t(result.won ? "tarock.line.won" : "tarock.line.lost", values) + difference + times(line.kontra);
  }
  const how = line.announced
    ? typeof line.by === "number"
      ? t("tarock.line.announced", { name: called(scene, line.by) })
      : ""
    : t("tarock.line.silent");
  return itemName(line.item) + how + (line.made ? "" : t("tarock.line.failed")) + times(line.kontra);
}

function klopLines(result: DealResult, scene: TarockScene): AccountLine[] {
  const { points } = result;
  const extreme = points.some((taken) => taken === 0 || taken > 35);
  const doubled = result.doubled.length > 0;
  const unit = Number(scene.view.options.rounding ?? 5);
  const before = result.scores.map((points, seat) => {
    const own = points - (result.mond[seat] ?? 0);
    return result.doubled.includes(seat) ? own / 2 : own;
  });
  return [
    { label: t("tarock.line.klop.points"), scores: points },
    {
      label: extreme
        ? t("tarock.line.klop.extreme")
        : unit > 1
          ? t("tarock.line.klop.each", { n: unit })
          : t("tarock.line.klop.exact"),
      scores: before,
    },
    ...(doubled
      ? [
          {
            label: t("tarock.line.radelc"),
            scores: before.map((own, seat) => (result.doubled.includes(seat) ? own : null)),
          },
        ]
      : []),
  ];
}

function sideLines(result: DealResult, scene: TarockScene): AccountLine[] {
  const half = scene.view.options.partner_share === "half" && result.partner !== null;
  const side = half ? [result.declarer] : scorers(result);
  const total = result.lines.reduce((sum, line) => sum + line.score, 0);
  const lines = result.lines.map((line) => ({
    label: lineLabel(line, result, scene),
    scores: only(side, line.score),
  }));
  if (result.doubled.length) lines.push({ label: t("tarock.line.radelc"), scores: only(side, total) });
  if (half && result.partner !== null) {
    const share = (result.scores[result.partner] ?? 0) - (result.mond[result.partner] ?? 0);
    lines.push({ label: t("tarock.line.half"), scores: only([result.partner], share) });
  }
  return lines;
}

/** Return the lines of a deal's account; the lines of a seat add up to its score, except in klop. */
export function account(result: DealResult, scene: TarockScene): AccountLine[] {
  const lines = result.contract === "klop" ? klopLines(result, scene) : sideLines(result, scene);
  const unlucky = result.mond.findIndex((cost) => cost !== 0);
  if (unlucky >= 0) {
    const label = t("tarock.line.mond", { name: called(scene, unlucky) });
    lines.push({ label, scores: result.mond.map((cost) => cost || null) });
  }
  return lines;
}

/** Return the note below a deal: contract, players and outcome. */
function dealNote(result: DealResult, scene: TarockScene): string {
  if (result.contract === "klop") return contractName("klop");
  const who = list(scorers(result).map((seat) => called(scene, seat)));
  return t(result.won ? "tarock.sheet.won" : "tarock.sheet.lost", { names: who, contract: contractName(result.contract) });
}

function cell(points: number | null | undefined): string {
  return points === null || points === undefined ? "" : score(points);
}

function dealRow(result: DealResult, number: number, scene: TarockScene): SheetRow {
  const lines = account(result, scene).map((line) => ({ label: line.label, cells: line.scores.map(cell) }));
  if (result.radelci.some((many) => many > 0)) {
    lines.push({ label: t("tarock.sheet.radelci"), cells: result.radelci.map((many) => (many ? String(many) : "")) });
  }
  return {
    key: `deal ${number}`,
    label: t("sheet.deal", { n: number }),
    note: dealNote(result, scene),
    lines,
    cells: result.scores.map((points) => ({ text: score(points) })),
  };
}

/** Return the rows of the score sheet: deals with their lines, totals, and at the end the cost of the radelci. */
export function sheet(scene: TarockScene): SheetRow[] {
  const { view } = scene;
  const rows = view.results.map((result, index) => dealRow(result, index + 1, scene));
  const cost = Number(view.options.radelc_end ?? 0);
  const pays = view.phase === "over" && cost > 0 && view.radelci.some((many) => many > 0);
  rows.push(totalRow("total", t("sheet.total"), view.totals));
  if (pays) {
    rows.push({
      key: "radelci",
      label: t("tarock.sheet.cost", { n: cost }),
      cells: view.radelci.map((many) => ({ text: many ? score(-many * cost) : "" })),
    });
    rows.push(totalRow("final", t("tarock.sheet.final"), view.final));
  }
  return rows;
}

/** Return the result of the match, or null before its end. */
export function ending(view: TarockView): Ending | null {
  if (stage(view) !== "match") return null;
  return { title: t("tarock.matchOver"), totals: view.final, ranks: ranks(view.ranking), final: true };
}

/** Return the aim and value of a contract, as a hint for bidders. */
export function contractHint(contract: string, options: Record<string, unknown>): string {
  return t("tarock.hint", {
    contract: contractName(contract),
    what: lookUp(`tarock.hint.${contract}`, ""),
    value: valueOf(contract, options),
  });
}
