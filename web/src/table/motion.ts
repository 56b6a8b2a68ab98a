/** Moves cards and dice from where they were to where they are, with the Web Animations API.
 *
 * An element with `data-move="code"` shows a card or a die. When a render puts the same code somewhere
 * else, the new element starts at the place of the old one. `data-from` names the place from which an
 * element without an old place comes ("roll" for dice), `data-to` the place to which an element that is no
 * longer shown goes; places have `data-place`. Movements on a hidden page are not shown later.
 */

import { useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { moves, speed } from "../shell/settings";

const EASING = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const MOVE_MS = 240;
const PACES = { slow: 1.8, normal: 1, fast: 0.6 };
const SWEEP_MS = 380;
const FRAME_MS = 16;
/** Several cards that come from the same place follow each other. */
const STAGGER_MS = 22;
/** The size of a card that comes from a place, compared with its final size. */
const FAR = 0.5;
/** Shifts that are too small to be seen. */
const SLACK = 1.5;

/** A centre, and the size without rotation, in pixels of the window. */
interface Spot {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Shown {
  element: HTMLElement;
  code: string;
  spot: Spot;
  to: string | undefined;
}

function pace(): number {
  return PACES[speed.value.peek()];
}

function spotOf(element: Element): Spot {
  const box = element.getBoundingClientRect();
  const own = element instanceof HTMLElement;
  return {
    x: box.left + box.width / 2,
    y: box.top + box.height / 2,
    width: own ? element.offsetWidth : box.width,
    height: own ? element.offsetHeight : box.height,
  };
}

function shownIn(root: HTMLElement): Shown[] {
  return [...root.querySelectorAll<HTMLElement>("[data-move]")].map((element) => ({
    element,
    code: element.dataset["move"] ?? "",
    spot: spotOf(element),
    to: element.dataset["to"],
  }));
}

function placeOf(root: HTMLElement, name: string | undefined): Spot | null {
  const place = name && root.querySelector(`[data-place="${name}"]`);
  return place ? spotOf(place) : null;
}

/** Return where the layout puts *element*, without its current movement. */
function restOf(element: HTMLElement): string {
  const places: number[] = [];
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.offsetParent) {
    places.push(at.offsetLeft, at.offsetTop);
  }
  return places.join();
}

/** Return the pairs in *before* and *after* that belong together: by element, then by code. */
export function pairs<T extends { element: unknown; code: string }>(before: T[], after: T[]): Map<T, T> {
  const left = new Set(before);
  const found = new Map<T, T>();
  for (const same of [(a: T, b: T) => a.element === b.element && a.code === b.code, (a: T, b: T) => a.code === b.code]) {
    for (const one of after) {
      if (found.has(one)) continue;
      const old = [...left].find((other) => same(other, one));
      if (!old) continue;
      left.delete(old);
      found.set(one, old);
    }
  }
  return found;
}

/** Return the `translate` that shifts an element with the computed value *own* by *x* and *y* pixels. */
export function shifted(own: string, x: number, y: number): string {
  const [across = "0px", down = "0px"] = own === "none" ? [] : own.split(" ");
  return `calc(${across} + ${x}px) calc(${down} + ${y}px)`;
}

/** A movement that is about to begin. */
interface Start {
  element: HTMLElement;
  code: string;
  rest: string;
  keyframe: Keyframe;
  duration: number;
  delay: number;
}

/** Return the movement of *shown* from *from*, *size* times as large as at its end. */
function coming({ element, code, spot }: Shown, from: Spot, size: number, delay: number): Start {
  const { translate } = getComputedStyle(element);
  const keyframe: Keyframe = { translate: shifted(translate, from.x - spot.x, from.y - spot.y) };
  // A hand turns its cards around a point below them, so they keep their size.
  if (!element.closest(".fan")) keyframe["scale"] = String(size);
  return { element, code, rest: restOf(element), keyframe, duration: MOVE_MS, delay };
}

function rolling({ element, code }: Shown, delay: number): Start {
  const keyframe: Keyframe = { translate: "0 -60px", rotate: "-200deg", opacity: 0 };
  return { element, code, rest: restOf(element), keyframe, duration: 1.6 * MOVE_MS, delay };
}

/** Show a copy of an element that is gone, moving to *to*. */
function sweep(gone: Shown, to: Spot): void {
  const copy = document.createElement("div");
  copy.className = "swept";
  copy.setAttribute("aria-hidden", "true");
  copy.append(...[...gone.element.children].map((child) => child.cloneNode(true)));
  const { x, y, width, height } = gone.spot;
  Object.assign(copy.style, { left: `${x - width / 2}px`, top: `${y - height / 2}px`, width: `${width}px`, height: `${height}px` });
  document.body.append(copy);
  const end: Keyframe = { translate: `${to.x - x}px ${to.y - y}px`, scale: "0.4", opacity: 0.2 };
  const going = copy.animate([{}, end], { duration: SWEEP_MS * pace(), easing: "ease-in-out", fill: "forwards" });
  going.onfinish = going.oncancel = () => copy.remove();
}

export class Motion {
  /** The places before the next render, if they have already been noted. */
  private before: Shown[] | null = null;
  /** The moving elements, and where the layout puts them. */
  private readonly running = new Map<HTMLElement, { animation: Animation; code: string; rest: string }>();
  private leap: unknown = undefined;
  private first = true;

  /** Note the places of all elements, before a render changes them. */
  note(root: HTMLElement | null): void {
    this.before ??= root && this.visible() ? shownIn(root) : [];
  }

  /** Move the elements that the render has changed.
   *
   * A new *leap* means that something was missed: then nothing moves. At first everything is new; this is
   * animated only if its *start* was not missed. */
  play(root: HTMLElement | null, leap: unknown, start: boolean): void {
    const before = this.before ?? [];
    this.before = null;
    const still = (this.first ? !start : leap !== this.leap) || !this.visible();
    this.first = false;
    this.leap = leap;
    this.stop(root === null || still);
    if (!root || still) return;
    const after = shownIn(root);
    const known = pairs(before, after);
    const kept = new Set(known.values());
    const gone = before.filter((one) => !kept.has(one));
    // Measure everything first: each change would make the next measurement compute all styles again.
    const starts = this.starts(root, after, known);
    const ends = gone.map((one) => placeOf(root, one.to));
    for (const start of starts) this.begin(start);
    gone.forEach((one, at) => ends[at] && sweep(one, ends[at]));
  }

  /** Stop movements to places that are no longer right; the others continue. */
  private stop(all: boolean): void {
    for (const [element, { animation, code, rest }] of [...this.running]) {
      if (all || element.dataset["move"] !== code || restOf(element) !== rest) animation.cancel();
    }
  }

  private starts(root: HTMLElement, after: Shown[], known: Map<Shown, Shown>): Start[] {
    const starts: Start[] = [];
    let late = 0;
    for (const one of after) {
      if (this.running.has(one.element)) continue;
      const old = known.get(one);
      const source = one.element.dataset["from"];
      if (!old && source === "roll") {
        starts.push(rolling(one, 2 * STAGGER_MS * late++));
        continue;
      }
      const from = old ? old.spot : placeOf(root, source);
      if (!from || Math.hypot(from.x - one.spot.x, from.y - one.spot.y) < SLACK) continue;
      const size = old ? old.spot.width / (one.spot.width || 1) : FAR;
      starts.push(coming(one, from, size, old ? 0 : STAGGER_MS * late++));
    }
    return starts;
  }

  private begin({ element, code, rest, keyframe, duration, delay }: Start): void {
    const animation = element.animate([keyframe, {}], {
      duration: duration * pace(),
      delay: delay * pace(),
      easing: EASING,
      fill: "backwards",
    });
    // Otherwise the first frame would show the element in its old place.
    if (!delay) animation.currentTime = FRAME_MS;
    element.classList.add("moving");
    this.running.set(element, { animation, code, rest });
    const end = () => {
      if (this.running.get(element)?.animation !== animation) return;
      this.running.delete(element);
      element.classList.remove("moving");
    };
    animation.onfinish = end;
    animation.oncancel = end;
  }

  private visible(): boolean {
    return moves.peek() && document.visibilityState === "visible";
  }
}

/** Animate the changes below the returned element; see `Motion.play` for *leap* and *start*.
 *
 * *answered* tells, from signals, whether the player has just answered. Places are noted at once then: when the
 * component is rendered, its parents may have changed the page already, and measuring would lay it out once more. */
export function useMotion(leap: unknown, start: boolean, answered: () => boolean) {
  const root = useRef<HTMLDivElement>(null);
  const motion = useMemo(() => new Motion(), []);
  useSignalEffect(() => {
    if (answered()) motion.note(root.current);
  });
  motion.note(root.current);
  useLayoutEffect(() => motion.play(root.current, leap, start));
  return root;
}
