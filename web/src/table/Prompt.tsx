/** The line above the hand: the prompt, the remaining time, the answers, and the reason of a refusal. */

import type { ComponentChildren } from "preact";
import type { Clock } from "../net/table";
import { Seconds } from "./Clock";

export function Prompt(props: {
  text: string;
  urgent: boolean;
  clock: Clock | null;
  refusal: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class={`prompt ${props.urgent ? "urgent" : ""}`}>
      <p class="prompt-text">
        <span role="status">{props.text}</span>
        <Seconds clock={props.clock} />
      </p>
      <div class="prompt-answers">{props.children}</div>
      <p class="refusal" role="alert">
        {props.refusal}
      </p>
    </div>
  );
}
