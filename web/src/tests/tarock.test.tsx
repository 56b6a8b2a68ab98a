import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { roman, TarockCard, TarockTag } from "../cards/tarock";
import type { Scene } from "../games/page";
import { page } from "../games/tarock";
import { answerOf, isWhole, layAway, planOf, takeSet } from "../games/tarock.exchange";
import {
  acting,
  type DealResult,
  faceOf,
  giftsOf,
  highest,
  lastBid,
  ranks,
  sorted,
  stage,
  type TarockView,
} from "../games/tarock.facts";
import { withCards } from "../games/tarock.hand";
import { account, cardName, outcome, sheet, status, type TarockScene } from "../games/tarock.words";
import type { View } from "../net/protocol";
import { Felt } from "../table/Felt";
import { sideOf } from "../table/places";
import { ScoreSheet } from "../table/ScoreSheet";
import { sceneOf, table } from "./fixtures";

const BLACK = ["7", "8", "9", "10", "J", "N", "Q", "K"];
const RED = ["4", "3", "2", "1", "J", "N", "Q", "K"];
const CODES = [
  ...["C", "S"].flatMap((suit) => BLACK.map((rank) => suit + rank)),
  ...["H", "D"].flatMap((suit) => RED.map((rank) => suit + rank)),
  ...Array.from({ length: 21 }, (_, at) => `T${at + 1}`),
  "TS",
];

const START: TarockView = {
  seat: 0,
  to_act: [],
  legal: [],
  phase: "bidding",
  deal: 1,
  dealer: 0,
  forehand: 1,
  compulsory: false,
  turn: 2,
  dealt: [],
  hand: ["C8", "CJ", "D2", "DK", "T9", "T21", "TS"],
  my_discards: [],
  claimed: [],
  raised: [],
  standing: "three",
  bids: [],
  contract: null,
  declarer: null,
  king: null,
  partner: null,
  partner_known: false,
  opponents: [],
  talon: [],
  count: 0,
  picked: null,
  layable: [],
  talon_rest: [],
  discarded: [],
  announced: [],
  kontra: { game: 1, trula: 1, kings: 1, kings_ultimo: 1, pagat_ultimo: 1, valat: 1 },
  turns: [],
  leader: null,
  trick: [],
  tricks: [],
  tricks_won: [0, 0, 0, 0],
  counts: [12, 12, 12, 12],
  revealed: [],
  totals: [0, 0, 0, 0],
  radelci: [0, 0, 0, 0],
  results: [],
  hands: [],
  whole_talon: [],
  discards: [],
  final: [],
  ranking: [],
  options: { deals: 4, rounding: 5, radelc_end: 100, partner_share: "full", valat_value: 500 },
};

const EXCHANGE: Partial<TarockView> = {
  phase: "exchanging",
  turn: 0,
  contract: "two",
  declarer: 0,
  king: "H",
  talon: [["S10", "T17"], ["HQ", "SK"], ["SJ", "D4"]],
  count: 2,
  layable: [["C8", "CJ", "S10", "D2"], ["C8", "CJ", "HQ", "D2"], ["C8", "CJ", "SJ", "D4", "D2"]],
};

const WON: DealResult = {
  contract: "two",
  declarer: 1,
  partner: 3,
  king: "H",
  won: true,
  points: [55, 15],
  lines: [
    { item: "game", value: 20, difference: 20, kontra: 2, score: 80 },
    { item: "trula", announced: true, by: 1, made: true, kontra: 1, score: 20 },
    { item: "pagat_ultimo", announced: false, by: 3, made: false, kontra: 1, score: -25 },
  ],
  doubled: [1],
  mond: [0, 0, 0, -20],
  scores: [0, 150, 0, 130],
  radelci: [0, 1, 0, 2],
};

function scene(over: Partial<TarockView> = {}, more: Partial<TarockScene> = {}): TarockScene {
  return { ...sceneOf({}), view: { ...START, ...over }, open: null, ...more };
}

