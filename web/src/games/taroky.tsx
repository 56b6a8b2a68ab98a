/** The widgets of Taroky. Facts are in taroky.facts.ts, texts in taroky.words.ts. */

import { CardBack } from "../cards/frame";
import { roman } from "../cards/tarock";
import { Icon } from "../shell/icons";
import { Copyable } from "../shell/widgets";
import { Answers } from "../table/Answers";
import { called, CountChip } from "../table/Seat";
import { list, score, t } from "../texts";
import type { GameEvent } from "../net/protocol";
import { trickPage } from "./generic";
import { CODE, OpenTaroky, TarokyCard, TarokyTag, withTaroky } from "./taroky.cards";
import "./taroky.css";
import {
  acting,
  cardName,
  discards,
  isAceHigh,
  knownDeclarers,
  legalCards,
  legalPartners,
  LEVELS,
  moneyOf,
  seatOf,
  sorted,
  stage,
  TALON,
  type TarokyView,
  tricksOf,
  trumpNumber,
  winning,
} from "./taroky.facts";
import type { Event } from "./taroky.types";
import { Settlement } from "./taroky.settle";
import {
  calls,
  chipList,
  ending,
  levelWords,
  moneyWords,
  optionalMoney,
  phaseNote,
  sheet,
  standing,
  status,
  theCard,
  type TarokyScene,
} from "./taroky.words";

// The centre: the talon and the calls, or the settlement.

/** Return the visible talon cards: six entries, each a code or null. */
function talonCards(view: TarokyView): (string | null)[] {
  const cards = Array<string | null>(TALON).fill(null);
  view.shown.forEach((card, at) => (cards[at] = card));
  if (view.phase === "prever_talon") {
    view.seen.forEach((card, at) => (cards[at + (view.step === 2 ? 3 : 0)] = card));
  }
  return cards;
}

/** Return for each talon card of a partner game the text that says who gets it. */
function talonOwners(scene: TarokyScene): string[] {
  const { view } = scene;
  const name = (player: number) => called(scene, seatOf(view, player));
  const owners = [1, 1, 1, 1].map((player) => t("taroky.talon.for", { name: name(player) }));
  view.gifts.forEach((gift, at) => {
    const player = gift === "given" ? 4 : at + 2;
    owners.push(gift === "offered" ? t("taroky.talon.passed") : t("taroky.talon.for", { name: name(player) }));
  });
  return owners;
}

function Talon(props: { scene: TarokyScene }) {
  const { view } = props.scene;
  const sharing = view.phase === "talon";
  const owners = sharing ? talonOwners(props.scene) : [];
  const taken = (at: number) => {
    const gift = view.gifts[at - 4];
    return sharing && (at < 4 || (gift !== "open" && gift !== "offered"));
  };
  const looking = (at: number) => view.phase === "prever_talon" && at >= 3 === (view.step === 2);
  return (
    <ol class="taroky-talon" aria-label={t("taroky.talon")}>
      {talonCards(view).map((card, at) => (
        <li
          key={at}
          class={`${taken(at) ? "taken" : ""} ${looking(at) ? "looking" : ""}`}
          data-move={card ?? undefined}
        >
          {card ? <TarokyCard code={card} /> : <CardBack label={t("taroky.talon.hidden", { n: at + 1 })} />}
          {owners[at] && (at === 0 || at > 3) && <span>{owners[at]}</span>}
        </li>
      ))}
    </ol>
  );
}

function Board(props: { scene: TarokyScene }) {
  const { scene } = props;
  const { view } = scene;
  const rows = calls(scene);
  return (
    <div class="taroky-board taroky-wide">
      <h3>{t(`taroky.phase.${view.phase}`)}</h3>
      {["prever", "talon", "prever_talon"].includes(view.phase) && <Talon scene={scene} />}
      {rows.length > 0 && (
        <dl class="taroky-calls">
          {rows.map((row) => (
            <div key={row.key}>
              <dt>{row.label}</dt>
              <dd>{row.text}</dd>
            </div>
          ))}
        </dl>
      )}
      <p class="taroky-note">{phaseNote(scene)}</p>
    </div>
  );
}

