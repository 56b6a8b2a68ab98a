/** A form field for choosing one of several values. */
export function Choice<T extends string | number>(props: {
  id: string;
  label: string;
  value: T;
  from: readonly (readonly [value: T, words: string])[];
  set: (value: T) => void;
  inline?: boolean;
  hint?: string;
}) {
  const hint = props.hint && `${props.id}-hint`;
  return (
    <div class={props.inline ? "field inline" : "field"}>
      <label for={props.id}>{props.label}</label>
      <select
        id={props.id}
        value={props.value}
        aria-describedby={hint}
        onChange={(event) => {
          const chosen = props.from[event.currentTarget.selectedIndex];
          if (chosen) props.set(chosen[0]);
        }}
      >
        {props.from.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      {hint && (
        <span class="field-hint" id={hint}>
          {props.hint}
        </span>
      )}
    </div>
  );
}
