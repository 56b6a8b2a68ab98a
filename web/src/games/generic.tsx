/** The page of a trick game: drawn from the roles of its facts, in the texts that it brings.
 *
 * CONTRIBUTING.md lists the roles and the keys of the texts. Missing facts are not drawn; missing texts are replaced by
 * general ones, or by the names of actions and events. A game replaces what it draws in its own way (TrickGame).
 */

import type { ComponentChildren } from "preact";
import { CardTag, cardName, FrenchCard, withCards } from "../cards/french";
import { OpenFrench } from "../cards/OpenCards";
import type { GameEvent, GameInfo, View } from "../net/protocol";
import { Answers } from "../table/Answers";
import { ConfirmCards } from "../table/ConfirmCards";
import { Fan, type FanCard } from "../table/Fan";
import { stateOf, useChosen, useFocusBack } from "../table/hand";
import { Prompt } from "../table/Prompt";
import { called, CountChip, nameOf } from "../table/Seat";
import { bySeat, type Face, finishedTrick, TrickCentre, type TrickCards } from "../table/Trick";
import { fill, list, lookUp, score, t } from "../texts";
import { type CardPage, dealPart, type Ending, type Scene, type SheetRow } from "./page";
import { ranks, totalRow } from "./sheet";
import { told } from "./told";

/** How a game draws and names its cards. */
export interface Deck<V extends View> {
  /** The code of a card. */
  code: RegExp;
  name: (code: string) => string;
  Card: (props: { code: string; label?: string }) => ComponentChildren;
  /** A card in a line of text; without a label, the text around it names the card. */
  Tag: (props: { code: string; label?: boolean }) => ComponentChildren;
  /** Return *cards* in the order in which a hand shows them. */
  sorted: (cards: string[], view: V) => string[];
  /** Return the words of a refusal with pictures of the cards that they name. */
  drawn: (words: string) => ComponentChildren;
  /** Face-up cards: one line per suit, or large in a row. */
  Open: (props: { cards: string[]; large?: boolean | undefined }) => ComponentChildren;
  /** Return a card as the argument of an action, if it is not the code. */
  argument?: (code: string) => string;
}

/** A question that is answered with several cards at once. */
interface Several {
  /** The number of cards. */
  wanted: number;
  testid: string;
  /** The label of the button when enough cards are selected, before the cards. */
  ready: string;
  /** Return the label while *n* cards are selected. */
  missing: (n: number) => string;
}

/** A trick game: the facts and widgets in which its page differs from the page of other trick games. */
export interface TrickGame<V extends View = View> extends Partial<Omit<CardPage<V>, "log">> {
  /** The texts of the game begin with this name. */
  name: string;
  /** The facts by role, if their names differ. */
  roles?: Readonly<Record<string, string>>;
  /** Scores are penalty points: the lowest score wins. */
  penalties?: boolean;
  deck?: Deck<V>;
  /** Return further fields of an event for its text. */
  adds?: (event: GameEvent, scene: Scene<V>) => Record<string, unknown>;
  /** Return the event that another one includes, and whose text follows. */
  follows?: (event: GameEvent) => GameEvent | null;
  /** Return a field of an event in words, if it is not a card, a seat, a score, or has a text. */
  spell?: (field: string, value: unknown, scene: Scene<V>) => string | undefined;
  /** The calls of an auction in the log. */
  auction?: CardPage<V>["log"]["auction"];
  /** Return the seat that takes the trick on the table when all have played. */
  winner?: (view: V) => number | null;
  /** Return the trick on the table and the last one. */
  tricks?: (view: V) => { now: TrickCards; last: TrickCards | null };
  /** Facts about the whole deal, above the trick. */
  Marks?: (props: { scene: Scene<V> }) => ComponentChildren;
  /** Return what is shown instead of the trick: an auction, or the summary of the deal. */
  instead?: (scene: Scene<V>) => ComponentChildren;
  /** The answers to a question that is not about cards; *legal* are its actions.
   *
   * After `onFocus` the focus returns to the hand when the question is answered; `Answers` does that without it.
   */
  Question?: (props: { scene: Scene<V>; legal: string[]; onFocus: () => void }) => ComponentChildren;
  /** Return how the open question is answered, if with several cards. */
  several?: (scene: Scene<V>) => Several | null;
  /** Return where a card of the hand comes from and goes to. */
  moves?: (code: string, scene: Scene<V>) => Pick<FanCard, "fresh" | "from" | "to">;
  /** Return the view after an action of its own seat that does not play a card; null for other actions. */
  prepares?: (view: V, action: string) => V | null;
}

const SUITS = "DCHS";
const RANKS = "23456789TJQKA";

function order(code: string): number {
  return SUITS.indexOf(code.slice(-1)) * 13 + RANKS.indexOf(code.slice(0, -1));
}

export const FRENCH: Deck<View> = {
  code: /^(?:10|[2-9TJQKA])[SHCD]$/u,
  name: cardName,
  Card: FrenchCard,
  Tag: CardTag,
  sorted: (cards) => [...cards].sort((a, b) => order(b) - order(a)),
  drawn: withCards,
  Open: OpenFrench,
};

