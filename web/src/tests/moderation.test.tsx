/** Moderation: muting and reporting in chat, the countdown to a restart, the texts of orders. */

import { renderToString } from "preact-render-to-string";
import { beforeEach, expect, test, vi } from "vitest";
import { countdown } from "../moderation/Restart";
import { cs } from "../moderation/orders.cs";
import { de } from "../moderation/orders.de";
import { en } from "../moderation/orders.en";
import { fr } from "../moderation/orders.fr";
import { sl } from "../moderation/orders.sl";
import type { SaidLine } from "../net/table";
import { wrongTexts } from "./wording";

const kept = new Map<string, string>();
const LINE: SaidLine = { key: 1, seat: 1, name: "Ben", text: "hello" };

beforeEach(() => {
  kept.clear();
  vi.resetModules();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

test("a countdown has minutes and seconds, and hours if there are any", () => {
  expect([0, 9.2, 75, 600, 3661, 7200].map(countdown)).toEqual(["0:00", "0:10", "1:15", "10:00", "1:01:01", "2:00:00"]);
});

test("a muted person stays muted after a reload, and can be heard again", async () => {
  const before = await import("../moderation/muted");
  before.mute("Ben", true);
  before.mute("Ben", true);
  expect(kept.get("croupier.muted")).toBe('["Ben"]');
  vi.resetModules();
  const after = await import("../moderation/muted");
  expect(after.muted.value).toEqual(["Ben"]);
  after.mute("Ben", false);
  expect([after.muted.value, kept.has("croupier.muted")]).toEqual([[], false]);
});

test("what is kept may be anything", async () => {
  kept.set("croupier.muted", '{"a": 1');
  expect((await import("../moderation/muted")).muted.value).toEqual([]);
});

test("only messages of others have options", async () => {
  const { ChatLine } = await import("../moderation/Talk");
  const line = (own: boolean) => renderToString(<ChatLine line={LINE} own={own} report={null} />);
  expect(line(false)).toContain("Options for Ben");
  expect(line(true)).not.toContain("button");
});

test.each(Object.entries({ de, fr, sl, cs }))("the texts of orders are complete in %s", (language, texts) => {
  expect(wrongTexts(language as "de", en, texts)).toEqual([]);
});
