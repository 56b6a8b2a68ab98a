/** The widgets of Hearts. Facts are in hearts.facts.ts, texts in hearts.words.ts. */

import { CardTag, cardName, suitOf } from "../cards/french";
import { SuitSign } from "../cards/pips";
import { Icon } from "../shell/icons";
import { sideOf } from "../table/places";
import { called, CountChip, nameOf } from "../table/Seat";
import { list, lookUp, t } from "../texts";
import { trickPage } from "./generic";
import { acting, type HeartsView, passes, PASS_COUNT, receiver, SEAT_NUMBERS, SEATS, stage, winning } from "./hearts.facts";
import { ending, type HeartsScene, penalty, sheet, standing, status } from "./hearts.words";

const TURNS: Record<string, number> = { left: 180, top: -90, right: 0, bottom: 90 };

// The centre: the passing direction, the summary of the deal.

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
        {you === null ? t(`hearts.direction.${view.direction}`) : t("hearts.pass.to", { name: nameOf(seats, to) })}
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

function instead(scene: HeartsScene) {
  if (stage(scene.view) === "between") return <DealSummary scene={scene} />;
  return scene.view.phase === "passing" ? <Passing scene={scene} /> : null;
}

function Marks(props: { scene: HeartsScene }) {
  const { view } = props.scene;
  return (
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
  );
}

// The hand.

function several({ view, question }: HeartsScene) {
  if (!question?.legal[0]?.startsWith("pass ")) return null;
  const wanted = PASS_COUNT - view.picked.length;
  return {
    wanted,
    testid: "confirm-pass",
    ready: t("hearts.pass.confirm"),
    missing: (n: number) => t("hearts.pass.choose", { n, of: wanted }),
  };
}

function moves(code: string, { view, you }: HeartsScene) {
  const received = view.received.includes(code);
  const to = view.phase === "passing" && you !== null ? receiver(view.direction, you) : null;
  return {
    fresh: received && you !== null && !view.played[you]?.length,
    from: received ? `seat-${view.received_from}` : undefined,
    to: to === null ? undefined : `seat-${to}`,
  };
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

export const page = trickPage<HeartsView>({
  name: "hearts",
  penalties: true,
  status,
  prepares: passes,
  acting,
  standing,
  ending,
  sheet,
  winner: (view) => winning(view.table, view.leader),
  Marks,
  instead,
  several,
  moves,
  SeatNote,
});
