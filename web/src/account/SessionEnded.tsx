/** The notice that the session has ended. */

import { myName, sessionEnded } from "../net/identity";
import { Icon } from "../shell/icons";
import { t } from "../texts";
import { say } from "./texts";

export function SessionEnded(props: { onLogIn: () => void }) {
  return (
    <div class="banner" role="status" data-testid="session-ended">
      <span dir="auto">{say("ended", { name: myName.value })}</span>
      <button type="button" onClick={props.onLogIn}>
        {say("ended.login")}
      </button>
      <button type="button" class="round quiet" aria-label={t("app.close")} onClick={() => (sessionEnded.value = false)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
