import { render } from "preact";
import { App } from "./shell/App";
import { startRouter } from "./shell/router";
import { startTexts } from "./texts";
import "./style.css";

startRouter();
const root = document.getElementById("app");
void startTexts().then(() => {
  if (root) render(<App />, root);
});
