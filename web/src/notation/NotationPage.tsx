/** A pasted Taroky Notation: the position of its error, or the deal with all payments explained and further actions. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { OpenTaroky, TarokyTag } from "../games/taroky.cards";
import { type DealResult, SEAT_NUMBERS, sorted, type TarokyView } from "../games/taroky.facts";
import "../games/taroky.css";
import { calls, settleSteps, signed, type Told } from "../games/taroky.words";
import { listGames } from "../net/games";
import { ApiError } from "../net/api";
import type { NotationFault, NotationSummary } from "../games/taroky.types";
import { Icon } from "../shell/icons";
import { useRequest } from "../shell/request";
import { go } from "../shell/router";
import { Copyable, useTitle } from "../shell/widgets";
import { list, lookUp, score, t } from "../texts";
import * as notation from "./api";

const PAUSE_MS = 250;
const EXCERPT = 24;
/** The second annotated game of the specification. */
const EXAMPLE =
  "100/100/100/100/T12T16S3S2C1T11H1T13H2T10D4SR/H4HJT18S4D2H3DKC2T01HKT04S1/T03C4T06T08T14T19T09T07T21DJHQSK/" +
  "DQCQT02T15T05HRT17C3D1SQT22SJ/DRCJD3T20CRCK/P2/B/CRHJH4/H2T3//C3//S3S4SKSQ3/T19T02T10T202/DKDJD1D42/" +
  "HKHQHRH12/CKC4C3C12/D2T03DQT111/S2S1T06SJ3/T07T05T12T182/H3T08T15H24/T22T13T04T094/CQT16C2T141/" +
  "SRT01T21T173/timeout=30000;aceHigh=false;pn=1";

/** Return the error in a notation; in English the server's text, which names what was found. */
function faultOf(fault: NotationFault): string {
  return lookUp(`taroky.fault.${fault.reason}`, fault.detail);
}

type Checked = { text: string; good: NotationSummary } | { text: string; bad: NotationFault | null; words: string };

function isFault(told: object): told is NotationFault {
  return "offset" in told && "detail" in told;
}

/** The part of *text* around the first invalid character, which is marked. */
function Excerpt(props: { text: string; offset: number }) {
  const { text, offset } = props;
  const from = Math.max(0, offset - EXCERPT);
  const to = Math.min(text.length, offset + EXCERPT);
  return (
    <code class="notation-excerpt">
      {from > 0 && "…"}
      {text.slice(from, offset)}
      <mark>{text.slice(offset, offset + 1) || "␣"}</mark>
      {text.slice(offset + 1, to)}
      {to < text.length && "…"}
    </code>
  );
}

