/** The form that announces a tournament. */

import { useSignal } from "@preact/signals";
import { presetsOf } from "../games/registry";
import { changed } from "../lobby/options";
import { api } from "../net/api";
import { keepEntry, keepOwnCup, myName, myToken } from "../net/identity";
import type { GameInfo } from "../net/protocol";
import { Choice } from "../shell/Choice";
import { Dialog } from "../shell/Dialog";
import { useRequest } from "../shell/request";
import { go } from "../shell/router";
import { botName } from "../table/Seat";
import { gameTitle, t } from "../texts";
import type { Key } from "./en";
import { refusal } from "./refusals";
import { say } from "./texts";

const FORMATS = ["swiss", "round-robin", "knockout"] as const;
const BEGINS = [2, 5, 15, 30, 60, 180, 1440, 10080];

/** Enter a tournament with this browser's token. */
export async function enterAs(id: string, name: string): Promise<void> {
  await api.enter(id, name, myToken.peek());
  keepEntry(id, name);
}

function ahead(minutes: number): string {
  if (minutes < 60) return say("minutes", { n: minutes });
  return minutes < 1440 ? say("hours", { n: minutes / 60 }) : say("days", { n: minutes / 1440 });
}

function Form(props: { games: GameInfo[]; game: GameInfo; setGame: (name: string) => void }) {
  const { game, games } = props;
  const title = gameTitle(game.name, game.title);
  const presets = presetsOf(game).filter((one) => (one.seats ?? 2) > 1);
  const counts = game.seats.filter((count) => count > 1);
  const preset = useSignal(presets[0]?.key ?? "");
  const name = useSignal(say("name.first", { game: title }));
  const format = useSignal<string>("swiss");
  const rounds = useSignal(3);
  const begins = useSignal(5);
  const seats = useSignal(Math.max(...counts));
  const fill = useSignal(game.bots.includes("club") ? "club" : (game.bots.at(-1) ?? "random"));
  const playing = useSignal(true);
  const { busy, failure, attempt } = useRequest(refusal);

  const create = (submit: SubmitEvent) => {
    submit.preventDefault();
    const chosen = presets.find((one) => one.key === preset.value);
    void attempt(async () => {
      const made = await api.newTournament({
        name: name.value.trim(),
        game: game.name,
        starts_in: begins.value * 60,
        seats: seats.value,
        format: format.value,
        rounds: rounds.value,
        fill: fill.value,
        options: changed(game.options, chosen?.options ?? {}),
        table_options: changed(game.table_options, game.for_people),
        token: myToken.peek(),
      });
      keepOwnCup(made.id, true);
      if (playing.value) await enterAs(made.id, myName.peek()).catch(() => undefined); // the page offers it again
      go(made.page);
    });
  };

  return (
    <form class="new-form" onSubmit={create}>
      <Choice
        id="cup-game"
        label={say("game")}
        value={game.name}
        from={games.map((one) => [one.name, gameTitle(one.name, one.title)])}
        set={props.setGame}
      />
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
      <Choice
        id="cup-begins"
        label={say("begins")}
        value={begins.value}
        from={BEGINS.map((minutes) => [minutes, ahead(minutes)])}
        set={(minutes) => (begins.value = minutes)}
      />
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
        <Choice
          id="cup-preset"
          label={t("new.how")}
          value={preset.value}
          from={presets.map((one) => [one.key, one.title])}
          set={(key) => (preset.value = key)}
        />
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
        <Choice
          id="cup-seats"
          label={say("seats")}
          value={seats.value}
          from={counts.map((count) => [count, String(count)])}
          set={(count) => (seats.value = count)}
        />
      )}
      <Choice
        id="cup-fill"
        label={say("fill")}
        value={fill.value}
        from={game.bots.map((bot) => [bot, botName(bot)])}
        set={(bot) => (fill.value = bot)}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={playing.value}
          onChange={(event) => (playing.value = event.currentTarget.checked)}
        />
        {say("playing")}
      </label>
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
