/** The Coinche page: centre, hand, seats. Facts are in coinche.facts.ts, texts in coinche.words.ts. */

import { type ComponentChildren } from "preact";
import { CardTag, cardName, FrenchCard } from "../cards/french";
import { OpenFrench } from "../cards/OpenCards";
import { SuitSign } from "../cards/pips";
import { Fan, type FanCard } from "../table/Fan";
import { stateOf, useChosen, useFocusBack } from "../table/hand";
import { Prompt } from "../table/Prompt";
import { called, CountChip } from "../table/Seat";
import { type Face, finishedTrick, TrickCentre } from "../table/Trick";
import { score, t } from "../texts";
import { Auction, BidBox, CallTag, ContractTag } from "./coinche.bid";
import "./coinche.css";
import {
  acting,
  type CoincheView,
  type DealResult,
  foresee,
  lastCall,
  legalCards,
  playAction,
  SEATS,
  sideOfSeat,
  SIDES,
  sorted,
  stage,
  suitOfKind,
  takenPoints,
  wasPlayed,
} from "./coinche.facts";
import {
  type CoincheScene,
  contractBy,
  ending,
  kindName,
  lineCells,
  lineName,
  outcome,
  sheet,
  sideWords,
  standing,
  status,
  words,
} from "./coinche.words";
import { dealPart, definePage } from "./page";

const face: Face = (code, owner) => <FrenchCard code={code} label={`${cardName(code)}, ${owner}`} />;

// The centre: the auction, the trick, or the summary of the deal.

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

function Centre(props: { scene: CoincheScene; replay?: boolean }) {
  const { scene, replay } = props;
  const { view } = scene;
  const now = stage(view);
  const latest = view.tricks.at(-1);
  const full = view.table.every((card) => card !== null);
  const deal = view.deals.at(-1);
  return (
    <TrickCentre
      scene={scene}
      face={face}
      now={{ cards: view.table, leader: view.leader, taker: full ? (latest?.taker ?? null) : null }}
      last={latest ? finishedTrick(latest, SEATS) : null}
      round={`${view.deal} ${view.trick} ${now}`}
      replay={replay}
      over={now === "over"}
      marks={<Marks scene={scene} />}
      instead={
        (now === "between" || now === "over") && deal ? (
          <DealSummary scene={scene} deal={deal} />
        ) : now === "bidding" ? (
          <Auction scene={scene} />
        ) : null
      }
    />
  );
}

// The hand and its questions.

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

function Hand(props: { scene: CoincheScene }) {
  const { scene } = props;
  const { view, question, pending, act } = scene;
  const legal = question?.legal ?? [];
  const playable = legalCards(legal);
  const bidding = question !== null && legal.includes("PASS");
  const asked = playable.size > 0 && !pending;
  const { selected, select } = useChosen(playable, null, question?.turn);
  const speaking = useFocusBack(bidding);

  const play = (code: string) => {
    if (playable.size) act([playAction(code)]); // an illegal card: the server returns the reason
  };
  const cards = sorted(view.hand, stage(view) === "playing" ? view.contract : null).map(
    (code): FanCard => ({
      code,
      label: cardName(code),
      face: <FrenchCard code={code} label="" />,
      state: stateOf(code, playable, asked),
      selected: selected.includes(code),
    }),
  );
  return (
    <>
      <Prompt
        text={status(scene)}
        urgent={question !== null}
        clock={question?.clock ?? null}
        refusal={scene.refusal && withNamedCards(scene.refusal)}
      >
        {bidding && (
          <div onFocusIn={speaking}>
            <BidBox scene={scene} legal={legal} turn={question.turn} />
          </div>
        )}
      </Prompt>
      {ending(view) === null && (
        <Fan
          cards={cards}
          label={t("table.hand")}
          choosing={false}
          onPick={play}
          onSelect={select}
          onWhy={(code) => scene.why(code ? [playAction(code)] : [])}
          onConfirm={() => {
            const [ready] = selected;
            if (ready) play(ready);
            return ready !== undefined;
          }}
        />
      )}
    </>
  );
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
          {t(`coinche.${latest.word}`)}
        </span>
      )}
    </span>
  );
}

function OpenHand(props: { scene: CoincheScene; seat: number; large?: boolean }) {
  const view = props.scene.open?.[props.seat];
  if (!view) return null;
  const contract = stage(view) === "playing" ? view.contract : null;
  return <OpenFrench cards={sorted(view.hand, contract)} large={props.large} />;
}

export const page = definePage<CoincheView>({
  words,
  log: {
    part: dealPart,
    chip: (card) => <CardTag code={card} label={false} />,
    auction: { kind: "called", sign: (event) => <CallTag call={String(event["call"])} /> },
  },
  status,
  foresee,
  acting,
  begun: (view) => view.deal > 0,
  standing,
  ending,
  sides: SIDES,
  sheet,
  held: (view, seat) => view.counts[seat] ?? 0,
  Centre,
  Hand,
  SeatNote,
  OpenHand,
});
