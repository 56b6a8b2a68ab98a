/** The Hearts page: centre, hand, seats and score sheet; the logic is in hearts.facts.ts. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CardTag, cardName, FrenchCard, shownRank, suitOf } from "../cards/french";
import { type FrenchSuit, SuitSign } from "../cards/pips";
import type { GameEvent } from "../net/protocol";
import { Icon } from "../shell/icons";
import { Fan, type FanCard } from "../table/Fan";
import { sideOf } from "../table/places";
import { Prompt } from "../table/Prompt";
import { nameOf } from "../table/Seat";
import { list, lookUp, score, t } from "../texts";
import {
  acting,
  type DealResult,
  hear,
  type HeartsEvent,
  type HeartsView,
  order,
  PASS_COUNT,
  ranks,
  receiver,
  SEATS,
  stage,
  sums,
  winning,
} from "./hearts.facts";
import { definePage, type Ending, type Scene, type SheetRow } from "./page";

type HeartsScene = Scene<HeartsView>;

const SEAT_NUMBERS = [0, 1, 2, 3];
const TURNS: Record<string, number> = { left: 180, top: -90, right: 0, bottom: 90 };

// The centre: the trick, the way the cards are passed, or how the deal went.

function Trick(props: {
  scene: HeartsScene;
  cards: (string | null)[];
  leader: number | null;
  taker: number | null;
  old: boolean;
}) {
  const { scene, cards, leader, taker } = props;
  return (
    <div class={`trick ${props.old ? "old" : ""}`}>
      {SEAT_NUMBERS.map((seat) => {
        const card = cards[seat];
        if (!card) return null;
        return (
          <div
            key={card}
            class={`trick-card from-${sideOf(seat, scene.bottom, SEATS)} ${seat === taker ? "wins" : ""}`}
            data-testid={`trick-card-${card}`}
            data-seat={seat}
            style={{ zIndex: seat === taker ? SEATS : (seat - (leader ?? 0) + SEATS) % SEATS }}
          >
            <FrenchCard code={card} label={`${cardName(card)}, ${nameOf(scene.seats, seat)}`} />
          </div>
        );
      })}
    </div>
  );
}

function lastCards(view: HeartsView): (string | null)[] {
  const cards: (string | null)[] = [null, null, null, null];
  view.last.forEach((card, step) => (cards[((view.last_leader ?? 0) + step) % SEATS] = card));
  return cards;
}

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
  const { view, seats, you } = props.scene;
  const result = view.deals.at(-1);
  if (!result) return null;
  return (
    <div class="summary">
      <h3>{t("hearts.dealOver", { deal: view.deal })}</h3>
      <ul>
        {SEAT_NUMBERS.map((seat) => (
          <li key={seat} class={seat === you ? "mine" : ""}>
            <span class="summary-name">{nameOf(seats, seat)}</span>
            {result.moon === seat && (
              <span class="summary-mark">
                <Icon name="moon" />
                {t("hearts.moon")}
              </span>
            )}
            <strong>{score(result.scores[seat] ?? 0)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Centre(props: { scene: HeartsScene; replay?: boolean }) {
  const { scene, replay } = props;
  const { view, seats } = scene;
  const showLast = useSignal(false);
  useEffect(() => {
    showLast.value = false;
  }, [view.round, view.deal]);
  const empty = view.table.every((card) => card === null);
  const full = view.table.every((card) => card !== null);
  const seeLast = (showLast.value || (replay === true && empty)) && view.last.length > 0;
  const now = stage(view);
  const summary = now === "between" && !showLast.value;
  const taker = summary ? null : seeLast ? view.last_taker : full ? winning(view.table, view.leader) : null;
  return (
    <div class="centre-hearts">
      <div class="centre-marks">
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
      </div>
      <div class="centre-stage">
        {summary ? (
          <DealSummary scene={scene} />
        ) : view.phase === "passing" ? (
          <Passing scene={scene} />
        ) : seeLast ? (
          <Trick
            scene={scene}
            cards={lastCards(view)}
            leader={view.last_leader}
            taker={taker}
            old={showLast.value}
          />
        ) : (
          <Trick scene={scene} cards={view.table} leader={view.leader} taker={taker} old={false} />
        )}
      </div>
      <div class="centre-foot">
        <p class="trick-words">
          {taker !== null && t("hearts.takes", { name: nameOf(seats, taker) })}
        </p>
        {!replay && view.last.length > 0 && now !== "match" && (
          <button
            type="button"
            class="on-felt small"
            aria-pressed={showLast.value}
            onClick={() => (showLast.value = !showLast.value)}
          >
            <Icon name="cards" />
            {t(showLast.value ? "hearts.lastTrick.hide" : "hearts.lastTrick")}
          </button>
        )}
      </div>
    </div>
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
  return view.hand.map((code) => ({
    code,
    label: cardName(code),
    face: <FrenchCard code={code} label="" />,
    state: !asked ? "rest" : usable.has(code) ? "legal" : "illegal",
    selected: chosen.includes(code),
    fresh: untouched && view.received.includes(code),
  }));
}

function Hand(props: { scene: HeartsScene }) {
  const { scene } = props;
  const { view, question, pending, act } = scene;
  const chosen = useSignal<string[]>([]);
  const answers = useRef<HTMLDivElement>(null);
  const answering = useRef(false); // whether the focus was last on an answer
  const legal = question?.legal ?? [];
  const toPass = legalCards(legal, "pass");
  const toPlay = legalCards(legal, "play");
  const exposing = legal.includes("expose AH");
  const wanted = PASS_COUNT - view.picked.length;
  const choosing = toPass.size > 0;
  const selected = chosen.value.filter((card) => (choosing ? toPass : toPlay).has(card));

  useEffect(() => {
    chosen.value = [];
  }, [question?.turn]);

  // Who plays by keyboard finds the two answers under the focus, not behind it.
  useEffect(() => {
    const active = document.activeElement;
    if (exposing && (active === document.body || active?.closest(".fan"))) {
      answers.current?.querySelector("button")?.focus();
    }
  }, [exposing]);

  // An answer that has been given takes the focus with it: give it back to the hand.
  useEffect(() => {
    if (choosing || exposing || !answering.current) return;
    answering.current = false;
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('.fan [tabindex="0"]')?.focus({ preventScroll: true });
  }, [choosing, exposing]);

  const select = (code: string, on: boolean) => {
    if (!(choosing ? toPass : toPlay).has(code)) return;
    if (!choosing) chosen.value = on ? [code] : [];
    else if (!on) chosen.value = selected.filter((card) => card !== code);
    else if (!selected.includes(code)) chosen.value = [...selected, code].slice(-wanted);
  };
  const pass = () => {
    const cards = [...selected].sort((a, b) => order(a) - order(b));
    act(cards.map((card) => `pass ${card}`));
  };
  const pick = (code: string) => {
    if (choosing) select(code, !selected.includes(code));
    else if (toPlay.size) act([`play ${code}`]); // a card that may not be played: the server says why
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
        refusal={scene.refusal}
      >
        {choosing && (
          <button
            type="button"
            class="primary"
            data-testid="confirm-pass"
            disabled={selected.length !== wanted || pending}
            onFocus={() => (answering.current = true)}
            onClick={pass}
          >
            {selected.length === wanted ? (
              <>
                {t("hearts.pass.confirm")}
                {selected.map((card) => (
                  <CardTag key={card} code={card} />
                ))}
              </>
            ) : (
              t("hearts.pass.choose", { n: selected.length, of: wanted })
            )}
          </button>
        )}
        {exposing && (
          <div
            class="two-answers"
            ref={answers}
            onFocusIn={() => (answering.current = true)}
            onKeyDown={between}
          >
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
          </div>
        )}
      </Prompt>
      {ending(view) === null && (
        <Fan
          cards={fanCards(scene, choosing ? toPass : toPlay, selected, question !== null && !exposing && !pending)}
          label={t("table.hand")}
          choosing={choosing}
          onPick={pick}
          onSelect={select}
          onConfirm={confirm}
        />
      )}
    </>
  );
}

/** Arrows move between the two answers too. */
function between(key: KeyboardEvent): void {
  if (key.key !== "ArrowLeft" && key.key !== "ArrowRight") return;
  const buttons = [...(key.currentTarget as HTMLElement).querySelectorAll("button")];
  buttons.find((button) => button !== document.activeElement)?.focus();
  key.preventDefault();
}

