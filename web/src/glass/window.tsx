/** A window of 4 × 5 cells: its print, its dice, and the cells that can be used now. */

import { useWhy } from "../table/why";
import { t } from "../texts";
import { CellPrint, COLOURS, colourName, Die, dieName } from "./dice";

const COLUMNS = 5;
const CELLS = Array.from({ length: 20 }, (_, at) => at);

/** Return the name of cell number *at*: row and column from 1. */
export function cellName(at: number): string {
  return `${Math.floor(at / COLUMNS) + 1},${(at % COLUMNS) + 1}`;
}

/** Return the text for the print of a cell, empty for a free one. */
export function printWords(symbol: string): string {
  if (symbol === ".") return t("sagrada.print.free");
  if (COLOURS.includes(symbol)) return t("sagrada.print.colour", { colour: colourName(symbol) });
  return t("sagrada.print.value", { value: symbol });
}

function contents(grid: string, dice: (string | null)[], at: number): string {
  const die = dice[at];
  return die ? dieName(die) : printWords(grid[at] ?? ".");
}

/** Return the whole window as text, row by row. */
export function windowWords(grid: string, dice: (string | null)[]): string {
  return [0, 1, 2, 3]
    .map((row) =>
      t("sagrada.row", {
        row: row + 1,
        cells: CELLS.slice(row * COLUMNS, row * COLUMNS + COLUMNS)
          .map((at) => contents(grid, dice, at))
          .join(", "),
      }),
    )
    .join(" ");
}

const EMPTY: (string | null)[] = CELLS.map(() => null);

/** A window without interaction. */
export function StillWindow(props: { grid: string; dice?: (string | null)[]; label?: string }) {
  const dice = props.dice ?? EMPTY;
  return (
    <span class="glass-window" role="img" aria-label={props.label ?? windowWords(props.grid, dice)}>
      {CELLS.map((at) => (
        <span key={at} class="glass-cell">
          <CellPrint symbol={props.grid[at] ?? "."} />
          {dice[at] && (
            <span class="glass-cell-die" data-move={dice[at]}>
              <Die code={dice[at]} label="" />
            </span>
          )}
        </span>
      ))}
    </span>
  );
}

export interface CellState {
  /** The action of a click, or null if it is illegal. */
  use: "put" | "lift" | null;
  /** The die here is picked up. */
  up: boolean;
}

export interface LiveWindowProps {
  grid: string;
  dice: (string | null)[];
  label: string;
  state: (cell: string) => CellState;
  /** A die that will be in a cell when the move is complete. */
  planned: { cell: string; die: string } | null;
  onUse: (cell: string) => void;
  /** Called when the focus is on a cell that cannot be used now, and with null when it leaves. */
  onWhy: (cell: string | null) => void;
  onGrab: (cell: string, press: PointerEvent) => void;
}

/** The player's own window: one cell is in the tab order, arrows move between cells, Enter uses one. */
export function LiveWindow(props: LiveWindowProps) {
  const { grid, dice } = props;
  const states = CELLS.map((at) => props.state(cellName(at)));
  const why = useWhy(([cell]) => props.onWhy(cell ?? null));
  const first = Math.max(0, states.findIndex((state) => state.use !== null));
  const onKeyDown = (key: KeyboardEvent) => {
    const cells = [...(key.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button")];
    const at = cells.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS }[key.key];
    if (at < 0 || step === undefined || key.ctrlKey || key.metaKey || key.altKey) return;
    key.preventDefault();
    const to = at + step;
    const sideways = Math.abs(step) === 1;
    if (to < 0 || to >= cells.length || (sideways && Math.floor(to / COLUMNS) !== Math.floor(at / COLUMNS))) return;
    cells[to]?.focus();
  };
  return (
    <div class="glass-window live" role="group" aria-label={props.label} onKeyDown={onKeyDown}>
      {CELLS.map((at) => {
        const name = cellName(at);
        const { use, up } = states[at] ?? { use: null, up: false };
        const planned = props.planned?.cell === name ? props.planned.die : null;
        const die = planned ?? dice[at];
        const words = t(use ? `sagrada.cell.${use}` : "sagrada.cell", {
          row: Math.floor(at / COLUMNS) + 1,
          column: (at % COLUMNS) + 1,
          what: planned ? dieName(planned) : contents(grid, dice, at),
        });
        return (
          <button
            key={at}
            type="button"
            class={`glass-cell ${use ?? ""} ${planned ? "planned" : up ? "picked-up" : ""}`}
            data-drop={name}
            data-testid={`cell-${name}`}
            data-use={use ?? "none"}
            aria-label={words}
            aria-disabled={use === null}
            tabIndex={at === first ? 0 : -1}
            onClick={() => props.onUse(name)}
            onFocus={(focus) => why(focus, use ? [] : [name])}
          >
            <CellPrint symbol={grid[at] ?? "."} />
            {die && (
              <span
                class="glass-cell-die"
                data-move={die}
                onPointerDown={(press) => use === "lift" && props.onGrab(name, press)}
              >
                <Die code={die} label="" />
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}
