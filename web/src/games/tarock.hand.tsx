/** The player's own hand in Tarock and the answers to every question: bids, kings, the exchange, announcements, cards. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { TarockCard, TarockTag } from "../cards/tarock";
import { Answers } from "../table/Answers";
import { drag } from "../table/drag";
import { Fan, type FanCard } from "../table/Fan";
import { focusHand, stateOf, useChosen } from "../table/hand";
import { Prompt } from "../table/Prompt";
import { list, lookUp, t } from "../texts";
import { answerOf, isWhole, layAway, type Plan, planOf, takeSet } from "./tarock.exchange";
import { answersTo, faceOf, sorted, valueOf } from "./tarock.facts";
import {
  awayWords,
  cardName,
  contractHint,
  contractName,
  ending,
  itemName,
  kontraName,
  status,
  type TarockScene,
} from "./tarock.words";

export function Card(props: { code: string; label?: string }) {
  return <TarockCard {...faceOf(props.code)} label={props.label ?? cardName(props.code)} />;
}

/** A card in a line of text. */
export function Tag(props: { code: string; label?: boolean }) {
  const { code } = props;
  return (
    <TarockTag
      {...faceOf(code)}
      label={props.label === false ? "" : cardName(code)}
      {...(code === "TS" && { text: t("tarock.skis") })}
    />
  );
}

/** The code of a card, as a word of a text. */
const WORD = /\b([CS](?:10|[789JNQK])|[HD][1-4JNQK]|T(?:S|2[01]|1\d|[1-9]))\b/u;

export const CODE = new RegExp(`^${WORD.source}$`, "u");

/** Return the *words* of the server with card codes replaced by pictures. */
export function withCards(words: string): ComponentChildren {
  // Splitting by a pattern with a capturing group keeps the matches, at odd indices.
  return words.split(WORD).map((part, at) => (at % 2 ? <Tag key={at} code={part} /> : part));
}

function Bids(props: { scene: TarockScene }) {
  const { scene } = props;
  const options = answersTo(scene.question?.legal ?? [], "bid");
  const bids = options.filter((bid) => bid !== "pass");
  const shown = useSignal<string | null>(null);
  const hinted = shown.value && bids.includes(shown.value) ? shown.value : bids[0];
  const bid = (what: string) => scene.act([`bid ${what}`]);
  return (
    <div class="tarock-bids">
      <Answers label={t("tarock.bid.answers")}>
        {options.includes("pass") && (
          <button
            type="button"
            class="primary tarock-bid"
            data-testid="bid-pass"
            disabled={scene.pending}
            onClick={() => bid("pass")}
          >
            {t("tarock.bid.pass")}
          </button>
        )}
        {bids.map((contract) => (
          <button
            key={contract}
            type="button"
            class="tarock-bid"
            data-testid={`bid-${contract}`}
            title={contractHint(contract, scene.view.options)}
            disabled={scene.pending}
            onFocus={() => (shown.value = contract)}
            onPointerEnter={() => (shown.value = contract)}
            onClick={() => bid(contract)}
          >
            <span>{contractName(contract)}</span>
            <small>{valueOf(contract, scene.view.options)}</small>
          </button>
        ))}
      </Answers>
      <p class="tarock-hint">{hinted && contractHint(hinted, scene.view.options)}</p>
    </div>
  );
}

function Kings(props: { scene: TarockScene }) {
  const { scene } = props;
  return (
    <Answers label={t("tarock.call.answers")} class="tarock-kings">
      {answersTo(scene.question?.legal ?? [], "call").map((suit) => {
        const code = `${suit}K`;
        const own = scene.view.hand.includes(code);
        const label = t("tarock.call.king", { card: cardName(code) });
        return (
          <button
            key={suit}
            type="button"
            class="tarock-king"
            data-testid={`call-${suit}`}
            aria-label={own ? `${label} (${t("tarock.call.own")})` : label}
            title={own ? t("tarock.call.own") : label}
            disabled={scene.pending}
            onClick={() => scene.act([`call ${suit}`])}
          >
            <Card code={code} label="" />
            {own && <span class="tarock-own">{t("tarock.call.own.short")}</span>}
          </button>
        );
      })}
    </Answers>
  );
}

