/** The face of a bot, drawn from its name: the same name always has the same face. */

const SKIN = ["#f2cfb3", "#e3b48f", "#c78f66", "#8f5f40"];
const HAIR = ["#2d2320", "#6b4226", "#b0773a", "#8c8c8c", "#a8442f"];

/** The hair behind and above a head with its centre at 50, 52 and a radius of 28. */
const STYLES = [
  "M22 50A28 28 0 0 1 78 50Q66 34 50 36Q34 34 22 50Z",
  "M20 74Q14 20 50 20Q86 20 80 74L72 74Q78 40 50 36Q22 40 28 74Z",
  "M22 48Q24 18 52 20Q80 20 78 48Q60 44 54 30Q44 44 22 48Z",
  "M24 44A28 28 0 0 1 76 44Q50 26 24 44ZM50 12A9 9 0 1 1 50 30A9 9 0 1 1 50 12Z",
  "M22 46Q30 28 40 26Q34 38 22 46ZM78 46Q70 28 60 26Q66 38 78 46Z",
];

/** Return a number that depends on every letter of *name*. */
function numberOf(name: string): number {
  return [...name].reduce((sum, sign) => (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) >>> 0, 7);
}

export function Face(props: { name: string }) {
  const number = numberOf(props.name);
  const pick = <T,>(from: T[], by: number) => from[Math.floor(number / by) % from.length];
  const [skin, hair, style] = [pick(SKIN, 1), pick(HAIR, 4), pick(STYLES, 20)];
  const glasses = Math.floor(number / 100) % 3 === 0;
  return (
    <svg class="face" viewBox="0 0 100 100">
      <path fill="#f7f3e8" d="M14 100Q16 80 50 78Q84 80 86 100Z" />
      <ellipse fill={skin} cx="50" cy="54" rx="26" ry="29" />
      <path fill={hair} d={style} />
      <path fill="#2a211d" d="M38 52a3.4 3.8 0 1 1 .1 0ZM62 52a3.4 3.8 0 1 1 .1 0Z" />
      {glasses && <path class="line" d="M30 50a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M53 50a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M47 49h6" />}
      <path class="line" d={number % 2 ? "M40 67Q50 76 60 67" : "M41 69Q50 73 59 69"} />
    </svg>
  );
}
