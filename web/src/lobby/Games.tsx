/** The games on this server: play against bots or with people, the rules, a new table. */

import { useSignal } from "@preact/signals";
import { loadPage, presetsOf } from "../games/registry";
import { api } from "../net/api";
import type { GameInfo } from "../net/protocol";
import { RulesButton } from "../rules/RulesButton";
import { Icon } from "../shell/icons";
import { useRequest } from "../shell/request";
import { go } from "../shell/router";
import { speed } from "../shell/settings";
import { gameTitle, lookUp, t } from "../texts";
import { Emblem } from "./emblems";
import { arrangement, changed, firstSeats, paced } from "./options";
import { quickMatch } from "./quickMatch";

/** Fetch the code of a table in advance, before the table is open. */
function prepare(game: string): void {
  void Promise.all([import("../table/TablePage"), loadPage(game)]).catch(() => undefined);
}

/** Open a table with this player and bots, and go there. */
async function playNow(game: GameInfo): Promise<void> {
  prepare(game.name);
  const [preset] = presetsOf(game);
  const clocks = Object.fromEntries(game.clocks.map((name) => [name, 0]));
  const pauses = paced(game.for_people, game.clocks, speed.value.peek());
  const made = await api.create({
    game: game.name,
    seats: arrangement(firstSeats(game, preset?.seats)),
    options: changed(game.options, preset?.options ?? {}),
    table_options: changed(game.table_options, { ...pauses, ...clocks }),
    start: true,
  });
  go(`/table/${encodeURIComponent(made.id)}?sit=0`);
}

/** What the user waits for: a game against bots, or with people. */
type Chosen = { game: string; people: boolean };

function Tile(props: {
  game: GameInfo;
  busy: Chosen | null;
  /** Why there is no game. */
  failure: string;
  onPlay: (people: boolean) => void;
  onNew: () => void;
}) {
  const { game, busy } = props;
  const waits = (people: boolean) => busy?.game === game.name && busy.people === people;
  const title = gameTitle(game.name, game.title);
  return (
    <li class="tile" data-testid={`tile-${game.name}`}>
      <Emblem game={game.name} />
      <h2>{title}</h2>
      <p>{lookUp(`${game.name}.about`, "")}</p>
      <div class="tile-play">
        <button
          type="button"
          class="primary"
          data-testid={`lobby-play-${game.name}`}
          aria-label={t("lobby.play", { game: title })}
          disabled={busy !== null}
          onClick={() => props.onPlay(false)}
        >
          <Icon name="bot" />
          {t(waits(false) ? "lobby.play.starting" : "lobby.playNow")}
        </button>
        <button
          type="button"
          class="primary"
          data-testid={`quick-match-${game.name}`}
          aria-label={t("lobby.people.game", { game: title })}
          disabled={busy !== null}
          onClick={() => props.onPlay(true)}
        >
          <Icon name="people" />
          {t(waits(true) ? "lobby.people.starting" : "lobby.people")}
        </button>
        <p class="refusal" role="alert">
          {props.failure}
        </p>
      </div>
      <div class="tile-more">
        <RulesButton look="on-felt small" game={game.name} title={title} />
        <button
          type="button"
          class="on-felt small"
          data-testid={`new-table-${game.name}`}
          aria-label={`${t("lobby.newTable")}: ${title}`}
          onClick={props.onNew}
        >
          <Icon name="plus" />
          <span class="words">{t("lobby.newTable")}</span>
        </button>
      </div>
    </li>
  );
}

export function Games(props: { games: GameInfo[]; onNew: (game: string) => void }) {
  const { busy, failure, attempt } = useRequest();
  const chosen = useSignal<Chosen | null>(null);
  const play = (game: GameInfo, people: boolean) => {
    chosen.value = { game: game.name, people };
    return attempt(() => (people ? quickMatch(game.name) : playNow(game)));
  };
  return (
    <section class="hero" aria-labelledby="hero-title">
      <div class="hero-text">
        <h1 id="hero-title">{t("lobby.title")}</h1>
        <p>{t("lobby.lead")}</p>
        <ul class="hero-points">
          <li>{t("lobby.special.games")}</li>
          <li>{t("lobby.special.deals")}</li>
          <li>{t("lobby.special.coach")}</li>
        </ul>
      </div>
      <ul class="tiles">
        {props.games.map((game) => (
          <Tile
            key={game.name}
            game={game}
            busy={busy.value ? chosen.value : null}
            failure={chosen.value?.game === game.name ? (failure.value ?? "") : ""}
            onPlay={(people) => void play(game, people)}
            onNew={() => props.onNew(game.name)}
          />
        ))}
      </ul>
    </section>
  );
}
