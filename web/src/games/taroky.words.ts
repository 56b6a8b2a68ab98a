/** Texts of Taroky: prompts, status, score sheet. */

import type { SeatInfo } from "../net/protocol";
import { called, nameOf } from "../table/Seat";
import { list, score, t } from "../texts";
import type { Ending, Scene, SheetRow } from "./page";
import { ranks, totalRow } from "./sheet";
import {
  cardName,
  type DealResult,
  type Half,
  legalCards,
  legalPartners,
  LEVELS,
  type Level,
  MONEY_VALUES,
  SEAT_NUMBERS,
  seatOf,
  stage,
  type TarokyView,
} from "./taroky.facts";

export type TarokyScene = Scene<TarokyView>;
/** A deal and the names of its players, at a table or from a notation. */
export type Told = { view: TarokyView; seats: Pick<SeatInfo, "name">[]; you: number | null };

/** Return +5, −3 or 0. */
export function signed(amount: number): string {
  return amount > 0 ? `+${score(amount)}` : score(amount);
}

export function moneyWords(codes: string[]): string {
  return list(codes.map((code) => t(`taroky.money.${code as "U"}`)));
}

export function levelWords(level: Level): string {
  return t(`taroky.level.${level}`);
}

/** Return the name of a card within a sentence: trumps have no article. */
export function theCard(code: string): string {
  return code.startsWith("T") ? cardName(code) : t("taroky.card", { card: cardName(code) });
}

/** Return the money card that Povinnost need not call: Uni without a trump, Bida with one or two. */
export function optionalMoney(view: TarokyView): "U" | "B" {
  return view.hand.some((card) => card.startsWith("T")) ? "B" : "U";
}

/** Return the question for this seat. */
function asked(scene: TarokyScene, legal: string[]): string {
  const { view, you, seats } = scene;
  switch (view.phase) {
    case "prever":
      return t("taroky.prever.prompt");
    case "talon":
      if (you === seatOf(view, 4)) {
        const giver = view.gifts[0] === "offered" ? 2 : 3;
        return t("taroky.talon.offered", { name: nameOf(seats, seatOf(view, giver)) });
      }
      return t("taroky.talon.prompt", { name: nameOf(seats, seatOf(view, 4)) });
    case "prever_talon":
      return t(view.step === 2 ? "taroky.half.prompt.2" : "taroky.half.prompt.1");
    case "discard": {
      const words = t("taroky.discard.prompt", { n: view.left });
      return legalCards(legal)[0]?.startsWith("T") ? `${words}. ${t("taroky.discard.trumps")}` : words;
    }
    case "moneycards": {
      const code = optionalMoney(view);
      return t("taroky.money.prompt", { what: moneyWords([code]), value: MONEY_VALUES[code] ?? 0 });
    }
    case "partner": {
      const alone = legalPartners(legal).includes(19) && view.hand.includes("T19");
      return alone ? t("taroky.partner.alone") : t("taroky.partner.prompt");
    }
    case "valat":
      return t("taroky.valat.prompt");
    case "contra": {
      const level = view.contras.length;
      return t("taroky.contra.prompt", { level: levelWords(LEVELS[level] ?? "supra"), n: 2 << level });
    }
    case "iote":
      return t("taroky.iote.prompt");
    default:
      return t(view.leader === you && !view.trick.length ? "taroky.play.lead" : "taroky.play.prompt");
  }
}

/** Return the prompt for the decision that is due. For contra and the I all other players see the same text. */
export function status(scene: TarokyScene): string {
  const { view, question, you, seats } = scene;
  if (question?.legal.length) return asked(scene, question.legal);
  switch (stage(view)) {
    case "match":
      return t("taroky.matchOver");
    case "between":
      return t(view.deal < dealsOf(view) ? "taroky.nextDeal" : "taroky.matchOver");
    case "start":
      return t("taroky.dealing");
  }
  switch (view.phase) {
    case "moneycards":
      return t("taroky.money.wait");
    case "contra":
      return t("taroky.contra.wait");
    case "iote":
      return t("taroky.iote.wait");
  }
  if (view.turn === null || view.turn === you) return "";
  const name = nameOf(seats, view.turn);
  switch (view.phase) {
    case "prever":
      return t("taroky.prever.wait", { name });
    case "talon":
      return t("taroky.talon.wait", { name });
    case "prever_talon":
      return t("taroky.half.wait", { name });
    case "discard":
      return t("taroky.discard.wait", { name });
    case "partner":
      return t("taroky.partner.wait", { name });
    case "valat":
      return t("taroky.valat.wait", { name });
    case "play":
      return t("taroky.play.wait", { name });
  }
  return "";
}

