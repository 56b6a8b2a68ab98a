/** The page of the glass workshop: one board with all windows. Facts are in sagrada.facts.ts, texts in
 * sagrada.words.ts, the parts of the board in glass/. */

import { useEffect, useRef } from "preact/hooks";
import { Answers, Bench } from "../glass/bench";
import { type Grab, useGrab } from "../glass/drag";
import { Coin, ColourMark, Goals, Tools, Track } from "../glass/shelf";
import { LiveWindow, StillWindow, windowWords } from "../glass/window";
import { Icon } from "../shell/icons";
import { nameOf } from "../table/Seat";
import { t } from "../texts";
import { type BoardProps, defineBoard } from "./page";
import "./sagrada.css";
import {
  acting,
  Choices,
  foresee,
  type GlassView,
  liftedCells,
  plannedDie,
  privateColour,
  privatesOf,
} from "./sagrada.facts";
import { colours, ending, type GlassScene, sheet, standing, status, tokens, words } from "./sagrada.words";

// Choosing a window.

function Offers(props: { scene: GlassScene }) {
  const { scene } = props;
  const { view, question, pending, act } = scene;
  if (view.window !== null) {
    const mine = view.offered.find((pattern) => pattern.pattern === view.window);
    return mine ? <StillWindow grid={mine.grid} /> : null;
  }
  return (
    <div class="glass-offers">
      {view.offered.map(({ pattern, grid, tokens: many }) => {
        const inside = (
          <>
            <StillWindow grid={grid} />
            <span class="glass-offer-foot">
              <strong>{t("sagrada.choose.number", { n: pattern })}</strong>
              {view.seats > 1 && (
                <span class="glass-coins" role="img" aria-label={tokens(many)}>
                  {Array.from({ length: many }, (_, at) => (
                    <Coin key={at} />
                  ))}
                </span>
              )}
            </span>
          </>
        );
        if (scene.you === null) {
          return (
            <div key={pattern} class="glass-offer">
              {inside}
            </div>
          );
        }
        return (
          <button
            key={pattern}
            type="button"
            class="glass-offer"
            data-testid={`window-${pattern}`}
            aria-label={`${t("sagrada.choose.this", { n: pattern })}. ${view.seats > 1 ? `${tokens(many)}. ` : ""}${windowWords(grid, [])}`}
            disabled={pending || !question?.legal.includes(`window ${pattern}`)}
            onClick={() => act([`window ${pattern}`])}
          >
            {inside}
          </button>
        );
      })}
    </div>
  );
}

function Choosing(props: { scene: GlassScene }) {
  const { scene } = props;
  const { view, you } = scene;
  return (
    <>
      {you !== null && <Answers scene={scene} />}
      {you !== null && view.window === null && (
        <p class="glass-hint">{t(view.seats === 1 ? "sagrada.choose.more.solo" : "sagrada.choose.more")}</p>
      )}
    </>
  );
}

// The windows.

function OwnWindow(props: { scene: GlassScene; grab: Grab }) {
  const { scene } = props;
  const { view, you, question, pending, act, bottom } = scene;
  const window = view.windows[bottom];
  if (!window) return null;
  if (you === null) {
    const cells = windowWords(window.grid, window.dice);
    const label = t("sagrada.window.of", { name: nameOf(scene.seats, bottom), cells });
    return <StillWindow grid={window.grid} dice={window.dice} label={label} />;
  }
  const may = new Choices(pending ? [] : (question?.legal ?? []));
  const lifted = liftedCells(view);
  // An illegal cell: the server returns the reason, if there is a die to put down or to lift.
  const actionsAt = (cell: string): string[] => {
    if (!question) return [];
    if (may.has(`lift ${cell}`) || (!may.any("put") && may.any("lift"))) return [`lift ${cell}`];
    return may.any("put") ? [`put ${cell}`] : [];
  };
  const use = (cell: string) => {
    const actions = actionsAt(cell);
    if (actions.length) act(actions);
  };
  return (
    <LiveWindow
      grid={window.grid}
      dice={window.dice}
      label={t("sagrada.window.own")}
      planned={plannedDie(view, bottom)}
      state={(cell) => ({
        use: may.has(`put ${cell}`) ? "put" : may.has(`lift ${cell}`) ? "lift" : null,
        up: lifted.includes(cell),
      })}
      onUse={use}
      onWhy={(cell) => scene.why(cell ? actionsAt(cell) : [])}
      onGrab={(cell, press) => props.grab(`lift ${cell}`, press)}
    />
  );
}

function Other(props: BoardProps<GlassView> & { seat: number }) {
  const { scene, seat } = props;
  const window = scene.view.windows[seat];
  const name = nameOf(scene.seats, seat);
  return (
    <div class="glass-other">
      {props.plate(seat)}
      {window && (
        <StillWindow
          grid={window.grid}
          dice={window.dice}
          label={t("sagrada.window.of", { name, cells: windowWords(window.grid, window.dice) })}
        />
      )}
    </div>
  );
}

// The keyboard: the focus goes to the element for the next decision.

