import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { type BoardPage, openViews, type Scene } from "../games/page";
import { page } from "../games/sagrada";
import { acting, Choices, dialogue, type GlassView, heldDie, plannedDie } from "../games/sagrada.facts";
import { Die, dieName, withDice } from "../glass/dice";
import { cellName, StillWindow } from "../glass/window";
import { firstSeats, forSeats, presetOf } from "../lobby/options";
import type { GameEvent, GameInfo, SeatInfo, View } from "../net/protocol";
import { Felt } from "../table/Felt";
import { Result } from "../table/Result";
import { sceneOf as plainScene } from "./fixtures";
import recorded from "./fixtures/sagrada.json";

/** Moments of matches of two bots, as seat 0 sees them, and of one match of one. */
const { seats, asks, events, final, solo } = recorded as unknown as {
  seats: SeatInfo[];
  asks: Record<string, { turn: number; legal: string[]; view: GlassView }>;
  events: GameEvent[];
  final: GlassView;
  solo: GlassView;
};

function ask(name: string) {
  const found = asks[name];
  if (!found) throw new Error(`no moment ${name}`);
  return found;
}

function sceneOf(view: GlassView, more: Partial<Scene> = {}): Scene {
  return plainScene(view, { seats: seats.slice(0, view.seats), ...more });
}

/** The board as seat 0 sees it when it is asked. */
function asked(name: string, more: Partial<Scene> = {}): string {
  const { turn, legal, view } = ask(name);
  const scene = sceneOf(view, { question: { turn, legal, clock: null }, ...more });
  return renderToString(<Felt page={page} scene={scene} clock={null} />);
}

function count(html: string, what: RegExp): number {
  return html.match(what)?.length ?? 0;
}

