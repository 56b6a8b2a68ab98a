/** The settings menu in the header, stored in this browser. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t, type TextKey } from "../texts";
import { Icon } from "./icons";
import {
  CHOICES,
  chooseMotion,
  chooseNotice,
  chooseSound,
  systemStill,
  wantsMotion,
  wantsNotice,
  wantsSound,
} from "./settings";

function Switch(props: {
  name: string;
  label: string;
  hint: string;
  on: boolean;
  disabled?: boolean;
  choose: (on: boolean) => void;
}) {
  const id = `setting-${props.name}`;
  return (
    <div class="field switch">
      <input
        type="checkbox"
        id={id}
        data-testid={id}
        checked={props.on}
        disabled={props.disabled}
        aria-describedby={`${id}-hint`}
        onChange={(change) => props.choose(change.currentTarget.checked)}
      />
      <label for={id}>{props.label}</label>
      <span class="field-hint" id={`${id}-hint`}>
        {props.hint}
      </span>
    </div>
  );
}

function Pick(props: { choice: (typeof CHOICES)[number] }) {
  const { name, values, value, choose } = props.choice;
  const id = `setting-${name}`;
  return (
    <div class="field setting">
      <label for={id}>{t(`settings.${name}` as TextKey)}</label>
      <select id={id} data-testid={id} value={value.value} onChange={(change) => choose(change.currentTarget.value)}>
        {values.map((one) => (
          <option key={one} value={one}>
            {t(`settings.${name}.${one}` as TextKey)}
          </option>
        ))}
      </select>
    </div>
  );
}

export function SettingsMenu() {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open.value) return;
    root.current?.querySelector<HTMLElement>("input:enabled")?.focus();
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) open.value = false;
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open.value]);
  return (
    <div
      class="settings"
      ref={root}
      onKeyDown={(key) => {
        if (key.key !== "Escape" || !open.value) return;
        open.value = false;
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        class="quiet settings-button"
        data-testid="settings"
        aria-label={t("settings.title")}
        title={t("settings.title")}
        aria-expanded={open.value}
        aria-controls="settings"
        onClick={() => (open.value = !open.value)}
      >
        <Icon name="settings" />
      </button>
      {open.value && (
        <section class="settings-menu" id="settings" aria-label={t("settings.title")}>
          <Switch
            name="motion"
            label={t("settings.motion")}
            hint={t(systemStill.value ? "settings.motion.system" : "settings.motion.hint")}
            on={wantsMotion.value && !systemStill.value}
            disabled={systemStill.value}
            choose={chooseMotion}
          />
          <Switch
            name="sound"
            label={t("settings.sound")}
            hint={t("settings.sound.hint")}
            on={wantsSound.value}
            choose={chooseSound}
          />
          {"Notification" in globalThis && (
            <Switch
              name="notice"
              label={t("settings.notice")}
              hint={t(Notification.permission === "denied" ? "settings.notice.denied" : "settings.notice.hint")}
              on={wantsNotice.value}
              disabled={Notification.permission === "denied"}
              choose={(on) => void chooseNotice(on)}
            />
          )}
          {CHOICES.map((one) => (
            <Pick key={one.name} choice={one} />
          ))}
        </section>
      )}
    </div>
  );
}
