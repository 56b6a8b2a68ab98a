/** One row per deal, one column per player or side; the details of a deal can be opened below it. */

import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import type { SheetRow } from "../games/page";
import type { SeatInfo } from "../net/protocol";
import { Icon } from "../shell/icons";
import { t } from "../texts";

export function ScoreSheet(props: {
  seats: SeatInfo[];
  rows: SheetRow[];
  you: number | null;
  sides?: number[][] | undefined;
}) {
  const { rows, seats, you } = props;
  /** The rows opened or closed by the user. */
  const opened = useSignal<Record<string, boolean>>({});
  const sides = props.sides ?? seats.map((info) => [info.seat]);
  const mine = sides.map((side) => (you !== null && side.includes(you) ? "mine" : ""));
  const latest = rows.filter((row) => row.lines?.length).at(-1)?.key;
  const nameOf = (seat: number) =>
    seat === you ? t("sheet.you") : seats[seat]?.name || t("table.seatNumber", { n: seat + 1 });
  return (
    <div class="sheet-scroll" tabIndex={0} role="region" aria-label={t("sheet.title")}>
      <table class={`sheet ${props.sides ? "by-side" : ""}`} data-testid="score-sheet">
        <thead>
          <tr>
            <td />
            {sides.map((side, at) => (
              <th key={at} scope="col" class={mine[at]}>
                {side.map((seat) => (
                  <span key={seat} title={nameOf(seat)} dir="auto">
                    {nameOf(seat)}
                  </span>
                ))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const open = opened.value[row.key] ?? row.key === latest;
            return (
              <Fragment key={row.key}>
                <tr class={row.kind ?? ""}>
                  <th scope="row">
                    {row.lines?.length ? (
                      <button
                        type="button"
                        class="quiet sheet-why"
                        aria-expanded={open}
                        onClick={() => (opened.value = { ...opened.value, [row.key]: !open })}
                      >
                        <Icon name="forward" turn={open ? 90 : 0} />
                        {row.label}
                      </button>
                    ) : (
                      row.label
                    )}
                    {row.note && <small>{row.note}</small>}
                  </th>
                  {row.cells.map((cell, at) => (
                    <td key={at} class={`${mine[at] ?? ""} ${cell.best ? "best" : ""}`}>
                      {cell.marks?.map((mark) => (
                        <span class="mark" key={mark.icon} title={mark.label}>
                          <Icon name={mark.icon} />
                          <span class="sr-only">{mark.label}</span>
                        </span>
                      ))}
                      {cell.text}
                      {cell.note && <small>{cell.note}</small>}
                    </td>
                  ))}
                </tr>
                {open &&
                  row.lines?.map((line) => (
                    <tr key={line.label} class="line">
                      <th scope="row">{line.label}</th>
                      {line.cells.map((text, at) => (
                        <td key={at} class={mine[at]}>
                          {text}
                        </td>
                      ))}
                    </tr>
                  ))}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