/** Return what each seat wins or pays in a deal. */
export function chipList(scene: TarokyScene, amounts: number[]): string {
  return list(
    SEAT_NUMBERS.map((seat) => {
      return `${called(scene, seat)} ${signed(amounts[seat] ?? 0)}`;
    }),
  );
}

function dealsOf(view: TarokyView): number {
  return Number(view.options.hands ?? 8);
}

/** Return the status line of the match. */
export function standing(view: TarokyView): string[] {
  if (!view.deal) return [];
  const parts = [t("taroky.dealOf", { deal: view.deal, deals: dealsOf(view) })];
  const now = stage(view);
  if (now === "deal" && view.phase === "play") {
    parts.push(t("taroky.trickOf", { n: Math.min(view.tricks.length + 1, 12) }));
  } else parts.push(t(`taroky.phase.${now === "deal" ? view.phase : "finished"}`));
  return parts;
}

/** Return the result of the match, or null before its end. */
export function ending(view: TarokyView): Ending | null {
  if (stage(view) !== "match") return null;
  return { title: t("taroky.matchOver"), totals: view.chips, ranks: ranks(view.chips), final: true };
}

// The settlement, step by step.

export interface SettleStep {
  key: string;
  words: string;
  /** "× 4", "+4", "5". */
  value: string;
}

/** Return the steps from which X of the last deal results, as texts. */
export function settleSteps(scene: Told, result: DealResult): SettleStep[] {
  const { view } = scene;
  const [points = 0] = result.points;
  const distance = Math.abs(points - 53);
  const factor = view.prever === null ? 2 : 3;
  const steps = result.steps.flatMap(([name, value]): SettleStep[] => {
    switch (name) {
      case "valat": {
        const by = view.valat === null ? "" : called(scene, view.valat);
        const text = by ? t("taroky.settle.valat.announced", { name: by }) : t("taroky.settle.valat");
        return [{ key: name, words: text, value: signed(value) }];
      }
      case "distance": {
        const text =
          points > 53
            ? t("taroky.settle.won", { points, distance })
            : points === 53
              ? t("taroky.settle.tie")
              : t("taroky.settle.lost", { points, distance });
        return [{ key: name, words: text, value: "" }];
      }
      case "base": {
        const product = (distance + 10) * factor;
        return [
          { key: name, words: t("taroky.settle.base", { distance, factor, product }), value: String(value) },
        ];
      }
      case "half":
        return [{ key: name, words: t("taroky.settle.half", { half: view.half ?? "" }), value: `× ${value}` }];
      case "contra": {
        const calls = list(
          view.contras.map((seat, level) => `${called(scene, seat)} ${levelWords(LEVELS[level] ?? "supra")}`),
        );
        return [{ key: name, words: t("taroky.settle.contra", { calls }), value: `× ${value}` }];
      }
      case "iote": {
        const by = view.iote === null ? "" : called(scene, view.iote);
        const text = by ? t("taroky.settle.iote.announced", { name: by }) : t("taroky.settle.iote");
        return [{ key: name, words: text, value: signed(value) }];
      }
    }
    return [];
  });
  const last =
    result.declarers.length === 1
      ? t("taroky.settle.x.alone")
      : t(result.x < 0 ? "taroky.settle.x.lost" : "taroky.settle.x");
  return [...steps, { key: "x", words: last, value: score(Math.abs(result.x)) }];
}

const BLANK = ["", "", "", ""];

/** Return the details of a deal in the score sheet: its steps as texts, then the chips. */
function dealLines(result: DealResult): { label: string; cells: string[] }[] {
  const step = Object.fromEntries(result.steps);
  const [points = 0, other = 0] = result.points;
  const said = [t("taroky.sheet.points", { points, other })];
  if (step.valat !== undefined) said.push(t("taroky.sheet.valat", { n: signed(step.valat) }));
  if (step.base !== undefined) {
    said.push(t("taroky.sheet.base", { distance: step.distance ?? 0, base: step.base }));
  }
  if (step.half !== undefined) said.push(t("taroky.sheet.half", { n: step.half }));
  if (step.contra !== undefined) said.push(t("taroky.sheet.contra", { n: step.contra }));
  if (step.iote !== undefined) said.push(t("taroky.sheet.iote", { n: signed(step.iote) }));
  return [
    ...said.map((label) => ({ label, cells: BLANK })),
    { label: t("taroky.settle.money"), cells: result.money.map(signed) },
    { label: t("taroky.settle.paid"), cells: result.payments.map(signed) },
  ];
}

