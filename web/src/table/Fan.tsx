/** A hand of cards for mouse, touch and keyboard.
 *
 * One card at a time is in the tab order. Left and Right move, Up selects, Down deselects, Enter plays or
  * confirms. Illegal cards stay reachable, so that a screen reader can read the whole hand.
 */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { handOrder, twoTaps } from "../shell/settings";
import { drag } from "./drag";
import { useWhy } from "./why";

export interface FanCard {
  code: string;
  label: string;
  face: ComponentChildren;
  /** `rest` when nothing is asked: all cards look the same. */
  state: "rest" | "legal" | "illegal";
  selected: boolean;
  fresh?: boolean;
  /** The place from which it moves when it is new in the hand; see table/motion.ts. */
  from?: string | undefined;
  /** The place to which it moves when it leaves the hand but is not on the table. */
  to?: string | undefined;
}

interface FanProps {
  cards: FanCard[];
  label: string;
  /** Whether selecting is a decision (passing) or only a preparation (playing). */
  choosing: boolean;
  /** Called for a click on a card, or Enter. */
  onPick: (code: string) => void;
  /** Up and down. */
  onSelect: (code: string, selected: boolean) => void;
  /** Called when the focus is on an illegal card, and with null when it leaves. */
  onWhy: (code: string | null) => void;
  /** Called for Enter; returns true if that answered the question. */
  onConfirm: () => boolean;
  /** Called when a legal card was dropped on a target; if omitted, cards cannot be dragged. */
  onDrop?: ((code: string, zone: string) => void) | undefined;
}

const TWO_ROWS_FROM = 8;
/** Two rows of more cards are too narrow for a finger on a phone. */
const MANY = 14;

export function Fan(props: FanProps) {
  const cards = handOrder.value.value === "low" ? [...props.cards].reverse() : props.cards;
  const at = useSignal(0);
  const root = useRef<HTMLDivElement>(null);
  const held = useRef(false); // whether the focus was in the hand before this render
  const index = Math.min(at.value, Math.max(0, cards.length - 1));
  const why = useWhy(([code]) => props.onWhy(code ?? null));

  const focusCard = (to: number) => {
    at.value = to;
    root.current?.querySelectorAll<HTMLButtonElement>("button")[to]?.focus();
  };

  // When the focused card has been played, focus its neighbour.
  useEffect(() => {
    if (held.current && document.activeElement === document.body) focusCard(index);
  }, [cards.length]);

  // Arrow keys reach the hand from all elements that do not use them.
  useEffect(() => {
    const fromOutside = (key: KeyboardEvent) => {
      if (key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return;
      if (!["ArrowLeft", "ArrowRight", "ArrowUp"].includes(key.key)) return;
      const active = document.activeElement;
      if (active && active !== document.body && active.id !== "main") return;
      if (!cards.length) return;
      key.preventDefault();
      focusCard(index);
    };
    document.addEventListener("keydown", fromOutside);
    return () => document.removeEventListener("keydown", fromOutside);
  }, [cards.length, index]);

  const pick = (card: FanCard) => {
    // To remove an element with the focus, the browser first lays out the whole page.
    if (!props.choosing && card.state === "legal") (document.activeElement as HTMLElement | null)?.blur();
    props.onPick(card.code);
  };

  const onKeyDown = (key: KeyboardEvent) => {
    const card = cards[index];
    if (!card || key.ctrlKey || key.metaKey || key.altKey) return;
    const last = cards.length - 1;
    switch (key.key) {
      case "ArrowLeft":
        focusCard(index > 0 ? index - 1 : last);
        break;
      case "ArrowRight":
        focusCard(index < last ? index + 1 : 0);
        break;
      case "Home":
        focusCard(0);
        break;
      case "End":
        focusCard(last);
        break;
      case "ArrowUp":
        props.onSelect(card.code, props.choosing ? !card.selected : true);
        break;
      case "ArrowDown":
        props.onSelect(card.code, false);
        break;
      case "Enter":
        if (!props.onConfirm()) pick(card);
        break;
      default:
        return;
    }
    key.preventDefault();
  };

  const cut = cards.length >= TWO_ROWS_FROM ? Math.ceil(cards.length / 2) : cards.length;
  const rows = [cards.slice(0, cut), cards.slice(cut)].filter((row) => row.length);
  const middle = (cards.length - 1) / 2;
  return (
    <div
      class={`fan ${cards.length > MANY ? "many" : ""}`}
      role="group"
      aria-label={props.label}
      ref={root}
      style={{ "--n": cards.length }}
      onKeyDown={onKeyDown}
      onFocusIn={() => (held.current = true)}
      onFocusOut={(focus) => {
        if (focus.relatedTarget) held.current = false;
      }}
    >
      {rows.map((row, number) => (
        <div class="fan-row" key={number} style={{ "--row-n": row.length }}>
          {row.map((card, inRow) => {
            const place = number * cut + inRow;
            const drop = card.state === "legal" ? props.onDrop : undefined;
            return (
              <button
                key={card.code}
                type="button"
                class={`fan-card ${card.state} ${card.selected ? "selected" : ""} ${card.fresh ? "fresh" : ""} ${drop ? "draggable" : ""}`}
                style={{ "--off": place - middle }}
                data-testid={`card-${card.code}`}
                data-state={card.state}
                data-move={card.code}
                data-from={card.from ?? "centre"}
                data-to={card.to}
                aria-label={card.label}
                aria-disabled={card.state !== "legal"}
                {...(props.choosing && { "aria-pressed": card.selected })}
                tabIndex={place === index ? 0 : -1}
                onFocus={(focus) => {
                  at.value = place;
                  if (card.state !== "rest") why(focus, card.state === "illegal" ? [card.code] : []);
                }}
                onClick={(click) => {
                  const touched = click instanceof PointerEvent && click.pointerType === "touch";
                  const again = twoTaps.value.peek() === "two" && touched && card.state === "legal";
                  if (again && !props.choosing && !card.selected) props.onSelect(card.code, true);
                  else pick(card);
                }}
                onPointerDown={drop && ((down) => drag(down, (zone) => drop(card.code, zone)))}
              >
                {card.face}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}
