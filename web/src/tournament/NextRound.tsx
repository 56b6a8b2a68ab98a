/** On the result card of a tournament's table: the way to the next round and to the standings. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { socketAddress } from "../net/api";
import { Link } from "../net/link";
import type { Tournament } from "../net/protocol";
import { Icon } from "../shell/icons";
import { say } from "./texts";
import { boardOf, enteredAs, sitAt } from "./TournamentPage";

export function NextRound(props: { id: string }) {
  const { id } = props;
  const newest = useSignal<Tournament | null>(null);
  useEffect(() => {
    const address = socketAddress(`/api/tournaments/${encodeURIComponent(id)}/live`);
    const link = new Link({ address, onFrame: (frame) => (newest.value = frame as Tournament) });
    return () => link.close();
  }, [id]);
  const told = newest.value;
  const name = told && enteredAs(told);
  const board = told && boardOf(told, name);
  return (
    <>
      {told && board && name && (
        <button type="button" class="primary" data-testid="next-round" onClick={() => sitAt(told, board, name)}>
          <Icon name="play" />
          {say("next")}
        </button>
      )}
      {told?.phase === "running" && !board && <p>{say("wait")}</p>}
      <a class="button" href={`/tournament/${encodeURIComponent(id)}`} data-testid="to-standings">
        {say("standings")}
      </a>
    </>
  );
}
