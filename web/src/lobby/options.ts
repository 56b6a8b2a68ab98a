/** The logic of the new-table form: seats as words, options that differ from the default. */

import type { GameInfo, OptionInfo, OptionValue, OptionValues } from "../net/protocol";

/** The choices for a seat: "me", "person", "open" or "bot <strength>". */
export type SeatChoice = string;

/** Return the default choices for *count* seats: me and the usual bots. */
export function firstSeats(game: GameInfo, count = Math.max(...game.seats)): SeatChoice[] {
  return Array.from({ length: count }, (_, seat) => (seat === 0 ? "me" : `bot ${game.usual}`));
}

/** Return *choices* with *seat* changed; "me" can be chosen only once. */
export function chooseSeat(choices: SeatChoice[], seat: number, choice: SeatChoice): SeatChoice[] {
  return choices.map((old, at) => {
    if (at === seat) return choice;
    return choice === "me" && old === "me" ? "person" : old;
  });
}

/** Return the seats for the request to the server, where "me" is a person. */
export function arrangement(choices: SeatChoice[]): string[] {
  return choices.map((choice) => (choice === "me" ? "person" : choice));
}

const PACES: Record<string, number> = { slow: 1.6, normal: 1, fast: 0.5 };

/** Return the *options* of a table, with the pauses (all except *clocks*) in the chosen *speed*. */
export function paced(options: OptionValues, clocks: string[], speed: string): OptionValues {
  const factor = PACES[speed] ?? 1;
  const change = (name: string, value: OptionValue) =>
    typeof value === "number" && !clocks.includes(name) ? Math.round(value * factor) : value;
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, change(name, value)]));
}

/** Return the *values* for a table where all others are bots: without clocks, unless the user has set them. */
export function unhurried(game: GameInfo, values: OptionValues): OptionValues {
  const usual = (name: string) =>
    game.for_people[name] ?? game.table_options.find((option) => option.name === name)?.default;
  const idle = game.clocks.filter((name) => same(values[name], usual(name)));
  return { ...values, ...Object.fromEntries(idle.map((name) => [name, 0])) };
}

export function same(a: OptionValue | undefined, b: OptionValue | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Return those of *values* that differ from their defaults. */
export function changed(options: OptionInfo[], values: OptionValues): OptionValues {
  return Object.fromEntries(
    options.flatMap((option) => {
      const value = values[option.name];
      return value === undefined || same(value, option.default) ? [] : [[option.name, value]];
    }),
  );
}

/** Return the value of a form field's text for *option*; null if the text is not valid. */
export function readOption(option: OptionInfo, text: string): OptionValue | null {
  switch (option.kind) {
    case "switch":
      return text === "on";
    case "number": {
      const number = Number(text);
      if (!/^-?\d+$/u.test(text.trim())) return null;
      if (option.choices.length) return option.choices.includes(text.trim()) ? number : null;
      if (option.or_zero && number === 0) return 0;
      return number >= option.low && number <= option.high ? number : null;
    }
    case "list": {
      const items = text.split(",").map((item) => item.trim());
      if (option.choices.length && !items.every((item) => option.choices.includes(item))) return null;
      return option.low && (items.length < option.low || items.length > option.high) ? null : items;
    }
    default:
      return !option.choices.length || option.choices.includes(text) ? text : null;
  }
}

export function spell(value: OptionValue): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Return *choices* for *count* seats: existing choices, and defaults for new seats. */
export function forSeats(game: GameInfo, choices: SeatChoice[], count: number): SeatChoice[] {
  const kept = choices.slice(0, count);
  const rest = firstSeats(game, count).slice(kept.length);
  return choices.includes("me") && !kept.includes("me") ? ["me", ...kept.slice(1)] : [...kept, ...rest];
}

/** Return the key of the preset that matches *values* at a table of *seats*, or "custom". */
export function presetOf(
  presets: { key: string; options: OptionValues; seats?: number }[],
  options: OptionInfo[],
  values: OptionValues,
  seats?: number,
): string {
  const current = changed(options, values);
  const found = presets.find((preset) => {
    if (preset.seats !== undefined && preset.seats !== seats) return false;
    const other = changed(options, preset.options);
    const names = new Set([...Object.keys(current), ...Object.keys(other)]);
    return [...names].every((name) => same(current[name], other[name]));
  });
  return found?.key ?? "custom";
}