/** The calls that apply while cards are played. */
function Marks(props: { scene: TarokyScene }) {
  const { scene } = props;
  const { view } = scene;
  if (stage(view) !== "deal" || view.phase !== "play") return null;
  return (
    <>
      {view.named !== null && (
        <span class="felt-mark" data-testid="partner-mark">
          {t("taroky.mark.partner", { trump: roman(trumpNumber(view.named)) })}
          {view.partner !== null && <strong>{called(scene, view.partner)}</strong>}
        </span>
      )}
      {view.prever !== null && (
        <span class="felt-mark gold">{t("taroky.mark.prever", { name: called(scene, view.prever) })}</span>
      )}
      {view.valat !== null && (
        <span class="felt-mark gold">{t("taroky.mark.valat", { name: called(scene, view.valat) })}</span>
      )}
      {view.contras.length > 0 && (
        <span class="felt-mark gold" title={levelWords(LEVELS[view.contras.length - 1] ?? "supra")}>
          {t("taroky.mark.multiplier", { n: view.multiplier })}
        </span>
      )}
      {view.iote !== null && (
        <span class="felt-mark gold">{t("taroky.mark.iote", { name: called(scene, view.iote) })}</span>
      )}
    </>
  );
}

function instead(scene: TarokyScene) {
  const { view } = scene;
  const now = stage(view);
  if (now === "deal") return view.phase === "play" ? null : <Board scene={scene} />;
  const result = view.results.at(-1);
  return now !== "start" && result ? <Settlement scene={scene} result={result} /> : null;
}

// The hand and its questions.

/** Return the labels of the two answers to the open question: yes, no. */
function answerWords(view: TarokyView, you: number | null): [string, string] {
  switch (view.phase) {
    case "prever":
      return [t("taroky.prever.yes"), t("taroky.prever.no")];
    case "talon":
      return you === seatOf(view, 4)
        ? [t("taroky.talon.accept"), t("taroky.talon.reject")]
        : [t("taroky.talon.yes"), t("taroky.talon.no")];
    case "prever_talon":
      return [t("taroky.half.yes"), t(view.step === 2 ? "taroky.half.no.2" : "taroky.half.no.1")];
    case "moneycards":
      return [t("taroky.money.yes", { what: moneyWords([optionalMoney(view)]) }), t("taroky.money.no")];
    case "valat":
      return [t("taroky.valat.yes"), t("taroky.valat.no")];
    case "contra": {
      const level = LEVELS[view.contras.length] ?? "supra";
      return [t("taroky.contra.yes", { level: levelWords(level) }), t("taroky.contra.no")];
    }
    default:
      return [t("taroky.iote.yes"), t("taroky.iote.no")];
  }
}

function Question(props: { scene: TarokyScene; legal: string[] }) {
  const { scene, legal } = props;
  const { view, pending, act, you } = scene;
  if (legal.includes("yes")) {
    const [yes, no] = answerWords(view, you);
    // The safer answer comes first, because a hasty Enter selects it: usually no, but draw or keep for cards.
    const order = view.phase === "talon" || view.phase === "prever_talon" ? ["yes", "no"] : ["no", "yes"];
    return (
      <Answers label={status(scene)}>
        {order.map((word, at) => (
          <button
            key={word}
            type="button"
            class={at === 0 ? "primary" : ""}
            data-testid={`answer-${word}`}
            disabled={pending}
            onClick={() => act([word])}
          >
            {word === "yes" ? yes : no}
          </button>
        ))}
      </Answers>
    );
  }
  const partners = legalPartners(legal);
  if (!partners.length) return null;
  return (
    <Answers label={status(scene)}>
      {partners.map((trump) => (
        <button
          key={trump}
          type="button"
          class={trump === partners[0] ? "primary" : ""}
          data-testid={`partner-${trump}`}
          disabled={pending}
          onClick={() => act([`partner ${trump - 10}`])}
        >
          {t("taroky.partner.name", { trump: roman(trump) })}
        </button>
      ))}
    </Answers>
  );
}

function several({ view, question }: TarokyScene) {
  if (view.phase !== "discard") return null;
  // Trumps may be discarded only when no suit cards are left: then the question is asked in two parts.
  const wanted = Math.min(view.left, legalCards(question?.legal ?? []).length);
  return {
    wanted,
    testid: "confirm-discard",
    ready: t("taroky.discard.confirm"),
    missing: (n: number) => t("taroky.discard.choose", { n, of: wanted }),
  };
}

function moves(code: string, { view }: TarokyScene) {
  const discarding = view.phase === "discard";
  return {
    to: discarding ? "centre" : undefined,
    fresh: (discarding || view.phase === "talon") && view.drawn.includes(code),
  };
}

// In front of a seat.

