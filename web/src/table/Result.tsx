/** The result of a game or match, and what can be done next. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Ending, GamePage, Scene } from "../games/page";
import { nickOf } from "../account/nick";
import { api } from "../net/api";
import { loggedIn, myName, tournamentOf } from "../net/identity";
import type { MatchInfo } from "../net/protocol";
import { Icon } from "../shell/icons";
import { lazily } from "../shell/lazily";
import type { Clock } from "../net/table";
import { list, score, t } from "../texts";
import { Countdown } from "./Clock";
import { missing } from "./Gathering";
import { called, nameOf } from "./Seat";

const Mistakes = lazily(() => import("../review/Mistakes").then((module) => module.Mistakes));
const RatingChange = lazily(() => import("../player/RatingChange").then((module) => module.RatingChange));
const NextRound = lazily(() => import("../tournament/NextRound").then((module) => module.NextRound));

/** Return the names of the players of *side*. */
function namesOf(side: number[], scene: Scene): string {
  return list(side.map((seat) => called(scene, seat)));
}

function headline(ending: Ending, scene: Scene, sides: number[][]): string {
  const { you } = scene;
  const first = sides.filter((_, at) => ending.ranks[at] === 1);
  const [only] = first;
  if (only && first.length === 1) {
    if (you !== null && only.includes(you)) {
      const partners = only.filter((seat) => seat !== you);
      return partners.length ? t("table.won.with", { names: namesOf(partners, scene) }) : t("table.won");
    }
    return t(only.length > 1 ? "table.winner.side" : "table.winner", { name: namesOf(only, scene) });
  }
  const winners = first.flat();
  if (you === null || !winners.includes(you)) return t("table.winners", { names: namesOf(winners, scene) });
  return t("table.winners.you", { names: namesOf(winners.filter((seat) => seat !== you), scene) });
}

/** The other players want another match, and the user has not answered. */
function Wishes(props: { scene: Scene; clock: Clock | null; late: boolean }) {
  const { scene } = props;
  if (props.late) return <p data-testid="too-late">{t("table.wishes.late")}</p>;
  const names = scene.seats.filter((info) => info.ready).map((info) => nameOf(scene.seats, info.seat));
  return <Countdown clock={props.clock} words={(n) => t("table.wishes", { names: list(names), n })} />;
}

/** Return a match when it has been stored, which may need a moment. */
function useFinished(match: string | null, over: boolean): MatchInfo | null {
  const found = useSignal<MatchInfo | null>(null);
  useEffect(() => {
    found.value = null;
    if (!over || match === null) return;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      found.value = await api.match(match).catch(() => null);
      if (!found.value && ++tries < 5) timer = setTimeout(look, 1000);
    };
    void look();
    return () => clearTimeout(timer);
  }, [match, over]);
  return found.value;
}

export function Result(props: {
  ending: Ending;
  scene: Scene;
  page: GamePage;
  sides?: number[][] | undefined;
  table: string;
  /** The match that has ended. */
  match: string | null;
  /** Until when the user may answer that they want another match; null if nobody has asked. */
  answers: Clock | null;
  /** The others play another match without the user. */
  late: boolean;
  /** Omitted if the server starts the next game itself, and for watchers. */
  onNext?: (() => void) | undefined;
}) {
  const { ending, scene } = props;
  const who = props.onNext && ending.final ? "" : missing(scene.seats);
  const cup = tournamentOf(props.table);
  const finished = useFinished(props.match, ending.final);
  const replay = finished && `/replay/${encodeURIComponent(finished.id)}`;
  // A match counts for those who had the seats when it began.
  const profile = scene.you !== null ? finished?.profiles[scene.you] : null;
  const rated = loggedIn.value && profile && nickOf(profile) === nickOf(myName.value);
  const sides = props.sides ?? scene.seats.map((info) => [info.seat]);
  const order = [...sides.keys()].sort((a, b) => (ending.ranks[a] ?? 0) - (ending.ranks[b] ?? 0));
  const mine = (side: number) => scene.you !== null && sides[side]?.includes(scene.you);
  return (
    <div class="result" role="status">
      <p class="result-over">{ending.title}</p>
      <h2>{ending.headline ?? headline(ending, scene, sides)}</h2>
      {order.length > 1 && (
        <ol>
          {order.map((side) => (
            <li key={side} class={`${mine(side) ? "mine" : ""} ${ending.ranks[side] === 1 ? "first" : ""}`}>
              <span class="result-rank">{ending.ranks[side]}</span>
              <span class="result-name">{namesOf(sides[side] ?? [], scene)}</span>
              <strong>{score(ending.totals[side] ?? 0)}</strong>
            </li>
          ))}
        </ol>
      )}
      {rated && props.match && scene.you !== null && (
        <RatingChange match={props.match} seat={scene.you} />
      )}
      {who && <p>{t("table.missing", { list: who })}</p>}
      {scene.you !== null && <Wishes scene={scene} clock={props.answers} late={props.late} />}
      <div class="result-next">
        {props.onNext && (
          <button type="button" class="primary" data-testid="next-game" onClick={props.onNext}>
            <Icon name="play" />
            {t(ending.final ? "table.again" : "table.nextGame")}
          </button>
        )}
        {cup && ending.final && <NextRound id={cup} />}
        {replay && props.match && scene.you !== null && (
          <Mistakes match={props.match} seat={scene.you} page={props.page} scene={scene} />
        )}
        {replay && (
          <a class="button" href={replay} data-testid="see-replay">
            {t("table.seeReplay")}
          </a>
        )}
      </div>
    </div>
  );
}
