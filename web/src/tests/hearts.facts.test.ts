import { describe, expect, test } from "vitest";
import { acting, receiver, stage, sums, winning } from "../games/hearts.facts";
import { ranks } from "../games/sheet";
import { asks, moments } from "./fixtures";

describe("who and where", () => {
  test("cards passed to the left go clockwise", () => {
    expect([0, 1, 2, 3].map((seat) => receiver("left", seat))).toEqual([1, 2, 3, 0]);
    expect([0, 1, 2, 3].map((seat) => receiver("right", seat))).toEqual([3, 0, 1, 2]);
    expect([0, 1, 2, 3].map((seat) => receiver("across", seat))).toEqual([2, 3, 0, 1]);
    expect(receiver("none", 0)).toBeNull();
  });

  test("all seats act while passing, one in a trick, and none is shown for the ace", () => {
    const view = { ...asks.pass.view, passed: [1, 3], leader: 2, table: [null, null, "2C", "5C"] };
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

test("the stage of the match follows from the view", () => {
  expect(stage(asks.pass.view)).toBe("deal");
  expect(stage(moments["played 20"])).toBe("deal");
  expect(stage(moments["match_ended 1"])).toBe("match");
  expect(stage({ ...moments["match_ended 1"], phase: "dealing" })).toBe("game");
  expect(stage({ ...moments["match_ended 1"], phase: "dealing", games: [] })).toBe("between");
});

test("equal scores share a place and the next place is skipped", () => {
  expect(ranks([-9, -50, -50, -60])).toEqual([1, 2, 2, 4]);
  expect(ranks([0, 0, 0, 104])).toEqual([2, 2, 2, 1]);
  expect(sums([[-1, -2, -3, -4], [10, 0, 0, -6]])).toEqual([9, -2, -3, -10]);
});
