/** Opens the rules of a game beside the current page. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Icon } from "../shell/icons";
import { fetchCode, useLoad } from "../shell/load";
import { Failure } from "../shell/widgets";
import { t } from "../texts";

export function RulesButton(props: { game: string; title: string; look: string }) {
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const { value: Panel, failure } = useLoad(
    async () => (open.value ? fetchCode(() => import("./RulesPanel").then((module) => module.RulesPanel)) : null),
    [open.value],
  );
  const close = () => {
    open.value = false;
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`${props.look} rules-button`}
        data-testid="rules-open"
        aria-label={`${t("table.rules")}: ${props.title}`}
        aria-expanded={open.value}
        onClick={() => (open.value = !open.value)}
      >
        <Icon name="book" />
        <span class="words">{t("table.rules")}</span>
      </button>
      {open.value && Panel && <Panel game={props.game} title={props.title} onClose={close} />}
      {open.value && failure && <Failure error={failure} onRetry={() => location.reload()} />}
    </>
  );
}
