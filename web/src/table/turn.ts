/** Shows that it is the player's turn: in the icon of the browser's tab, and as a notification if they want it. */

import { useEffect } from "preact/hooks";
import { wantsNotice } from "../shell/settings";

const HEART =
  "M16 25.5C13 21 6.5 17.8 6.5 12.2C6.5 8.7 9 6.8 11.5 6.8C13.7 6.8 15.3 8.3 16 10.2C16.7 8.3 18.3 6.8 20.5 6.8C23 6.8 25.5 8.7 25.5 12.2C25.5 17.8 19 21 16 25.5Z";
const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#e7c46a"/><path fill="#10402f" d="${HEART}"/></svg>`,
)}`;

export function useTurnIcon(asked: boolean): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!asked || !link) return;
    const usual = link.href;
    link.href = ICON;
    return () => {
      link.href = usual;
    };
  }, [asked]);
}

/** Browsers on phones let only the service worker notify. */
async function notify(title: string, body: string): Promise<void> {
  const options = { body, tag: "croupier-turn", icon: "/assets/icon-192.png" };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options);
}

/** Notify once when the player is asked while the page is in the background. */
export function useTurnNotice(asked: boolean, title: string, table: string): void {
  useEffect(() => {
    if (!asked || !wantsNotice.peek() || document.visibilityState === "visible") return;
    void notify(title, table).catch(() => undefined); // the permission was taken back
  }, [asked]);
}