function Tricks(props: { summary: NotationSummary }) {
  const { tricks, open_trick: open } = props.summary;
  const all = [...tricks, ...(open.length ? [{ cards: open, winner: 0 }] : [])];
  return (
    <div class="sheet-scroll" tabIndex={0} role="region" aria-label={t("taroky.read.tricks")}>
      <table class="sheet notation-tricks" data-testid="notation-tricks">
        <thead>
          <tr>
            <th scope="col">{t("taroky.read.trick")}</th>
            {SEAT_NUMBERS.map((seat) => (
              <th key={seat} scope="col">
                {t("taroky.read.player", { n: seat + 1 })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {all.map((trick, at) => {
            const leader = at === 0 ? 0 : (all[at - 1]?.winner ?? 1) - 1;
            return (
              <tr key={at}>
                <th scope="row">{at + 1}</th>
                {SEAT_NUMBERS.map((seat) => {
                  const card = trick.cards[(seat - leader + 4) % 4];
                  const wins = trick.winner === seat + 1;
                  return (
                    <td key={seat} class={wins ? "best" : ""}>
                      {seat === leader && (
                        <span class="mark" title={t("taroky.read.leads")}>
                          <Icon name="forward" />
                          <span class="sr-only">{t("taroky.read.leads")}</span>
                        </span>
                      )}
                      {card && <TarokyTag code={card} />}
                      {wins && (
                        <span class="mark" title={t("taroky.read.takes")}>
                          <Icon name="check" />
                          <span class="sr-only">{t("taroky.read.takes")}</span>
                        </span>
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The deal, with players by number. */
function toldBy(summary: NotationSummary): Told {
  const seats = SEAT_NUMBERS.map((seat) => ({ name: t("taroky.read.player", { n: seat + 1 }) }));
  return { view: summary.view as TarokyView, seats, you: null };
}

/** Return the labels of the payment rows: balances first and last, money cards and the settlement between. */
function paymentNames(summary: NotationSummary): string[] {
  const { money } = summary.view as TarokyView;
  const callers = SEAT_NUMBERS.filter((seat) => money[seat]?.length);
  const names = [
    t("taroky.read.before"),
    ...callers.map((seat) => `${t("taroky.settle.money")}: ${t("taroky.read.player", { n: seat + 1 })}`),
    ...(summary.finished ? [t("taroky.settle.paid")] : []),
  ];
  return [...names, t(summary.finished ? "taroky.read.after" : "taroky.read.sofar")];
}

/** The settlement of the deal, step by step. */
function Steps(props: { scene: Told; result: DealResult }) {
  const { scene, result } = props;
  const [points = 0, other = 0] = result.points;
  const names = list(result.declarers.map((seat) => scene.seats[seat]?.name ?? ""));
  return (
    <>
      <p>
        {t("taroky.settle.declarers", { names })}
        {" · "}
        {t("taroky.settle.points", { points, other, tricks: result.tricks[0] ?? 0 })}
      </p>
      <ol class="notation-lines" data-testid="notation-reasons">
        {settleSteps(scene, result).map((step) => (
          <li key={step.key}>
            {step.words} {step.value && <strong>{step.value}</strong>}
          </li>
        ))}
      </ol>
    </>
  );
}

function Payments(props: { summary: NotationSummary }) {
  const { payments } = props.summary;
  const names = paymentNames(props.summary);
  return (
    <div class="sheet-scroll" tabIndex={0} role="region" aria-label={t("taroky.read.settlement")}>
      <table class="sheet" data-testid="notation-payments">
        <thead>
          <tr>
            <td />
            {SEAT_NUMBERS.map((seat) => (
              <th key={seat} scope="col">
                {t("taroky.read.player", { n: seat + 1 })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {payments.map((row, at) => {
            const balance = at === 0 || at === payments.length - 1;
            return (
              <tr key={at} class={at > 0 && balance ? "total" : ""}>
                <th scope="row">{names[at]}</th>
                {row.chips.map((chips, seat) => (
                  <td key={seat}>{balance ? score(chips) : signed(chips)}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Further actions: replay a finished deal, continue an unfinished one. */
function Ways(props: { text: string; summary: NotationSummary }) {
  const { text, summary } = props;
  const me = useSignal((summary.saved_by ?? 1) - 1);
  const { busy, failure, attempt } = useRequest();
  const replay = async () => (await notation.keep(text)).page;
  const play = async () => {
    const made = await notation.play({
      text,
      seats: SEAT_NUMBERS.map((seat) => (seat === me.value ? "person" : "bot heuristic")),
      table_options: (await listGames()).find((one) => one.name === "taroky")?.for_people ?? {},
    });
    return `${made.page}?sit=${me.value}`;
  };
  const on = (name: "replay" | "play", way: () => Promise<string>) => (
    <button
      type="button"
      class="primary"
      data-testid={`notation-${name}`}
      disabled={busy.value}
      onClick={() => void attempt(async () => go(await way()))}
    >
      <Icon name="play" />
      {t(`taroky.read.${name}`)}
    </button>
  );
  return (
    <div class="notation-ways">
      {summary.finished ? (
        on("replay", replay)
      ) : (
        <>
          <label>
            {t("taroky.read.me")}
            <select
              value={me.value}
              data-testid="notation-me"
              onChange={(change) => (me.value = Number(change.currentTarget.value))}
            >
              {SEAT_NUMBERS.map((seat) => (
                <option key={seat} value={seat}>
                  {t("taroky.read.player", { n: seat + 1 })}
                </option>
              ))}
            </select>
          </label>
          {on("play", play)}
        </>
      )}
      <p class="refusal" role="alert">
        {failure.value}
      </p>
    </div>
  );
}

function Summary(props: { text: string; summary: NotationSummary }) {
  const { summary } = props;
  const phase = lookUp(`taroky.phase.${summary.phase}`, summary.phase);
  const aceHigh = summary.settings.includes("aceHigh=true");
  const scene = toldBy(summary);
  const result = scene.view.results.at(-1);
  const said = calls(scene);
  const laid = SEAT_NUMBERS.filter((seat) => summary.discards[seat]?.length);
  return (
    <div class="notation-found" data-testid="notation-summary">
      <section class="panel">
        <p role="status">
          {summary.finished
            ? t("taroky.read.finished")
            : summary.turn === null
              ? t("taroky.read.unfinished", { phase })
              : t("taroky.read.unfinished.turn", { phase, n: summary.turn })}
        </p>
        <Ways key={summary.notation} text={props.text} summary={summary} />
        <Copyable label={t("taroky.read.canonical")} text={summary.notation} />
      </section>
      <section class="panel">
        <h2>{t("taroky.read.hands")}</h2>
        <ul class="notation-hands">
          {summary.hands.map((hand, at) => (
            <li key={at}>
              <h3>{t("taroky.read.player", { n: at + 1 })}</h3>
              <OpenTaroky cards={sorted(hand, aceHigh)} />
            </li>
          ))}
        </ul>
        <h3>{t("taroky.read.talon")}</h3>
        <p class="notation-tags">
          {summary.talon.map((card) => (
            <TarokyTag key={card} code={card} />
          ))}
        </p>
      </section>
      {(said.length > 0 || laid.length > 0) && (
        <section class="panel">
          <h2>{t("taroky.read.calls")}</h2>
          <ul class="notation-lines">
            {said.map((row) => (
              <li key={row.key}>
                {row.label}: {row.text}
              </li>
            ))}
            {laid.map((seat) => (
              <li key={`laid ${seat}`} class="notation-tags">
                {t("taroky.phase.discard")}, {t("taroky.read.player", { n: seat + 1 })}:{" "}
                {summary.discards[seat]?.map((card) => <TarokyTag key={card} code={card} />)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {(summary.tricks.length > 0 || summary.open_trick.length > 0) && (
        <section class="panel">
          <h2>{t("taroky.read.tricks")}</h2>
          <Tricks summary={summary} />
        </section>
      )}
      <section class="panel">
        <h2>{t("taroky.read.settlement")}</h2>
        {result && <Steps scene={scene} result={result} />}
        <Payments summary={summary} />
      </section>
    </div>
  );
}

export function NotationPage() {
  useTitle(t("taroky.read.title"));
  const text = useSignal("");
  const checked = useSignal<Checked | null>(null);
  const wanted = text.value.trim();

  // Checked while the user types or pastes; answers for an older text are ignored.
  useEffect(() => {
    if (!wanted) {
      checked.value = null;
      return;
    }
    let current = true;
    const timer = setTimeout(() => {
      notation.check(wanted).then(
        (good) => {
          if (current) checked.value = { text: wanted, good };
        },
        (error: unknown) => {
          if (!current) return;
          const told = error instanceof ApiError ? error.told : {};
          const words = error instanceof Error ? error.message : String(error);
          checked.value = { text: wanted, bad: isFault(told) ? told : null, words };
        },
      );
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [wanted]);

  const now = checked.value;
  const wrong = now && "bad" in now ? now : null;
  return (
    <div class="notation-page">
      <header class="table-head">
        <h1>{t("taroky.read.title")}</h1>
      </header>
      <p class="notation-lead">{t("taroky.read.lead")}</p>
      <div class="field">
        <label for="notation-text">{t("taroky.read.label")}</label>
        <textarea
          id="notation-text"
          rows={5}
          spellcheck={false}
          autocomplete="off"
          data-testid="notation-text"
          aria-invalid={wrong !== null}
          aria-describedby="notation-wrong"
          value={text.value}
          onInput={(input) => (text.value = input.currentTarget.value)}
        />
      </div>
      <div id="notation-wrong" role="alert" class="notation-wrong" data-testid="notation-wrong" hidden={!wrong}>
        {wrong && (
          <>
            <p class="refusal">
              {wrong.bad ? t("taroky.read.wrong", { detail: faultOf(wrong.bad) }) : wrong.words}
            </p>
            {wrong.bad && (
              <>
                <Excerpt text={wrong.text} offset={wrong.bad.offset} />
                <p class="faint">
                  {t("taroky.read.where", { field: wrong.bad.field, slot: wrong.bad.slot })} ·{" "}
                  <code>{wrong.bad.reason}</code>
                  {faultOf(wrong.bad) !== wrong.bad.detail && ` · ${wrong.bad.detail}`}
                </p>
              </>
            )}
          </>
        )}
      </div>
      {!wanted && (
        <div>
          <button type="button" data-testid="notation-example" onClick={() => (text.value = EXAMPLE)}>
            {t("taroky.read.example")}
          </button>
        </div>
      )}
      {now && "good" in now && <Summary text={now.text} summary={now.good} />}
    </div>
  );
}