function verbOf(action: string): string {
  return action.split(" ")[0] ?? "";
}

function argumentOf(action: string): string {
  return action.split(" ").slice(1).join(" ");
}

/** Return the page of *game*, which has none of its own. */
export function genericPage(game: GameInfo): CardPage {
  const { name, page: roles, penalties, sides } = game;
  return trickPage({ name, roles, penalties, ...(sides.length < Math.max(...game.seats) && { sides }) });
}

/** Return the page of *game*. */
export function trickPage<V extends View>(game: TrickGame<V>): CardPage {
  return drawnFor(game as unknown as TrickGame); // the server pairs game and view
}

function drawnFor(game: TrickGame): CardPage {
  const { deck = FRENCH, sides } = game;
  const { Card, Tag, argument = (code: string) => code } = deck;
  const role = (name: string) => game.roles?.[name] ?? name;
  const fact = <T,>(view: View, name: string): T | null => (view[role(name)] ?? null) as T | null;
  const text = (key: string, otherwise: string) => lookUp(`${game.name}.${key}`, otherwise);

  const face: Face = (code, owner) => <Card code={code} label={`${deck.name(code)}, ${owner}`} />;
  const over = (view: View) => fact<string>(view, "phase") === "over";
  const handOf = (view: View) => fact<string[]>(view, "hand") ?? [];
  const held = (view: View, seat: number) => fact<number[]>(view, "counts")?.[seat] ?? 0;

  /** Return scores in words, by seat or side. */
  const scoreList = (scores: number[], scene: Scene): string => {
    const shown = scores.map((points) => score(game.penalties ? 0 - points : points));
    if (!sides) return list(shown.map((points, seat) => `${called(scene, seat)} ${points}`));
    return sides.map((side, at) => `${list(side.map((seat) => called(scene, seat)))} ${shown[at]}`).join(", ");
  };

  /** Return a field of an event in words. */
  const spelt = (field: string, value: unknown, scene: Scene): string | number => {
    const own = game.spell?.(field, value, scene);
    if (own !== undefined || typeof value === "number") return own ?? (value as number);
    if (!Array.isArray(value)) {
      const word = String(value);
      return deck.code.test(word) ? deck.name(word) : text(`${field}.${word}`, word);
    }
    const scores = value.length === (sides ?? scene.seats).length && value.every((one) => typeof one === "number");
    return scores ? scoreList(value, scene) : list(value.map((one) => String(spelt(field, one, scene))));
  };

  const words = (event: GameEvent, scene: Scene): string | null => {
    const all = { ...event, ...game.adds?.(event, scene) };
    const said = told(game.name, all, scene, (field, value) => spelt(field, value, scene));
    const next = game.follows?.(event);
    return next ? `${said} ${words(next, scene)}` : said;
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
    const prepared = game.prepares?.(view, action);
    if (prepared) return prepared;
    const { seat } = view;
    const hand = handOf(view);
    const card = hand.find((code) => argument(code) === argumentOf(action));
    if (seat === null || card === undefined) return view;
    const counts = fact<number[]>(view, "counts");
    const table = fact<(string | null)[]>(view, "table");
    return {
      ...view,
      [role("hand")]: hand.filter((one) => one !== card),
      ...(counts && { [role("counts")]: counts.with(seat, (counts[seat] ?? 0) - 1) }),
      ...(table
        ? { [role("table")]: table.with(seat, card) }
        : { [role("trick")]: [...(fact<string[]>(view, "trick") ?? []), card], [role("turn")]: null }),
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
    const rows = deals.map((deal, at): SheetRow => ({
      key: `deal ${at + 1}`,
      label: t("sheet.deal", { n: at + 1 }),
      cells: (deal.scores ?? []).map((points) => ({ text: score(points) })),
    }));
    const totals = fact<number[]>(scene.view, "totals");
    return totals ? [...rows, totalRow("total", t("sheet.total"), totals)] : rows;
  };

  /** Return the trick on the table and the last one: cards by seat, or in playing order. */
  const tricksOf = (view: View, count: number): { now: TrickCards; last: TrickCards | null } => {
    const leader = fact<number>(view, "leader");
    const inOrder = fact<string[]>(view, "trick") ?? [];
    const cards = fact<(string | null)[]>(view, "table") ?? bySeat(inOrder, leader, count);
    const full = cards.every((card) => card !== null);
    const last = fact<{ cards: string[]; leader: number; taker: number }[]>(view, "tricks")?.at(-1) ?? {
      cards: fact<string[]>(view, "last") ?? [],
      leader: fact<number>(view, "last_leader"),
      taker: fact<number>(view, "last_taker"),
    };
    return {
      now: { cards, leader, taker: full ? (game.winner?.(view) ?? null) : null },
      last: last.cards.length ? finishedTrick(last, count) : null,
    };
  };

  /** The facts that are true and have a text. */
  function FactMarks(props: { scene: Scene }) {
    const { view } = props.scene;
    const marks = Object.keys(view).filter((name) => view[name] === true && text(`mark.${name}`, ""));
    return (
      <>
        {marks.map((name) => (
          <span key={name} class="felt-mark">
            {text(`mark.${name}`, name)}
          </span>
        ))}
      </>
    );
  }

  function Centre(props: { scene: Scene; replay?: boolean }) {
    const { scene } = props;
    const { view } = scene;
    const { now, last } = (game.tricks ?? ((one: View) => tricksOf(one, scene.seats.length)))(view);
    const Marks = game.Marks ?? FactMarks;
    return (
      <TrickCentre
        scene={scene}
        face={face}
        now={now}
        last={last}
        round={`${fact<number>(view, "deal")} ${fact<string>(view, "phase")} ${last?.cards.join(" ")}`}
        replay={props.replay}
        over={page.ending(view)?.final === true}
        rightwards={game.rightwards ?? false}
        marks={<Marks scene={scene} />}
        instead={game.instead?.(scene)}
      />
    );
  }

  /** One button for each answer. */
  function Buttons(props: { scene: Scene; legal: string[] }) {
    const { scene, legal } = props;
    return (
      <Answers label={page.status(scene)}>
        {legal.map((one, at) => (
          <button
            key={one}
            type="button"
            class={at === 0 && legal.length === 2 ? "primary" : ""}
            data-testid={`answer-${one.replaceAll(" ", "-")}`}
            disabled={scene.pending}
            onClick={() => scene.act([one])}
          >
            {actionText(one)}
          </button>
        ))}
      </Answers>
    );
  }

  function Hand(props: { scene: Scene }) {
    const { scene } = props;
    const { view, question, pending, act } = scene;
    const hand = deck.sorted(handOf(view), view);
    const legal = question?.legal ?? [];
    const byArgument = new Map(hand.map((code) => [argument(code), code]));
    // Two actions about the same card are the answers to a question about it.
    const alone = (one: string) => legal.filter((other) => argumentOf(other) === argumentOf(one)).length === 1;
    const playing = legal.filter((one) => byArgument.has(argumentOf(one)) && alone(one));
    const others = legal.filter((one) => !playing.includes(one));
    const usable = new Set(playing.map((one) => byArgument.get(argumentOf(one)) ?? ""));
    const several = usable.size ? (game.several?.(scene) ?? null) : null;
    const { selected, select } = useChosen(usable, several && several.wanted, `${question?.turn} ${several?.wanted}`);
    const answering = useFocusBack(several !== null || others.length > 0);

    const action = (code: string) => `${verbOf(playing[0] ?? "")} ${argument(code)}`;
    const send = (cards: string[]) => {
      const actions = cards.map(action);
      act(several ? playing.filter((one) => actions.includes(one)) : actions);
    };
    const pick = (code: string) => {
      if (several && usable.has(code)) select(code, !selected.includes(code));
      else if (usable.size) act([action(code)]); // an illegal card: the server returns the reason
    };
    const confirm = (): boolean => {
      if (!usable.size || selected.length !== (several?.wanted ?? 1)) return false;
      send(selected);
      return true;
    };
    const fan = hand.map((code): FanCard => ({
      code,
      label: deck.name(code),
      face: <Card code={code} label="" />,
      state: stateOf(code, usable, usable.size > 0 && !pending),
      selected: selected.includes(code),
      ...game.moves?.(code, scene),
    }));
    const Question = game.Question ?? Buttons;
    return (
      <>
        <Prompt
          text={page.status(scene)}
          urgent={question !== null}
          clock={question?.clock ?? null}
          refusal={scene.refusal && deck.drawn(scene.refusal)}
        >
          {several && (
            <ConfirmCards
              testid={several.testid}
              selected={selected}
              wanted={several.wanted}
              pending={pending}
              ready={several.ready}
              missing={several.missing(selected.length)}
              tag={(card) => <Tag key={card} code={card} />}
              onFocus={answering}
              onConfirm={() => send(selected)}
            />
          )}
          {others.length > 0 && <Question key={question?.turn} scene={scene} legal={others} onFocus={answering} />}
        </Prompt>
        {hand.length > 0 && page.ending(view) === null && (
          <Fan
            cards={fan}
            label={t("table.hand")}
            choosing={several !== null}
            onPick={pick}
            onSelect={select}
            onWhy={(code) => scene.why(code ? [action(code)] : [])}
            onConfirm={confirm}
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

  function OpenHand(props: { scene: Scene; seat: number; large?: boolean }) {
    const view = props.scene.open?.[props.seat];
    return view ? <deck.Open cards={deck.sorted(handOf(view), view)} large={props.large} /> : null;
  }

  const page: CardPage = {
    words,
    log: {
      part: dealPart,
      chip: (card) => <Tag code={card} label={false} />,
      ...(game.auction && { auction: game.auction }),
    },
    status,
    foresee,
    acting: (view) => view.to_act,
    begun: (view) => Number(fact<number>(view, "deal") ?? 0) > 0 || over(view),
    standing: (view) => {
      const deal = fact<number>(view, "deal");
      return deal ? [t("sheet.deal", { n: deal })] : [];
    },
    ending,
    sheet,
    held,
    Centre,
    Hand,
    SeatNote,
    OpenHand,
    ...game,
  };
  return page;
}
