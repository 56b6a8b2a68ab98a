/** The operator's page: the nodes of a house. */

import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Nodes } from "../operator/OperatorPage";

const NODE = { id: 1, name: "one 7", version: "0.2.0", started: "2026-11-19T08:00:00Z", lease: 2.5, tables: 3, draining: false, service: false };

test("each node is shown with its tables and its state", () => {
  const nodes = [
    NODE,
    { ...NODE, id: 2, name: "two 8", tables: 40, service: true, draining: true },
    { ...NODE, id: 3, name: "three 9", lease: -1, service: true },
  ];
  const text = renderToString(<Nodes nodes={nodes} />).replace(/<[^>]+>/g, "|");
  expect(text).toMatch(/1: one 7\|+0\.2\.0\|+3\|+running/);
  expect(text).toMatch(/2: two 8\|+0\.2\.0\|+40\|+lobbies, draining/);
  expect(text).toMatch(/3: three 9\|+0\.2\.0\|+3\|+not responding/);
});
