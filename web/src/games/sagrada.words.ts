/** Texts of the glass workshop: prompts, event log, status, score sheet. */

import { colourName, colourOf, dieName } from "../glass/dice";
import type { GameEvent } from "../net/protocol";
import { called, nameOf } from "../table/Seat";
import { list, lookUp, score, t } from "../texts";
import type { Ending, Scene, SheetRow } from "./page";
import { told } from "./told";
import {
  acting,
  Choices,
  dialogue,
  type GlassEvent,
  type GlassView,
  heldDie,
  privateColour,
  privatesOf,
  worth,
} from "./sagrada.facts";

export type GlassScene = Scene<GlassView>;

export function toolName(tool: number): string {
  return lookUp(`sagrada.tool.${tool}`, String(tool));
}

export function goalName(objective: number): string {
  return lookUp(`sagrada.public.${objective}`, String(objective));
}

export function tokens(n: number): string {
  return t("sagrada.tokens", { n });
}

/** Return "red" or, for a lone player, "red or blue". */
export function colours(privates: number[]): string {
  const names = privates.map((number) => colourName(privateColour(number)));
  return names.length === 2 ? t("sagrada.or", { a: names[0] ?? "", b: names[1] ?? "" }) : (names[0] ?? "");
}

/** Return the prompt for the current step of a tool, or null. */
export function stepWords(view: GlassView): string | null {
  const talk = dialogue(view);
  return talk && lookUp(`sagrada.step.${talk.steps[talk.at] ?? ""}`, "");
}

/** Return the prompt for the decision that is due. */
export function status(scene: GlassScene): string {
  const { view, question, you, seats } = scene;
  if (question && you !== null) return asked(view, new Choices(question.legal), you);
  const [next] = acting(view);
  switch (view.phase) {
    case "setup":
      return t("sagrada.wait.setup");
    case "choosing":
      return t(you !== null && view.chosen.includes(you) ? "sagrada.choose.wait" : "sagrada.choose.all");
    case "extracting":
      if (next === undefined || next === you) return "";
      return t("sagrada.extract.wait", { name: nameOf(seats, next), n: view.round });
    case "turn":
      if (next === undefined || view.turn === null) return t("sagrada.between");
      if (next === you) return "";
      return t("sagrada.turn.wait", { name: nameOf(seats, next), turn: t(`sagrada.turn.kind.${view.turn}`) });
    case "over":
      return t("sagrada.over");
  }
}

function asked(view: GlassView, may: Choices, seat: number): string {
  if (may.any("window")) return t("sagrada.choose");
  if (may.has("extract")) return t("sagrada.extract", { n: view.round });
  const held = heldDie(view, seat);
  if (view.hand !== null && may.has("pass")) return t("sagrada.place.none", { die: dieName(view.hand) });
  const tool = stepWords(view);
  // A die drafted while a tool waits for something else is placed as usual.
  if (held && may.any("put") && (!tool || view.picks[0]?.startsWith("draft "))) {
    return t("sagrada.place", { die: dieName(held) });
  }
  if (tool) return tool;
  const tools = may.any("tool");
  if (view.drafted) return t(tools ? "sagrada.turn.done" : "sagrada.turn.over");
  if (!may.any("draft")) return t(tools ? "sagrada.turn.none" : "sagrada.turn.nothing");
  return t(`sagrada.turn.${view.turn ?? "first"}`);
}

function cellWords(cell: string): string {
  const [row = "", column = ""] = cell.split(",");
  return t("sagrada.event.cell", { row, column });
}

/** Return further fields of an event for its text. */
function adds(fact: GlassEvent, scene: GlassScene): Record<string, unknown> {
  switch (fact.kind) {
    case "objective_dealt":
      return { colours: colours(fact.privates) };
    case "tool_used":
      return { price: fact.paid ? dieName(fact.paid) : tokens(fact.cost) };
    case "placed":
      return { changed: fact.taken !== null && fact.taken !== fact.die };
    case "moved": {
      const move = (from: string, at: number) =>
        t("sagrada.event.move", { from: cellWords(from), to: cellWords(fact.to[at] ?? "") });
      return { moves: list(fact.from.map(move)) };
    }
    case "hand_changed":
      return { colour: colourName(colourOf(fact.die)) };
    case "match_ended":
      return { scores: list(fact.ranking.map((seat) => `${called(scene, seat)} ${score(fact.scores[seat]?.total ?? 0)}`)) };
  }
  return {};
}