const NEXT = [
  ".glass-values button",
  "[data-testid=draw-dice]",
  "button.glass-offer:enabled",
  "[data-use=put]",
  ".glass-track-die",
  "[data-testid=reroll-all]",
  ".glass-pool button.glass-arrow, .glass-pool .legal",
  "[data-testid=pass]",
];

/** Return the first element the open question needs; for a tool that moves dice, a die in the window. */
function nextPlace(root: HTMLElement, view: GlassView): HTMLElement | null {
  const moving = view.active !== null && [2, 3, 4, 12].includes(view.active) && view.used === null;
  for (const place of moving ? ["[data-use=put]", "[data-use=lift]", ...NEXT] : NEXT) {
    const found = root.querySelector<HTMLElement>(place);
    if (found) return found;
  }
  return null;
}

function useKeyboard(scene: GlassScene) {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(scene);
  latest.current = scene;
  const byKeys = useRef(false);
  const focusNext = () => {
    const active = document.activeElement;
    const free = active === document.body || active?.id === "main" || root.current?.contains(active);
    if (free && root.current) nextPlace(root.current, latest.current.view)?.focus();
  };

  useEffect(() => {
    if (byKeys.current && scene.question) focusNext();
  }, [scene.question?.turn]);

  // Arrow keys reach the board from all elements that do not use them; a mouse press ends that.
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return;
      const active = document.activeElement;
      const inside = root.current?.contains(active) ?? false;
      const { question, act } = latest.current;
      if (inside) byKeys.current = true;
      if (key.key === "Escape" && inside && question?.legal.includes("cancel")) act(["cancel"]);
      if (!key.key.startsWith("Arrow") || (active !== document.body && active?.id !== "main")) return;
      if (latest.current.you === null) return;
      key.preventDefault();
      byKeys.current = true;
      focusNext();
    };
    const onPress = () => (byKeys.current = false);
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onPress);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onPress);
    };
  }, []);
  return root;
}

function Board(props: BoardProps<GlassView>) {
  const { scene, plate, over } = props;
  const { view, bottom, you } = scene;
  const grab = useGrab(scene);
  const root = useKeyboard(scene);
  const many = scene.seats.length;
  const others = Array.from({ length: many - 1 }, (_, step) => (bottom + step + 1) % many);
  const choosing = view.phase === "setup" || view.phase === "choosing";
  return (
    <div class={`glass seats-${many} ${choosing ? "choosing" : ""}`} ref={root} data-testid="board">
      {others.length > 0 && (
        <div class="glass-others">
          {others.map((seat) => (
            <Other key={seat} {...props} seat={seat} />
          ))}
        </div>
      )}
      <div class="glass-mid">
        {!choosing && <Track scene={scene} />}
        <div class="glass-work">
          {over ?? (choosing ? <Choosing scene={scene} /> : <Bench scene={scene} grab={grab} />)}
        </div>
        <div class="glass-own">
          {choosing ? <Offers scene={scene} /> : <OwnWindow scene={scene} grab={grab} />}
          {plate(bottom)}
          {you !== null && !choosing && over === undefined && <p class="glass-keys">{t("sagrada.keys")}</p>}
        </div>
      </div>
      <Tools scene={scene} />
      <Goals scene={scene} />
    </div>
  );
}

// In front of a seat.

function SeatNote(props: { scene: GlassScene; seat: number }) {
  const { scene, seat } = props;
  const { view } = scene;
  const window = view.windows[seat];
  const privates = privatesOf(view, seat, scene.you, scene.open);
  return (
    <span class="chips">
      {window && view.seats > 1 && (
        <span class="chip glass-tokens" title={tokens(window.tokens)} data-testid={`tokens-${seat}`}>
          <Coin />
          {Array.from({ length: window.tokens }, (_, at) => (
            <span key={at} class="glass-token" data-move={`token-${seat}`} data-to={`tool-${view.active}`}>
              <Coin />
            </span>
          ))}
          <span aria-hidden="true">{window.tokens}</span>
          <span class="sr-only">{tokens(window.tokens)}</span>
        </span>
      )}
      {privates.length > 0 && (
        <span class="chip" title={t("sagrada.collects", { colours: colours(privates) })}>
          {privates.map((number) => (
            <ColourMark key={number} colour={privateColour(number)} />
          ))}
          <span class="sr-only">{t("sagrada.collects", { colours: colours(privates) })}</span>
        </span>
      )}
      {view.start === seat && view.seats > 1 && view.phase !== "over" && (
        <span class="chip" title={t("sagrada.starts.more")}>
          {t("sagrada.starts")}
        </span>
      )}
      {view.dropped.includes(seat) && (
        <span class="chip" title={t("sagrada.dropped.more")}>
          {t("sagrada.dropped")}
        </span>
      )}
      {view.phase === "choosing" && view.chosen.includes(seat) && (
        <span class="chip">
          <Icon name="check" />
          {t("sagrada.chosen")}
        </span>
      )}
    </span>
  );
}

export const page = defineBoard<GlassView>({
  words,
  log: {
    part: (event) => (event.kind === "round_started" ? t("sagrada.round", { n: Number(event["round"]) }) : null),
  },
  status,
  foresee,
  acting,
  begun: (view) => view.phase !== "setup",
  standing,
  ending,
  sheet,
  SeatNote,
  Board,
});