// Before a seat.

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
        <span class="chip" title={count === 1 ? t("hearts.cards.one") : t("hearts.cards", { n: count })}>
          <Icon name="cards" />
          <span aria-hidden="true">{count}</span>
          <span class="sr-only">{count === 1 ? t("hearts.cards.one") : t("hearts.cards", { n: count })}</span>
        </span>
        <span class={`chip points ${points ? "some" : ""}`} title={t("hearts.dealScore")}>
          <span class="sr-only">{t("hearts.dealScore")}: </span>
          {score(points)}
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

const SUIT_ORDER: FrenchSuit[] = ["S", "H", "C", "D"];

function OpenHand(props: { scene: HeartsScene; seat: number; large?: boolean }) {
  const view = props.scene.open?.[props.seat];
  if (!view) return null;
  const label = list(view.hand.map(cardName));
  if (props.large) {
    return (
      <div class="open-cards" style={{ "--n": view.hand.length }} role="img" aria-label={label}>
        {view.hand.map((card) => (
          <FrenchCard key={card} code={card} label="" />
        ))}
      </div>
    );
  }
  return (
    <span class="open-hand" role="img" aria-label={label}>
      {SUIT_ORDER.map((suit) => {
        const cards = view.hand.filter((card) => suitOf(card) === suit);
        return (
          <span key={suit} class="open-suit">
            <SuitSign suit={suit} />
            {cards.map(shownRank).join(" ") || "–"}
          </span>
        );
      })}
    </span>
  );
}

