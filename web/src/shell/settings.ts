/** What somebody likes, kept in this browser: whether things move, whether they are heard. */

import { computed, effect, signal } from "@preact/signals";
import { keep, kept } from "../net/storage";

const MOTION = "croupier.motion";
const SOUND = "croupier.sound";

const still = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : null;

/** The system asks for less motion: then nothing here moves, whatever was chosen. */
export const systemStill = signal(still?.matches ?? false);
/** Things may move, as far as this person is concerned. */
export const wantsMotion = signal(kept(MOTION) !== "off");
export const moves = computed(() => wantsMotion.value && !systemStill.value);
export const wantsSound = signal(kept(SOUND) === "on");

export function chooseMotion(on: boolean): void {
  wantsMotion.value = on;
  keep(MOTION, on ? null : "off");
}

export function chooseSound(on: boolean): void {
  wantsSound.value = on;
  keep(SOUND, on ? "on" : null);
}

/** Let the style sheets know: they switch everything off under `data-motion="off"`. */
export function applySettings(root: HTMLElement): () => void {
  const change = () => (systemStill.value = still?.matches ?? false);
  still?.addEventListener("change", change);
  const stop = effect(() => {
    root.dataset["motion"] = moves.value ? "on" : "off";
  });
  return () => {
    still?.removeEventListener("change", change);
    stop();
  };
}
