import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { cardName, FrenchCard, withCards } from "../cards/french";
import { CardBack } from "../cards/frame";
import { page } from "../games/hearts";
import type { HeartsView } from "../games/hearts.facts";
import { openViews } from "../games/page";
import type { House, SeatInfo, TableFrame, View } from "../net/protocol";
import { statusOf } from "../node/NodePage";
import { Foot } from "../shell/Foot";
import { Felt } from "../table/Felt";
import { Face } from "../table/Face";
import { ScoreSheet } from "../table/ScoreSheet";
import { Avatar, called, SeatBadges } from "../table/Seat";
import { asks, events, moments, sceneOf, table } from "./fixtures";

const seats = table.seats;

describe("cards", () => {
  const codes = [..."SHCD"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));

  test("each of the 52 is drawn, named, and like no other", () => {
    const drawn = codes.map((code) => renderToString(<FrenchCard code={code} />));
    expect(new Set(drawn).size).toBe(52);
    expect(drawn[0]).toContain('aria-label="two of spades"');
    for (const svg of drawn) {
      expect(svg).not.toMatch(/NaN|undefined/u);
      expect(svg.match(/class="glyph"/gu)).toHaveLength(2);
    }
  });

  test("number cards have as many signs as they say, and one in each corner", () => {
    for (const [rank, count] of [["2", 2], ["7", 7], ["T", 10]] as const) {
      const svg = renderToString(<FrenchCard code={`${rank}H`} />);
      expect(svg.match(/<path (?!class)/gu)).toHaveLength(count + 2);
    }
  });

  test("names are words, backs tell nothing", () => {
    expect(cardName("QS")).toBe("queen of spades");
    expect(cardName("TC")).toBe("ten of clubs");
    expect(renderToString(<CardBack />)).toContain('aria-label="face-down card"');
  });
});

test("codes in the server's words become cards", () => {
  const tag = (name: string) => expect.stringContaining(`aria-label="${name}"`);
  const parts = (words: string) =>
    (withCards(words) as (string | object)[]).map((part) =>
      typeof part === "string" ? part : renderToString(part as Parameters<typeof renderToString>[0]),
    );
  expect(parts("play KS: the first round is led with 2C")).toEqual([
    "play ",
    tag("king of spades"),
    ": the first round is led with ",
    tag("two of clubs"),
    "",
  ]);
  expect(parts("TD: you do not hold it")).toEqual(["", tag("ten of diamonds"), ": you do not hold it"]);
  expect(parts("USA, 2CV and AS-level: no cards but one")).toEqual([
    "USA, 2CV and ",
    tag("ace of spades"),
    "-level: no cards but one",
  ]);
});

describe("opponents", () => {
  const bot = (name: string, strength: string): SeatInfo => ({ ...(seats[1] as SeatInfo), kind: "bot", bot: strength, name });

  test("a bot has a face of its own, always the same", () => {
    const drawn = ["Ida Lang", "Hugo Roux", "Zora Hren"].map((name) => renderToString(<Face name={name} />));
    expect(new Set(drawn).size).toBe(3);
    expect(renderToString(<Face name="Ida Lang" />)).toBe(drawn[0]);
    expect(renderToString(<Avatar info={bot("Ida Lang", "club")} />)).toContain('class="face"');
    expect(drawn.join()).not.toMatch(/NaN|undefined/u);
  });

  test("its strength is shown in bars and in words", () => {
    const shown = (strength: string) => renderToString(<SeatBadges info={bot("Ida Lang", strength)} you={false} />);
    expect(shown("club")).toContain('aria-label="Bot: club player"');
    expect(["random", "novice", "heuristic", "club", "expert", "master"].map((one) => shown(one).match(/class="on"/gu)?.length)).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    expect(shown("dummy")).not.toContain('class="on"');
  });

  test("oneself is You in lists and in the line of the trick", () => {
    expect(called({ seats, you: 0 }, 0)).toBe("You");
    expect(called({ seats, you: 0 }, 1)).toBe(seats[1]?.name);
    const view = moments["round_ended 3"];
    const line = (you: number | null) => renderToString(<page.Centre scene={sceneOf(view, { you })} />);
    expect(line(view.last_taker)).toContain("You take the trick");
    expect(line(null)).toContain(`${seats[view.last_taker ?? 0]?.name} takes the trick`);
  });
});

