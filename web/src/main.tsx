import { render } from "preact";
import { App } from "./shell/App";
import { startRouter } from "./shell/router";
import "./style.css";

startRouter();
const root = document.getElementById("app");
if (root) render(<App />, root);