function SeatNote(props: { scene: TarokyScene; seat: number }) {
  const { scene, seat } = props;
  const { view } = scene;
  if (!view.deal) return null;
  const playing = stage(view) === "deal";
  const player = view.players[seat] ?? 0;
  const count = view.counts[seat] ?? 0;
  const tricks = tricksOf(view, seat);
  const money = moneyOf(view, seat);
  const thrown = view.thrown[seat] ?? [];
  const role = player === 1 ? t("taroky.povinnost") : t("taroky.player", { n: player });
  const answers = view.phase === "prever" ? view.prevers : view.phase === "valat" ? view.valats : [];
  const refused = answers[player - 1] === false;
  return (
    <>
      <span class="chips">
        <span class={`chip taroky-player ${player === 1 ? "first" : ""}`} title={role}>
          <span aria-hidden="true">{player === 1 ? "P" : player}</span>
          <span class="sr-only">{role}</span>
        </span>
        <CountChip icon="coin" n={score(view.chips[seat] ?? 0)} words={t("taroky.chips", { n: view.chips[seat] ?? 0 })} />
        {playing && <CountChip icon="cards" n={count} words={t("taroky.cards", { n: count })} />}
        {view.phase === "play" && <CountChip icon="tricks" n={tricks} words={t("taroky.tricks", { n: tricks })} />}
        {refused && (
          <span class="chip">{t(view.phase === "prever" ? "taroky.noPrever" : "taroky.noValat")}</span>
        )}
        {knownDeclarers(view).includes(seat) && <span class="chip taroky-declarer">{t("taroky.declarer")}</span>}
      </span>
      {money.length > 0 && (
        <span
          class="chip taroky-money"
          title={list(money.map((code) => t(`taroky.money.why.${code as "U"}`)))}
          data-testid={`money-${seat}`}
        >
          {moneyWords(money)}
        </span>
      )}
      {thrown.length > 0 && (
        <span class="taken" role="img" aria-label={t("taroky.thrown", { cards: list(thrown.map(cardName)) })}>
          {thrown.map((card) => (
            <TarokyTag key={card} code={card} />
          ))}
        </span>
      )}
    </>
  );
}

function OpenHand(props: { scene: TarokyScene; seat: number; large?: boolean }) {
  const view = props.scene.open?.[props.seat];
  if (!view) return null;
  // After the last card, show the hands that were dealt.
  const cards = view.hand.length ? view.hand : (view.hands[props.seat] ?? []);
  return <OpenTaroky cards={sorted(cards, isAceHigh(view))} large={props.large} />;
}

// Beside the table: the notation of the deal.

function Aside(props: { scene: TarokyScene; match?: string }) {
  const { notation } = props.scene.view;
  if (!notation && !props.match) return null;
  return (
    <section class="panel taroky-aside" data-testid="notation-panel">
      <h2>{t("taroky.notation")}</h2>
      <p class="faint">{t("taroky.notation.more")}</p>
      {notation && <Copyable label={t("taroky.notation")} text={notation} />}
      <div class="taroky-aside-links">
        <a class="button quiet" href="/notation">
          {t("taroky.page.notation.open")}
        </a>
        {props.match && (
          <a
            class="button quiet"
            href={`/api/matches/${encodeURIComponent(props.match)}/notation`}
            download={`${props.match}.taroky`}
          >
            <Icon name="download" />
            {t("taroky.notation.all")}
          </a>
        )}
      </div>
    </section>
  );
}

// The log.

function adds(event: GameEvent, scene: TarokyScene): Record<string, unknown> {
  const fact = event as unknown as Event;
  if (fact.kind !== "deal_ended") return {};
  const { result } = fact;
  return {
    how: result.x > 0 ? "won" : result.x < 0 ? "lost" : "even",
    names: list(result.declarers.map((seat) => called(scene, seat))),
    points: result.points[0] ?? 0,
    chips: chipList(scene, result.payments),
  };
}

function spell(field: string, value: unknown, { view }: TarokyScene): string | undefined {
  switch (field) {
    case "card":
    case "shown":
      return value === null ? undefined : theCard(String(value));
    case "cards":
      return list(sorted(value as string[], isAceHigh(view)).map(theCard));
    case "codes":
      return moneyWords(value as string[]);
    case "trump":
      return roman(trumpNumber(String(value)));
  }
  return undefined;
}

export const page = trickPage<TarokyView>({
  name: "taroky",
  rightwards: true,
  deck: {
    code: CODE,
    name: cardName,
    Card: TarokyCard,
    Tag: TarokyTag,
    sorted: (cards, view) => sorted(cards, isAceHigh(view)),
    drawn: withTaroky,
    Open: OpenTaroky,
  },
  adds,
  spell,
  status,
  prepares: discards,
  acting,
  standing,
  ending,
  sheet,
  winner: (view) => winning(view.trick, view.leader, isAceHigh(view)),
  Marks,
  instead,
  Question,
  several,
  moves,
  SeatNote,
  OpenHand,
  Aside,
});
