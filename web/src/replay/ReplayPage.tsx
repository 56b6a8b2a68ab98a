/** A finished match, step by step, with all hands open. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type GamePage, openViews, type Scene } from "../games/page";
import { loadPage } from "../games/registry";
import { api, ApiError } from "../net/api";
import type { Verdict } from "../net/commitment";
import type { DealSteps, MatchInfo, SeatInfo, Step, View } from "../net/protocol";
import { ReviewControls, ReviewMarks, ReviewNote } from "../review/Review";
import { useReview } from "../review/useReview";
import { RulesButton } from "../rules/RulesButton";
import { Icon } from "../shell/icons";
import { useLoad } from "../shell/load";
import { note } from "../shell/router";
import { Failure, Loading, Nothing, useTitle } from "../shell/widgets";
import { Fairness, VerdictMark } from "../table/Fairness";
import { Felt } from "../table/Felt";
import { SheetPanel } from "../table/Side";
import { gameTitle, inSentence, t } from "../texts";
import { atEnd, back, forward, LAST_STEP, type Position } from "./position";
import { dealsOf, judge, shows } from "./proof";

const SPEEDS = [0.5, 1, 2, 4];
const STEP_MS = 1100;

function seatsOf(match: MatchInfo): SeatInfo[] {
  return match.players.map((name, seat) => ({
    seat,
    kind: "open",
    bot: "",
    account: null,
    name,
    number: seat + 1,
    person: false,
    connected: true,
    late: false,
    auto: false,
    timeouts: 0,
    errors: 0,
    next: "",
    ready: false,
  }));
}

/** Load a deal when it is first shown, and the next one in advance. */
function useDeals(id: string, deal: number, deals: number) {
  const known = useMemo(() => new Map<number, Promise<DealSteps>>(), [id]);
  const fetchDeal = (number: number): Promise<DealSteps> => {
    const found = known.get(number) ?? api.steps(id, number);
    known.set(number, found);
    found.catch(() => known.delete(number));
    return found;
  };
  const { value, failure, again } = useLoad(() => fetchDeal(deal), [id, deal]);
  const here = value?.deal === deal ? value : null;
  useEffect(() => {
    if (here && deal < deals) fetchDeal(deal + 1).catch(() => undefined);
  }, [here]);
  return { steps: here?.steps ?? null, failure: here ? null : failure, again };
}

/** Verify every deal from the record; the deal shown must match the record. */
function useProof(id: string, deal: number, steps: Step[] | null) {
  const { value } = useLoad(async () => {
    const deals = dealsOf(await api.record(id));
    return { deals, verdicts: new Map(await Promise.all(deals.map(async (one) => [one.deal, await judge(one)] as const))) };
  }, [id]);
  if (!value) return null;
  const verdicts = new Map<number, Verdict>(value.verdicts);
  const here = value.deals.find((one) => one.deal === deal);
  if (here && steps && !shows(here, steps.map((step) => step.entry))) verdicts.set(deal, "broken");
  return { deals: value.deals, verdicts };
}

/** Return the views of all seats, or only of seat *only*; the others stay empty. */
function shownViews(views: View[], only: number | null): View[] {
  if (only === null) return views;
  const shown: View[] = [];
  const view = views[only];
  if (view) shown[only] = view;
  return shown;
}

