/** The button that passes or lays away the cards held ready: it counts them, then names them. */

import type { ComponentChildren } from "preact";

export function ConfirmCards(props: {
  testid: string;
  selected: string[];
  wanted: number;
  pending: boolean;
  /** What it says when there are enough, before the cards. */
  ready: string;
  /** What it says until then. */
  missing: string;
  tag: (code: string) => ComponentChildren;
  onFocus?: () => void;
  onConfirm: () => void;
}) {
  const { selected } = props;
  const enough = selected.length === props.wanted;
  return (
    <button
      type="button"
      class="primary"
      data-testid={props.testid}
      disabled={!enough || props.pending}
      onFocus={props.onFocus}
      onClick={props.onConfirm}
    >
      {enough ? (
        <>
          {props.ready}
          {selected.map(props.tag)}
        </>
      ) : (
        props.missing
      )}
    </button>
  );
}
