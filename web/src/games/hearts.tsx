/** The Hearts page: centre, hand, seats. Facts are in hearts.facts.ts, texts in hearts.words.ts. */

import { CardTag, cardName, FrenchCard, suitOf, withCards } from "../cards/french";
import { OpenFrench } from "../cards/OpenCards";
import { SuitSign } from "../cards/pips";
import { Icon } from "../shell/icons";
import { Answers } from "../table/Answers";
import { ConfirmCards } from "../table/ConfirmCards";
import { Fan, type FanCard } from "../table/Fan";
import { stateOf, useChosen, useFocusBack } from "../table/hand";
import { sideOf } from "../table/places";
import { Prompt } from "../table/Prompt";
import { called, CountChip, nameOf } from "../table/Seat";
import { type Face, finishedTrick, TrickCentre } from "../table/Trick";
import { list, lookUp, t } from "../texts";
import {
  acting,
  foresee,
  type HeartsView,
  order,
  PASS_COUNT,
  receiver,
  SEAT_NUMBERS,
  SEATS,
  stage,
  winning,
} from "./hearts.facts";
import { ending, type HeartsScene, penalty, sheet, standing, status, words } from "./hearts.words";
import { dealPart, definePage } from "./page";

const TURNS: Record<string, number> = { left: 180, top: -90, right: 0, bottom: 90 };

// The centre: the trick, the passing direction, or the summary of the deal.

const face: Face = (code, owner) => <FrenchCard code={code} label={`${cardName(code)}, ${owner}`} />;

function Passing(props: { scene: HeartsScene }) {
  const { view, bottom, seats, you } = props.scene;
  const to = receiver(view.direction, bottom);
  if (to === null) return null;
  return (
    <div class="passing">
      <span class="passing-arrow">
        <Icon name="arrow" turn={TURNS[sideOf(to, bottom, SEATS)] ?? 0} />
      </span>
      <p>
        {you === null ? t(`hearts.pass.${view.direction}`) : t("hearts.pass.to", { name: nameOf(seats, to) })}
      </p>
    </div>
  );
}

