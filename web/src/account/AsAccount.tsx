/** For authors of programs: how a program uses an account. */

import { useSignal } from "@preact/signals";
import { loggedIn, myName } from "../net/identity";
import { Copyable } from "../shell/widgets";
import { fill, lookUp } from "../texts";
import { nickOf } from "./nick";
import { say } from "./texts";
import "./account.css";

export function AsAccount(props: { protocol: string }) {
  const name = loggedIn.value ? myName.value : "";
  const body = JSON.stringify({ name: name || "…", password: "…" });
  const values = { nick: nickOf(name) || "anna" };
  const own = lookUp(`${props.protocol}.connect.account`, "");
  const how = props.protocol === "house" ? say("program.house") : fill(own, values);
  const open = useSignal(false);
  return (
    <details
      class="as-account"
      data-testid="as-account"
      onToggle={(toggle) => (open.value = toggle.currentTarget.open)}
    >
      <summary>{say("programs")}</summary>
      {open.value && (
        <>
          <p>{say("programs.more")}</p>
          <Copyable
            label={say("programs.call")}
            text={`curl -H 'Content-Type: application/json' -d '${body}' ${location.origin}/api/session`}
          />
          {how && <p>{how}</p>}
        </>
      )}
    </details>
  );
}