// In words.

function status(scene: HeartsScene): string {
  const { view, question, you, seats } = scene;
  const legal = question?.legal[0] ?? "";
  if (legal.startsWith("pass")) {
    return t("hearts.pass.prompt", { name: nameOf(seats, receiver(view.direction, you ?? 0) ?? 0) });
  }
  if (question?.legal.includes("expose AH")) return t("hearts.expose.prompt");
  if (legal.startsWith("play")) {
    return t(view.leader === you ? "hearts.play.lead" : "hearts.play.prompt");
  }
  switch (stage(view)) {
    case "match":
      return t("hearts.matchOver");
    case "game":
      return t("hearts.gameOver", { game: view.game });
    case "between":
      return t("hearts.nextDeal");
    case "start":
      return t("hearts.dealing");
  }
  if (view.phase === "passing") {
    return t(you !== null && view.passed.includes(you) ? "hearts.pass.wait" : "hearts.pass.passing");
  }
  if (view.phase === "exposing" && view.exposed === null) return t("hearts.expose.wait");
  const [next] = acting(view);
  if (view.phase === "playing" && next !== undefined && next !== you) {
    return t("hearts.play.wait", { name: nameOf(seats, next) });
  }
  return view.phase === "dealing" ? t("hearts.dealing") : "";
}

function scoreList(scene: HeartsScene, scores: number[]): string {
  return list(SEAT_NUMBERS.map((seat) => `${nameOf(scene.seats, seat)} ${score(scores[seat] ?? 0)}`));
}

