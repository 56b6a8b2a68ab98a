import { describe, expect, test } from "vitest";
import {
  acting,
  giver,
  hear,
  type HeartsView,
  inDisplayOrder,
  ranks,
  receiver,
  stage,
  sums,
  winning,
} from "../games/hearts.facts";
import { player, watcher } from "./fixtures";

/** What the server computes for seats that are asked; a fold of events does not know it. */
function facts(view: HeartsView) {
  const { to_act: _, legal: __, void: ___, decks: ____, all_picked: _5, all_received: _6, ...rest } = view;
  return rest;
}

describe("folding events", () => {
  test("gives a player the views the server sent", () => {
    let view = player.start;
    let compared = 0;
    for (const { event, view: sent } of player.events) {
      view = hear(view, event);
      if (!sent) continue;
      expect(facts(view), `after ${event.kind}`).toEqual(facts(sent));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(10);
  });

  test("gives a watcher the view that a later watcher gets", () => {
    const end = watcher.events.reduce(hear, watcher.start);
    expect(facts(end)).toEqual(facts(watcher.end));
    expect(stage(end)).toBe("match");
  });

  test("leaves a watcher without hands", () => {
    let view = watcher.start;
    for (const event of watcher.events) {
      view = hear(view, event);
      expect(view.hand).toEqual([]);
    }
  });

  test("passes over facts of a newer server", () => {
    expect(hear(player.start, { kind: "comet_seen" })).toBe(player.start);
  });

  test("forgets the match before when a new one begins", () => {
    const over = watcher.events.reduce(hear, watcher.start);
    const again = hear(hear(over, { kind: "game_started", game: 1, options: over.options }), {
      kind: "deal_started",
      deal: 1,
      direction: "left",
    });
    expect(again.games).toEqual([]);
    expect(again.deals).toEqual([]);
    expect(stage(again)).toBe("deal");
  });
});

describe("who and where", () => {
  test("packets travel clockwise to the left", () => {
    expect([0, 1, 2, 3].map((seat) => receiver("left", seat))).toEqual([1, 2, 3, 0]);
    expect([0, 1, 2, 3].map((seat) => receiver("right", seat))).toEqual([3, 0, 1, 2]);
    expect([0, 1, 2, 3].map((seat) => receiver("across", seat))).toEqual([2, 3, 0, 1]);
    expect(receiver("none", 0)).toBeNull();
    for (const seat of [0, 1, 2, 3]) expect(giver("left", receiver("left", seat) ?? -1)).toBe(seat);
  });

  test("everybody is waited for while passing, one seat in a trick, nobody who might hold the ace", () => {
    const view = { ...player.start, passed: [1, 3], leader: 2, table: [null, null, "2C", "5C"] };
    expect(acting({ ...view, phase: "passing" })).toEqual([0, 2]);
    expect(acting({ ...view, phase: "playing" })).toEqual([0]);
    expect(acting({ ...view, phase: "exposing" })).toEqual([]);
    expect(acting({ ...view, phase: "playing", table: ["3C", "4C", "2C", "5C"] })).toEqual([]);
  });

  test("the highest card of the suit led wins", () => {
    expect(winning(["AS", "9D", "TD", "2D"], 1)).toBe(2);
    expect(winning([null, "9D", "AH", null], 1)).toBe(1);
    expect(winning([null, null, null, null], 0)).toBeNull();
  });
});

test("cards are shown by suit S H C D, high to low", () => {
  expect(inDisplayOrder(["2C", "AD", "KS", "3S", "2H", "QC", "AH"])).toEqual(
    ["KS", "3S", "AH", "2H", "QC", "2C", "AD"],
  );
});

test("equal scores share a place and the next is left out", () => {
  expect(ranks([-9, -50, -50, -60])).toEqual([1, 2, 2, 4]);
  expect(ranks([0, 0, 0, 104])).toEqual([2, 2, 2, 1]);
  expect(sums([[-1, -2, -3, -4], [10, 0, 0, -6]])).toEqual([9, -2, -3, -10]);
});
