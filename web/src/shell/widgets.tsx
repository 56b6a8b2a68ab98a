/** Small components used by several pages. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Link } from "../net/link";
import { asSentence, t } from "../texts";
import { Icon } from "./icons";
import { isAway } from "./load";

/** Set the window title while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === t("app.name") ? title : `${title} · ${t("app.name")}`;
  }, [title]);
}

/** A text to pass on: shown, selectable, with a button that copies it, or shares it if the browser can. */
export function Copyable(props: { label: string; text: string; shared?: boolean }) {
  const share = props.shared && "share" in navigator;
  const state = useSignal<"idle" | "copied" | "failed">("idle");
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    if (share) {
      await navigator.share({ title: document.title, url: props.text }).catch(() => undefined); // cancelled
      return;
    }
    try {
      await navigator.clipboard.writeText(props.text);
      state.value = "copied";
    } catch {
      field.current?.select(); // browsers deny clipboard access to pages without https
      state.value = "failed";
    }
    setTimeout(() => (state.value = "idle"), 2500);
  };
  return (
    <div class="copyable">
      <label>
        <span>{props.label}</span>
        <input ref={field} readOnly value={props.text} size={1} />
      </label>
      <button type="button" class="quiet" onClick={copy}>
        <Icon name={share ? "share" : state.value === "copied" ? "check" : "copy"} />
        <span role="status">
          {t(
            state.value === "copied"
              ? "app.copied"
              : state.value === "failed"
                ? "app.copyFailed"
                : share
                  ? "app.share"
                  : "app.copy",
          )}
        </span>
      </button>
    </div>
  );
}

/** Shows that the connection is lost and being retried; *farewell*: the last message of the server. */
export function ConnectionBanner(props: {
  link: Link;
  farewell?: string | null;
  replaced?: boolean;
  onTakeBack?: () => void;
}) {
  const state = props.link.state.value;
  const attempts = props.link.attempts.value;
  let content: ComponentChildren = null;
  if (props.replaced) {
    content = (
      <>
        <span>{t("link.replaced")}</span>
        <button type="button" onClick={props.onTakeBack}>
          {t("link.playHere")}
        </button>
      </>
    );
  } else if (state === "lost") {
    content = (
      <>
        <Icon name="offline" />
        <span>
          {props.farewell ? t("link.farewell", { words: asSentence(props.farewell) }) : t("link.lost")}
          {attempts > 1 && <small> {t("link.attempt", { n: attempts })}</small>}
        </span>
        <button type="button" onClick={() => props.link.connect()}>
          {t("link.now")}
        </button>
      </>
    );
  }
  return (
    <div class="banner" role="status" data-testid="connection-banner" data-state={state} hidden={!content}>
      {content}
    </div>
  );
}

/** Why something could not be loaded; it is retried while the server is unreachable. */
export function Failure(props: { error: Error; onRetry: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>{isAway(props.error) ? t("app.unreachable") : t("app.failed", { words: props.error.message })}</p>
      <button type="button" onClick={props.onRetry}>
        {t("app.retry")}
      </button>
    </div>
  );
}

/** Shown if the address does not exist. */
export function Nothing(props: { title: string; words: string }) {
  return (
    <div class="nothing">
      <h1>{props.title}</h1>
      <p>{props.words}</p>
      <a class="button primary" href="/">
        {t("app.toLobby")}
      </a>
    </div>
  );
}

export function Loading(props: { words?: string }) {
  return (
    <p class="loading" role="status">
      {props.words ?? t("app.loading")}
    </p>
  );
}
