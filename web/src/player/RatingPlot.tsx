/** The rating after each match: a line, its interval, one dot per match. Pointer or slider selects a match. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { moment, score } from "../texts";
import { across, day, nearest, type Rated, ratingText, ticks } from "./figures";
import { say } from "./texts";

const HEIGHT = 210;
const LEFT = 40;
const RIGHT = 12;
const TOP = 8;
const BOTTOM = 26;

function words(one: Rated): string {
  return say("told", { when: moment(one.ended), place: one.place ?? 0, rating: ratingText(one.rating) });
}

/** Return the width of the element, updated when it changes. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const width = useSignal(320);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) width.value = Math.max(200, Math.round(entry.contentRect.width));
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, width: width.value };
}

function Drawing(props: { points: Rated[]; chosen: number; width: number }) {
  const { points, width } = props;
  const bounds = points.flatMap(({ rating }) => [rating.value - rating.interval, rating.value + rating.interval]);
  const lines = ticks(Math.min(...bounds), Math.max(...bounds));
  const [low, high] = [lines[0] ?? 0, lines.at(-1) ?? 1];
  const x = (at: number) => LEFT + across(at, points.length) * (width - LEFT - RIGHT);
  const y = (value: number) => TOP + ((high - value) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const corner = (at: number, value: number) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`;
  const upper = points.map(({ rating }, at) => corner(at, rating.value + rating.interval));
  const lower = points.map(({ rating }, at) => corner(at, rating.value - rating.interval));
  const [first, last] = [points[0], points.at(-1)];
  const marked = points[props.chosen];
  const radius = points.length > 60 ? 2.5 : 4;
  return (
    <svg
      role="img"
      aria-label={say("rating.short", {
        n: points.length,
        first: first ? score(first.rating.value) : "",
        last: last ? score(last.rating.value) : "",
      })}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
    >
      {lines.map((value) => (
        <g key={value}>
          <line class="rating-ground" x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
          <text class="rating-mark" x={LEFT - 6} y={y(value) + 4} text-anchor="end">
            {score(value)}
          </text>
        </g>
      ))}
      {first && (
        <text class="rating-mark" x={points.length > 1 ? LEFT : x(0)} y={HEIGHT - 6} text-anchor={points.length > 1 ? "start" : "middle"}>
          {day(first.ended)}
        </text>
      )}
      {last && points.length > 1 && (
        <text class="rating-mark" x={width - RIGHT} y={HEIGHT - 6} text-anchor="end">
          {day(last.ended)}
        </text>
      )}
      {points.length > 1 ? (
        <>
          <polygon class="rating-band" points={[...upper, ...lower.reverse()].join(" ")} />
          <polyline class="rating-line" points={points.map(({ rating }, at) => corner(at, rating.value)).join(" ")} />
        </>
      ) : (
        first && (
          <line
            class="rating-span"
            x1={x(0)}
            x2={x(0)}
            y1={y(first.rating.value + first.rating.interval)}
            y2={y(first.rating.value - first.rating.interval)}
          />
        )
      )}
      {points.map((one, at) => (
        <circle
          key={one.match}
          class={`rating-dot ${one.place === 1 ? "won" : ""}`}
          cx={x(at)}
          cy={y(one.rating.value)}
          r={radius}
        />
      ))}
      {marked && <circle class="rating-chosen" cx={x(props.chosen)} cy={y(marked.rating.value)} r={8} />}
    </svg>
  );
}

function Table(props: { points: Rated[] }) {
  return (
    <div class="sr-only">
      <table>
        <caption>{say("rating")}</caption>
        <thead>
          <tr>
            <th scope="col">{say("when")}</th>
            <th scope="col">{say("result")}</th>
            <th scope="col">{say("rating")}</th>
          </tr>
        </thead>
        <tbody>
          {props.points.map((one) => (
            <tr key={one.match}>
              <th scope="row">{moment(one.ended)}</th>
              <td>{one.place}</td>
              <td>{ratingText(one.rating)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function RatingPlot(props: { points: Rated[] }) {
  const { points } = props;
  const { box, width } = useWidth();
  const match = useSignal<string | null>(null);
  const found = points.findIndex((one) => one.match === match.value);
  const chosen = found < 0 ? points.length - 1 : found;
  const marked = points[chosen];
  const choose = (at: number) => (match.value = points[at]?.match ?? null);
  const point = (event: PointerEvent) => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    choose(nearest((event.clientX - left - LEFT) / (width - LEFT - RIGHT), points.length));
  };
  return (
    <figure class="rating" data-testid="rating-plot">
      <figcaption class="faint">{say("rating.more")}</figcaption>
      <div ref={box} class="rating-box" onPointerMove={point} onPointerDown={point}>
        <Drawing points={points} chosen={chosen} width={width} />
      </div>
      {points.length > 1 && (
        <input
          type="range"
          min={0}
          max={points.length - 1}
          value={chosen}
          aria-label={say("which")}
          aria-valuetext={marked && words(marked)}
          data-testid="rating-which"
          onInput={(event) => choose(Number(event.currentTarget.value))}
        />
      )}
      {marked && (
        <p class="rating-told" data-testid="rating-told">
          {words(marked)} · <a href={`/replay/${encodeURIComponent(marked.match)}`}>{say("replay")}</a>
        </p>
      )}
      <Table points={points} />
    </figure>
  );
}
