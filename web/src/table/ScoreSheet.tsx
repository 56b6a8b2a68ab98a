/** Deals down, players across. */

import type { SheetRow } from "../games/page";
import type { SeatInfo } from "../net/protocol";
import { Icon } from "../shell/icons";
import { t } from "../texts";

export function ScoreSheet(props: { seats: SeatInfo[]; rows: SheetRow[]; you: number | null }) {
  return (
    <div class="sheet-scroll" tabIndex={0} role="region" aria-label={t("sheet.title")}>
      <table class="sheet" data-testid="score-sheet">
        <thead>
          <tr>
            <td />
            {props.seats.map((seat) => (
              <th key={seat.seat} scope="col" class={seat.seat === props.you ? "mine" : ""}>
                <span title={seat.name} dir="auto">{seat.name || t("table.seatNumber", { n: seat.seat + 1 })}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.key} class={row.kind ?? ""}>
              <th scope="row">{row.label}</th>
              {row.cells.map((cell, seat) => (
                <td key={seat} class={`${seat === props.you ? "mine" : ""} ${cell.best ? "best" : ""}`}>
                  {cell.marks?.map((mark) => (
                    <span class="mark" key={mark.icon} title={mark.label}>
                      <Icon name={mark.icon} />
                      <span class="sr-only">{mark.label}</span>
                    </span>
                  ))}
                  {cell.text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
