/** The settlement of a Taroky deal: every step in words, the payments, and the chips moving between seats. */

import { sideOf } from "../table/places";
import { called } from "../table/Seat";
import { list, score, t } from "../texts";
import { type DealResult, SEAT_NUMBERS, SEATS, type Transfer, transfers } from "./taroky.facts";
import { settleSteps, signed, type TarokyScene } from "./taroky.words";

/** The position of a seat's side of the centre, as fractions of its width and height. */
const EDGES: Record<string, [number, number]> = {
  bottom: [50, 100],
  left: [0, 50],
  top: [50, 0],
  right: [100, 50],
};

function Flight(props: { scene: TarokyScene; transfer: Transfer; turn: number }) {
  const { scene, transfer, turn } = props;
  const edge = (seat: number) => EDGES[sideOf(seat, scene.bottom, SEATS, true)] ?? [50, 50];
  const [x0, y0] = edge(transfer.from);
  const [x1, y1] = edge(transfer.to);
  return (
    <span
      class="taroky-flight"
      style={{
        "--x0": `${x0}%`,
        "--y0": `${y0}%`,
        "--x1": `${x1}%`,
        "--y1": `${y1}%`,
        animationDelay: `${0.5 + turn * 0.35}s`,
      }}
    >
      {transfer.amount}
    </span>
  );
}

export function Settlement(props: { scene: TarokyScene; result: DealResult }) {
  const { scene, result } = props;
  const { view, you } = scene;
  const paid = transfers(result.payments);
  const [points = 0, other = 0] = result.points;
  const rows: { label: string; amounts: number[]; sum?: boolean }[] = [
    { label: t("taroky.settle.money"), amounts: result.money },
    { label: t("taroky.settle.paid"), amounts: result.payments },
    { label: t("taroky.settle.chips"), amounts: result.chips, sum: true },
  ];
  return (
    <div class="summary taroky-settle taroky-wide" data-testid="settlement">
      <h3>{t("taroky.settle.title", { deal: view.deal })}</h3>
      <p>
        {t("taroky.settle.declarers", { names: list(result.declarers.map((seat) => called(scene, seat))) })}
        {" · "}
        {t("taroky.settle.points", { points, other, tricks: result.tricks[0] ?? 0 })}
      </p>
      <ol class="taroky-steps">
        {settleSteps(scene, result).map((step) => (
          <li key={step.key} class={step.key === "x" ? "sum" : ""}>
            <span>{step.words}</span>
            <strong>{step.value}</strong>
          </li>
        ))}
      </ol>
      <table>
        <thead>
          <tr>
            <td />
            {SEAT_NUMBERS.map((seat) => (
              <th key={seat} scope="col" class={seat === you ? "mine" : ""}>
                {called(scene, seat)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.label} class={row.sum ? "sum" : ""}>
              <th scope="row">{row.label}</th>
              {row.amounts.map((amount, seat) => (
                <td key={seat} class={seat === you ? "mine" : ""}>
                  {row.sum ? score(amount) : signed(amount)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="taroky-flow" aria-hidden="true">
        {paid.map((transfer, turn) => (
          <Flight key={`${view.deal} ${transfer.from} ${transfer.to}`} scene={scene} transfer={transfer} turn={turn} />
        ))}
      </div>
    </div>
  );
}