const asking = (...legal: string[]) => ({ question: { turn: 7, legal, clock: null } });
const html = (one: TarockScene) => renderToString(<page.Hand scene={one as unknown as Scene} />);
const felt = (one: TarockScene) => renderToString(<Felt page={page} scene={one as unknown as Scene} clock={null} />);

describe("cards", () => {
  test("each of the 54 is drawn and like no other", () => {
    const drawn = CODES.map((code) => renderToString(<TarockCard {...faceOf(code)} label={cardName(code)} />));
    expect(new Set(drawn).size).toBe(54);
    for (const svg of drawn) expect(svg).not.toMatch(/NaN|undefined/u);
  });

  test("a tarock has as many leaves as its number says", () => {
    for (const number of [1, 5, 14, 21]) {
      const svg = renderToString(<TarockCard suit="T" rank={String(number)} label="" />);
      expect(svg.match(/class="leaf"/gu)).toHaveLength(number);
    }
  });

  test("a knight is the same picture under either letter", () => {
    const [knight, rider] = ["N", "R"].map((rank) => renderToString(<TarockCard suit="H" rank={rank} label="" />));
    expect(rider).not.toBe(knight);
    expect(rider).toContain('class="steel"');
  });

  test("names are words, numbers Roman", () => {
    expect(["T1", "T21", "TS", "T17", "HN", "C10", "D1"].map(cardName)).toEqual([
      "pagat",
      "mond",
      "škis",
      "tarock 17",
      "knight of hearts",
      "ten of clubs",
      "one of diamonds",
    ]);
    expect([1, 4, 9, 14, 18, 21].map(roman)).toEqual(["I", "IV", "IX", "XIV", "XVIII", "XXI"]);
    expect(renderToString(<TarockTag suit="T" rank="14" label="x" />)).toContain("XIV");
  });

  test("codes in the server's words become cards, other words do not", () => {
    const parts = withCards("play T5: tarocks were led and you hold T21 TS, C10; TV and T22 are none") as unknown[];
    expect(parts.filter((part) => typeof part !== "string")).toHaveLength(4);
  });
});

describe("facts", () => {
  test("a hand is held by suits, tarocks first, the strongest first", () => {
    expect(sorted(["H4", "H1", "T3", "C7", "TS", "SK", "D2", "HK"])).toEqual([
      "TS", "T3", "SK", "HK", "H1", "H4", "C7", "D2",
    ]);
  });

  test("forehand's three stands until another player bids", () => {
    const bids = [{ seat: 2, bid: "pass" }];
    expect(highest({ ...START, bids })).toEqual({ seat: 1, bid: "three" });
    expect(lastBid({ ...START, bids }, 2)).toBe("pass");
    expect(lastBid({ ...START, bids }, 3)).toBeNull();
    expect(highest({ ...START, bids: [...bids, { seat: 3, bid: "one" }] })).toEqual({ seat: 3, bid: "one" });
  });

  test("who is waited for, where the match stands, who is where", () => {
    expect(acting(START)).toEqual([2]);
    expect(acting({ ...START, phase: "dealing" })).toEqual([]);
    expect(stage({ ...START, hands: [["C7"]] })).toBe("between");
    expect(ranks([[2], [0, 3], [1]])).toEqual([2, 4, 1, 2]);
    const tricks = [{ leader: 0, cards: [], winner: 2, gift: "T6" }, { leader: 2, cards: [], winner: 2, gift: null }];
    expect(giftsOf({ ...START, tricks }, 2)).toEqual(["T6"]);
  });

  test("the next player sits to the right", () => {
    expect([0, 1, 2, 3].map((seat) => sideOf(seat, 0, 4, true))).toEqual(["bottom", "right", "top", "left"]);
  });
});

