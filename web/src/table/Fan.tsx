/** A hand of cards, for mouse, touch and keyboard.
 *
 * One card at a time is in the tab order. Left and right move, up selects, down takes back, Enter plays or
 * confirms. Cards that may not be used now stay reachable, so that a screen reader can read the whole hand.
 */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { drag } from "./drag";
import { useWhy } from "./why";

export interface FanCard {
  code: string;
  label: string;
  face: ComponentChildren;
  /** `rest` when nothing is asked: then no card is better than another. */
  state: "rest" | "legal" | "illegal";
  selected: boolean;
  fresh?: boolean;
}

interface FanProps {
  cards: FanCard[];
  label: string;
  /** Whether selecting is a choice of its own (passing) or only a card held ready (playing). */
  choosing: boolean;
  /** A click on a card, or a card confirmed by Enter. */
  onPick: (code: string) => void;
  /** Up and down. */
  onSelect: (code: string, selected: boolean) => void;
  /** The focus rests on a card that may not be used now, or with null no more. */
  onWhy: (code: string | null) => void;
  /** Enter; true when that settled the question. */
  onConfirm: () => boolean;
  /** A legal card was dragged to a place; without it cards stay where they are. */
  onDrop?: ((code: string, zone: string) => void) | undefined;
}

const TWO_ROWS_FROM = 8;

export function Fan(props: FanProps) {
  const { cards } = props;
  const at = useSignal(0);
  const root = useRef<HTMLDivElement>(null);
  const held = useRef(false); // whether the focus was in the hand before this render
  const index = Math.min(at.value, Math.max(0, cards.length - 1));
  const why = useWhy(([code]) => props.onWhy(code ?? null));

  const focusCard = (to: number) => {
    at.value = to;
    root.current?.querySelectorAll<HTMLButtonElement>("button")[to]?.focus();
  };

  // A played card takes the focus with it: give it to the neighbour.
  useEffect(() => {
    if (held.current && document.activeElement === document.body) focusCard(index);
  }, [cards.length]);

  // Arrows reach the hand from anywhere that does not use them itself.
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
        if (!props.onConfirm()) props.onPick(card.code);
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
      class="fan"
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
                aria-label={card.label}
                aria-disabled={card.state !== "legal"}
                {...(props.choosing && { "aria-pressed": card.selected })}
                tabIndex={place === index ? 0 : -1}
                onFocus={(focus) => {
                  at.value = place;
                  if (card.state !== "rest") why(focus, card.state === "illegal" ? [card.code] : []);
                }}
                onClick={() => props.onPick(card.code)}
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
