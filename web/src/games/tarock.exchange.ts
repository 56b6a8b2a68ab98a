/** The declarer's plan for taking and discarding cards, shared by the talon in the centre and the hand below it. */

import { signal } from "@preact/signals";
import { answersTo } from "./tarock.facts";
import type { TarockScene } from "./tarock.words";
import { left } from "./tarock.words";

interface Choice {
  /** The question that the plan answers. */
  key: string;
  set: number | null;
  away: string[];
}

const choice = signal<Choice>({ key: "", set: null, away: [] });

export interface Plan {
  /** The set can still be chosen; otherwise it has already been taken. */
  choosing: boolean;
  set: number | null;
  /** The hand including the set. */
  hand: string[];
  /** Cards that may be discarded. */
  layable: string[];
  /** The number of cards to discard. */
  wanted: number;
  /** Cards chosen so far. */
  away: string[];
}

function keyOf(scene: TarockScene): string {
  return `${scene.you} ${scene.view.deal} ${scene.question?.turn}`;
}

function chosen(scene: TarockScene): Choice {
  const key = keyOf(scene);
  return choice.value.key === key ? choice.value : { key, set: null, away: [] };
}

/** Return the plan while this seat has to make the exchange, else null. */
export function planOf(scene: TarockScene): Plan | null {
  const { view, question } = scene;
  const legal = question?.legal ?? [];
  const { set, away } = chosen(scene);
  if (legal.some((word) => word.startsWith("take "))) {
    const taken = set === null ? [] : (view.talon[set] ?? []);
    const layable = set === null ? [] : (view.layable[set] ?? []);
    return { choosing: true, set, hand: [...view.hand, ...taken], layable, wanted: view.count, away };
  }
  const layable = answersTo(legal, "discard");
  if (!layable.length) return null;
  return { choosing: false, set: view.picked, hand: view.hand, layable, wanted: left(view), away };
}

/** Switch to *set*; cards already chosen stay chosen if they may be discarded. */
export function takeSet(scene: TarockScene, set: number | null): void {
  const { key, away } = chosen(scene);
  const layable = set === null ? [] : (scene.view.layable[set] ?? []);
  choice.value = { key, set, away: away.filter((card) => layable.includes(card)) };
}

/** Plan to discard *card*, or to keep it; if there is one too many, the first one is dropped from the plan. */
export function layAway(scene: TarockScene, plan: Plan, card: string, on: boolean): void {
  if (!plan.layable.includes(card)) return;
  const others = plan.away.filter((one) => one !== card);
  const away = on ? [...others, card].slice(-plan.wanted) : others;
  choice.value = { key: keyOf(scene), set: plan.choosing ? plan.set : null, away };
}

export function isWhole(plan: Plan): boolean {
  return plan.set !== null && plan.away.length === plan.wanted;
}

/** Return the plan as an answer. */
export function answerOf(plan: Plan): string[] {
  const discards = plan.away.map((card) => `discard ${card}`);
  return plan.choosing ? [`take ${plan.set}`, ...discards] : discards;
}