describe("questions", () => {
  test("bids are in words with their values, and what must be is said", () => {
    const first = scene({}, asking("bid pass", "bid two", "bid color_valat"));
    expect(html(first)).toMatch(/Your bid.*Pass.*Two.*20.*Colour valat.*125/su);
    expect(status(scene({}, asking("bid klop", "bid three")))).toContain("Nobody has bid");
  });

  test("a king in the player's own hand is marked", () => {
    const shown = html(scene({ phase: "calling", contract: "two" }, asking("call C", "call S", "call H", "call D")));
    expect(shown.match(/tarock-own/gu)).toHaveLength(1);
    expect(shown).toContain("Call the king of diamonds (you hold it: you would play alone)");
  });

  test("a set is looked at, cards are put aside, and one answer goes out", () => {
    const one = scene(EXCHANGE, asking("take 0", "take 1", "take 2"));
    expect(planOf(one)).toMatchObject({ choosing: true, set: null, wanted: 2, away: [] });
    takeSet(one, 1);
    const lay = (card: string, on = true) => {
      const plan = planOf(one);
      if (plan) layAway(one, plan, card, on);
    };
    lay("HQ");
    lay("DK"); // kings stay
    lay("CJ");
    const plan = planOf(one);
    expect(plan?.away).toEqual(["HQ", "CJ"]);
    expect(plan && isWhole(plan) && answerOf(plan)).toEqual(["take 1", "discard HQ", "discard CJ"]);
    expect(html(one)).toContain('data-testid="away-HQ"');
    takeSet(one, 0); // what is not in this hand comes back
    expect(planOf(one)?.away).toEqual(["CJ"]);
    expect(planOf(one)?.hand).toContain("T17");
    expect(planOf({ ...one, question: null })).toBeNull();
  });

  test("after a set has been taken only the cards are left to choose", () => {
    const over = { ...EXCHANGE, picked: 1, layable: [], my_discards: ["HQ"], hand: ["C8", "CJ", "SK"] };
    const one = scene(over, asking("discard C8", "discard CJ"));
    expect(planOf(one)).toMatchObject({ choosing: false, set: 1, wanted: 1, hand: ["C8", "CJ", "SK"] });
    expect(status(one)).toBe("Discard 1 card");
  });

  test("announcements are toggles, kontra says what it makes of an item", () => {
    const kontra = { ...START.kontra, game: 2 };
    const one = scene({ phase: "announcing", kontra }, asking("announce trula", "kontra game", "done"));
    expect(html(one)).toMatch(/Nothing.*Trula.*Rekontra: the game/su);
  });

  test("legal cards are marked, the others stay readable", () => {
    const one = scene({ phase: "playing", leader: 3, trick: ["DQ"] }, asking("play D2", "play DK"));
    expect(html(one).match(/data-state="legal"/gu)).toHaveLength(2);
    expect(html(one).match(/data-state="illegal"/gu)).toHaveLength(5);
  });
});