/** The tray for the cards to discard: cards are moved there and back by drag, click or key. */
function Tray(props: { scene: TarockScene; plan: Plan }) {
  const { scene, plan } = props;
  const whole = isWhole(plan);
  const back = (card: string) => layAway(scene, plan, card, false);
  return (
    <div class="tarock-tray-row">
      <div class="tarock-tray" data-drop="away" role="group" aria-label={t("tarock.discard.tray")} data-testid="tray">
        {Array.from({ length: plan.wanted }, (_, at) => {
          const card = plan.away[at];
          if (!card) return <span key={at} class="tarock-place" />;
          return (
            <button
              key={card}
              type="button"
              class="tarock-place draggable"
              data-testid={`away-${card}`}
              aria-label={t("tarock.discard.back", { card: cardName(card) })}
              onClick={() => back(card)}
              onPointerDown={(down) => drag(down, (zone) => zone === "hand" && back(card))}
            >
              <Card code={card} label="" />
            </button>
          );
        })}
      </div>
      <button
        type="button"
        class="primary"
        data-testid="confirm-exchange"
        disabled={!whole || scene.pending}
        onClick={() => scene.act(answerOf(plan))}
      >
        {!whole ? (
          t("tarock.discard.of", { n: plan.away.length, of: plan.wanted })
        ) : plan.choosing ? (
          t("tarock.discard.confirm", { set: (plan.set ?? 0) + 1 })
        ) : (
          t("tarock.discard.confirm.only")
        )}
        {whole && plan.away.map((card) => <Tag key={card} code={card} />)}
      </button>
    </div>
  );
}

function Announcements(props: { scene: TarockScene }) {
  const { scene } = props;
  const { view } = scene;
  const legal = scene.question?.legal ?? [];
  const pressed = useSignal<string[]>([]);
  // In the order of the legal actions, which is the order they must be sent in.
  const actions = legal.filter((word) => word !== "done");
  const said = actions.filter((word) => pressed.value.includes(word));
  const bonuses = actions.some((word) => word.startsWith("announce "));
  const nameOf = (word: string) => {
    const [verb = "", item = ""] = word.split(" ");
    if (verb === "announce") return itemName(item);
    return t("tarock.announce.kontra", { name: kontraName(2 * (view.kontra[item] ?? 1)), item: itemName(item) });
  };
  const toggle = (word: string) => {
    const on = pressed.value.includes(word);
    pressed.value = on ? pressed.value.filter((one) => one !== word) : [...pressed.value, word];
  };
  return (
    <Answers label={t("tarock.announce.answers")}>
      <button
        type="button"
        class="primary"
        data-testid="announce-done"
        disabled={scene.pending}
        onClick={() => scene.act([...said, "done"])}
      >
        {said.length
          ? t("tarock.announce.say", { what: list(said.map(nameOf)) })
          : t(bonuses ? "tarock.announce.none" : "tarock.announce.on")}
      </button>
      {actions.map((word) => {
        const item = word.split(" ")[1] ?? "";
        return (
          <button
            key={word}
            type="button"
            class="tarock-toggle"
            data-testid={word.replace(" ", "-")}
            aria-pressed={pressed.value.includes(word)}
            title={lookUp(`tarock.explain.${item}`, "")}
            disabled={scene.pending}
            onClick={() => toggle(word)}
          >
            {nameOf(word)}
          </button>
        );
      })}
    </Answers>
  );
}

function promptOf(scene: TarockScene, plan: Plan | null): string {
  if (!plan || plan.set === null) return status(scene);
  return awayWords(plan.wanted);
}

/** For keyboard players: move the focus from the talon to the hand. */
function useHandFocus(set: number | null | undefined): void {
  useEffect(() => {
    if (typeof set !== "number") return;
    const active = document.activeElement;
    if (!active?.closest(".tarock-talon") || !active.matches(":focus-visible")) return;
    focusHand();
  }, [set]);
}

