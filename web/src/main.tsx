import { render } from "preact";
import { followOtherWindows } from "./net/identity";
import { App } from "./shell/App";
import { startRouter } from "./shell/router";
import { applySettings } from "./shell/settings";
import { startTexts } from "./texts";
import "./style.css";

startRouter();
followOtherWindows();
applySettings(document.documentElement);
// Keeps scripts and styles for the next start, also from the home screen.
if ("serviceWorker" in navigator && import.meta.env.PROD) {
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined));
}
const root = document.getElementById("app");
void startTexts().then(() => {
  if (root) render(<App />, root);
});