function Player(props: { match: MatchInfo; page: GamePage; start: Position }) {
  const { match, page } = props;
  const at = useSignal<Position>(props.start);
  const playing = useSignal(false);
  const speed = useSignal(1);
  const bottom = useSignal(0);
  const alone = useSignal(false);
  const { steps, failure, again } = useDeals(match.id, at.value.deal, match.deals);
  const length = steps?.length ?? 0;
  const step = steps ? Math.min(at.value.step, length - 1) : 0;
  const seats = useMemo(() => seatsOf(match), [match]);
  const over = steps !== null && atEnd({ deal: at.value.deal, step }, length, match.deals);

  // Step from the current position, not from the one drawn last: two quick presses are two steps.
  const now = () => ({ deal: at.value.deal, step: Math.min(at.value.step, length - 1) });
  const goForward = () => {
    if (steps) at.value = forward(now(), length, match.deals);
  };
  const goBack = () => {
    if (steps) at.value = back(now(), length);
  };
  const toggle = () => {
    if (!playing.value && over) at.value = { deal: 1, step: 0 };
    playing.value = !playing.value;
  };

  useEffect(() => {
    if (!playing.value || !steps) return;
    if (over) {
      playing.value = false;
      return;
    }
    const timer = setTimeout(goForward, STEP_MS / speed.value);
    return () => clearTimeout(timer);
  }, [playing.value, at.value, steps, speed.value, over]);

  // The address contains the position, so that a moment can be shared as a link.
  useEffect(() => {
    if (!playing.value && steps) {
      note(`/replay/${encodeURIComponent(match.id)}?deal=${at.value.deal}&step=${step}`);
    }
  }, [playing.value, at.value, steps]);

  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      const target = key.target as HTMLElement;
      if (key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return;
      if (target.closest("input, select, textarea")) return;
      if (key.key === "ArrowRight") goForward();
      else if (key.key === "ArrowLeft") goBack();
      else if (key.key === "Home") at.value = { deal: at.value.deal, step: 0 };
      else if (key.key === "End") at.value = { deal: at.value.deal, step: LAST_STEP };
      else if (key.key === " " && !target.closest("button, a, summary")) toggle();
      else return;
      key.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  const current = steps?.[step];
  const views = current ? openViews(current.views) : null;
  const view = views?.[bottom.value];
  const scene: Scene | null = view
    ? {
        view,
        seats,
        you: null,
        bottom: bottom.value,
        question: null,
        pending: false,
        refusal: null,
        act: () => undefined,
        why: () => undefined,
        open: shownViews(views ?? [], alone.value ? bottom.value : null),
      }
    : null;
  const proof = useProof(match.id, at.value.deal, steps);
  const reviewed = useReview(match.id, at.value.deal);
  const proved = proof?.verdicts.get(at.value.deal);
  const Open = "Board" in page ? null : page.OpenHand;
  const heard = (event: number) => !alone.value || current?.heard[event]?.includes(bottom.value) === true;
  const words = scene
    ? (current?.events ?? [])
        .filter((_, event) => heard(event))
        .map((event) => page.words(event, scene))
        .filter(Boolean)
        .join(" ")
    : "";
  return (
    <div class="table-layout">
      <div class="table-main">
        {scene ? (
          <Felt page={page} scene={scene} clock={null} replay />
        ) : (
          <section class="felt" aria-label={t("table.felt")}>
            <div class="centre">
              {failure ? (
                <Failure error={failure} onRetry={again} />
              ) : (
                <Loading words={t("replay.loading")} />
              )}
            </div>
          </section>
        )}
        <section class="own replay-own" aria-label={t("replay.controls")}>
          {scene && Open && <Open scene={scene} seat={bottom.value} large />}
          <ul class="standing">
            {scene && page.standing(scene.view).map((part) => <li key={part}>{part}</li>)}
          </ul>
          <p class="replay-words" role="status">
            {scene && (words || page.status(scene) || t("replay.dealt"))}
          </p>
          {scene && (
            <ReviewNote
              review={reviewed.review}
              step={step}
              only={alone.value ? bottom.value : null}
              page={page}
              scene={scene}
            />
          )}
          <div class="transport">
            <button
              type="button"
              class="round"
              aria-label={t("replay.first")}
              onClick={() => (at.value = { deal: at.value.deal, step: 0 })}
            >
              <Icon name="first" />
            </button>
            <button type="button" class="round" aria-label={t("replay.back")} data-testid="replay-back" onClick={goBack}>
              <Icon name="back" />
            </button>
            <button
              type="button"
              class="round primary large"
              aria-label={t(playing.value ? "replay.pause" : "replay.play")}
              data-testid="replay-play"
              onClick={toggle}
            >
              <Icon name={playing.value ? "pause" : "play"} />
            </button>
            <button
              type="button"
              class="round"
              aria-label={t("replay.forward")}
              data-testid="replay-forward"
              onClick={goForward}
            >
              <Icon name="forward" />
            </button>
            <button
              type="button"
              class="round"
              aria-label={t("replay.last")}
              onClick={() => (at.value = { deal: at.value.deal, step: LAST_STEP })}
            >
              <Icon name="last" />
            </button>
          </div>
          <input
            type="range"
            class="position"
            min={0}
            max={Math.max(0, length - 1)}
            value={step}
            aria-label={t("replay.position")}
            aria-valuetext={t("replay.positionText", { n: step + 1, of: length })}
            data-testid="replay-position"
            onInput={(input) => {
              playing.value = false;
              at.value = { deal: at.value.deal, step: Number(input.currentTarget.value) };
            }}
          />
          <ReviewMarks review={reviewed.review} length={length} />
          <div class="replay-choices">
            <label>
              {t("replay.deal")}
              <select
                value={at.value.deal}
                data-testid="replay-deal"
                onChange={(change) => (at.value = { deal: Number(change.currentTarget.value), step: 0 })}
              >
                {Array.from({ length: match.deals }, (_, index) => (
                  <option key={index} value={index + 1}>
                    {t("replay.dealNumber", { n: index + 1, of: match.deals })}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {t("replay.from")}
              <select
                value={bottom.value}
                onChange={(change) => (bottom.value = Number(change.currentTarget.value))}
              >
                {seats.map((info) => (
                  <option key={info.seat} value={info.seat}>
                    {inSentence(info.name)}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {t("replay.hands")}
              <select
                value={alone.value ? "one" : "all"}
                data-testid="replay-hands"
                onChange={(change) => (alone.value = change.currentTarget.value === "one")}
              >
                <option value="all">{t("replay.hands.all")}</option>
                <option value="one">{t("replay.hands.one")}</option>
              </select>
            </label>
            <label>
              {t("replay.speed")}
              <select
                value={speed.value}
                onChange={(change) => (speed.value = Number(change.currentTarget.value))}
              >
                {SPEEDS.map((one) => (
                  <option key={one} value={one}>
                    {one} ×
                  </option>
                ))}
              </select>
            </label>
          </div>
          {scene && (
            <ReviewControls
              reviewed={reviewed}
              scene={scene}
              step={step}
              go={(next) => {
                playing.value = false;
                at.value = { deal: at.value.deal, step: next };
              }}
            />
          )}
          {proved && (
            <p class="fair-this" data-testid="deal-verdict">
              {t("fair.this")} <VerdictMark verdict={proved} />
            </p>
          )}
          <p class="faint keys">{t("replay.keys")}</p>
        </section>
      </div>
      <section class="side" aria-label={t("table.side")}>
        {scene && <SheetPanel page={page} scene={scene} />}
        {scene && page.Aside && <page.Aside scene={scene} match={match.id} />}
        {proof && <Fairness commitments={proof.deals} verdicts={proof.verdicts} />}
        <a class="button" href={api.recordAddress(match.id)} download={`${match.id}.record`}>
          <Icon name="download" />
          {t("replay.record")}
        </a>
      </section>
    </div>
  );
}

export function ReplayPage(props: { id: string; deal?: number | undefined; step?: number | undefined }) {
  const { value, failure, again } = useLoad(async () => {
    const match = await api.match(props.id);
    return { match, page: await loadPage(match.game) };
  }, [props.id]);
  const players = value ? value.match.players.map(inSentence).join(", ") : "";
  useTitle(players ? `${t("replay.title")}: ${players}` : t("replay.title"));
  if (failure instanceof ApiError && failure.status === 404) {
    return <Nothing title={t("replay.unknown")} words={t("replay.unknown.more")} />;
  }
  return (
    <>
      <header class="table-head">
        <h1>{t("replay.title")}</h1>
        {value && (
          <p class="faint">
            {t("replay.of", { game: gameTitle(value.match.game, value.match.game), players })}
          </p>
        )}
        {value && (
          <RulesButton look="quiet" game={value.match.game} title={gameTitle(value.match.game, value.match.game)} />
        )}
      </header>
      {value ? (
        <Player
          key={props.id}
          match={value.match}
          page={value.page}
          start={{ deal: Math.min(props.deal ?? 1, value.match.deals), step: props.step ?? 0 }}
        />
      ) : failure ? (
        <Failure error={failure} onRetry={again} />
      ) : (
        <Loading />
      )}
    </>
  );
}
