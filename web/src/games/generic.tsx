/** The page of any trick game without one of its own: drawn from the roles of its facts, in the texts that it brings.
 *
 * CONTRIBUTING.md lists the roles and the keys of the texts. Missing facts are not drawn; missing texts are replaced by
 * general ones, or by the names of actions and events.
 */

import { CardTag, cardName, FrenchCard, withCards } from "../cards/french";
import { OpenFrench } from "../cards/OpenCards";
import type { GameEvent, GameInfo, View } from "../net/protocol";
import { Answers } from "../table/Answers";
import { Fan, type FanCard } from "../table/Fan";
import { stateOf, useChosen } from "../table/hand";
import { Prompt } from "../table/Prompt";
import { called, CountChip, nameOf } from "../table/Seat";
import { type Face, finishedTrick, TrickCentre } from "../table/Trick";
import { fill, list, lookUp, score, t, type Values } from "../texts";
import { type CardPage, dealPart, type Ending, type Scene, type SheetRow } from "./page";
import { ranks, totalRow } from "./sheet";

const SUITS = "DCHS";
const RANKS = "23456789TJQKA";
const CARD = /^(?:10|[2-9TJQKA])[SHCD]$/u;
/** Fields of an event that are seats. */
const SEATS = ["seat", "dealer", "leader", "taker"];

const face: Face = (code, owner) => <FrenchCard code={code} label={`${cardName(code)}, ${owner}`} />;

function order(code: string): number {
  return SUITS.indexOf(code.slice(-1)) * 13 + RANKS.indexOf(code.slice(0, -1));
}

function verbOf(action: string): string {
  return action.split(" ")[0] ?? "";
}

function argumentOf(action: string): string {
  return action.split(" ").slice(1).join(" ");
}