describe("the table", () => {
  test("shows the partner only to whom the view tells it", () => {
    const over = { phase: "playing" as const, contract: "two", declarer: 1, king: "H" as const, leader: 1 };
    expect(felt(scene(over))).not.toContain('data-testid="partner"');
    expect(felt(scene({ ...over, partner: 3, partner_known: true }))).toContain('data-testid="partner"');
    expect(felt(scene({ ...over, partner: null, partner_known: true }))).not.toContain('data-testid="partner"');
  });

  test("keeps a finished trick until the next is led, and shows what klop gives", () => {
    const tricks = [{ leader: 1, cards: ["CQ", "CK", "C8", "C9"], winner: 2, gift: "H4" }];
    const shown = felt(scene({ phase: "playing", contract: "klop", declarer: 1, leader: 2, turn: 2, tricks }));
    expect(shown.match(/data-testid="trick-card-/gu)).toHaveLength(4);
    expect(shown).toContain("takes the trick");
    expect(shown).toContain('data-testid="gift"');
    expect(shown).not.toContain('data-testid="declarer"');
  });

  test("lays an open beggar's hand before its seat, radelci beside it", () => {
    const over = { phase: "playing" as const, contract: "open_beggar", declarer: 2, leader: 2, revealed: ["H4", "T3"] };
    const shown = felt(scene({ ...over, radelci: [0, 0, 2, 0] }));
    expect(shown).toContain('aria-label="tarock 3 and four of hearts"');
    expect(shown).toContain("2 radelci");
  });
});

describe("scores", () => {
  test("the lines of a deal add up to its scores", () => {
    const one = scene({ results: [WON] });
    const lines = account(WON, one);
    const sums = [0, 1, 2, 3].map((seat) => lines.reduce((sum, line) => sum + (line.scores[seat] ?? 0), 0));
    expect(sums).toEqual(WON.scores);
    expect(lines.map((line) => line.label)).toEqual([
      "Two won 20 + 20 for 55 points, Kontra ×2",
      expect.stringMatching(/^Trula, announced: /u),
      "Pagat ultimo, not announced, lost",
      "Radelc: counts double",
      expect.stringMatching(/^Mond lost: /u),
    ]);
    expect(outcome(WON, one)).toMatch(/Two won, 55 points to 15\.$/u);
  });

  test("half for the partner is a line of its own", () => {
    const result = { ...WON, doubled: [], mond: [0, 0, 0, 0], scores: [0, 75, 0, 37] };
    const one = scene({ options: { ...START.options, partner_share: "half" } });
    const lines = account(result, one);
    expect(lines.at(-1)).toEqual({ label: "Half for the partner", scores: [null, null, null, 37] });
    expect(lines[0]?.scores).toEqual([null, 80, null, null]);
  });

  test("klop shows the points taken by each player", () => {
    const klop: DealResult = {
      ...WON, contract: "klop", partner: null, king: null, won: null, points: [19, 10, 16, 25], lines: [], doubled: [],
      mond: [0, 0, 0, 0], scores: [-20, -10, -15, -25], radelci: [1, 1, 1, 1],
    };
    expect(account(klop, scene()).map((line) => line.label)).toEqual(["Points taken", "Lost, rounded to 5"]);
    const full = { ...klop, points: [0, 40, 10, 20], scores: [70, -70, 0, 0] };
    expect(account(full, scene()).map((line) => line.label)).toEqual(["Points taken", "None taken +70, over 35 −70"]);
  });

  test("the sheet ends with what the radelci cost", () => {
    const over: Partial<TarockView> = {
      phase: "over", results: [WON], totals: [0, 150, 0, 130], radelci: [0, 1, 0, 2], final: [0, 50, 0, -70],
      ranking: [[1], [0, 2], [3]],
    };
    const rows = sheet(scene(over));
    expect(rows.map((row) => row.key)).toEqual(["deal 1", "total", "radelci", "final"]);
    expect(rows[2]?.cells.map((cell) => cell.text)).toEqual(["", "−100", "", "−200"]);
    const shown = renderToString(<ScoreSheet seats={table.seats} rows={rows} you={0} />);
    expect(shown).toContain("Two won 20");
    expect(page.ending({ ...START, ...over } as View)?.ranks).toEqual([2, 1, 2, 4]);
  });
});

test("what happens is told in words", () => {
  const one = scene() as unknown as Scene;
  const told = [
    { kind: "match_started", options: { deals: 1 } },
    { kind: "deal_started", deal: 1, dealer: 0, forehand: 1, compulsory: true },
    { kind: "spoke", seat: 0, bid: "pass", next: 1 },
    { kind: "spoke", seat: 2, bid: "solo_one", next: 1 },
    { kind: "king_called", seat: 0, suit: "H" },
    { kind: "exchange_started", seat: 1, talon: [["T3", "C7"]], count: 2 },
    { kind: "laid_away", seat: 0, card: "HQ" },
    { kind: "exchange_ended", seat: 1, picked: 0, discarded: ["T3"] },
    { kind: "announced", seat: 1, bonuses: ["kings"], kontras: ["game"], next: 2 },
    { kind: "announced", seat: 0, bonuses: [], kontras: [], next: null },
    { kind: "played", seat: 1, card: "T1", next: 0, winner: 0, gift: "SK" },
    { kind: "deal_ended", deal: 1, hands: [["T3"]], talon: ["C7"], discards: [], ...WON },
  ].map((event) => page.words(event, one));
  for (const text of told) expect(text).toMatch(/^[^{}]+\.$/u);
  expect(told[9]).toBe("You announce nothing.");
  expect(told[10]).toContain("You take the trick and get the king of spades from the talon.");
  expect(page.words({ kind: "exchange_ended", seat: 1, picked: 0, discarded: [] }, one)).toBeNull();
});
