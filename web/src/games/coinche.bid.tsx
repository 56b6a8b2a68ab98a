/** The auction of Coinche: the calls so far, and the bidding box. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isRed, SuitSign } from "../cards/pips";
import { called } from "../table/Seat";
import { t } from "../texts";
import {
  acting,
  auctionRows,
  kindsOf,
  legalBids,
  levelsOf,
  type Stake,
  splitContract,
  suitOfKind,
} from "./coinche.facts";
import { callName, type CoincheScene, contractName, kindName, levelName } from "./coinche.words";

/** A denomination as a sign: a suit, or the letters TA and SA. */
export function KindSign(props: { kind: string }) {
  const suit = suitOfKind(props.kind);
  return suit ? <SuitSign suit={suit} /> : <>{props.kind}</>;
}

/** A contract as a label: points and trumps. */
export function ContractTag(props: { contract: string }) {
  const { level, kind } = splitContract(props.contract);
  const suit = suitOfKind(kind);
  return (
    <span
      class={`card-tag coinche-contract ${suit && isRed(suit) ? "red" : "black"}`}
      role="img"
      aria-label={contractName(props.contract)}
      title={contractName(props.contract)}
    >
      {levelName(level)} <KindSign kind={kind} />
    </span>
  );
}

export function CallTag(props: { call: string }) {
  const { call } = props;
  if (call.startsWith("CONTRACT ")) return <ContractTag contract={call.slice("CONTRACT ".length)} />;
  return <span class={`coinche-call ${call.toLowerCase()}`}>{callName(call)}</span>;
}

/** The auction so far, with one column per seat. */
export function Auction(props: { scene: CoincheScene }) {
  const { view } = props.scene;
  const { order, rows } = auctionRows(view);
  const [next] = acting(view);
  const column = next === undefined ? -1 : order.indexOf(next);
  const last = rows.at(-1);
  // A seat that has called in the last row starts a new row, and so does a seat before it.
  const shown = column >= 0 && (!last || last.length > column) ? [...rows, []] : rows;
  return (
    <div class="coinche-auction" data-testid="auction">
      <table>
        <caption class="sr-only">{t("coinche.auction")}</caption>
        <thead>
          <tr>
            {order.map((seat) => (
              <th key={seat} scope="col" class={seat === next ? "acting" : ""}>
                <span dir="auto">{called(props.scene, seat)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, number) => (
            <tr key={number}>
              {order.map((seat, at) => {
                const call = row[at];
                const waiting = number === shown.length - 1 && at === column;
                return (
                  <td key={seat}>
                    {call ? (
                      <CallTag call={call} />
                    ) : (
                      waiting && (
                        <span class="coinche-waiting">
                          <span aria-hidden="true">…</span>
                          <span class="sr-only">{t("coinche.speaks")}</span>
                        </span>
                      )
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Return the text that explains the effect of a coinche (1) or a surcoinche (2). */
function stakeWords(stakes: Stake[], contract: string, doubling: 1 | 2): string {
  const now = stakes[doubling - 1];
  const then = stakes[doubling];
  if (!now || !then) return "";
  const values = { contract: contractName(contract), failed: then.failed, made: then.made ?? then.contract };
  return doubling === 1
    ? t("coinche.stake.coinche", { ...values, before: now.failed })
    : t("coinche.stake.surcoinche", { ...values, before: now.made ?? now.contract });
}

/** The bidding box of a question: points, trumps and the legal calls. */
export function BidBox(props: { scene: CoincheScene; legal: string[]; onFocus?: () => void }) {
  const { scene, legal } = props;
  const { view, pending, act } = scene;
  const box = useRef<HTMLFormElement>(null);
  const bids = legalBids(legal);
  const lowest = [...bids.keys()][0] ?? "";
  const chosenLevel = useSignal("");
  const kind = useSignal("");
  const level = bids.has(chosenLevel.value) ? chosenLevel.value : lowest;
  const ready = bids.get(level)?.has(kind.value) === true;

  // For keyboard players the focus goes to the first answer.
  useEffect(() => {
    const active = document.activeElement;
    if (active !== document.body && !active?.closest(".fan")) return;
    box.current?.querySelector<HTMLElement>("input:checked, button:not(:disabled)")?.focus({ preventScroll: true });
  }, []);

  const doubling = legal.includes("SURCOINCHE") ? 2 : legal.includes("COINCHE") ? 1 : 0;
  const stake = doubling && view.stakes ? view.stakes[doubling] : undefined;
  return (
    <form
      class="coinche-bid"
      data-testid="bid-box"
      ref={box}
      onFocusIn={props.onFocus}
      onSubmit={(submit) => {
        submit.preventDefault();
        if (ready && !pending) act([`CONTRACT ${level} ${kind.value}`]);
      }}
    >
      {bids.size > 0 && (
        <>
          <fieldset class="coinche-choices coinche-levels">
            <legend class="sr-only">{t("coinche.bid.level")}</legend>
            {levelsOf(view.options).map((one) => (
              <label key={one} class="coinche-choice">
                <input
                  type="radio"
                  name="coinche-level"
                  value={one}
                  data-testid={`level-${one}`}
                  checked={one === level}
                  disabled={!bids.has(one)}
                  onChange={() => (chosenLevel.value = one)}
                />
                <span>{levelName(one)}</span>
              </label>
            ))}
          </fieldset>
          <fieldset class="coinche-choices coinche-kinds">
            <legend class="sr-only">{t("coinche.bid.kind")}</legend>
            {kindsOf(view.options).map((one) => {
              const suit = suitOfKind(one);
              return (
                <label key={one} class={`coinche-choice ${suit ? (isRed(suit) ? "red" : "black") : "letters"}`}>
                  <input
                    type="radio"
                    name="coinche-kind"
                    value={one}
                    data-testid={`kind-${one}`}
                    aria-label={kindName(one)}
                    checked={one === kind.value}
                    disabled={!bids.get(level)?.has(one)}
                    onChange={() => (kind.value = one)}
                  />
                  <span title={kindName(one)}>
                    <KindSign kind={one} />
                  </span>
                </label>
              );
            })}
          </fieldset>
        </>
      )}
      <div class="coinche-calls">
        {bids.size > 0 && (
          <button type="submit" class="primary" data-testid="bid" disabled={!ready || pending}>
            {ready
              ? t("coinche.bid.confirm", { contract: contractName(`${level} ${kind.value}`) })
              : t("coinche.bid.choose")}
          </button>
        )}
        {legal.includes("PASS") && (
          <button type="button" data-testid="pass" disabled={pending} onClick={() => act(["PASS"])}>
            {t("coinche.bid.pass.do")}
          </button>
        )}
        {doubling > 0 && (
          <button
            type="button"
            class="coinche-double"
            data-testid={doubling === 1 ? "coinche" : "surcoinche"}
            aria-describedby="coinche-stake"
            disabled={pending}
            onClick={() => act([doubling === 1 ? "COINCHE" : "SURCOINCHE"])}
          >
            {t(doubling === 1 ? "coinche.coinche.do" : "coinche.surcoinche.do", { factor: stake?.factor ?? "" })}
          </button>
        )}
      </div>
      {doubling > 0 && view.stakes && view.contract !== null && (
        <p class="coinche-stake" id="coinche-stake">
          {stakeWords(view.stakes, view.contract, doubling === 1 ? 1 : 2)}
        </p>
      )}
    </form>
  );
}
