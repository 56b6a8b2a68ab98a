/** The coach at a table with bots: what the strongest bot would do now, and why. */

import { useSignal } from "@preact/signals";
import type { GamePage, Scene } from "../games/page";
import { api } from "../net/api";
import { myToken } from "../net/identity";
import { Dialog } from "../shell/Dialog";
import { Icon } from "../shell/icons";
import { useRequest } from "../shell/request";
import { Chosen, why } from "./Chosen";
import type { Hinted } from "./findings";
import { noHint } from "./request";
import "./review.css";
import { say } from "./texts";

/** The button, and the hint in a window over the table; *ready* says whether there is a decision to ask about. */
export function Hint(props: { table: string; page: GamePage; scene: Scene; ready: boolean }) {
  const { page, scene } = props;
  const told = useSignal<Hinted | null>(null);
  const open = useSignal(false);
  const { busy, failure, attempt } = useRequest(noHint);
  const ask = () => {
    told.value = null;
    open.value = true;
    void attempt(async () => (told.value = await api.hint(props.table, myToken.peek())));
  };
  const hint = told.value;
  return (
    <>
      <button type="button" class="quiet" data-testid="ask-hint" disabled={!props.ready || busy.value} onClick={ask}>
        <Icon name="hint" />
        <span class="words">{say("hint")}</span>
      </button>
      {open.value && (
        <Dialog title={say("hint")} onClose={() => (open.value = false)}>
          {() => (
            <div class="hint" role="status" data-testid="hint">
              {hint ? (
                <>
                  <p>
                    {say("expert")} <Chosen actions={hint.actions} events={hint.events} page={page} scene={scene} />
                  </p>
                  <p>{say("gain", { n: hint.gain })}</p>
                  <p>{why(hint.reasons, scene) || say("why.none", { n: hint.simulations })}</p>
                </>
              ) : (
                <p>{failure.value || say("thinking")}</p>
              )}
            </div>
          )}
        </Dialog>
      )}
    </>
  );
}