/** Return the page of *game*. */
export function genericPage(game: GameInfo): CardPage {
  const fact = <T,>(view: View, role: string): T | null => (view[game.page[role] ?? role] ?? null) as T | null;
  const text = (key: string, otherwise: string) => lookUp(`${game.name}.${key}`, otherwise);
  const sides = game.sides.length < Math.max(...game.seats) ? game.sides : null;

  const over = (view: View) => fact<string>(view, "phase") === "over";
  const sideNames = (scene: Scene) => game.sides.map((side) => list(side.map((seat) => called(scene, seat))));

  /** Return a field of an event in words. */
  const spelt = (name: string, value: unknown, scene: Scene): string | number => {
    if (SEATS.includes(name) && typeof value === "number") return nameOf(scene.seats, value);
    if (typeof value === "number") return value;
    if (typeof value === "string") return CARD.test(value) ? cardName(value) : value;
    if (!Array.isArray(value)) return String(value);
    const sums = value.length === game.sides.length && value.every((one) => typeof one === "number");
    const names = sums ? sideNames(scene) : [];
    return list(value.map((one, at) => (sums ? `${names[at]} ${score(one as number)}` : String(spelt("", one, scene)))));
  };

  const words = (event: GameEvent, scene: Scene): string | null => {
    const key = `log.${event.kind}`;
    const general = text(key, "");
    const said = event["seat"] === scene.you && scene.you !== null ? text(`${key}.you`, general) : general;
    if (!said) return null;
    const values: Values = {};
    for (const [name, value] of Object.entries(event)) values[name] = spelt(name, value, scene);
    return fill(said, values);
  };

  const status = (scene: Scene): string => {
    const { view, question, you } = scene;
    const [legal] = question?.legal ?? [];
    if (legal) return text(`ask.${verbOf(legal)}`, t("generic.turn"));
    if (over(view)) return t("generic.over");
    const [next] = view.to_act;
    return next === undefined || next === you ? t("generic.dealing") : t("generic.wait", { name: nameOf(scene.seats, next) });
  };

  /** Put the player's own card on the table before the server confirms it. */
  const foresee = (view: View, action: string): View => {
    const card = argumentOf(action);
    const hand = fact<string[]>(view, "hand");
    const table = fact<(string | null)[]>(view, "table");
    if (view.seat === null || !hand?.includes(card) || !table) return view;
    const named = (role: string) => game.page[role] ?? role;
    return {
      ...view,
      [named("hand")]: hand.filter((one) => one !== card),
      [named("table")]: table.with(view.seat, card),
    };
  };

  const ending = (view: View): Ending | null => {
    const totals = fact<number[]>(view, "totals");
    if (!over(view) || !totals) return null;
    const shown = game.penalties ? totals.map((total) => 0 - total) : totals;
    return { title: t("generic.over"), totals: shown, ranks: ranks(totals), final: true };
  };

  const sheet = (scene: Scene): SheetRow[] => {
    const deals = fact<{ scores?: number[] }[]>(scene.view, "deals") ?? [];
    const rows = deals.map(
      (deal, at): SheetRow => ({
        key: `deal ${at + 1}`,
        label: t("sheet.deal", { n: at + 1 }),
        cells: (deal.scores ?? []).map((points) => ({ text: score(points) })),
      }),
    );
    const totals = fact<number[]>(scene.view, "totals");
    return totals ? [...rows, totalRow("total", t("sheet.total"), totals)] : rows;
  };

  function Centre(props: { scene: Scene; replay?: boolean }) {
    const { scene } = props;
    const { view } = scene;
    const count = scene.seats.length;
    const leader = fact<number>(view, "leader");
    const cards = fact<(string | null)[]>(view, "table") ?? Array<null>(count).fill(null);
    const last = fact<string[]>(view, "last") ?? [];
    const taken = { cards: last, leader: fact<number>(view, "last_leader"), taker: fact<number>(view, "last_taker") };
    const marks = Object.keys(view).filter((name) => view[name] === true && text(`mark.${name}`, ""));
    return (
      <TrickCentre
        scene={scene}
        face={face}
        now={{ cards, leader, taker: null }}
        last={last.length ? finishedTrick(taken, count) : null}
        round={`${fact<number>(view, "deal") ?? 0} ${last.join(" ")}`}
        replay={props.replay}
        over={over(view)}
        marks={marks.map((name) => (
          <span key={name} class="felt-mark">
            {text(`mark.${name}`, name)}
          </span>
        ))}
      />
    );
  }

  function Hand(props: { scene: Scene }) {
    const { scene } = props;
    const { view, question, pending, act } = scene;
    const hand = [...(fact<string[]>(view, "hand") ?? [])].sort((a, b) => order(b) - order(a));
    const legal = question?.legal ?? [];
    const cards = new Map(legal.filter((one) => hand.includes(argumentOf(one))).map((one) => [argumentOf(one), one]));
    const others = legal.filter((one) => !cards.has(argumentOf(one)));
    const usable = new Set(cards.keys());
    const { selected, select } = useChosen(usable, null, question?.turn);
    const verb = verbOf(legal[0] ?? "");
    const play = (code: string) => {
      if (cards.size) act([`${verb} ${code}`]); // an illegal card: the server returns the reason
    };
    const fan = hand.map((code): FanCard => ({
      code,
      label: cardName(code),
      face: <FrenchCard code={code} label="" />,
      state: stateOf(code, usable, cards.size > 0 && !pending),
      selected: selected.includes(code),
    }));
    return (
      <>
        <Prompt
          text={status(scene)}
          urgent={question !== null}
          clock={question?.clock ?? null}
          refusal={scene.refusal && withCards(scene.refusal)}
        >
          {others.length > 0 && (
            <Answers label={status(scene)}>
              {others.map((one) => (
                <button
                  key={one}
                  type="button"
                  data-testid={`answer-${one.replaceAll(" ", "-")}`}
                  disabled={pending}
                  onClick={() => act([one])}
                >
                  {actionText(one)}
                </button>
              ))}
            </Answers>
          )}
        </Prompt>
        {!over(view) && hand.length > 0 && (
          <Fan
            cards={fan}
            label={t("table.hand")}
            choosing={false}
            onPick={play}
            onSelect={select}
            onWhy={(code) => scene.why(code ? [`${verb} ${code}`] : [])}
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

  /** Return the label of the button for *action*. */
  function actionText(action: string): string {
    const [verb, argument] = [verbOf(action), argumentOf(action)];
    const own = text(`action.${verb}.${argument}`, "");
    return own || fill(text(`action.${verb}`, action), { n: argument });
  }

  function SeatNote(props: { scene: Scene; seat: number }) {
    const { scene, seat } = props;
    const bid = fact<(number | string | null)[]>(scene.view, "bids")?.[seat] ?? null;
    const taken = fact<number[]>(scene.view, "taken")?.[seat];
    const count = held(scene.view, seat);
    const bidding = bid === null ? "" : actionText(`bid ${bid}`);
    return (
      <span class="chips">
        <CountChip icon="cards" n={count} words={t("generic.cards", { n: count })} />
        {taken !== undefined && (
          <span class="chip points some" title={`${text("taken", t("generic.taken"))}: ${taken}`} data-testid={`taken-${seat}`}>
            <span class="sr-only">{text("taken", t("generic.taken"))}: </span>
            {bidding ? `${taken} / ${bidding}` : taken}
          </span>
        )}
      </span>
    );
  }

  function held(view: View, seat: number): number {
    return fact<number[]>(view, "counts")?.[seat] ?? 0;
  }

  return {
    words,
    log: { part: dealPart, chip: (card) => <CardTag code={card} label={false} /> },
    status,
    foresee,
    acting: (view) => view.to_act,
    begun: (view) => Number(fact<number>(view, "deal") ?? 0) > 0 || over(view),
    standing: (view) => {
      const deal = fact<number>(view, "deal");
      return deal ? [t("sheet.deal", { n: deal })] : [];
    },
    ending,
    ...(sides && { sides }),
    sheet,
    held,
    Centre,
    Hand,
    SeatNote,
    OpenHand: (props) => {
      const view = props.scene.open?.[props.seat];
      return view ? <OpenFrench cards={fact<string[]>(view, "hand") ?? []} large={props.large} /> : null;
    },
  };
}
