/** The form that opens a table. */

import { useSignal } from "@preact/signals";
import { presetsOf } from "../games/registry";
import { api } from "../net/api";
import type { GameInfo, OptionInfo, OptionValues } from "../net/protocol";
import { Choice } from "../shell/Choice";
import { Dialog } from "../shell/Dialog";
import { useRequest } from "../shell/request";
import { go } from "../shell/router";
import { botName } from "../table/Seat";
import { gameTitle, t } from "../texts";
import { arrangement, changed, chooseSeat, firstSeats, forSeats, presetOf, unhurried } from "./options";
import { OptionField } from "./OptionField";
import { expected, offered } from "./strengths";

/** Choices for the delay of watchers, in seconds. */
const DELAYS = [0, 15, 30, 60, 180, 600];

function defaults(options: OptionInfo[], over: OptionValues = {}): OptionValues {
  return { ...Object.fromEntries(options.map((option) => [option.name, option.default])), ...over };
}

function Fields(props: { game: string; options: OptionInfo[]; values: OptionValues; set: (values: OptionValues) => void }) {
  return (
    <div class="fields">
      {props.options
        .filter((option) => !option.technical)
        .map((option) => (
          <OptionField
            key={option.name}
            game={props.game}
            option={option}
            value={props.values[option.name] ?? option.default}
            onChange={(value) => props.set({ ...props.values, [option.name]: value })}
          />
        ))}
    </div>
  );
}

function Form(props: { games: GameInfo[]; game: GameInfo; setGame: (name: string) => void }) {
  const { game, games } = props;
  const presets = presetsOf(game);
  const seats = useSignal(firstSeats(game, presets[0]?.seats));
  const options = useSignal(defaults(game.options, presets[0]?.options));
  const pauses = useSignal(defaults(game.table_options, game.for_people));
  const autoCycle = useSignal(false);
  const watchOpen = useSignal(false);
  const watchDelay = useSignal(0);
  const { busy, failure, attempt } = useRequest();
  const preset = presetOf(presets, game.options, options.value, seats.value.length);
  const { strengths, others } = offered(game);
  const bots = [...strengths, ...others];
  const sitters: [string, string][] = [
    ["me", t("new.me")],
    ...bots.map((bot): [string, string] => [`bot ${bot}`, t("new.bot", { bot: botName(bot) })]),
    ["open", t("new.program")],
    ["person", t("new.person")],
  ];
  const seatCount = (count: number) => (seats.value = forSeats(game, seats.value, count));

  const create = (submit: SubmitEvent) => {
    submit.preventDefault();
    const alone = seats.value.every((seat) => seat === "me" || seat.startsWith("bot "));
    const pace = alone ? unhurried(game, pauses.value) : pauses.value;
    void attempt(async () => {
      const made = await api.create({
        game: game.name,
        seats: arrangement(seats.value),
        options: changed(game.options, options.value),
        table_options: changed(game.table_options, pace),
        auto_cycle: autoCycle.value,
        watch_open: watchOpen.value,
        watch_delay: watchDelay.value,
        start: true,
      });
      const mine = seats.value.indexOf("me");
      go(`/table/${encodeURIComponent(made.id)}${mine >= 0 ? `?sit=${mine}` : ""}`);
    });
  };

  return (
    <form onSubmit={create} class="new-form">
      {games.length > 1 && (
        <Choice
          id="new-game"
          label={t("new.game")}
          value={game.name}
          from={games.map((one) => [one.name, gameTitle(one.name, one.title)])}
          set={props.setGame}
        />
      )}
      {presets.length > 0 && (
        <fieldset class="presets">
          <legend>{t("new.how")}</legend>
          {presets.map((one) => (
            <label key={one.key} class={`preset ${preset === one.key ? "chosen" : ""}`}>
              <input
                type="radio"
                name="preset"
                checked={preset === one.key}
                onChange={() => {
                  options.value = defaults(game.options, one.options);
                  if (one.seats !== undefined) seatCount(one.seats);
                }}
              />
              <strong>{one.title}</strong>
              <span>{one.words}</span>
            </label>
          ))}
          {preset === "custom" && <p class="faint">{t("new.preset.custom")}</p>}
        </fieldset>
      )}
      <fieldset class="new-seats">
        <legend>{t("new.seats")}</legend>
        {game.seats.length > 1 && (
          <Choice
            id="new-count"
            label={t("new.count")}
            value={seats.value.length}
            from={game.seats.map((count) => [count, String(count)])}
            set={seatCount}
            inline
          />
        )}
        {seats.value.map((choice, seat) => (
          <Choice
            key={seat}
            id={`new-seat-${seat}`}
            label={t("new.seat", { n: seat + 1 })}
            value={choice}
            from={sitters}
            set={(sitter) => (seats.value = chooseSeat(seats.value, seat, sitter))}
            inline
          />
        ))}
        {bots
          .filter((bot) => seats.value.includes(`bot ${bot}`) && expected(bot))
          .map((bot) => (
            <p key={bot} class="faint" data-testid={`expect-${bot}`}>
              <strong>{botName(bot)}</strong>: {expected(bot)}
            </p>
          ))}
        {seats.value.includes("open") && <p class="faint">{t("new.program.hint")}</p>}
        {seats.value.includes("person") && <p class="faint">{t("new.person.hint")}</p>}
      </fieldset>
      <details>
        <summary>{t("new.options")}</summary>
        <Fields game={game.name} options={game.options} values={options.value} set={(values) => (options.value = values)} />
      </details>
      <details>
        <summary>{t("new.clocks")}</summary>
        <Fields game={game.name} options={game.table_options} values={pauses.value} set={(values) => (pauses.value = values)} />
        <div class="field switch">
          <input
            type="checkbox"
            id="new-auto-cycle"
            checked={autoCycle.value}
            onChange={(event) => (autoCycle.value = event.currentTarget.checked)}
          />
          <label for="new-auto-cycle">{t("new.autoCycle")}</label>
        </div>
        <div class="field switch">
          <input
            type="checkbox"
            id="new-watch-open"
            checked={watchOpen.value}
            aria-describedby="new-watch-open-hint"
            onChange={(event) => (watchOpen.value = event.currentTarget.checked)}
          />
          <label for="new-watch-open">{t("new.watchOpen")}</label>
          <span class="field-hint" id="new-watch-open-hint">
            {t("new.watchOpen.hint")}
          </span>
        </div>
        <Choice
          id="new-watch-delay"
          label={t("new.watchDelay")}
          value={watchDelay.value}
          from={DELAYS.map((n) => [n, n ? t("new.watchDelay.later", { n }) : t("new.watchDelay.none")])}
          set={(delay) => (watchDelay.value = delay)}
          hint={t("new.watchDelay.hint")}
        />
      </details>
      <p class="refusal" role="alert">
        {failure.value}
      </p>
      <button type="submit" class="primary large" disabled={busy.value} data-testid="create-table">
        {t(busy.value ? "new.creating" : "new.create")}
      </button>
    </form>
  );
}

export function NewTable(props: { games: GameInfo[]; first: string; onClose: () => void }) {
  const chosen = useSignal(props.first);
  const game = props.games.find((one) => one.name === chosen.value);
  return (
    <Dialog title={t("new.title")} onClose={props.onClose}>
      {() =>
        game && <Form key={game.name} games={props.games} game={game} setGame={(name) => (chosen.value = name)} />
      }
    </Dialog>
  );
}