describe("dice", () => {
  const codes = [..."RGBYP"].flatMap((colour) => [..."0123456"].map((value) => colour + value));

  test("each of them is drawn, named, and like no other", () => {
    const drawn = codes.map((code) => renderToString(<Die code={code} />));
    expect(new Set(drawn).size).toBe(35);
    for (const svg of drawn) expect(svg).not.toMatch(/NaN|undefined/u);
    expect(dieName("R5")).toBe("red 5");
  });

  test("colours differ without colour: each has its own hatching", () => {
    const hatches = [..."RGBYP"].map(
      (colour) => /class="glass-hatch[^"]*" d="([^"]*)"/u.exec(renderToString(<Die code={`${colour}1`} />))?.[1],
    );
    expect(new Set(hatches).size).toBe(5);
  });

  test("as many pips as the value says", () => {
    for (const value of [1, 2, 3, 4, 5, 6]) {
      expect(count(renderToString(<Die code={`B${value}`} />), /<circle/gu)).toBe(value);
    }
  });

  test("codes in the server's words become dice", () => {
    const parts = withDice("R5 is in hand, RGB6 is not") as unknown[];
    expect(parts).toHaveLength(3);
    expect(parts[2]).toBe(" is in hand, RGB6 is not");
  });

  test("a window is read row by row", () => {
    expect(cellName(0)).toBe("1,1");
    expect(cellName(19)).toBe("4,5");
    const html = renderToString(<StillWindow grid="R.....6............." dice={["R5"]} />);
    expect(html).toContain("Row 1: red 5, free");
    expect(html).toContain("Row 2: free, only 6");
  });
});

describe("what may be done", () => {
  test("is sorted by verb", () => {
    const may = new Choices(["pass", "put 1,2", "put 3,4"]);
    expect(may.of("put")).toEqual(["1,2", "3,4"]);
    expect(may.any("lift")).toBe(false);
  });

  test("a die in hand that has a cell is placed: nothing else can be pressed", () => {
    const html = asked("hand 5");
    expect(html).toContain('data-use="put"');
    expect(html).not.toMatch(/data-testid="(?:pass|cancel)"/u);
  });

  test("a die of tool 1 is good for two things", () => {
    expect(new Choices(["raise R5", "lower R5", "lower R1"]).forDie("R5")).toEqual(["raise R5", "lower R5"]);
  });
});

describe("the board", () => {
  test("offers four windows with their tokens", () => {
    const html = asked("window");
    expect(count(html, /data-testid="window-\d+"/gu)).toBe(4);
    expect(html).toContain("Choose your window");
    expect(html).toContain("favor tokens");
    expect(html).toContain("Your secret colour");
  });

  test("asks the first player to draw the dice", () => {
    expect(asked("extract")).toContain('data-testid="draw-dice"');
  });

  test("marks the dice that fit, and the others' windows are there to see", () => {
    const { legal, view } = ask("turn");
    const html = asked("turn");
    const fits = view.pool.filter((die) => legal.includes(`draft ${die}`));
    expect(count(html, /data-testid="pool-die"[^>]*data-state="legal"/gu)).toBe(fits.length);
    expect(html).toContain("Window of Ben.");
    for (const tool of view.tools) {
      expect(html).toContain(`data-testid="tool-${tool.tool}"`);
      expect(new RegExp(`tool-${tool.tool}" data-state="legal"`, "u").test(html)).toBe(
        legal.includes(`tool ${tool.tool}`),
      );
    }
    for (const objective of view.publics) expect(html).toContain(`data-testid="goal-${objective}"`);
  });

  test("marks the cells where the picked die may go", () => {
    const { legal } = ask("picks 0 1");
    const html = asked("picks 0 1");
    const cells = legal.filter((word) => word.startsWith("put ")).map((word) => word.slice(4));
    expect(cells.length).toBeGreaterThan(0);
    expect(count(html, /data-use="put"/gu)).toBe(cells.length);
    for (const cell of cells) expect(html).toMatch(new RegExp(`data-drop="${cell}"[^>]*data-use="put"`, "u"));
    expect(html).toContain("on a marked cell");
    expect(html).toContain('data-testid="cancel"');
  });

  test("shows why something was refused", () => {
    const html = asked("picks 0 1", { refusal: "A die beside it has the same colour or value" });
    expect(html).toMatch(/role="alert"[^>]*>A die beside it has the same colour or value/u);
  });

  test("a watcher has nothing to press", () => {
    const scene = sceneOf({ ...ask("turn").view, seat: null }, { you: null });
    const html = renderToString(<Felt page={page} scene={scene} clock={null} />);
    expect(html).not.toContain("<button");
    expect(html).toContain("Window of Ann.");
    expect(html).not.toContain("secret colour");
  });

  test("a lone player pays with dice", () => {
    const html = asked("alone turn");
    expect(html).toContain("paid with a ");
    expect(html).not.toContain("favor token");
    expect(html).toContain("Your colours: ");
  });
});

describe("tool dialogues", () => {
  const step = (name: string) => {
    const talk = dialogue(ask(name).view);
    return talk && `${talk.tool}: ${talk.steps[talk.at]}, ${talk.at + 1} of ${talk.steps.length}`;
  };

  test("each moment of a dialogue is at its step", () => {
    expect(step("tool 5")).toBe("5: swap, 1 of 3");
    expect(step("picks 5 1")).toBe("5: for, 2 of 3");
    expect(step("hand 5")).toBe("5: place, 3 of 3");
    expect(step("value")).toBe("11: value, 2 of 3");
    expect(step("picks 4 1")).toBe("4: lift.second, 2 of 4");
    expect(step("picks 4 3")).toBe("4: put.second, 4 of 4");
    expect(step("turn")).toBeNull();
  });

  test("a second move of tool 12 is asked for, and one alone pays first", () => {
    const moved = { ...ask("turn").view, active: 12, used: 12, moved: ["1,1"] };
    expect(dialogue(moved)?.at).toBe(2);
    expect(dialogue({ ...moved, picks: ["lift 1,2"] })?.at).toBe(1);
    const paying = { ...ask("alone turn").view, picks: ["tool 5"] };
    expect(dialogue(paying)?.steps[dialogue(paying)?.at ?? -1]).toBe("pay");
  });

  test("the step that is asked for is said and marked", () => {
    const html = asked("picks 5 1");
    expect(html).toMatch(/role="status"[^>]*>Choose the die you want from the round track/u);
    expect(count(html, /aria-current="step"/gu)).toBe(1);
    expect(html).toContain('data-testid="track-die"');
  });

  test("a die from the bag waits for its value", () => {
    const { legal } = ask("value");
    expect(count(asked("value"), /data-testid="value-\d"/gu)).toBe(
      legal.filter((word) => word.startsWith("value ")).length,
    );
  });

  test("of two lifted dice the first is put down first, and lies there until the second does", () => {
    const { view } = ask("picks 4 3");
    const [first, second, put] = view.picks.map((word) => word.split(" ")[1] ?? "");
    const at = (cell = "") => view.windows[0]?.dice[(Number(cell[0]) - 1) * 5 + Number(cell[2]) - 1];
    expect(plannedDie(view, 0)).toEqual({ cell: put, die: at(first) });
    expect(heldDie(view, 0)).toBe(at(second));
  });

  test("one up, one down: an arrow for each that is legal", () => {
    const { legal, view } = ask("tool 1");
    const arrows = view.pool.flatMap((die) => [`raise ${die}`, `lower ${die}`]).filter((word) => legal.includes(word));
    expect(count(asked("tool 1"), /data-testid="(?:raise|lower)-/gu)).toBe(arrows.length);
  });
});

describe("the end", () => {
  test("every line of the score is in the sheet, and they add up", () => {
    const rows = page.sheet(sceneOf(final));
    expect(rows.map((row) => row.key)).toEqual([
      ...final.publics.map((number) => `public ${number}`),
      "private",
      "tokens",
      "empty",
      "total",
    ]);
    for (const seat of [0, 1]) {
      const numbers = rows.map((row) => Number((row.cells[seat]?.text ?? "").replace("−", "-")));
      const total = numbers.pop();
      expect(numbers.reduce((sum, points) => sum + points, 0)).toBe(total);
      expect(total).toBe(final.scores[seat]?.total);
    }
  });

  test("what is secret stays a question mark until then", () => {
    const rows = page.sheet(sceneOf(ask("turn").view));
    const own = rows.find((row) => row.key === "private");
    expect(own?.cells.map((cell) => cell.text === "?")).toEqual([false, true]);
    const open = openViews([ask("turn").view, { ...ask("turn").view, private_points: 9 }]);
    const shown = page.sheet(sceneOf(ask("turn").view, { you: null, open }));
    expect(shown.find((row) => row.key === "private")?.cells[1]?.text).toBe("9");
  });

  test("places are as the rules rank them", () => {
    const ending = page.ending(final as View);
    expect(ending?.ranks.map((_, seat) => seat).sort((a, b) => (ending.ranks[a] ?? 0) - (ending.ranks[b] ?? 0))).toEqual(
      final.ranking,
    );
    expect(page.ending(ask("turn").view as View)).toBeNull();
  });

  test("a lone player sees whether the round track was beaten", () => {
    const ending = page.ending(solo as View);
    expect(ending?.headline).toMatch((solo.scores[0]?.total ?? 0) > (solo.target ?? 0) ? /^Won/u : /^Lost/u);
    if (!ending) throw new Error("not over");
    const html = renderToString(<Result ending={ending} scene={sceneOf(solo)} table="t" match={null} page={page} answers={null} late={false} />);
    expect(html).not.toContain("result-rank");
    expect(page.sheet(sceneOf(solo)).at(-1)?.key).toBe("target");
  });
});

test("every event that people want to read is told in words", () => {
  for (const you of [0, 1, null]) {
    const scene = sceneOf(final, { you });
    const told = events.map((event) => page.words(event, scene)).filter((text) => text !== null);
    expect(told.length).toBeGreaterThan(100);
    for (const text of told) expect(text).not.toMatch(/[{}]|undefined|NaN|sagrada\./u);
    expect(told.some((text) => text.startsWith("You place "))).toBe(you !== null);
  }
});

test("the seats that have not chosen are to act", () => {
  const { view } = ask("window");
  expect(acting({ ...view, chosen: [1] })).toEqual([0]);
  expect(acting(ask("turn").view)).toEqual([0]);
});

test("the page is one board without a hand of cards", () => {
  const board: BoardPage = page;
  expect("Hand" in board).toBe(false);
});

describe("a table of another size", () => {
  const game = { seats: [1, 2, 3, 4], usual: "heuristic", options: [] } as unknown as GameInfo;

  test("keeps who was chosen and fills the rest", () => {
    expect(firstSeats(game, 2)).toEqual(["me", "bot heuristic"]);
    expect(forSeats(game, ["person", "me"], 3)).toEqual(["person", "me", "bot heuristic"]);
    expect(forSeats(game, ["person", "open", "me"], 2)).toEqual(["me", "open"]);
    expect(forSeats(game, ["open", "person"], 1)).toEqual(["open"]);
  });

  test("a preset may say how many sit there", () => {
    const presets = [
      { key: "two", options: {}, seats: 2 },
      { key: "one", options: {}, seats: 1 },
    ];
    expect(presetOf(presets, [], {}, 1)).toBe("one");
    expect(presetOf(presets, [], {}, 3)).toBe("custom");
  });
});
