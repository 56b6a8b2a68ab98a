/** A modal window with a title and a close button. *children* get the function that closes it. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../texts";
import { Icon } from "./icons";

export function Dialog(props: {
  title: string;
  look?: string;
  onClose: () => void;
  children: (close: () => void) => ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} class={`dialog ${props.look ?? ""}`} aria-labelledby="dialog-title" onClose={props.onClose}>
      <header>
        <h2 id="dialog-title">{props.title}</h2>
        <button type="button" class="quiet round" aria-label={t("app.close")} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {props.children(close)}
    </dialog>
  );
}
