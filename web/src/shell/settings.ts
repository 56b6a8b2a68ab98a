/** Preferences stored in this browser: animations, sounds, theme, cards. */

import { computed, effect, signal } from "@preact/signals";
import { keep, kept } from "../net/storage";

const MOTION = "croupier.motion";
const SOUND = "croupier.sound";
const NOTICE = "croupier.notice";

const still = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : null;

/** The system asks for reduced motion, which overrides the setting. */
export const systemStill = signal(still?.matches ?? false);
/** Whether the user allows animations. */
export const wantsMotion = signal(kept(MOTION) !== "off");
export const moves = computed(() => wantsMotion.value && !systemStill.value);
export const wantsSound = signal(kept(SOUND) !== "off");
/** Whether the user wants a notification of the system when it is their turn. */
export const wantsNotice = signal(kept(NOTICE) === "on");

export function chooseMotion(on: boolean): void {
  wantsMotion.value = on;
  keep(MOTION, on ? null : "off");
}

export function chooseSound(on: boolean): void {
  wantsSound.value = on;
  keep(SOUND, on ? null : "off");
}

/** Choose notifications; without the browser's permission they stay off. */
export async function chooseNotice(on: boolean): Promise<void> {
  const allowed = on && "Notification" in globalThis && (await Notification.requestPermission()) === "granted";
  wantsNotice.value = allowed;
  keep(NOTICE, allowed ? "on" : null);
}

/** A preference with a few *values*, the first of which is the default. */
function choice<T extends string>(name: string, ...values: [T, ...T[]]) {
  const key = `croupier.${name}`;
  const value = signal(values.find((one) => one === kept(key)) ?? values[0]);
  const choose = (next: string) => {
    value.value = values.find((one) => one === next) ?? values[0];
    keep(key, value.peek() === values[0] ? null : value.peek());
  };
  return { name, values, value, choose };
}

export const theme = choice("theme", "system", "light", "dark");
/** The speed of animations, and of the pauses at tables that *Play* opens. */
export const speed = choice("speed", "normal", "slow", "fast");
export const deck = choice("deck", "two", "four");
export const cardSize = choice("cards", "normal", "large");
/** Whether a hand begins with its highest cards or its lowest. */
export const handOrder = choice("hand", "high", "low");
/** Whether a card is played by a second tap on a touch screen. */
export const twoTaps = choice("taps", "one", "two");

/** What the menu offers, in this order. */
export const CHOICES = [theme, speed, deck, cardSize, handOrder, twoTaps];

/** Tell the style sheets: they disable all motion under `data-motion="off"`. */
export function applySettings(root: HTMLElement): () => void {
  const change = () => (systemStill.value = still?.matches ?? false);
  still?.addEventListener("change", change);
  const stop = effect(() => {
    root.dataset["motion"] = moves.value ? "on" : "off";
    root.dataset["theme"] = theme.value.value;
    root.dataset["deck"] = deck.value.value;
    root.dataset["cards"] = cardSize.value.value;
  });
  return () => {
    still?.removeEventListener("change", change);
    stop();
  };
}
