/** One option as a form field, made from the server's description of it. */

import { useSignal } from "@preact/signals";
import type { OptionInfo, OptionValue } from "../net/protocol";
import { lookUp, t } from "../texts";
import { readOption, spell } from "./options";

export function OptionField(props: {
  game: string;
  option: OptionInfo;
  value: OptionValue;
  onChange: (value: OptionValue) => void;
}) {
  const { game, option, value } = props;
  const draft = useSignal<string | null>(null);
  const id = `option-${option.name}`;
  const title = lookUp(`${game}.option.${option.name}`, option.name.replaceAll("_", " "));
  // In English the server describes it, unless the title says enough: then the text is empty.
  const hint = lookUp(`${game}.option.${option.name}.more`, option.words);
  const change = (text: string) => {
    const read = readOption(option, text);
    draft.value = read === null ? text : null;
    if (read !== null) props.onChange(read);
  };
  if (option.kind === "switch") {
    return (
      <div class="field switch">
        <input
          type="checkbox"
          id={id}
          checked={value === true}
          aria-describedby={`${id}-hint`}
          onChange={(event) => props.onChange(event.currentTarget.checked)}
        />
        <label for={id}>{title}</label>
        <span class="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      </div>
    );
  }
  const common = { id, "aria-describedby": `${id}-hint`, "aria-invalid": draft.value !== null };
  const limits =
    option.kind === "list"
      ? t("new.list", { choices: option.choices.join(", ") })
      : option.kind === "number" && !option.choices.length
        ? t("new.range", { low: option.low, high: option.high })
        : "";
  return (
    <div class="field">
      <label for={id}>{title}</label>
      {option.choices.length && option.kind !== "list" ? (
        <select {...common} value={spell(value)} onChange={(event) => change(event.currentTarget.value)}>
          {option.choices.map((choice) => (
            <option key={choice} value={choice}>
              {lookUp(`${game}.choice.${choice}`, choice)}
            </option>
          ))}
        </select>
      ) : (
        <span class="with-unit">
          <input
            {...common}
            inputMode={option.kind === "number" ? "numeric" : "text"}
            value={draft.value ?? spell(value)}
            onChange={(event) => change(event.currentTarget.value)}
          />
          {option.unit && <span>{option.unit}</span>}
        </span>
      )}
      <span class="field-hint" id={`${id}-hint`}>
        {[hint, limits].filter(Boolean).join("; ")}
      </span>
    </div>
  );
}
