// SPDX-License-Identifier: Apache-2.0
// Parallel coordinates: a line for each configuration across its parameters and its value of the objective.
import { countLabels, css, speedColour } from "../chart.js";
import { distinct, state, valueOf } from "./state.js";

const mostAxes = 14;
const mostLines = 3000; // beyond this nothing can be seen

// The best, and an even sample of the rest; the best last, on top of all others.
function shownLines(valid) {
  const step = Math.max(1, Math.ceil(valid.length / mostLines));
  return valid.filter((_, i) => i < mostLines / 2 || i % step === 0).reverse();
}

export function parallelOptions() {
  const { varying, best, objective } = state, { unit, large, cost, shown } = objective;
  const valid = state.valid.filter((e) => Number.isFinite(cost(e)));
  const names = varying.slice(0, mostAxes), valueName = objective.name === unit ? unit : `${objective.name} (${unit})`;
  const labels = {
    color: css("--ink"), textBorderColor: css("--card"), textBorderWidth: 4, width: 72, overflow: "truncate",
  };
  const lineStyle = (e) => (e === best
    ? { color: speedColour(e.rank), opacity: 1, width: 3.5 }
    : { color: speedColour(e.rank), opacity: 0.18 + 0.5 * (1 - e.rank) ** 3, width: 1.2 });
  return {
    tooltip: { show: false },
    parallel: {
      left: 50, right: 60, top: 40, bottom: 24,
      parallelAxisDefault: {
        nameTextStyle: { color: css("--ink") },
        axisLine: { lineStyle: { color: css("--line") } },
        axisLabel: labels,
      },
    },
    parallelAxis: [
      ...names.map((name, dim) => ({ dim, name, type: "category", data: distinct(valid, name).map(String) })),
      { dim: names.length, name: valueName, nameLocation: large ? "end" : "start", type: "log", inverse: !large,
        axisLabel: countLabels(labels) },
    ],
    series: [{
      type: "parallel", smooth: 0.15, inactiveOpacity: 0.02, progressive: 500,
      data: shownLines(valid).map((e) => ({
        value: [...names.map((name) => String(valueOf(e, name))), shown(e)],
        lineStyle: lineStyle(e),
      })),
    }],
  };
}
