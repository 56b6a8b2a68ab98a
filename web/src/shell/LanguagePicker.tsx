/** The language menu: an icon in the header over the browser's native list. */

import { useSignal } from "@preact/signals";
import { choose, language, type Language, LANGUAGES, t } from "../texts";
import { Icon } from "./icons";
import { fetchCode } from "./load";

export function LanguagePicker() {
  const failure = useSignal<string | null>(null);
  const now = language();
  const pick = async (list: HTMLSelectElement) => {
    try {
      await fetchCode(() => choose(list.value as Language));
      failure.value = null;
    } catch (error) {
      list.value = now;
      failure.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <>
      {failure.value !== null && (
        <small class="language-failed" role="alert">
          {t("app.failed", { words: failure.value })}
        </small>
      )}
      <span class="language">
        <Icon name="globe" />
        <span aria-hidden="true">{now}</span>
        <select
          aria-label={t("app.language")}
          data-testid="language"
          value={now}
          onChange={(change) => void pick(change.currentTarget)}
        >
          {Object.entries(LANGUAGES).map(([key, name]) => (
            <option key={key} value={key} lang={key}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </>
  );
}
