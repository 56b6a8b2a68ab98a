/** The area beside the windows: the round track, the tools, the objectives. */

import type { ComponentChildren } from "preact";
import { Choices, type GlassView, privateColour, privatesOf, type Tool } from "../games/sagrada.facts";
import { colours, goalName, type GlassScene, toolName } from "../games/sagrada.words";
import { lookUp, score, t } from "../texts";
import { colourName, Die, dieName } from "./dice";

/** A favor token, drawn as a disc of cut glass. */
export function Coin() {
  return (
    <svg class="glass-coin" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8.5" />
      <path d="M10 4.5L14.8 7.2V12.8L10 15.5L5.2 12.8V7.2Z" />
    </svg>
  );
}

/** A spot of colour with its letter. */
export function ColourMark(props: { colour: string }) {
  return (
    <span class={`glass-tag colour-${props.colour}`} title={colourName(props.colour)} aria-hidden="true">
      {props.colour}
    </span>
  );
}

function TrackDie(props: { scene: GlassScene; die: string; round: number }) {
  const { scene, die, round } = props;
  const may = new Choices(scene.question?.legal ?? []);
  // A die on the track belongs to a slot, so one click selects both.
  const actions = may.has(`for ${die}`)
    ? [`for ${die}`, `slot ${round}`]
    : may.has(`slot ${round}`) && scene.view.picks.at(-1) === `for ${die}`
      ? [`slot ${round}`]
      : null;
  if (!actions) {
    return (
      <span class="glass-track-place" data-move={die}>
        <Die code={die} />
      </span>
    );
  }
  return (
    <button
      type="button"
      class="glass-track-die"
      data-testid="track-die"
      data-move={die}
      aria-label={t("sagrada.track.take", { die: dieName(die), n: round })}
      aria-disabled={scene.pending}
      onClick={() => scene.act(actions)}
    >
      <Die code={die} label="" />
    </button>
  );
}

