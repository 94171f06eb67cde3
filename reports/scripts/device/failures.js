// SPDX-License-Identifier: Apache-2.0
// Failures by kind, each with an example and its message, and what was not measured because of a limit.
import { axis, css, draw } from "../chart.js";
import { byId, element, lines, strong } from "../dom.js";
import { configurationText } from "../text.js";
import { isFailure, state } from "./state.js";

// { name, count, example } of the outcomes that are `wanted`, most frequent first; the report may hold a sample only,
// without an example of a kind.
function kindsOf(wanted) {
  const examples = new Map(state.problem.evaluations.map((e) => [e.outcome, e]));
  return Object.entries(state.problem.outcomes)
    .filter(([name]) => wanted(name))
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

function details({ name, count, example }) {
  const such = example ? `, such as ${configurationText(example.configuration)}` : "";
  return element("details", {},
    element("summary", { textContent: `${name}: ${count}${such}` }),
    element("pre", { textContent: example?.message || "(no message)" }));
}

function showOutside() {
  const kinds = kindsOf((name) => name === "limit");
  byId("outside").hidden = kinds.length === 0;
  byId("outside-list").replaceChildren(...kinds.map(details));
}

export function showFailures() {
  const kinds = kindsOf(isFailure);
  showOutside();
  byId("failures").hidden = kinds.length === 0;
  if (!kinds.length) return;
  byId("chart-failures").style.height = `${40 + 34 * kinds.length}px`;
  draw("chart-failures", failureOptions(kinds));
  byId("failure-list").replaceChildren(...kinds.map(details));
}