describe("the Hearts table", () => {
  test("asks for three cards and says where they go", () => {
    const { turn, legal, view } = asks.pass;
    const html = renderToString(<page.Hand scene={sceneOf(view, { question: { turn, legal, clock: null } })} />);
    expect(html).toContain("Choose three cards for");
    expect(html.match(/data-state="legal"/gu)).toHaveLength(13);
    expect(html).toMatch(/data-testid="confirm-pass" disabled/u);
  });

  test("marks what may be played and what may not", () => {
    const { turn, legal, view } = asks.play;
    const html = renderToString(<page.Hand scene={sceneOf(view, { question: { turn, legal, clock: null } })} />);
    expect(html.match(/data-state="legal"/gu)).toHaveLength(legal.length);
    for (const card of view.hand) expect(html).toContain(`data-testid="card-${card}"`);
    expect(html).toContain("Your turn");
  });

  test("asks about the ace of hearts with two answers", () => {
    const question = { turn: 4, legal: ["expose AH", "keep AH"], clock: null };
    const html = renderToString(<page.Hand scene={sceneOf(asks.play.view, { question })} />);
    expect(html).toContain('data-testid="answer-expose-AH"');
    expect(html).toContain('data-testid="answer-keep-AH"');
    expect(html).not.toContain('data-state="illegal"');
  });

  test("shows why a card was refused, next to the hand", () => {
    const refusal = "play KS: the first round is led with 2C";
    const html = renderToString(<page.Hand scene={sceneOf(asks.play.view, { refusal })} />);
    expect(html).toMatch(/role="alert"[^>]*>play <span[^>]*aria-label="king of spades"/u);
  });

  test("shows the trick before its owners and who takes it", () => {
    const view = moments["round_ended 3"];
    const html = renderToString(<Felt page={page} scene={sceneOf(view)} clock={null} />);
    for (const card of view.table) expect(html).toContain(`data-testid="trick-card-${card}"`);
    expect(html.match(/trick-card [^"]*wins/gu)).toHaveLength(1);
    expect(html).toContain("takes the trick");
    // The player's own plate is beside the hand.
    expect(html).not.toContain('data-testid="seat-0"');
    for (const seat of [1, 2, 3]) expect(html).toContain(`data-testid="seat-${seat}"`);
  });

  test("keeps a sheet of deals, the present one included", () => {
    const rows = page.sheet(sceneOf(moments["played 20"]));
    expect(rows.map((row) => row.kind)).toEqual(["now", "total"]);
    const html = renderToString(<ScoreSheet seats={seats} rows={rows} you={0} />);
    expect(html).toContain('data-testid="score-sheet"');
  });

  test("marks the moon and the shown ace in the sheet", () => {
    const view: HeartsView = {
      ...moments["match_ended 1"],
      deals: [{ scores: [156, 0, 0, 0], exposed: 2, moon: 0 }],
    };
    const [row] = page.sheet(sceneOf(view));
    expect(row?.cells[0]?.marks?.map((mark) => mark.icon)).toEqual(["moon"]);
    expect(row?.cells[2]?.marks?.map((mark) => mark.icon)).toEqual(["ace"]);
  });

  test("ends with places, best first", () => {
    const ending = page.ending(moments["match_ended 1"] as View);
    expect(ending?.final).toBe(true);
    expect(Math.min(...(ending?.ranks ?? []))).toBe(1);
    expect(page.ending(moments["played 5"] as View)).toBeNull();
  });

  test("the heading says how cards are passed only before the play", () => {
    const passed = "passed to the left";
    expect(page.standing(asks.pass.view as View)).toContain(passed);
    expect(page.standing(moments["played 5"] as View)).not.toContain(passed);
    expect(page.standing({ ...moments["match_ended 1"], direction: "left" } as View)).not.toContain(passed);
  });

  test("tells every event that people want to read, in words", () => {
    const scene = sceneOf(moments["match_ended 1"]);
    const told = events.map((event) => page.words(event, scene)).filter((text) => text !== null);
    expect(told.length).toBeGreaterThan(60);
    for (const text of told) expect(text).not.toMatch(/[{}]|undefined|NaN/u);
    expect(told.some((text) => text.startsWith("You play the "))).toBe(true);
  });
});

describe("for a watcher", () => {
  const view = { ...moments["played 5"], seat: null };
  const hands = view.played.map((_, seat) => ({ ...view, hand: seat ? ["QS", "9H", "2D"] : ["TC"] }));

  test("hands stay hidden", () => {
    const html = renderToString(<Felt page={page} scene={sceneOf(view, { you: null })} clock={null} />);
    expect(html).not.toContain("open-hand");
  });

  test("hands are open if the server shows them", () => {
    const scene = sceneOf(view, { you: null, open: openViews(hands) });
    const html = renderToString(<Felt page={page} scene={scene} clock={null} />);
    expect(html.match(/class="open-hand"/gu)).toHaveLength(3);
    expect(html).toContain('aria-label="queen of spades, nine of hearts, and two of diamonds"');
    const bottom = renderToString(<page.OpenHand scene={scene} seat={0} large />);
    expect(bottom).toContain('aria-label="ten of clubs"');
  });
});

describe("the game node", () => {
  const free = (info: SeatInfo): SeatInfo => ({ ...info, kind: "open", name: "" });
  const waiting: TableFrame = {
    ...table,
    phase: "gathering",
    match: null,
    seats: seats.map((info) => (info.seat === 3 ? free(info) : info)),
  };

  test("says that it is started and who is missing", () => {
    expect(statusOf({ ...waiting, started: true }, false, false)).toBe(
      "Started: the game begins as soon as all seats are filled. Still missing: a program in seat 4",
    );
    expect(statusOf({ ...waiting, started: false }, false, false)).toBe("Still missing: a program in seat 4");
  });

  test("says what new choices need, and that a running game has the seats fixed", () => {
    expect(statusOf({ ...waiting, started: true }, true, false)).toMatch(/^Press Start Game/u);
    expect(statusOf({ ...table, phase: "playing" }, false, true)).toMatch(/cannot be changed.*watch mode/u);
    expect(statusOf({ ...table, phase: "resting" }, false, false)).toBe("");
  });
});

describe("the foot of the page", () => {
  const foot = (lobby: boolean, compiled: boolean, compiling = false) => {
    const notice = null;
    const house: House = { mode: "serve", version: "1.0", compiled, compiling, default_table: null, doors: [], notice };
    return renderToString(<Foot house={house} lobby={lobby} />);
  };

  test("the lobby tells what interpreted rules mean, and what comes next only if it does", () => {
    expect(foot(true, false)).toMatch(/the bots search less deeply\.<\/small>$/u);
    expect(foot(true, false, true)).toMatch(/less deeply\. The compiled rules are used from the next start\.<\/small>$/u);
  });

  test("compiled rules, and other pages, have no more than a word", () => {
    expect(foot(true, true)).toBe("<small>Croupier 1.0 · compiled rules</small>");
    expect(foot(false, false, true)).toBe("<small>Croupier 1.0 · interpreted rules</small>");
  });
});
