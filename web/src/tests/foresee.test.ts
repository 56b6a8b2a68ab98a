import { describe, expect, test } from "vitest";
import { page as coinchePage } from "../games/coinche";
import type { CoincheView } from "../games/coinche.facts";
import { page as heartsPage } from "../games/hearts";
import type { HeartsView } from "../games/hearts.facts";
import type { GamePage } from "../games/page";
import { foresee as sagrada, type GlassView, pickedDie } from "../games/sagrada.facts";
import { page as tarockPage } from "../games/tarock";
import type { TarockView } from "../games/tarock.facts";
import { page as tarokyPage } from "../games/taroky";
import type { TarokyView } from "../games/taroky.facts";
import { asks } from "./fixtures";
import coincheDeal from "./fixtures/coinche.json";
import sagradaMatch from "./fixtures/sagrada.json";
import tarokyDeals from "./fixtures/taroky.json";

function foreseenBy<V>(page: GamePage): (view: V, action: string) => V {
  return page.foresee as unknown as (view: V, action: string) => V;
}

const coinche = foreseenBy<CoincheView>(coinchePage);
const hearts = foreseenBy<HeartsView>(heartsPage);
const tarock = foreseenBy<TarockView>(tarockPage);
const taroky = foreseenBy<TarokyView>(tarokyPage);

describe("an answer is shown before the server confirms it", () => {
  test("Hearts: cards leave the hand, for the table or for the neighbour", () => {
    const play = asks.play.view;
    for (const action of asks.play.legal) {
      const card = action.slice(5);
      const after = hearts(play, action);
      expect(after.hand).toEqual(play.hand.filter((one) => one !== card));
      expect(after.table[0]).toBe(card);
      expect(after.counts[0]).toBe(after.hand.length);
      expect(hearts(after, action)).toBe(after);
    }
    const three = asks.pass.legal.slice(0, 3);
    const passed = three.reduce(hearts, asks.pass.view);
    expect(passed.hand).toHaveLength(10);
    expect(passed.passed).toContain(0);
    expect(hearts(passed, "keep AH")).toBe(passed);
  });

  test("Coinche: a card goes to the table, a call changes nothing", () => {
    const view = coincheDeal.asks.play as unknown as CoincheView;
    const { legal } = view;
    const after = coinche(view, legal[0] ?? "");
    expect(after.hand).toHaveLength(view.hand.length - 1);
    expect(after.table[view.seat ?? 0]).not.toBeNull();
    expect(coinche(after, legal[0] ?? "")).toBe(after);
    expect(coinche(view, "PASS")).toBe(view);
  });

  test("Tarock: the exchange and the cards played", () => {
    const view = {
      seat: 0,
      hand: ["C8", "T9"],
      talon: [["H1"], ["T1"]],
      picked: null,
      my_discards: [],
      trick: [],
      counts: [2, 2, 2, 2],
    } as unknown as TarockView;
    const taken = ["take 1", "discard C8"].reduce(tarock, view);
    expect(taken).toMatchObject({ picked: 1, hand: ["T9", "T1"], my_discards: ["C8"] });
    expect(["take 1", "discard C8"].reduce(tarock, taken)).toBe(taken);
    expect(tarock(view, "play T9")).toMatchObject({ hand: ["C8"], trick: ["T9"], counts: [1, 2, 2, 2] });
    expect(tarock(view, "bid two")).toBe(view);
  });

  test("Taroky: cards discarded and played", () => {
    const asked = tarokyDeals.partner.asks as unknown as Record<string, TarokyView>;
    const cards = Object.values(asked).filter((view) => view.legal[0]?.startsWith("card "));
    expect(cards.length).toBeGreaterThan(0);
    for (const view of cards) {
      const action = view.legal[0] ?? "";
      const after = taroky(view, action);
      expect(after.hand).toHaveLength(view.hand.length - 1);
      expect(after.trick.length + after.laid.length).toBe(view.trick.length + view.laid.length + 1);
      expect(taroky(after, action)).toBe(after);
    }
  });

  test("the workshop: a die is picked and placed", () => {
    const { view, legal } = sagradaMatch.asks.turn as unknown as { view: GlassView; legal: string[] };
    const draft = legal.find((word) => word.startsWith("draft ")) ?? "";
    const picked = sagrada(view, draft);
    expect(pickedDie(picked)?.taken).toBe(draft.slice(6));
    expect(sagrada(picked, draft)).toBe(picked);
    const placed = sagrada(picked, "put 1,1");
    expect(placed.pool).toHaveLength(view.pool.length - 1);
    expect(placed.windows[view.seat ?? 0]?.dice[0]).toBe(draft.slice(6));
    expect(placed).toMatchObject({ picks: [], drafted: true });
    expect(sagrada(placed, "put 1,1")).toBe(placed);
    expect(view.windows[view.seat ?? 0]?.dice[0]).toBeNull();
    const choosing = sagradaMatch.asks.window.view as unknown as GlassView;
    expect(sagrada(choosing, "window 4").window).toBe(4);
  });
});
