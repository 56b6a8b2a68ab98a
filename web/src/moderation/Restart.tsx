/** The countdown to a restart that the operator has announced, on every page. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { restart } from "../net/notice";
import { t } from "../texts";
import { say } from "./texts";

/** Return *seconds* as minutes and seconds, or as hours, minutes and seconds. */
export function countdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, at) => (at ? String(part).padStart(2, "0") : String(part))).join(":");
}

export function Restart() {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const told = restart.value;
  if (!told) return null;
  const left = (told.at - Math.min(now.value, told.at)) / 1000;
  return (
    <div class="banner" data-testid="restart">
      {/* Read out once, not every second. */}
      <span role="status" class="sr-only">
        {say("restart")} {told.text}
      </span>
      <span aria-hidden="true">
        {left > 0 ? t("restart.in", { left: countdown(left) }) : say("restart.now")} <bdi>{told.text}</bdi>
      </span>
    </div>
  );
}
