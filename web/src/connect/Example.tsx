/** A complete program to copy. A test runs each of these files against a server. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Icon } from "../shell/icons";
import { t } from "../texts";
import { say } from "./explain";
import coinche from "./programs/coinche.py?raw";
import hearts from "./programs/hearts.py?raw";
import house from "./programs/house.py?raw";
import sagrada from "./programs/sagrada.py?raw";
import tarock from "./programs/tarock.py?raw";
import taroky from "./programs/taroky.py?raw";

const PROGRAMS = { house, hearts, tarock, taroky, coinche, sagrada };

/** Return the program of *protocol* with *address* in it. */
export function programOf(protocol: keyof typeof PROGRAMS, address: string | null): string {
  const text = PROGRAMS[protocol];
  return address ? text.replace(/^URL = ".*"$/mu, () => `URL = ${JSON.stringify(address)}`) : text;
}

export function Example(props: { protocol: keyof typeof PROGRAMS; address: string | null }) {
  const text = programOf(props.protocol, props.address);
  const state = useSignal<"idle" | "copied" | "failed">("idle");
  const block = useRef<HTMLPreElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      state.value = "copied";
    } catch {
      // Browsers deny clipboard access to pages without https.
      if (block.current) getSelection()?.selectAllChildren(block.current);
      state.value = "failed";
    }
    setTimeout(() => (state.value = "idle"), 2500);
  };
  return (
    <section class="panel" aria-labelledby="connect-example">
      <h2 id="connect-example">{say("example.title")}</h2>
      <p>{say("example.more")}</p>
      {!props.address && <p class="faint">{say("example.table")}</p>}
      <pre ref={block} class="connect-code" tabIndex={0} aria-label={say("example.label")} data-testid="example">
        {text}
      </pre>
      <button type="button" onClick={() => void copy()}>
        <Icon name={state.value === "copied" ? "check" : "copy"} />
        <span role="status">
          {state.value === "idle"
            ? say("example.copy")
            : t(state.value === "copied" ? "app.copied" : "app.copyFailed")}
        </span>
      </button>
    </section>
  );
}
