/** What is kept in the browser about motion and sound, and what is heard of a table. */

import { afterEach, expect, test, vi } from "vitest";
import { soundOf } from "../table/hearing";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Load the settings in a browser that has kept *kept* and whose system asks for less motion or not. */
async function settingsOf(kept: Record<string, string>, reduced = false) {
  const store = new Map(Object.entries(kept));
  const listeners: (() => void)[] = [];
  const query = { matches: reduced, addEventListener: (_: string, heard: () => void) => listeners.push(heard), removeEventListener: () => undefined };
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
  });
  vi.stubGlobal("matchMedia", () => query);
  const settings = await import("../shell/settings");
  const root = { dataset: {} as Record<string, string> };
  settings.applySettings(root as unknown as HTMLElement);
  const prefer = (less: boolean) => {
    query.matches = less;
    listeners.forEach((heard) => heard());
  };
  return { settings, store, root, prefer };
}

test("animations and sounds are on by default", async () => {
  const { settings, store, root } = await settingsOf({});
  expect([root.dataset["motion"], settings.wantsSound.value]).toEqual(["on", true]);
  settings.chooseMotion(false);
  settings.chooseSound(false);
  expect(root.dataset["motion"]).toBe("off");
  expect(Object.fromEntries(store)).toEqual({ "croupier.motion": "off", "croupier.sound": "off" });
  settings.chooseMotion(true);
  settings.chooseSound(true);
  expect([root.dataset["motion"], store.size]).toEqual(["on", 0]);
});

test("settings are remembered", async () => {
  const { settings, root } = await settingsOf({ "croupier.motion": "off", "croupier.sound": "off" });
  expect([root.dataset["motion"], settings.wantsSound.value]).toEqual(["off", false]);
});

test("a choice starts with its default and is kept only if it differs", async () => {
  const { settings, store, root } = await settingsOf({ "croupier.theme": "dark", "croupier.deck": "nonsense" });
  expect([root.dataset["theme"], root.dataset["deck"], root.dataset["cards"]]).toEqual(["dark", "two", "normal"]);
  settings.theme.choose("system");
  settings.deck.choose("four");
  expect([root.dataset["theme"], root.dataset["deck"]]).toEqual(["system", "four"]);
  expect([store.get("croupier.theme"), store.get("croupier.deck")]).toEqual([undefined, "four"]);
});

test("reduced motion of the system cannot be overridden", async () => {
  const { settings, root, prefer } = await settingsOf({}, true);
  expect(root.dataset["motion"]).toBe("off");
  settings.chooseMotion(true);
  expect(root.dataset["motion"]).toBe("off");
  prefer(false);
  expect(root.dataset["motion"]).toBe("on");
});

test("the most important of several sounds is played", () => {
  expect(soundOf([], false)).toBeNull();
  expect(soundOf(["dealt", "spoke"], false)).toBeNull();
  expect(soundOf(["played"], false)).toBe("card");
  expect(soundOf(["played", "trick_taken"], false)).toBe("trick");
  expect(soundOf(["played", "round_ended"], true)).toBe("turn");
  expect(soundOf(["played", "match_ended"], true)).toBe("result");
});
