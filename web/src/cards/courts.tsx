/** King, queen, knight, jack and the fool of the tarocks: one geometric half-figure each, rotated about the centre of the card. */

import type { ComponentChildren } from "preact";
import { type FrenchSuit, Pip } from "./pips";

/** The frame of the picture on a card of 100 × 140. */
const LEFT = 25;
const RIGHT = 75;
const TOP = 14;
const MIDDLE = 70;

function Head(props: { children?: ComponentChildren }) {
  return (
    <g>
      {props.children}
      <path class="skin" d="M42 36Q42 30 50 30Q58 30 58 36V41Q58 50 50 50.5Q42 50 42 41Z" />
      <path class="line" d="M45.7 38.5H47.6M52.4 38.5H54.3M50 39.5V43M48 46.3Q50 47.3 52 46.3" />
    </g>
  );
}

function Cloak(props: { collar: string }) {
  return (
    <g>
      <path class="cloth" d="M25 70V63C29 56.5 37 53.5 44.5 52L50 58L55.5 52C63 53.5 71 56.5 75 63V70Z" />
      <path class="trim" d={props.collar} />
    </g>
  );
}

function King() {
  return (
    <g>
      <path class="hair" d="M39.5 33H60.5L60 47C60 51 57.5 53 56.5 54H43.5C42.5 53 40 51 40 47Z" />
      <Head />
      <path class="hair" d="M42 42.5C44.5 45.2 47.5 44.3 50 44.3C52.5 44.3 55.5 45.2 58 42.5V45C58 52.5 53.5 56 50 58.5C46.5 56 42 52.5 42 45Z" />
      <path class="line" d="M48 47.6H52" />
      <path class="gold" d="M39 33.5L37 20.5L43.6 26.5L50 17.5L56.4 26.5L63 20.5L61 33.5Z" />
      <path class="band" d="M39 33.5L38.5 30.3H61.5L61 33.5Z" />
      <circle class="gold" cx="50" cy="17.5" r="2" />
      <circle class="gold" cx="37" cy="20.5" r="1.7" />
      <circle class="gold" cx="63" cy="20.5" r="1.7" />
    </g>
  );
}

function Queen() {
  return (
    <g>
      <path class="hair" d="M50 25.5C58.5 25.5 62 31 62 38C62 46 64 50 66 54H34C36 50 38 46 38 38C38 31 41.5 25.5 50 25.5Z" />
      <path class="skin" d="M46.5 48H53.5V54.5L50 58.5L46.5 54.5Z" />
      <Head />
      <path class="hair" d="M42 37C42 31 46 29.5 50 29.5C54 29.5 58 31 58 37C55.5 35.5 52.5 33.5 50 31.5C47.5 33.5 44.5 35.5 42 37Z" />
      <path class="gold" d="M40.5 28.8L41.5 22L45.8 25.5L50 18.5L54.2 25.5L58.5 22L59.5 28.8C54 26 46 26 40.5 28.8Z" />
      <circle class="band" cx="50" cy="24.3" r="1.6" />
      <circle class="gold" cx="50" cy="59.5" r="1.9" />
    </g>
  );
}

function Jack() {
  return (
    <g>
      <path class="hair" d="M40 33H60V44C60 48.5 62 50.5 62 50.5H38C38 50.5 40 48.5 40 44Z" />
      <path class="skin" d="M46.5 48H53.5V54.5L50 58.5L46.5 54.5Z" />
      <Head />
      <path class="cloth" d="M38 33.5C36.5 25.5 42.5 20.5 50 20.5C57.5 20.5 63.5 25.5 62 33.5C54.5 30.3 45.5 30.3 38 33.5Z" />
      <path class="band" d="M38 33.5C45.5 30.3 54.5 30.3 62 33.5L62.3 36C54.5 32.8 45.5 32.8 37.7 36Z" />
      <path class="gold" d="M60.5 30C64.5 26.5 67.5 22 66.5 16.5C61.5 17.8 58 22 57.5 27.5Z" />
      <path class="line" d="M60 29C61.5 25.5 63.5 22 66 18" />
    </g>
  );
}