function words(event: GameEvent, scene: HeartsScene): string | null {
  const fact = event as unknown as HeartsEvent;
  const name = (seat: number) => nameOf(scene.seats, seat);
  const mine = (seat: number) => seat === scene.you;
  switch (fact.kind) {
    case "game_started":
      return t("hearts.log.game_started", { game: fact.game });
    case "deal_started":
      return t("hearts.log.deal_started", { deal: fact.deal, pass: t(`hearts.pass.${fact.direction}`) });
    case "passed":
      return mine(fact.seat)
        ? t("hearts.log.passed.you")
        : t("hearts.log.passed", { name: name(fact.seat) });
    case "received":
      return t("hearts.log.received", { name: name(fact.giver), cards: list(fact.cards.map(cardName)) });
    case "exposing_ended":
      if (fact.seat === null) return t("hearts.log.hidden");
      return mine(fact.seat)
        ? t("hearts.log.exposed.you")
        : t("hearts.log.exposed", { name: name(fact.seat) });
    case "played":
      return mine(fact.seat)
        ? t("hearts.log.played.you", { card: cardName(fact.card) })
        : t("hearts.log.played", { name: name(fact.seat), card: cardName(fact.card) });
    case "round_ended": {
      const values = { name: name(fact.taker), cards: list(fact.taken.map(cardName)) };
      if (mine(fact.taker)) {
        return t(fact.taken.length ? "hearts.log.round_ended.with.you" : "hearts.log.round_ended.you", values);
      }
      return t(fact.taken.length ? "hearts.log.round_ended.with" : "hearts.log.round_ended", values);
    }
    case "deal_ended": {
      const told = t("hearts.log.deal_ended", { deal: fact.deal, scores: scoreList(scene, fact.scores) });
      if (fact.moon === null) return told;
      const moon = mine(fact.moon)
        ? t("hearts.log.moon.you")
        : t("hearts.log.moon", { name: name(fact.moon) });
      return `${moon} ${told}`;
    }
    case "game_ended":
      return t("hearts.log.game_ended", { game: fact.game, scores: scoreList(scene, fact.totals) });
    case "match_ended":
      return t("hearts.log.match_ended", { scores: scoreList(scene, fact.totals) });
  }
  return null;
}

function standing(view: HeartsView): string[] {
  const parts: string[] = [];
  const games = Number(view.options.match_games ?? 1);
  const deals = Number(view.options.deals ?? 4);
  if (games > 1 && view.game) parts.push(t("hearts.gameOf", { game: view.game, games }));
  if (view.deal) parts.push(t("hearts.dealOf", { deal: view.deal, deals }));
  if (view.phase === "playing" && view.round) parts.push(t("hearts.round", { n: view.round }));
  else if (view.deal && view.direction !== "none") parts.push(t(`hearts.pass.${view.direction}`));
  return parts;
}

function ending(view: HeartsView): Ending | null {
  const now = stage(view);
  if (now !== "game" && now !== "match") return null;
  const totals = now === "match" ? sums(view.games) : view.totals;
  return {
    title: now === "match" ? t("hearts.matchOver") : t("hearts.gameOver", { game: view.game }),
    totals,
    ranks: ranks(totals),
    final: now === "match",
  };
}

function dealRow(result: DealResult, number: number): SheetRow {
  return {
    key: `deal ${number}`,
    label: t("sheet.deal", { n: number }),
    cells: result.scores.map((points, seat) => ({
      text: score(points),
      marks: [
        ...(result.moon === seat ? [{ icon: "moon" as const, label: t("hearts.moon") }] : []),
        ...(result.exposed === seat ? [{ icon: "ace" as const, label: t("hearts.showed") }] : []),
      ],
    })),
  };
}

function totalRow(key: string, label: string, totals: number[]): SheetRow {
  const best = Math.max(...totals);
  const told = totals.some((total) => total !== totals[0]);
  return {
    key,
    label,
    kind: "total",
    cells: totals.map((total) => ({ text: score(total), best: told && total === best })),
  };
}

function sheet(scene: HeartsScene): SheetRow[] {
  const { view } = scene;
  const rows = view.deals.map((result, index) => dealRow(result, index + 1));
  if (view.deal > view.deals.length) {
    rows.push({
      key: "now",
      label: t("sheet.deal", { n: view.deal }),
      kind: "now",
      cells: SEAT_NUMBERS.map((seat) => ({
        text: score(view.scores[seat] ?? 0),
        marks: view.exposed === seat ? [{ icon: "ace", label: t("hearts.showed") }] : [],
      })),
    });
  }
  rows.push(totalRow("total", t("sheet.total"), view.totals));
  if (Number(view.options.match_games ?? 1) > 1 && view.games.length) {
    view.games.forEach((totals, index) =>
      rows.push({
        key: `game ${index + 1}`,
        label: t("sheet.game", { n: index + 1 }),
        cells: totals.map((total) => ({ text: score(total) })),
      }),
    );
    rows.push(totalRow("match", t("sheet.match"), sums(view.games)));
  }
  return rows;
}

export const page = definePage<HeartsView>({
  hear,
  words,
  status,
  acting,
  begun: (view) => view.game > 0,
  standing,
  ending,
  sheet,
  Centre,
  Hand,
  SeatNote,
  OpenHand,
});
