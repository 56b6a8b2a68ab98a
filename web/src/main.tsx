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
const root = document.getElementById("app");
void startTexts().then(() => {
  if (root) render(<App />, root);
});
