/** The players of a match and their results; names of accounts link to their profiles. */

import { points } from "../games/registry";
import { score } from "../texts";

export function MatchPlayers(props: {
  game: string;
  names: string[];
  profiles: (string | null)[];
  scores: number[] | null;
  /** Whether to highlight the player in this seat. */
  stressed: (seat: number) => boolean;
}) {
  const { profiles, scores } = props;
  return (
    <ul class="match-players">
      {props.names.map((name, seat) => {
        const profile = profiles[seat];
        return (
          <li key={seat} class={props.stressed(seat) ? "best" : ""}>
            {profile ? (
              <a dir="auto" href={`/player/${encodeURIComponent(profile)}`}>
                {name}
              </a>
            ) : (
              <span dir="auto">{name}</span>
            )}
            {scores && <strong>{score(points(props.game, scores[seat] ?? 0))}</strong>}
          </li>
        );
      })}
    </ul>
  );
}
