// SPDX-License-Identifier: Apache-2.0
// Failures by kind, each with an example and its message.
import { axis, css, draw } from "../chart.js";
import { byId, element, lines, strong } from "../dom.js";
import { configurationText } from "../text.js";
import { state } from "./state.js";

// { name, count, example }, most frequent first; the report may hold a sample only, without an example of a kind.
function failureKinds() {
  const examples = new Map(state.problem.evaluations.map((e) => [e.outcome, e]));
  return Object.entries(state.problem.outcomes)
    .filter(([name]) => name !== "ok")
    .map(([name, count]) => ({ name, count, example: examples.get(name) }))
    .sort((a, b) => b.count - a.count);
}

function failureOptions(kinds) {
  return {
    grid: { left: 130, right: 50, top: 4, bottom: 24 },
    tooltip: { formatter: ({ name, value }) => lines([`${name} `, strong(String(value))]) },
    xAxis: axis({ type: "value", minInterval: 1 }),
    yAxis: axis({ type: "category", inverse: true, data: kinds.map(({ name }) => name), splitLine: { show: false } }),
    series: [{
      type: "bar", data: kinds.map(({ count }) => count), barMaxWidth: 22,
      itemStyle: { color: css("--bad"), borderRadius: 4 },
      label: { show: true, position: "right", color: css("--ink") },
    }],
  };
}

function failureDetails({ name, count, example }) {
  const such = example ? `, such as ${configurationText(example.configuration)}` : "";
  return element("details", {},
    element("summary", { textContent: `${name}: ${count}${such}` }),
    element("pre", { textContent: example?.message || "(no message)" }));
}

export function showFailures() {
  const kinds = failureKinds();
  byId("failures").hidden = kinds.length === 0;
  if (!kinds.length) return;
  byId("chart-failures").style.height = `${40 + 34 * kinds.length}px`;
  draw("chart-failures", failureOptions(kinds));
  byId("failure-list").replaceChildren(...kinds.map(failureDetails));
}
