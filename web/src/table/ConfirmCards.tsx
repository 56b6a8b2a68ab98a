/** The button that passes or discards the selected cards: it shows their number, then their names. */

import type { ComponentChildren } from "preact";

export function ConfirmCards(props: {
  testid: string;
  selected: string[];
  wanted: number;
  pending: boolean;
  /** The label when enough cards are selected, before the cards. */
  ready: string;
  /** The label until then. */
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
