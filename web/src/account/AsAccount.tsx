/** For authors of programs: how a program uses an account. */

import { useSignal } from "@preact/signals";
import { loggedIn, myName } from "../net/identity";
import { Copyable } from "../shell/widgets";
import type { Key } from "./en";
import { nickOf } from "./nick";
import { say } from "./texts";
import "./account.css";

const HOW: Record<string, Key> = {
  house: "program.house",
  hearts: "program.hearts",
  tarock: "program.rooms",
  taroky: "program.rooms",
  coinche: "program.coinche",
  sagrada: "program.sagrada",
};

export function AsAccount(props: { protocol: string }) {
  const name = loggedIn.value ? myName.value : "";
  const body = JSON.stringify({ name: name || "…", password: "…" });
  const how = HOW[props.protocol];
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
          {how && <p>{say(how, { nick: nickOf(name) || "anna" })}</p>}
        </>
      )}
    </details>
  );
}
