/** Icons: strokes in a box of 24. They are hidden from screen readers; the text beside them is not. */

const PATHS = {
  arrow: "M4 12H19M13 6L19 12L13 18",
  back: "M15 5L8 12L15 19",
  book: "M12 6.5C10 5 7 4.8 4 5V18.5C7 18.3 10 18.5 12 20C14 18.5 17 18.3 20 18.5V5C17 4.8 14 5 12 6.5ZM12 6.5V20",
  bot: "M6 10H18V19H6ZM12 10V6M9.5 14.5H9.6M14.4 14.5H14.5M3 13V16M21 13V16M12 4.5A.8 .8 0 1 0 12 6A.8 .8 0 1 0 12 4.5",
  brokenHeart: "M12 20C9.5 16 3.5 13.5 3.5 8.8C3.5 6 5.6 4.5 7.7 4.5C9.6 4.5 11.2 5.6 12 7.5L10 11L13.5 13L12 20C14.5 16 20.5 13.5 20.5 8.8C20.5 6 18.4 4.5 16.3 4.5C15 4.5 13.9 5 13 5.9",
  check: "M5 12.5L10 17.5L19 7",
  clock: "M12 4A8 8 0 1 0 12 20A8 8 0 1 0 12 4ZM12 8V12L15 14",
  close: "M6 6L18 18M18 6L6 18",
  coin: "M12 4A8 8 0 1 0 12 20A8 8 0 1 0 12 4ZM12 8.5A3.5 3.5 0 1 0 12 15.5A3.5 3.5 0 1 0 12 8.5ZM12 4V6.5M12 17.5V20M4 12H6.5M17.5 12H20",
  copy: "M9 9H19V20H9ZM5 15V4H15",
  cards: "M5 7L13 4.5L17 17L9 19.5ZM16 8H20V20H13",
  door: "M14 4H6V20H14M10 12H21M17.5 8.5L21 12L17.5 15.5",
  download: "M12 4V15M7 10.5L12 15.5L17 10.5M5 20H19",
  eye: "M2.5 12C5 7.5 8.3 5.5 12 5.5S19 7.5 21.5 12C19 16.5 15.7 18.5 12 18.5S5 16.5 2.5 12ZM12 9A3 3 0 1 0 12 15A3 3 0 1 0 12 9",
  first: "M18 5L10 12L18 19M6 5V19",
  forward: "M9 5L16 12L9 19",
  globe: "M12 4A8 8 0 1 0 12 20A8 8 0 1 0 12 4ZM12 4C9.6 6.2 8.5 9 8.5 12S9.6 17.8 12 20C14.4 17.8 15.5 15 15.5 12S14.4 6.2 12 4ZM4 12H20",
  hint: "M9.5 18H14.5M10 21H14M12 3A6 6 0 0 0 8.5 14V15.5H15.5V14A6 6 0 0 0 12 3Z",
  last: "M6 5L14 12L6 19M18 5V19",
  list: "M4 6H20M4 12H20M4 18H14",
  moon: "M19 14.5A7.8 7.8 0 1 1 10 4.5A6.3 6.3 0 0 0 19 14.5Z",
  offline: "M4 4L20 20M8.5 15.5A5 5 0 0 1 12 14A5 5 0 0 1 15.5 15.5M5 11.5A10 10 0 0 1 8 9.5M19 11.5A10 10 0 0 0 13 8.6M12 19H12.1",
  pause: "M8 5V19M16 5V19",
  tricks: "M4 17H16M4 12.5H16M8 8H20M8 8V3.5H20V8",
  pencil: "M5 19L6 15L15.5 5.5L18.5 8.5L9 18ZM13.5 7.5L16.5 10.5",
  person: "M12 4.5A3.7 3.7 0 1 0 12 12A3.7 3.7 0 1 0 12 4.5ZM4.5 20C5 16.2 8 14.5 12 14.5S19 16.2 19.5 20",
  play: "M7.5 5L18.5 12L7.5 19Z",
  plug: "M8 4V9M16 4V9M5.5 9H18.5V12A6.5 6.5 0 0 1 5.5 12ZM12 18.5V21",
  plus: "M12 5V19M5 12H19",
  sound: "M4 9.5H8L13 5V19L8 14.5H4ZM16.5 9A4.2 4.2 0 0 1 16.5 15M19 6.5A8 8 0 0 1 19 17.5",
  mute: "M4 9.5H8L13 5V19L8 14.5H4ZM16.5 9.5L21 14.5M21 9.5L16.5 14.5",
  seal: "M12 3.5L18.5 6V11.5C18.5 16 15.5 19 12 20.5C8.5 19 5.5 16 5.5 11.5V6ZM8.8 12L11 14.3L15.3 9.5",
  ace: "M7 4H17V20H7ZM12 16C10.8 14 9.3 13 9.3 11.3A1.4 1.4 0 0 1 12 10.8A1.4 1.4 0 0 1 14.7 11.3C14.7 13 13.2 14 12 16Z",
  settings: "M4 8H10M16 8H20M13 5.2A2.8 2.8 0 1 0 13 10.8A2.8 2.8 0 1 0 13 5.2ZM4 16H7M13 16H20M10 13.2A2.8 2.8 0 1 0 10 18.8A2.8 2.8 0 1 0 10 13.2Z",
  undo: "M9 5L4 10L9 15M4 10H14A5 5 0 0 1 14 20H9",
  wheel: "M12 4A8 8 0 1 0 12 20A8 8 0 1 0 12 4ZM12 4V20M4 12H20",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon(props: { name: IconName; turn?: number; class?: string }) {
  return (
    <svg
      class={`icon ${props.class ?? ""}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
      style={props.turn ? { transform: `rotate(${props.turn}deg)` } : undefined}
    >
      <path d={PATHS[props.name]} />
    </svg>
  );
}
