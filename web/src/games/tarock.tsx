/** The widgets of Tarock; the hand is in tarock.hand.tsx, facts are in tarock.facts.ts. */

import { OpenCards, type SuitLine } from "../cards/OpenCards";
import { TarockSign } from "../cards/tarock";
import { Icon } from "../shell/icons";
import type { GameEvent } from "../net/protocol";
import { called, CountChip, nameOf } from "../table/Seat";
import { bySeat, finishedTrick, type TrickCards } from "../table/Trick";
import { list, lookUp, score, t } from "../texts";
import { trickPage } from "./generic";
import type { Event } from "./tarock.types";
import "./tarock.css";
import {
  acting,
  announcedBy,
  bySuit,
  CONTRACTS,
  faceOf,
  exchanges,
  giftsOf,
  highest,
  lastBid,
  SEAT_NUMBERS,
  SEATS,
  sorted,
  stage,
  type TarockView,
} from "./tarock.facts";
import { Card, CODE, Hand, Tag, Talon, withCards } from "./tarock.hand";
import {
  account,
  announcement,
  cardName,
  contractName,
  ending,
  itemName,
  outcome,
  sheet,
  standing,
  status,
  type TarockScene,
} from "./tarock.words";

// The centre: the auction, the talon, the announcements, or the summary of the deal.

function bidWords(bid: string | null): string {
  if (bid === null) return t("tarock.bid.none");
  return bid === "pass" ? t("tarock.bid.passes") : contractName(bid);
}

