/** The form that announces a tournament. */

import { useSignal } from "@preact/signals";
import { GAMES } from "../games/registry";
import { changed } from "../lobby/options";
import { api, ApiError } from "../net/api";
import type { GameInfo } from "../net/protocol";
import { Dialog } from "../shell/Dialog";
import { go } from "../shell/router";
import { botName } from "../table/Gathering";
import { gameTitle, t } from "../texts";
import type { Key } from "./en";
import { say } from "./texts";

const FORMATS = ["swiss", "round-robin", "knockout"] as const;
const BEGINS = [2, 5, 15, 30, 60, 180, 1440, 10080];

function ahead(minutes: number): string {
  if (minutes < 60) return say("minutes", { n: minutes });
  return minutes < 1440 ? say("hours", { n: minutes / 60 }) : say("days", { n: minutes / 1440 });
}

function Form(props: { games: GameInfo[]; game: GameInfo; setGame: (name: string) => void }) {
  const { game, games } = props;
  const entry = GAMES[game.name];
  const title = gameTitle(game.name, game.title);
  const presets = entry?.presets() ?? [];
  const counts = game.seats.filter((count) => count > 1);
  const preset = useSignal(presets.find((one) => (one.seats ?? 2) > 1)?.key ?? "");
  const name = useSignal(say("name.first", { game: title }));
  const format = useSignal<string>("swiss");
  const rounds = useSignal(3);
  const begins = useSignal(5);
  const seats = useSignal(Math.max(...counts));
  const fill = useSignal(game.bots.includes("club") ? "club" : (game.bots.at(-1) ?? "random"));
  const busy = useSignal(false);
  const failure = useSignal<string | null>(null);

  const create = async (submit: SubmitEvent) => {
    submit.preventDefault();
    busy.value = true;
    failure.value = null;
    const chosen = presets.find((one) => one.key === preset.value);
    try {
      const made = await api.newTournament({
        name: name.value.trim(),
        game: game.name,
        starts_in: begins.value * 60,
        seats: seats.value,
        format: format.value,
        rounds: rounds.value,
        fill: fill.value,
        options: changed(game.options, chosen?.options ?? {}),
        table_options: changed(game.table_options, entry?.tableOptions ?? {}),
      });
      go(made.page);
    } catch (error) {
      failure.value = error instanceof ApiError ? error.message : String(error);
      busy.value = false;
    }
  };

  return (
    <form class="new-form" onSubmit={create}>
      <div class="field">
        <label for="cup-game">{say("game")}</label>
        <select id="cup-game" value={game.name} onChange={(event) => props.setGame(event.currentTarget.value)}>
          {games.map((one) => (
            <option key={one.name} value={one.name}>
              {gameTitle(one.name, one.title)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="cup-name">{say("name")}</label>
        <input
          id="cup-name"
          required
          maxLength={64}
          dir="auto"
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="cup-begins">{say("begins")}</label>
        <select id="cup-begins" value={begins.value} onChange={(event) => (begins.value = Number(event.currentTarget.value))}>
          {BEGINS.map((minutes) => (
            <option key={minutes} value={minutes}>
              {ahead(minutes)}
            </option>
          ))}
        </select>
      </div>
      <fieldset class="presets">
        <legend>{say("format")}</legend>
        {FORMATS.map((one) => (
          <label key={one} class={`preset ${format.value === one ? "chosen" : ""}`}>
            <input type="radio" name="format" checked={format.value === one} onChange={() => (format.value = one)} />
            <strong>{say(one)}</strong>
            <span>{say(`${one}.more` as Key)}</span>
          </label>
        ))}
      </fieldset>
      {presets.length > 0 && (
        <div class="field">
          <label for="cup-preset">{t("new.how")}</label>
          <select id="cup-preset" value={preset.value} onChange={(event) => (preset.value = event.currentTarget.value)}>
            {presets
              .filter((one) => (one.seats ?? 2) > 1)
              .map((one) => (
                <option key={one.key} value={one.key}>
                  {one.title}
                </option>
              ))}
          </select>
        </div>
      )}
      {format.value !== "knockout" && (
        <div class="field">
          <label for="cup-rounds">{say("rounds")}</label>
          <input
            id="cup-rounds"
            type="number"
            min={1}
            max={20}
            value={rounds.value}
            onInput={(event) => (rounds.value = Number(event.currentTarget.value))}
          />
        </div>
      )}
      {counts.length > 1 && (
        <div class="field">
          <label for="cup-seats">{say("seats")}</label>
          <select id="cup-seats" value={seats.value} onChange={(event) => (seats.value = Number(event.currentTarget.value))}>
            {counts.map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="field">
        <label for="cup-fill">{say("fill")}</label>
        <select id="cup-fill" value={fill.value} onChange={(event) => (fill.value = event.currentTarget.value)}>
          {game.bots.map((bot) => (
            <option key={bot} value={bot}>
              {botName(bot)}
            </option>
          ))}
        </select>
      </div>
      <p class="refusal" role="alert">
        {failure.value}
      </p>
      <button type="submit" class="primary large" data-testid="create-tournament" disabled={busy.value}>
        {say("create")}
      </button>
    </form>
  );
}

export function NewTournament(props: { games: GameInfo[]; onClose: () => void }) {
  const chosen = useSignal(props.games[0]?.name ?? "");
  const game = props.games.find((one) => one.name === chosen.value);
  return (
    <Dialog title={say("new")} onClose={props.onClose}>
      {() =>
        game && <Form key={game.name} games={props.games} game={game} setGame={(name) => (chosen.value = name)} />
      }
    </Dialog>
  );
}