export function Track(props: { scene: GlassScene }) {
  const { view } = props.scene;
  const rounds = Number(view.options.rounds ?? 10);
  return (
    <section class="glass-track" aria-label={t("sagrada.track")} data-testid="track">
      <h3>{t("sagrada.track")}</h3>
      <ol>
        {Array.from({ length: rounds }, (_, at) => {
          const round = at + 1;
          const now = round === view.round && view.phase !== "over" && view.track.length < round;
          return (
            <li key={round} class={now ? "now" : ""} aria-current={now ? "true" : undefined}>
              <span class="glass-round" aria-hidden="true">
                {round}
              </span>
              <span class="sr-only">
                {t("sagrada.track.slot", { n: round })}
                {now ? `, ${t("sagrada.track.now")}` : ""}
              </span>
              {view.track[at]?.map((die, number) => (
                <TrackDie key={number} scene={props.scene} die={die} round={round} />
              ))}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Price(props: { tool: Tool }) {
  const { cost, colour, used } = props.tool;
  if (cost === null) {
    if (used) return <span class="glass-price">{t("sagrada.tool.gone")}</span>;
    return (
      <span class="glass-price" title={t("sagrada.tool.pay", { colour: colourName(colour ?? "") })}>
        <ColourMark colour={colour ?? ""} />
        <span class="sr-only">{t("sagrada.tool.pay", { colour: colourName(colour ?? "") })}</span>
      </span>
    );
  }
  const words = t("sagrada.tool.cost", { n: cost });
  return (
    <span class="glass-price" title={words}>
      {Array.from({ length: cost }, (_, at) => (
        <Coin key={at} />
      ))}
      <span class="sr-only">{words}</span>
    </span>
  );
}

function ToolCard(props: { scene: GlassScene; tool: Tool; inUse: boolean }) {
  const { scene, tool, inUse } = props;
  const may = new Choices(scene.question?.legal ?? []);
  const word = `tool ${tool.tool}`;
  const legal = may.has(word) && !scene.pending;
  const gone = tool.cost === null && tool.used;
  const inside: ComponentChildren = (
    <>
      <span class="glass-tool-head">
        <strong>{toolName(tool.tool)}</strong>
        {inUse ? <span class="glass-ready">{t("sagrada.tool.ready")}</span> : <Price tool={tool} />}
      </span>
      <span class="glass-tool-words">{lookUp(`sagrada.effect.${tool.tool}`, "")}</span>
    </>
  );
  const state = `${inUse ? "in-use" : ""} ${gone ? "gone" : ""}`;
  if (scene.you === null) {
    return (
      <div class={`glass-tool ${state}`} data-place={word.replace(" ", "-")}>
        {inside}
      </div>
    );
  }
  return (
    <button
      type="button"
      class={`glass-tool ${legal ? "legal" : ""} ${state}`}
      data-testid={word.replace(" ", "-")}
      data-place={word.replace(" ", "-")}
      data-state={legal ? "legal" : "illegal"}
      aria-disabled={!legal}
      // A tool that cannot be used now: the server returns the reason.
      onClick={() => scene.question && !inUse && scene.act([word])}
    >
      {inside}
    </button>
  );
}

export function Tools(props: { scene: GlassScene }) {
  const { scene } = props;
  const { view } = scene;
  if (!view.tools.length) return null;
  const paying = view.picks[0]?.startsWith("tool ") ? Number(view.picks[0].slice(5)) : null;
  const inUse = paying ?? view.active ?? (view.hand !== null ? view.used : null);
  return (
    <section class="glass-tools" {...(scene.you === null && { tabIndex: 0 })} aria-label={t("sagrada.tools")}>
      <h3>{t(view.seats === 1 ? "sagrada.tools.solo" : "sagrada.tools")}</h3>
      {view.tools.map((tool) => (
        <ToolCard key={tool.tool} scene={scene} tool={tool} inUse={tool.tool === inUse} />
      ))}
    </section>
  );
}

function Points(props: { n: number | null | undefined }) {
  if (props.n === null || props.n === undefined) return null;
  const words = t("sagrada.points", { n: props.n });
  return (
    <span class={`glass-points ${props.n ? "some" : ""}`} title={words}>
      <span aria-hidden="true">{score(props.n)}</span>
      <span class="sr-only">{words}</span>
    </span>
  );
}

function PrivateGoal(props: { scene: GlassScene; view: GlassView }) {
  const { scene, view } = props;
  const privates = privatesOf(view, scene.bottom, scene.you, scene.open);
  if (!privates.length) return null;
  const named = { colours: colours(privates) };
  const solo = view.seats === 1;
  const more = t(solo ? "sagrada.goal.private.more.solo" : "sagrada.goal.private.more", named);
  const points = scene.open?.[scene.bottom]?.private_points ?? view.private_points;
  return (
    <li class="private" data-testid="private-goal" title={more}>
      <span class="glass-goal-head">
        {privates.map((number) => (
          <ColourMark key={number} colour={privateColour(number)} />
        ))}
        <strong>{t(solo ? "sagrada.goal.private.solo" : "sagrada.goal.private", named)}</strong>
        <Points n={points} />
      </span>
      <span class="glass-goal-words">{more}</span>
    </li>
  );
}

/** The objectives with the points of the window at the bottom; the points of the others are in the score sheet. */
export function Goals(props: { scene: GlassScene }) {
  const { scene } = props;
  const { view } = scene;
  const window = view.windows[scene.bottom];
  return (
    <section class="glass-goals" tabIndex={0} aria-label={t("sagrada.goals")}>
      <h3>{t("sagrada.goals")}</h3>
      <ul>
        <PrivateGoal scene={scene} view={view} />
        {view.publics.map((objective, at) => (
          <li key={objective} data-testid={`goal-${objective}`} title={lookUp(`sagrada.goal.${objective}`, "")}>
            <span class="glass-goal-head">
              <strong>{goalName(objective)}</strong>
              <Points n={window?.publics[at]} />
            </span>
            <span class="glass-goal-words">{lookUp(`sagrada.goal.${objective}`, "")}</span>
          </li>
        ))}
        {!view.publics.length && <li class="later">{t("sagrada.goals.later")}</li>}
      </ul>
    </section>
  );
}
