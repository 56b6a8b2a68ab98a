/** A small picture of each game for its tile in the lobby, in a box of 64. The text beside it names the game. */

import type { ComponentChildren, JSX } from "preact";
import "./lobby.css";

const HEART = "M0 9C-4 3-11 0-11-6C-11-10-8-12-5.5-12C-3-12-1-10 0-8C1-10 3-12 5.5-12C8-12 11-10 11-6C11 0 4 3 0 9Z";
const CLUB = "M0-12A5.5 5.5 0 0 1 4-2.700A5.5 5.5 0 1 1 1.5 4.300L3 10H-3L-1.5 4.300A5.5 5.5 0 1 1-4-2.700A5.5 5.5 0 0 1 0-12Z";
const STAR = "M0-11L2.8-3.600L10.5-3.400L4.4 1.400L6.5 8.900L0 4.600L-6.5 8.900L-4.4 1.400L-10.5-3.400L-2.8-3.600Z";
const CAP = "M-10 7C-11-1-8-8-1-9C-3-4 1-1 5-4C8-6 10-4 10-1C8-2 6-1 7 2L9 7Z";

function Card(props: { turn: number; x: number; children?: ComponentChildren }) {
  return (
    <g transform={`translate(${props.x} 32) rotate(${props.turn})`}>
      <rect x="-16" y="-24" width="32" height="48" rx="4" class="emblem-card" />
      {props.children}
    </g>
  );
}

const DRAWINGS: Record<string, () => JSX.Element> = {
  hearts: () => (
    <>
      <Card turn={-14} x={24} />
      <Card turn={8} x={38}>
        <path d={HEART} class="emblem-red" />
      </Card>
    </>
  ),
  tarock: () => (
    <>
      <Card turn={-14} x={24} />
      <Card turn={8} x={38}>
        <text y="-11" class="emblem-number">
          XXI
        </text>
        <path d={STAR} class="emblem-gold" transform="translate(0 7)" />
      </Card>
    </>
  ),
  coinche: () => (
    <>
      <Card turn={-14} x={24} />
      <Card turn={8} x={38}>
        <path d={CLUB} class="emblem-black" />
      </Card>
    </>
  ),
  taroky: () => (
    <>
      <Card turn={-14} x={24} />
      <Card turn={8} x={38}>
        <text y="-11" class="emblem-number">
          I
        </text>
        <path d={CAP} class="emblem-red" transform="translate(0 8)" />
        <circle cx="10" cy="5" r="2.5" class="emblem-gold" />
      </Card>
    </>
  ),
  sagrada: () => (
    <g transform="rotate(-6 32 32)">
      <rect x="8" y="8" width="48" height="48" rx="8" class="emblem-lead" />
      <rect x="12" y="12" width="18" height="18" rx="3" fill="#c8372f" />
      <rect x="34" y="12" width="18" height="18" rx="3" fill="#2f6fb7" />
      <rect x="12" y="34" width="18" height="18" rx="3" fill="#d9a520" />
      <rect x="34" y="34" width="18" height="18" rx="3" fill="#2e8b57" />
      {[
        [21, 21],
        [38, 16],
        [48, 26],
        [16, 38],
        [21, 43],
        [26, 48],
        [39, 39],
        [47, 39],
        [39, 47],
        [47, 47],
      ].map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="2.2" fill="#fff" />
      ))}
    </g>
  ),
};

/** The picture of a game without one of its own. */
function TwoCards() {
  return (
    <>
      <Card turn={-14} x={24} />
      <Card turn={8} x={38}>
        <path d={STAR} class="emblem-gold" />
      </Card>
    </>
  );
}

export function Emblem(props: { game: string }) {
  const Drawing = DRAWINGS[props.game] ?? TwoCards;
  return (
    <svg class="emblem" viewBox="0 0 64 64" aria-hidden="true">
      <Drawing />
    </svg>
  );
}