export function Hand(props: { scene: TarockScene }) {
  const { scene } = props;
  const { view, question, pending, act } = scene;
  const legal = question?.legal ?? [];
  const verb = legal[0]?.split(" ")[0] ?? "";
  const plan = planOf(scene);
  const toPlay = answersTo(legal, "play");
  const usable = new Set(plan ? plan.layable : toPlay);
  const { selected, select: hold } = useChosen(usable, null, question?.turn);
  const [ready] = selected;
  useHandFocus(plan?.set);

  const select = (code: string, on: boolean) => {
    if (plan) layAway(scene, plan, code, on);
    else hold(code, on);
  };
  /** The effect of playing or discarding *code*. */
  const answerWith = (code: string) => (plan ? answerOf({ ...plan, away: [code] }) : [`play ${code}`]);
  const pick = (code: string) => {
    if (plan?.layable.includes(code)) select(code, !plan.away.includes(code));
    else if (plan) {
      if (plan.set !== null) scene.why(answerWith(code)); // a card that may not be discarded: the server returns the reason
    }
    else if (toPlay.length) act([`play ${code}`]); // an illegal card: the server returns the reason
  };
  const confirm = (): boolean => {
    if (plan && isWhole(plan)) {
      act(answerOf(plan));
      return true;
    }
    if (!plan && ready) {
      act([`play ${ready}`]);
      return true;
    }
    return false;
  };

  const asked = !pending && (toPlay.length > 0 || (plan !== null && plan.set !== null));
  const fresh = plan && plan.set !== null ? (view.talon[plan.set] ?? []) : [];
  const cards: FanCard[] = sorted(plan?.hand ?? view.hand).map((code) => ({
    code,
    label: cardName(code),
    face: <Card code={code} label="" />,
    state: stateOf(code, usable, asked),
    selected: plan ? plan.away.includes(code) : ready === code,
    fresh: fresh.includes(code),
    to: plan ? "centre" : undefined,
  }));

  const onDrop = (code: string, zone: string) => {
    if (plan && zone === "away") layAway(scene, plan, code, true);
  };

  return (
    <>
      <Prompt
        text={promptOf(scene, plan)}
        urgent={question !== null}
        clock={question?.clock ?? null}
        refusal={scene.refusal && withCards(scene.refusal)}
      >
        {verb === "bid" && <Bids scene={scene} />}
        {verb === "call" && <Kings scene={scene} />}
        {plan && plan.set !== null && <Tray scene={scene} plan={plan} />}
        {["announce", "kontra", "done"].includes(verb) && <Announcements key={question?.turn} scene={scene} />}
      </Prompt>
      {ending(view) === null && (
        <div class="tarock-hand" data-drop="hand">
          <Fan
            cards={cards}
            label={t("table.hand")}
            choosing={plan !== null}
            onPick={pick}
            onSelect={select}
            onWhy={(code) => scene.why(code ? answerWith(code) : [])}
            onConfirm={confirm}
            onDrop={plan ? onDrop : undefined}
          />
        </div>
      )}
    </>
  );
}

/** The sets of the talon: to look at, or to take one by drag, click or key. */
export function Talon(props: { scene: TarockScene }) {
  const { scene } = props;
  const { view } = scene;
  const plan = planOf(scene);
  const choosing = plan?.choosing === true && !scene.pending;
  const picked = plan?.choosing ? plan.set : view.picked;
  const sets = view.talon.map((cards, set) => {
    const faces = cards.map((card) => (
      <span key={card} class="tarock-talon-card" data-move={card} data-from="centre">
        <Card code={card} label={choosing ? "" : cardName(card)} />
      </span>
    ));
    const style = { "--many": cards.length };
    if (!choosing) {
      return (
        <div key={set} class={`tarock-set ${picked === set ? "picked" : ""}`} style={style} data-testid={`set-${set}`}>
          {faces}
          <span class="tarock-set-note">{picked === set ? t("tarock.talon.taken") : set + 1}</span>
        </div>
      );
    }
    return (
      <button
        key={set}
        type="button"
        class={`tarock-set draggable ${picked === set ? "picked" : ""}`}
        style={style}
        data-testid={`set-${set}`}
        aria-pressed={picked === set}
        aria-label={t("tarock.talon.set", { n: set + 1, cards: list(cards.map(cardName)) })}
        onClick={() => takeSet(scene, set)}
        onPointerDown={(down) => drag(down, (zone) => zone === "hand" && takeSet(scene, set))}
      >
        {faces}
        <span class="tarock-set-note">{set + 1}</span>
      </button>
    );
  });
  return (
    <div class="tarock-talon-box">
      {choosing ? (
        <Answers label={t("tarock.talon")} class="tarock-talon">
          {sets}
        </Answers>
      ) : (
        <div class="tarock-talon" role="group" aria-label={t("tarock.talon")}>
          {sets}
        </div>
      )}
    </div>
  );
}