function DealSummary(props: { scene: HeartsScene }) {
  const { view, you } = props.scene;
  const result = view.deals.at(-1);
  if (!result) return null;
  return (
    <div class="summary">
      <h3>{t("hearts.dealOver", { deal: view.deal })}</h3>
      <ul>
        {SEAT_NUMBERS.map((seat) => (
          <li key={seat} class={seat === you ? "mine" : ""}>
            <span class="summary-name">{called(props.scene, seat)}</span>
            {result.moon === seat && (
              <span class="summary-mark">
                <Icon name="moon" />
                {t("hearts.moon")}
              </span>
            )}
            <strong>{penalty(result.scores[seat] ?? 0)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Centre(props: { scene: HeartsScene; replay?: boolean }) {
  const { scene, replay } = props;
  const { view } = scene;
  const now = stage(view);
  const full = view.table.every((card) => card !== null);
  const taker = full ? winning(view.table, view.leader) : null;
  const last = { cards: view.last, leader: view.last_leader, taker: view.last_taker };
  return (
    <TrickCentre
      scene={scene}
      face={face}
      now={{ cards: view.table, leader: view.leader, taker }}
      last={view.last.length ? finishedTrick(last, SEATS) : null}
      round={`${view.deal} ${view.round}`}
      replay={replay}
      over={now === "match"}
      instead={
        now === "between" ? (
          <DealSummary scene={scene} />
        ) : view.phase === "passing" ? (
          <Passing scene={scene} />
        ) : null
      }
      marks={
        <>
          {view.exposed !== null && (
            <span class="felt-mark gold" title={t("hearts.exposed")}>
              <CardTag code="AH" label={false} />
              {t("hearts.exposed.short")}
            </span>
          )}
          {view.broken && (
            <span class="felt-mark">
              <Icon name="brokenHeart" />
              {t("hearts.broken")}
            </span>
          )}
        </>
      }
    />
  );
}

// The hand and its questions.

function legalCards(legal: string[], verb: string): Set<string> {
  const start = `${verb} `;
  return new Set(legal.filter((word) => word.startsWith(start)).map((word) => word.slice(start.length)));
}

function fanCards(scene: HeartsScene, usable: Set<string>, chosen: string[], asked: boolean): FanCard[] {
  const { view, you } = scene;
  const untouched = you !== null && (view.played[you]?.length ?? 0) === 0;
  const to = view.phase === "passing" && you !== null ? receiver(view.direction, you) : null;
  return view.hand.map((code) => ({
    code,
    label: cardName(code),
    face: <FrenchCard code={code} label="" />,
    state: stateOf(code, usable, asked),
    selected: chosen.includes(code),
    fresh: untouched && view.received.includes(code),
    from: view.received.includes(code) ? `seat-${view.received_from}` : undefined,
    to: to === null ? undefined : `seat-${to}`,
  }));
}

function Hand(props: { scene: HeartsScene }) {
  const { scene } = props;
  const { view, question, pending, act } = scene;
  const legal = question?.legal ?? [];
  const toPass = legalCards(legal, "pass");
  const toPlay = legalCards(legal, "play");
  const exposing = legal.includes("expose AH");
  const wanted = PASS_COUNT - view.picked.length;
  const choosing = toPass.size > 0;
  const usable = choosing ? toPass : toPlay;
  const { selected, select } = useChosen(usable, choosing ? wanted : null, question?.turn);
  const answering = useFocusBack(choosing);

  const pass = () => {
    const cards = [...selected].sort((a, b) => order(a) - order(b));
    act(cards.map((card) => `pass ${card}`));
  };
  const pick = (code: string) => {
    if (choosing) select(code, !selected.includes(code));
    else if (toPlay.size) act([`play ${code}`]); // an illegal card: the server returns the reason
  };
  const confirm = (): boolean => {
    if (choosing && selected.length === wanted) {
      pass();
      return true;
    }
    const [ready] = selected;
    if (!choosing && ready) {
      act([`play ${ready}`]);
      return true;
    }
    return false;
  };

  return (
    <>
      <Prompt
        text={status(scene)}
        urgent={question !== null}
        clock={question?.clock ?? null}
        refusal={scene.refusal && withCards(scene.refusal)}
      >
        {choosing && (
          <ConfirmCards
            testid="confirm-pass"
            selected={selected}
            wanted={wanted}
            pending={pending}
            ready={t("hearts.pass.confirm")}
            missing={t("hearts.pass.choose", { n: selected.length, of: wanted })}
            tag={(card) => <CardTag key={card} code={card} />}
            onFocus={answering}
            onConfirm={pass}
          />
        )}
        {exposing && (
          <Answers label={status(scene)}>
            <button
              type="button"
              class="primary"
              data-testid="expose-yes"
              disabled={pending}
              onClick={() => act(["expose AH"])}
            >
              {t("hearts.expose.yes")}
            </button>
            <button
              type="button"
              data-testid="expose-no"
              disabled={pending}
              onClick={() => act(["keep AH"])}
            >
              {t("hearts.expose.no")}
            </button>
          </Answers>
        )}
      </Prompt>
      {ending(view) === null && (
        <Fan
          cards={fanCards(scene, usable, selected, question !== null && !exposing && !pending)}
          label={t("table.hand")}
          choosing={choosing}
          onPick={pick}
          onSelect={select}
          onWhy={(code) => scene.why(code ? [`${choosing ? "pass" : "play"} ${code}`] : [])}
          onConfirm={confirm}
        />
      )}
    </>
  );
}

// In front of a seat.

function Taken(props: { cards: string[] }) {
  const { cards } = props;
  if (!cards.length) return null;
  const hearts = cards.filter((card) => suitOf(card) === "H");
  const others = cards.filter((card) => suitOf(card) !== "H");
  return (
    <span class="taken" role="img" aria-label={t("hearts.taken", { cards: list(cards.map(cardName)) })}>
      {hearts.length > 0 && (
        <span class="card-tag red counted">
          <SuitSign suit="H" />
          <span>{hearts.length}</span>
        </span>
      )}
      {others.map((card) => (
        <CardTag key={card} code={card} label={false} />
      ))}
    </span>
  );
}

function SeatNote(props: { scene: HeartsScene; seat: number }) {
  const { scene, seat } = props;
  const { view } = scene;
  if (view.game === 0) return null;
  const count = view.counts[seat] ?? 0;
  const points = view.scores[seat] ?? 0;
  const done = view.phase === "passing" && view.passed.includes(seat);
  const position = lookUp(`hearts.position.${view.positions[seat] ?? seat}`, "");
  return (
    <>
      <span class="chips">
        <span class="chip compass" title={position}>
          <span aria-hidden="true">{position.slice(0, 1)}</span>
          <span class="sr-only">{position}</span>
        </span>
        <CountChip icon="cards" n={count} words={t("hearts.cards", { n: count })} />
        <span class={`chip points ${points ? "some" : ""}`} title={t("hearts.dealScore")}>
          <span class="sr-only">{t("hearts.dealScore")}: </span>
          {penalty(points)}
        </span>
        {done && (
          <span class="chip">
            <Icon name="check" />
            {t("hearts.passed")}
          </span>
        )}
        {view.exposed === seat && (
          <span class="chip gold" title={t("hearts.showed")}>
            <CardTag code="AH" label={false} />
            <span class="sr-only">{t("hearts.showed")}</span>
          </span>
        )}
      </span>
      <Taken cards={view.taken[seat] ?? []} />
    </>
  );
}

function OpenHand(props: { scene: HeartsScene; seat: number; large?: boolean }) {
  const view = props.scene.open?.[props.seat];
  return view ? <OpenFrench cards={view.hand} large={props.large} /> : null;
}

export const page = definePage<HeartsView>({
  words,
  log: { part: dealPart, chip: (card) => <CardTag code={card} label={false} /> },
  status,
  foresee,
  acting,
  begun: (view) => view.game > 0,
  standing,
  ending,
  sheet,
  held: (view, seat) => view.counts[seat] ?? 0,
  Centre,
  Hand,
  SeatNote,
  OpenHand,
});
