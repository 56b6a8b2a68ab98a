/** The widgets of Coinche. Facts are in coinche.facts.ts, texts in coinche.words.ts. */

import { type ComponentChildren } from "preact";
import { CardTag } from "../cards/french";
import { SuitSign } from "../cards/pips";
import type { GameEvent } from "../net/protocol";
import { called, CountChip } from "../table/Seat";
import { score, t } from "../texts";
import { Auction, BidBox, CallTag, ContractTag } from "./coinche.bid";
import "./coinche.css";
import {
  acting,
  type CoincheView,
  type DealResult,
  lastCall,
  playedName,
  sideOfSeat,
  SIDES,
  sorted,
  stage,
  suitOfKind,
  takenPoints,
  wasPlayed,
} from "./coinche.facts";
import {
  callName,
  type CoincheScene,
  contractBy,
  contractName,
  ending,
  kindName,
  lineCells,
  lineName,
  outcome,
  sheet,
  sideWords,
  sideNames,
  standing,
  status,
} from "./coinche.words";
import type { MatchStarted } from "./coinche.types";
import { FRENCH, trickPage } from "./generic";

// The centre: the auction, the summary of the deal.

function DealSummary(props: { scene: CoincheScene; deal: DealResult }) {
  const { scene, deal } = props;
  const { view, you } = scene;
  const mine = SIDES.map((side) => (you !== null && side.includes(you) ? "mine" : ""));
  const cells = (texts: string[]) =>
    texts.map((text, side) => (
      <td key={side} class={mine[side]}>
        {text}
      </td>
    ));
  if (!wasPlayed(deal)) {
    return (
      <div class="summary" data-testid="deal-summary">
        <h3>{t("coinche.summary.out", { deal: view.deal })}</h3>
        <p>{t("coinche.summary.out.more")}</p>
      </div>
    );
  }
  return (
    <div class="summary coinche-summary" data-testid="deal-summary">
      <h3>
        {t("coinche.summary", {
          deal: view.deal,
          contract: contractBy(scene, deal.contract, deal.bidder, deal.doubled),
        })}
      </h3>
      <p class={deal.made ? "made" : "failed"}>{outcome(deal)}</p>
      <table>
        <thead>
          <tr>
            <td />
            {SIDES.map((side, at) => (
              <th key={at} scope="col" class={mine[at]}>
                {side.map((seat) => (
                  <span key={seat} dir="auto">
                    {called(scene, seat)}
                  </span>
                ))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {deal.lines.map((line) => (
            <tr key={line.what}>
              <th scope="row">{lineName(line, deal, view)}</th>
              {cells(lineCells(line.scores))}
            </tr>
          ))}
          <tr class="sum">
            <th scope="row">{t("coinche.line.score")}</th>
            {cells(deal.scores.map(score))}
          </tr>
          <tr>
            <th scope="row">{t("coinche.line.total")}</th>
            {cells(view.totals.map(score))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Marks(props: { scene: CoincheScene }) {
  const { scene } = props;
  const { view } = scene;
  if (stage(view) !== "playing" || view.contract === null || view.bidder === null) return null;
  const [a = "", b = ""] = sideWords(scene);
  const [pointsA = 0, pointsB = 0] = takenPoints(view);
  return (
    <>
      <span class="felt-mark coinche-mark" data-testid="contract">
        <ContractTag contract={view.contract} />
        <span class="coinche-mark-name">{called(scene, view.bidder)}</span>
      </span>
      {view.doubled > 0 && (
        <span class="felt-mark gold" data-testid="doubled">
          {t(view.doubled === 1 ? "coinche.coinched" : "coinche.surcoinched", { factor: view.factor ?? "" })}
        </span>
      )}
      <span class="felt-mark" title={t("coinche.sides.title")}>
        <span class="sr-only">{t("coinche.sides.title")}: </span>
        {t("coinche.sides", { a, pointsA, b, pointsB })}
      </span>
    </>
  );
}

function instead(scene: CoincheScene) {
  const now = stage(scene.view);
  const deal = scene.view.deals.at(-1);
  if (now === "bidding") return <Auction scene={scene} />;
  return deal && (now === "between" || now === "over") ? <DealSummary scene={scene} deal={deal} /> : null;
}

// The hand.

const NAMED = /(?:PLAY )?\b(7|8|9|10|J|Q|K|A) (Hearts|Diamonds|Clubs|Spades)\b/u;
const BID = /^CONTRACT /u;

/** Return the *words* of the server with card names replaced by pictures, as in "PLAY 10 Hearts: …". */
export function withNamedCards(text: string): ComponentChildren {
  // Splitting by a pattern with two groups gives text, rank, suit, text, …
  return text
    .replace(BID, "")
    .split(NAMED)
    .map((part, at, parts) => {
      if (at % 3 === 0) return part;
      return at % 3 === 1 ? <CardTag key={at} code={part + (parts[at + 1]?.charAt(0) ?? "")} /> : null;
    });
}

// In front of a seat.

function SeatNote(props: { scene: CoincheScene; seat: number }) {
  const { scene, seat } = props;
  const { view } = scene;
  if (!view.deal) return null;
  const now = stage(view);
  const team = t(sideOfSeat(seat) === 0 ? "coinche.team.A" : "coinche.team.B");
  const count = view.counts[seat] ?? 0;
  const said = now === "bidding" ? lastCall(view, seat) : null;
  const belotes = now === "playing" ? view.announced.filter((one) => one.seat === seat) : [];
  const latest = belotes.at(-1);
  return (
    <span class="chips">
      <span class="chip compass" title={t("coinche.team", { team })}>
        <span aria-hidden="true">{team}</span>
        <span class="sr-only">{t("coinche.team", { team })}</span>
      </span>
      <CountChip icon="cards" n={count} words={t("coinche.cards", { n: count })} />
      {view.dealer === seat && (
        <span class="chip coinche-dealer" title={t("coinche.dealer")}>
          <span aria-hidden="true">{t("coinche.dealer.short")}</span>
          <span class="sr-only">{t("coinche.dealer")}</span>
        </span>
      )}
      {now === "playing" && view.bidder === seat && view.contract !== null && (
        <span class="chip">
          <ContractTag contract={view.contract} />
        </span>
      )}
      {said && (
        <span class="chip" data-testid={`said-${seat}`}>
          <CallTag call={said} />
        </span>
      )}
      {latest && (
        <span class="chip gold coinche-belote" data-testid={`belote-${seat}`} title={kindName(latest.suit)}>
          {suitOfKind(latest.suit) && <SuitSign suit={suitOfKind(latest.suit) ?? "H"} />}
          {t(`coinche.word.${latest.word}`)}
        </span>
      )}
    </span>
  );
}

// The log.

function adds(event: GameEvent, scene: CoincheScene) {
  if (event.kind !== "match_started") return {};
  const { options } = event as unknown as MatchStarted;
  return { target: Number(options.target ?? 0), a: sideNames(scene, 0), b: sideNames(scene, 1) };
}

function spell(field: string, value: unknown, scene: CoincheScene): string | undefined {
  switch (field) {
    case "call":
      return callName(String(value));
    case "contract":
      return contractName(String(value));
    case "bidder":
      return sideNames(scene, sideOfSeat(Number(value)));
    case "winner":
      return sideNames(scene, value === "A" ? 0 : 1);
  }
  return undefined;
}

export const page = trickPage<CoincheView>({
  name: "coinche",
  deck: {
    ...FRENCH,
    sorted: (cards, view) => sorted(cards, stage(view) === "playing" ? view.contract : null),
    drawn: withNamedCards,
    argument: playedName,
  },
  adds,
  spell,
  auction: { kind: "called", sign: (event) => <CallTag call={String(event["call"])} /> },
  status,
  acting,
  standing,
  ending,
  sides: SIDES,
  sheet,
  winner: (view) => view.tricks.at(-1)?.taker ?? null,
  Marks,
  instead,
  Question: BidBox,
  SeatNote,
});
