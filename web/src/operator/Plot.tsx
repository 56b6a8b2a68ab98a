/** A small line chart of two minutes, newest value on the right, from 0 to the maximum. */

import { points } from "./figures";

const WIDTH = 240;
const HEIGHT = 56;
const SLOTS = 120;

export function Plot(props: { values: number[]; label: string }) {
  const line = points(props.values, WIDTH, HEIGHT, SLOTS);
  const start = line.split(",")[0] ?? "0";
  return (
    <svg
      class="plot"
      role="img"
      aria-label={props.label}
      viewBox={`0 -3 ${WIDTH} ${HEIGHT + 6}`}
      preserveAspectRatio="none"
    >
      <line class="plot-ground" x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      {line && <polygon class="plot-area" points={`${start},${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} />}
      {line && <polyline class="plot-line" points={line} />}
    </svg>
  );
}
