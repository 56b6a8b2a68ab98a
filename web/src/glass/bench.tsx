/** The area for the player's turn: the prompt, the steps of a tool, the draft pool and the die in hand. */

import type { GlassScene } from "../games/sagrada.words";
import { status, stepWords, toolName } from "../games/sagrada.words";
import { Choices, dialogue, type GlassView, pickedDie } from "../games/sagrada.facts";
import { Icon } from "../shell/icons";
import { Prompt } from "../table/Prompt";
import { useWhy } from "../table/why";
import { lookUp, t } from "../texts";
import { colourOf, Die, dieName, valueOf, withDice } from "./dice";
import type { Grab } from "./drag";

/** The steps of the active tool, with the current one marked. */
function Steps(props: { view: GlassView }) {
  const talk = dialogue(props.view);
  if (!talk) return null;
  return (
    <div class="glass-dialogue" data-testid="dialogue" data-tool={talk.tool} data-step={talk.at + 1}>
      <strong>{toolName(talk.tool)}</strong>
      <ol class="glass-steps" aria-label={t("sagrada.steps", { tool: toolName(talk.tool) })}>
        {talk.steps.map((step, at) => (
          <li
            key={step}
            class={at < talk.at ? "done" : at === talk.at ? "now" : ""}
            aria-current={at === talk.at ? "step" : undefined}
          >
            <span class="glass-step-number">{at < talk.at ? <Icon name="check" /> : at + 1}</span>
            {lookUp(`sagrada.step.${step}`, step)}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Return the label of the cancel button. */
function cancelWords(view: GlassView): string {
  if (!view.picks.length || view.picks[0]?.startsWith("tool ")) return t("sagrada.cancel.tool");
  return t(view.picks[0]?.startsWith("draft ") || view.active === null ? "sagrada.cancel.die" : "sagrada.cancel.step");
}

function passWords(view: GlassView, may: Choices): string {
  if (view.active === 8) return t("sagrada.pass.twice");
  return t(!view.drafted && view.hand === null && may.any("draft") ? "sagrada.pass.none" : "sagrada.pass");
}

/** The prompt, and the answers that are neither dice nor cells. */
export function Answers(props: { scene: GlassScene }) {
  const { scene } = props;
  const { view, question, pending, act } = scene;
  const may = new Choices(question?.legal ?? []);
  const button = (word: string, text: string, name: string, primary: boolean) =>
    may.has(word) && (
      <button
        type="button"
        class={primary ? "primary" : ""}
        data-testid={name}
        disabled={pending}
        onClick={() => act([word])}
      >
        {text}
      </button>
    );
  const finished = (question?.legal ?? []).every((word) => word === "pass" || word.startsWith("tool "));
  return (
    <Prompt
      text={status(scene)}
      urgent={question !== null}
      clock={question?.clock ?? null}
      refusal={scene.refusal && withDice(scene.refusal)}
    >
      {question && (
        <div class="glass-answers">
          {button("extract", t("sagrada.extract.do"), "draw-dice", true)}
          {button("reroll_all", t("sagrada.rerollAll"), "reroll-all", true)}
          {may.any("value") && view.hand && (
            <span class="glass-values" role="group" aria-label={t("sagrada.step.value")}>
              {may.of("value").map((value) => (
                <button
                  key={value}
                  type="button"
                  data-testid={`value-${value}`}
                  aria-label={t("sagrada.value", { value })}
                  disabled={pending}
                  onClick={() => act([`value ${value}`])}
                >
                  <Die code={colourOf(view.hand ?? "") + value} label="" />
                </button>
              ))}
            </span>
          )}
          {button("pass", passWords(view, may), "pass", finished)}
          {button("cancel", cancelWords(view), "cancel", false)}
        </div>
      )}
    </Prompt>
  );
}

/** Return an illegal action for *die*, so that the server returns the reason. */
function wouldBe(view: GlassView, die: string): string {
  const talk = dialogue(view);
  const verb = talk ? { 5: "swap", 6: "reroll", 10: "flip", 11: "bag" }[talk.tool] : undefined;
  return `${verb ?? "draft"} ${die}`;
}

function changed(die: string, by: number): string {
  return colourOf(die) + String(Number(valueOf(die)) + by);
}

/** The two answers of tool 1 for a die: one up, one down. */
function Arrow(props: { scene: GlassScene; word: "raise" | "lower"; die: string }) {
  const { scene, word, die } = props;
  const action = `${word} ${die}`;
  if (!scene.question?.legal.includes(action)) return <span class="glass-arrow none" />;
  return (
    <button
      type="button"
      class="glass-arrow"
      data-testid={`${word}-${die}`}
      aria-label={t(`sagrada.${word}`, { die: dieName(changed(die, word === "raise" ? 1 : -1)) })}
      aria-disabled={scene.pending}
      onClick={() => scene.act([action])}
    >
      <Icon name="arrow" turn={word === "raise" ? -90 : 90} />
    </button>
  );
}

function PoolDie(props: { scene: GlassScene; die: string; mark: string; grab: Grab }) {
  const { scene, die } = props;
  const { view, question, pending, act } = scene;
  const usable = new Choices(question?.legal ?? []).forDie(die);
  const [only] = usable;
  const legal = usable.length > 0 && !pending;
  const why = useWhy(scene.why);
  const click = () => {
    if (!question) return;
    if (usable.length <= 1) act([only ?? wouldBe(view, die)]);
  };
  return (
    <button
      type="button"
      class={`glass-pool-die ${question ? (legal ? "legal" : "illegal") : ""} ${props.mark}`}
      data-testid="pool-die"
      data-die={die}
      data-move={die}
      data-from="roll"
      data-state={question ? (legal ? "legal" : "illegal") : "rest"}
      aria-label={dieName(die)}
      aria-disabled={!legal}
      onClick={click}
      onFocus={(focus) => question && why(focus, legal ? [] : [wouldBe(view, die)])}
      onPointerDown={(press) => only?.startsWith("draft ") && props.grab(only, press)}
    >
      <Die code={die} label="" />
    </button>
  );
}

/** Left and Right move between the buttons of the pool. */
function alongThePool(key: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key.key];
  if (step === undefined || key.ctrlKey || key.metaKey || key.altKey) return;
  const buttons = [...(key.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
  key.preventDefault();
}

export function Pool(props: { scene: GlassScene; grab: Grab }) {
  const { scene, grab } = props;
  const { view, you, question } = scene;
  const may = new Choices(question?.legal ?? []);
  const changing = may.any("raise") || may.any("lower");
  const pickedAt = view.pool.indexOf(pickedDie(view)?.taken ?? "");
  const payingAt = view.pool.findIndex((die, at) => die === view.paying && at !== pickedAt);
  return (
    <div class="glass-pool-row">
      <div class="glass-pool" role="group" aria-label={t("sagrada.pool")} data-testid="pool" onKeyDown={alongThePool}>
        {view.pool.length === 0 && <p class="glass-empty">{view.phase === "extracting" && t("sagrada.pool.empty")}</p>}
        {view.pool.map((die, at) => {
          const mark = at === pickedAt ? "picked" : at === payingAt ? "paying" : "";
          if (you === null) {
            return (
              <span key={at} class={`glass-pool-die ${mark}`} data-move={die} data-from="roll">
                <Die code={die} />
              </span>
            );
          }
          return (
            <span key={at} class="glass-pool-place">
              {changing && <Arrow scene={scene} word="raise" die={die} />}
              <PoolDie scene={scene} die={die} mark={mark} grab={grab} />
              {changing && <Arrow scene={scene} word="lower" die={die} />}
            </span>
          );
        })}
      </div>
      {view.hand !== null && (
        <div class="glass-hand" data-testid="hand-die" data-die={view.hand}>
          <span>{t("sagrada.hand")}</span>
          <span
            class={`glass-hand-die ${may.any("put") ? "carry" : ""}`}
            data-move={view.hand}
            data-from="roll"
            onPointerDown={(press) => may.any("put") && grab(null, press)}
          >
            <Die code={view.hand} />
          </span>
        </div>
      )}
    </div>
  );
}

export function Bench(props: { scene: GlassScene; grab: Grab }) {
  const { scene, grab } = props;
  return (
    <>
      {scene.you !== null && (
        // Omit the text that the current step already shows.
        <div class={`glass-asked ${scene.question && status(scene) === stepWords(scene.view) ? "by-steps" : ""}`}>
          {scene.question && <Steps view={scene.view} />}
          <Answers scene={scene} />
        </div>
      )}
      <Pool scene={scene} grab={grab} />
    </>
  );
}