/** Return the rows of the score sheet: finished deals, the current deal, the chips. */
export function sheet(scene: TarokyScene): SheetRow[] {
  const { view } = scene;
  const rows: SheetRow[] = view.results.map((result, index) => ({
    key: `deal ${index + 1}`,
    label: t("sheet.deal", { n: index + 1 }),
    note: list(result.declarers.map((seat) => called(scene, seat))),
    lines: dealLines(result),
    cells: SEAT_NUMBERS.map((seat) => ({
      text: signed((result.money[seat] ?? 0) + (result.payments[seat] ?? 0)),
    })),
  }));
  if (view.deal > view.results.length) {
    rows.push({
      key: "now",
      label: t("sheet.deal", { n: view.deal }),
      kind: "now",
      cells: SEAT_NUMBERS.map((seat) => ({ text: signed(view.brought[seat] ?? 0) })),
    });
  }
  if (view.chips.length) rows.push(totalRow("chips", t("taroky.settle.chips"), view.chips));
  return rows;
}

// The board before the first card.

const FACTORS: Record<Half, number> = { T: 1, B: 2, R: 4 };

/** Return the settlements of this deal so far, line by line. */
export function calls(scene: Told): { key: string; label: string; text: string }[] {
  const { view } = scene;
  const name = (seat: number) => called(scene, seat);
  const rows: { key: string; label: string; text: string }[] = [];
  const add = (key: string, label: string, text: string) => rows.push({ key, label, text });
  if (view.phase === "prever") return rows;
  if (view.prever !== null) {
    add("prever", t("taroky.phase.prever"), name(view.prever));
    if (view.half) {
      add("half", t("taroky.talon"), t("taroky.calls.half", { half: view.half, n: FACTORS[view.half] }));
    }
  } else if (view.phase !== "talon") {
    const took = SEAT_NUMBERS.filter((seat) => view.draws[seat]);
    add("talon", t("taroky.talon"), list(took.map((seat) => `${name(seat)} ${view.draws[seat] ?? 0}`)));
  }
  view.money.forEach((codes, at) => {
    if (!codes.length) return;
    const value = codes.reduce((sum, code) => sum + (MONEY_VALUES[code] ?? 0), 0);
    const text = t("taroky.calls.money", { what: moneyWords(codes), value });
    add(`money ${at}`, name(seatOf(view, at + 1)), text);
  });
  if (view.money.length === SEAT_NUMBERS.length && view.money.every((codes) => !codes.length)) {
    add("money", t("taroky.settle.money"), t("taroky.money.none"));
  }
  if (view.named !== null) add("partner", t("taroky.phase.partner"), cardName(view.named));
  if (view.valat !== null) add("valat", t("taroky.phase.valat"), name(view.valat));
  view.contras.forEach((seat, level) =>
    add(`contra ${level}`, levelWords(LEVELS[level] ?? "supra"), t("taroky.calls.by", { name: name(seat), n: 2 << level })),
  );
  if (view.iote !== null) add("iote", t("taroky.phase.iote"), name(view.iote));
  return rows;
}

/** Return a sentence that explains the phase; it is the same for all players. */
export function phaseNote(scene: TarokyScene): string {
  const { view, seats } = scene;
  const name = (player: number) => nameOf(seats, seatOf(view, player));
  switch (view.phase) {
    case "prever":
      return t("taroky.prever.note");
    case "talon":
      return t("taroky.talon.note", { name: name(1), second: name(2), third: name(3), fourth: name(4) });
    case "discard":
      return t("taroky.discard.note");
    case "moneycards":
      return t("taroky.money.note");
    case "partner":
      return t("taroky.partner.note");
    case "valat":
      return t("taroky.valat.note");
    case "contra":
      return t("taroky.contra.note");
    case "iote":
      return t("taroky.iote.note");
  }
  return "";
}