/** Return a field of an event in words. */
function spell(field: string, value: unknown): string | number {
  switch (field) {
    case "die":
    case "given":
    case "taken":
      return dieName(String(value));
    case "dice":
      return list((value as string[]).map(dieName));
    case "cell":
      return cellWords(String(value));
    case "tool":
      return toolName(Number(value));
    case "tools":
      return list((value as number[]).map(toolName));
    case "publics":
      return list((value as number[]).map(goalName));
  }
  return typeof value === "number" ? value : String(value);
}

/** Return the log text of an event. */
export function words(event: GameEvent, scene: GlassScene): string | null {
  const all = { ...event, ...adds(event as unknown as GlassEvent, scene) };
  return told("sagrada", all, scene as unknown as Scene, spell);
}

/** Return the status line of the match. */
export function standing(view: GlassView): string[] {
  if (!view.round) return view.seats === 1 ? [t("sagrada.solo")] : [];
  const round = t("sagrada.roundOf", { round: view.round, rounds: Number(view.options.rounds ?? 10) });
  return view.seats === 1 ? [round, t("sagrada.solo")] : [round];
}

/** Return the result of the match, or null before its end. */
export function ending(view: GlassView): Ending | null {
  if (view.phase !== "over") return null;
  const totals = view.scores.map((one) => one.total);
  const place = view.scores.map((_, seat) => 1 + view.ranking.indexOf(seat));
  const plain = { title: t("sagrada.over"), totals, ranks: place, final: true };
  if (view.target === null) return plain;
  const [total = 0] = totals;
  const values = { total, target: view.target };
  return { ...plain, headline: t(total > view.target ? "sagrada.solo.won" : "sagrada.solo.lost", values) };
}

function times(points: number, each: number): string {
  return t("sagrada.sheet.times", { n: points / each, worth: each });
}

type Cell = SheetRow["cells"][number];

function publicCell(objective: number, points: number): Cell {
  const each = worth(objective);
  return points && each !== 1 ? { text: score(points), note: times(points, each) } : { text: score(points) };
}

/** Return the rows of the score sheet: every line of the score, final or current. */
export function sheet(scene: GlassScene): SheetRow[] {
  const { view, you, open } = scene;
  const { windows } = view;
  if (!windows.length) return [];
  const final = view.scores.length > 0;
  const solo = view.seats === 1;
  const privates = windows.map((_, seat) => privatesOf(view, seat, you, open));
  const secret = windows.map((_, seat): number | null => {
    if (final) return view.scores[seat]?.private ?? 0;
    if (open) return open[seat]?.private_points ?? null;
    return seat === you || solo ? view.private_points : null;
  });
  const left = windows.map((window, seat) => (final ? (view.scores[seat]?.tokens ?? 0) : window.tokens));
  const sums = windows.map((window, seat) => {
    const publics = window.publics.reduce((sum, points) => sum + points, 0);
    return publics + (secret[seat] ?? 0) + (left[seat] ?? 0) - window.fine;
  });
  const totals = final ? view.scores.map((one) => one.total) : sums;
  const first = view.ranking[0];
  const rows: SheetRow[] = view.publics.map((objective, at) => ({
    key: `public ${objective}`,
    label: goalName(objective),
    cells: windows.map((window) => publicCell(objective, window.publics[at] ?? 0)),
  }));
  rows.push({
    key: "private",
    label: t("sagrada.sheet.private"),
    cells: windows.map((_, seat) => {
      const points = secret[seat] ?? null;
      if (points === null) return { text: t("sagrada.sheet.unknown"), note: t("sagrada.secret") };
      return { text: score(points), note: colours(privates[seat] ?? []) };
    }),
  });
  if (!solo) {
    rows.push({
      key: "tokens",
      label: t("sagrada.sheet.tokens"),
      cells: left.map((many) => ({ text: score(many) })),
    });
  }
  rows.push({
    key: "empty",
    label: t("sagrada.sheet.empty"),
    cells: windows.map((window) => ({
      text: score(-window.fine),
      ...(window.fine > window.empty && { note: times(window.fine, window.fine / window.empty) }),
    })),
  });
  rows.push({
    key: "total",
    label: t(final ? "sheet.total" : "sagrada.sheet.now"),
    kind: "total",
    cells: totals.map((total, seat) => ({
      text: score(total),
      ...(secret[seat] === null && { note: t("sagrada.sheet.more") }),
      best: final && seat === first && view.target === null,
    })),
  });
  if (solo) {
    const shown = view.track.flat().reduce((sum, die) => sum + Number(die.slice(1)), 0);
    rows.push({ key: "target", label: t("sagrada.sheet.target"), cells: [{ text: score(view.target ?? shown) }] });
  }
  return rows;
}
