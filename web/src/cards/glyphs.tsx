/** Numerals and letters for card corners: strokes in a box 10 wide and 14 high. */

interface Glyph {
  width: number;
  path: string;
}

const RING = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}A${rx} ${ry} 0 1 1 ${x + rx} ${y}A${rx} ${ry} 0 1 1 ${x - rx} ${y}Z`;

export const GLYPHS: Record<string, Glyph> = {
  A: { width: 10.5, path: "M0 14L5.25 0L10.5 14M1.9 9.3H8.6" },
  K: { width: 10, path: "M.6 0V14M9.6 0L.6 8.8M4 5.7L10 14" },
  Q: { width: 11, path: `${RING(5.3, 7, 5.3, 7)}M6.3 9.6L11 14.6` },
  N: { width: 9.4, path: "M0 14V0L9.4 14V0" },
  R: { width: 9.4, path: "M.6 14V0H5C7.6 0 9 1.7 9 4C9 6.3 7.6 8 5 8H.6M4.6 8L9.4 14" },
  J: { width: 8, path: "M4 0H7.6V9.8C7.6 15.3 0 15.3 0 9.9" },
  "10": { width: 12.4, path: `M0 2L2.5 0V14${RING(8.7, 7, 3.6, 7)}` },
  "9": { width: 9.6, path: `${RING(4.8, 4.5, 4.6, 4.5)}M9.4 4.5C9.4 9.4 6.6 13 2.2 14` },
  "8": { width: 9.6, path: RING(4.8, 3.5, 3.9, 3.5) + RING(4.8, 10.5, 4.7, 3.5) },
  "7": { width: 9.4, path: "M0 0H9.4C6.2 4.3 4 9 3.4 14" },
  "6": { width: 9.6, path: `${RING(4.8, 9.5, 4.6, 4.5)}M.2 9.5C.2 4.6 3 1 7.4 0` },
  "5": { width: 9.2, path: "M8.4 0H1.5L.9 6.2C2.1 5.3 3.3 4.9 4.7 4.9C7.4 4.9 9.2 6.7 9.2 9.4C9.2 12.2 7.2 14 4.5 14C2.4 14 .8 13 0 11.3" },
  "4": { width: 10, path: "M7.3 14V0L0 10H10" },
  "3": { width: 9.2, path: "M.4 0H8.4L4.4 5.2C7.3 5.2 9.2 6.9 9.2 9.5C9.2 12.2 7.2 14 4.5 14C2.4 14 .8 13 0 11.3" },
  "2": { width: 9.4, path: "M.3 3.9C.3 1.6 2 0 4.6 0C7.2 0 9 1.6 9 3.9C9 7.5 4.3 9.2 .3 14H9.4" },
  "1": { width: 3.4, path: "M0 2.4L3.4 0V14" },
  "0": { width: 9, path: RING(4.5, 7, 4.3, 7) },
  I: { width: 0, path: "M0 0V14" },
  V: { width: 9.6, path: "M0 0L4.8 14L9.6 0" },
  X: { width: 9, path: "M0 0L9 14M9 0L0 14" },
};

/** A rank centred at *x* with its top at *y*; *height* is the height of the letters. */
export function RankGlyph(props: { rank: string; x: number; y: number; height: number }) {
  const glyph = GLYPHS[props.rank];
  if (!glyph) return null;
  const scale = props.height / 14;
  const left = props.x - (glyph.width * scale) / 2;
  return (
    <path
      class="glyph"
      d={glyph.path}
      transform={`translate(${left} ${props.y}) scale(${scale})`}
      stroke-width={2.3}
    />
  );
}

const GAP = 4;

/** A word of several glyphs that starts at *x*, or is centred there if *centred*, and is at most *most* wide. */
export function GlyphWord(props: {
  word: string;
  x: number;
  y: number;
  height: number;
  most?: number;
  centred?: boolean;
  weight?: number;
}) {
  const glyphs = [...props.word].map((letter) => GLYPHS[letter] ?? { width: 0, path: "" });
  const width = glyphs.reduce((sum, glyph) => sum + glyph.width + GAP, -GAP);
  const scale = props.height / 14;
  const squeeze = Math.min(scale, (props.most ?? Infinity) / Math.max(width, 1));
  const left = props.x - (props.centred ? (width * squeeze) / 2 : 0);
  let at = 0;
  return (
    <g transform={`translate(${left} ${props.y}) scale(${squeeze} ${scale})`}>
      {glyphs.map((glyph, place) => {
        const from = at;
        at += glyph.width + GAP;
        return (
          <path
            key={place}
            class="glyph"
            d={glyph.path}
            transform={`translate(${from} 0)`}
            stroke-width={props.weight ?? 2.3}
          />
        );
      })}
    </g>
  );
}