function Auction(props: { scene: TarockScene }) {
  const { view, seats, you } = props.scene;
  const high = highest(view);
  if (!high) return null;
  const standing = view.bids.every((bid) => bid.bid === "pass");
  return (
    <div class="tarock-board">
      <p class="tarock-high">
        {t(`tarock.bid.${standing ? "standing" : "high"}${high.seat === you ? ".you" : ""}`, {
          name: nameOf(seats, high.seat),
          contract: contractName(high.bid),
        })}
      </p>
      <ol class="tarock-auction" aria-label={t("tarock.auction")}>
        {view.bids.map((bid, at) => (
          <li key={at} class={bid.bid === "pass" ? "passed" : ""}>
            <span class="tarock-who">{called(props.scene, bid.seat)}</span>
            <strong>{bidWords(bid.bid)}</strong>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Announcing(props: { scene: TarockScene }) {
  const { view } = props.scene;
  return (
    <div class="tarock-board">
      <p class="tarock-high">{t("tarock.announcements")}</p>
      <ol class="tarock-auction">
        {view.turns.map((turn, at) => (
          <li key={at}>
            <span class="tarock-who">{called(props.scene, turn.seat)}</span>
            <strong>
              {announcement(turn.bonuses, turn.kontras)}
            </strong>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Calling(props: { scene: TarockScene }) {
  const { view, seats, you } = props.scene;
  if (view.turn === null || view.turn === you) return null;
  return (
    <div class="tarock-board">
      <p class="tarock-high">{t("tarock.call.wait", { name: nameOf(seats, view.turn) })}</p>
      <div class="tarock-signs">
        {(["C", "S", "H", "D"] as const).map((suit) => (
          <TarockSign key={suit} suit={suit} />
        ))}
      </div>
    </div>
  );
}

function Tags(props: { cards: string[] }) {
  return (
    <span class="tarock-tags">
      {sorted(props.cards).map((card) => (
        <Tag key={card} code={card} />
      ))}
    </span>
  );
}

function DealSummary(props: { scene: TarockScene }) {
  const { scene } = props;
  const { view, you } = scene;
  const result = view.results.at(-1);
  if (!result) return null;
  const klop = result.contract === "klop";
  const lines = account(result, scene);
  return (
    <div class="summary tarock-summary" data-testid="deal-summary">
      <h3>{t("tarock.dealOver", { deal: view.deal })}</h3>
      <p>{outcome(result, scene)}</p>
      {!klop && (
        <dl class="tarock-lines">
          {lines.map((line) => (
            <div key={line.label}>
              <dt>{line.label}</dt>
              <dd>{score(line.scores.find((points) => points !== null) ?? 0)}</dd>
            </div>
          ))}
        </dl>
      )}
      <ul>
        {SEAT_NUMBERS.map((seat) => (
          <li key={seat} class={seat === you ? "mine" : ""}>
            <span class="summary-name">{called(props.scene, seat)}</span>
            {klop && (
              <span class="tarock-taken">
                {t("tarock.line.klop.points")}: {result.points[seat]}
              </span>
            )}
            <strong>{score(result.scores[seat] ?? 0)}</strong>
          </li>
        ))}
      </ul>
      {view.discards.length > 0 && (
        <p class="tarock-shown">
          {t("tarock.summary.discarded")} <Tags cards={view.discards} />
        </p>
      )}
      {view.talon_rest.length > 0 && (
        <p class="tarock-shown">
          {t("tarock.summary.talon")} <Tags cards={view.talon_rest} />
        </p>
      )}
    </div>
  );
}

function Marks(props: { scene: TarockScene }) {
  const { view } = props.scene;
  if (!view.contract) return null;
  const gift = stage(view) === "deal" && isResting(view) ? view.tricks.at(-1)?.gift : null;
  const factor = view.kontra.game ?? 1;
  const aim = lookUp(`tarock.aim.${view.contract}`, "");
  return (
    <>
      <span class="felt-mark gold" data-testid="contract">
        {contractName(view.contract)}
        {factor > 1 && ` ×${factor}`}
      </span>
      {aim && view.phase === "playing" && <span class="felt-mark">{aim}</span>}
      {view.king && (
        <span class="felt-mark" data-testid="called-king">
          <Tag code={`${view.king}K`} label={false} />
          <span class="sr-only">{cardName(`${view.king}K`)} </span>
          {t("tarock.king.called")}
        </span>
      )}
      {gift && (
        <span class="felt-mark" data-testid="gift">
          <Tag code={gift} />
          {t("tarock.gift.short")}
        </span>
      )}
    </>
  );
}

/** Return whether the last trick is finished: it is shown until the next one is led. */
function isResting(view: TarockView): boolean {
  return view.trick.length === 0 && view.tricks.length > 0;
}

function tricks(view: TarockView): { now: TrickCards; last: TrickCards | null } {
  const finished = view.tricks.at(-1);
  const last = finished ? finishedTrick({ ...finished, taker: finished.winner }, SEATS) : null;
  if (last && isResting(view)) return { now: last, last: stage(view) === "between" ? last : null };
  return { now: { cards: bySeat(view.trick, view.leader, SEATS), leader: view.leader, taker: null }, last };
}

function instead(scene: TarockScene) {
  const { view } = scene;
  if (stage(view) === "between" || stage(view) === "match") return <DealSummary scene={scene} />;
  switch (view.phase) {
    case "bidding":
      return <Auction scene={scene} />;
    case "calling":
      return <Calling scene={scene} />;
    case "exchanging":
      return <Talon scene={scene} />;
    case "announcing":
      return <Announcing scene={scene} />;
  }
  return null;
}

// In front of a seat.

function Radelci(props: { many: number }) {
  const { many } = props;
  if (!many) return null;
  const label = t("tarock.radelci", { n: many });
  return (
    <span class="chip tarock-radelci" title={label} data-testid="radelci">
      {Array.from({ length: Math.min(many, 5) }, (_, at) => (
        <Icon key={at} name="wheel" />
      ))}
      {many > 5 && <span aria-hidden="true">{many}</span>}
      <span class="sr-only">{label}</span>
    </span>
  );
}

function lines(cards: string[]): SuitLine[] {
  return bySuit(cards).map(([suit, held]) => ({
    suit,
    sign: <TarockSign suit={suit} />,
    ranks: held.map((card) => (card === "TS" ? t("tarock.skis") : faceOf(card).rank)),
  }));
}

function OpenTarock(props: { cards: string[]; large?: boolean | undefined }) {
  return (
    <OpenCards
      cards={sorted(props.cards)}
      large={props.large}
      name={cardName}
      face={(card) => <Card key={card} code={card} label="" />}
      lines={lines}
    />
  );
}

function SeatNote(props: { scene: TarockScene; seat: number }) {
  const { scene, seat } = props;
  const { view } = scene;
  if (view.deal === 0) return null;
  const cards = view.counts[seat] ?? 0;
  const tricks = view.tricks_won[seat] ?? 0;
  const tricksLabel = t("tarock.tricksWon", { n: tricks });
  const solo = view.contract !== null && view.contract !== CONTRACTS[0];
  const gifts = giftsOf(view, seat);
  const bid = view.phase === "bidding" ? lastBid(view, seat) : null;
  // The declarer knows all their discards; the other players see only the tarocks among them.
  const laid = seat !== view.declarer ? [] : seat === scene.you ? view.my_discards : view.discarded;
  const shown = view.revealed.length > 0 && seat === view.declarer && seat !== scene.you && !scene.open?.[seat];
  return (
    <>
      <span class="chips">
        {solo && view.declarer === seat && (
          <span class="chip tarock-role" data-testid="declarer">
            {t("tarock.declarer")}
          </span>
        )}
        {view.partner_known && view.partner === seat && (
          <span class="chip tarock-role" data-testid="partner">
            {t("tarock.partner")}
          </span>
        )}
        {bid !== null && <span class={`chip tarock-said ${bid === "pass" ? "" : "some"}`}>{bidWords(bid)}</span>}
        <Radelci many={view.radelci[seat] ?? 0} />
        {view.phase === "bidding" && view.forehand === seat && <span class="chip">{t("tarock.forehand")}</span>}
        {view.phase === "playing" && (
          <>
            <CountChip icon="cards" n={cards} words={t("tarock.cards", { n: cards })} />
            <span class={`chip points ${tricks ? "some" : ""}`} title={tricksLabel}>
              <span aria-hidden="true">{tricks}</span>
              <span class="sr-only">{tricksLabel}</span>
            </span>
          </>
        )}
        {announcedBy(view, seat).map((bonus) => (
          <span key={bonus} class="chip tarock-said some">
            {itemName(bonus)}
            {(view.kontra[bonus] ?? 1) > 1 && ` ×${view.kontra[bonus]}`}
          </span>
        ))}
      </span>
      {gifts.length > 0 && (
        <span class="taken tarock-gifts" role="img" aria-label={t("tarock.gifts", { cards: list(gifts.map(cardName)) })}>
          {gifts.map((card) => (
            <Tag key={card} code={card} label={false} />
          ))}
        </span>
      )}
      {laid.length > 0 && (
        <span class="chip tarock-gifts">
          {t("tarock.discarded")} <Tags cards={laid} />
        </span>
      )}
      {shown && <OpenTarock cards={view.revealed} />}
    </>
  );
}

// The log.

function adds(event: GameEvent, scene: TarockScene): Record<string, unknown> {
  const fact = event as unknown as Event;
  switch (fact.kind) {
    case "match_started":
      return { deals: Number(fact.options.deals) };
    case "announced":
      return { what: announcement(fact.bonuses, fact.kontras) };
    case "deal_ended":
      return { outcome: outcome(fact, scene) };
  }
  return {};
}

/** The last card of a trick also tells who takes it. */
function follows(event: GameEvent): GameEvent | null {
  const { winner, gift } = event;
  return event.kind === "played" && winner !== null ? { kind: "trick_taken", seat: winner, gift } : null;
}

function spell(field: string, value: unknown): string | undefined {
  switch (field) {
    case "contract":
    case "bid":
      return contractName(String(value));
    case "suit":
      return cardName(`${String(value)}K`);
    case "picked":
      return String(Number(value) + 1);
    case "talon":
      return (value as string[][]).map((cards) => cards.map(cardName).join(", ")).join("; ");
  }
  return undefined;
}

export const page = trickPage<TarockView>({
  name: "tarock",
  rightwards: true,
  deck: { code: CODE, name: cardName, Card, Tag, sorted, drawn: withCards, Open: OpenTarock },
  adds,
  follows,
  spell,
  auction: { kind: "spoke", sign: (event) => bidWords(String(event["bid"])) },
  status,
  prepares: exchanges,
  acting,
  standing,
  ending,
  sheet,
  tricks,
  Marks,
  instead,
  Hand,
  SeatNote,
});