function Knight() {
  return (
    <g>
      <path class="skin" d="M46.5 48H53.5V54.5L50 58.5L46.5 54.5Z" />
      <Head />
      <path class="steel" d="M38.5 42C36.5 29 41 21 50 20.5C59 21 63.5 29 61.5 42L58.5 47.5V36.5H41.5V47.5Z" />
      <path class="line" d="M50 20.8V36M41.5 36.5H58.5" />
      <path class="band" d="M50 21C45 14.5 38 14.5 33.5 19C33.5 19 39 18.6 41 22.5C43.5 20.6 47 20.2 50 21Z" />
      <path class="gold" d="M39.3 36.5V33.6C45.5 32 54.5 32 60.7 33.6V36.5Z" />
      <path class="wood" d="M66.2 69V19.5H67.8V69Z" />
      <path class="steel" d="M67 14.8L70 22L67 25L64 22Z" />
      <path class="cloth" d="M66.2 27H57.5L60.5 30.5L57.5 34H66.2Z" />
    </g>
  );
}

function Fool() {
  return (
    <g>
      <path class="skin" d="M46.5 48H53.5V54.5L50 58.5L46.5 54.5Z" />
      <Head />
      <path class="cloth" d="M50 34C44 33 40 36.5 39 42C34 41.5 30.5 37 30.5 31C33.5 33 36 32.5 37.5 30C36.5 24 41 19.5 47 19.5C47.5 24.5 48.5 29 50 34Z" />
      <path class="trim" d="M50 34C56 33 60 36.5 61 42C66 41.5 69.5 37 69.5 31C66.5 33 64 32.5 62.5 30C63.5 24 59 19.5 53 19.5C52.5 24.5 51.5 29 50 34Z" />
      <path class="gold" d="M39 42C40 36.5 44 33 50 34C56 33 60 36.5 61 42C58.5 37.8 54.5 36.2 50 36.4C45.5 36.2 41.5 37.8 39 42Z" />
      <circle class="gold" cx="30.5" cy="30.5" r="2.3" />
      <circle class="gold" cx="69.5" cy="30.5" r="2.3" />
      <circle class="gold" cx="47" cy="18.6" r="2.1" />
      <circle class="gold" cx="53" cy="18.6" r="2.1" />
      <path class="line" d="M47 45.6Q50 48.6 53 45.6" />
    </g>
  );
}

const COLLARS: Record<string, string> = {
  K: "M44.5 52L50 58L55.5 52L59 53L52.5 63V70H47.5V63L41 53Z",
  Q: "M44.5 52C41 60 45 66 50 66C55 66 59 60 55.5 52L58.5 52.9C62.5 63 57.5 70 57.5 70H42.5C42.5 70 37.5 63 41.5 52.9Z",
  N: "M44.5 52L50 58L55.5 52L66 55.6L62 62H54L50 70L46 62H38L34 55.6Z",
  J: "M44.5 52L50 58L55.5 52L62 53.9L50 66L38 53.9Z",
  fool: "M44.5 52L50 58L55.5 52L64 54.6L60 63L55.5 58.5L50 68L44.5 58.5L40 63L36 54.6Z",
};

const FIGURES: Record<string, () => ComponentChildren> = {
  K: King,
  Q: Queen,
  N: Knight,
  J: Jack,
  fool: Fool,
};

/** The picture of a court card on a card of 100 × 140; the fool has no suit. */
export function Court(props: { rank: string; suit: FrenchSuit | null }) {
  const Figure = FIGURES[props.rank];
  if (!Figure) return null;
  const half = (
    <>
      <Cloak collar={COLLARS[props.rank] ?? ""} />
      <Figure />
    </>
  );
  return (
    <g class="court">
      <rect class="panel" x={LEFT} y={TOP} width={RIGHT - LEFT} height={2 * (MIDDLE - TOP)} rx="3" />
      {half}
      <g transform="rotate(180 50 70)">{half}</g>
      <path class="sash" d="M25 67.6H75V72.4H25Z" />
      <path class="gem" d="M50 66.5L53.5 70L50 73.5L46.5 70Z" />
      {props.suit && (
        <g class="sign">
          <Pip suit={props.suit} x={32.5} y={23} scale={0.48} />
          <Pip suit={props.suit} x={67.5} y={117} scale={0.48} turned />
        </g>
      )}
      <rect class="rim" x={LEFT} y={TOP} width={RIGHT - LEFT} height={2 * (MIDDLE - TOP)} rx="3" />
    </g>
  );
}
