// SPDX-License-Identifier: Apache-2.0
// Parallel coordinates: a line for each configuration across its parameters and its time.
import { css, speedColour } from "../chart.js";
import { distinct, state, valueOf } from "./state.js";

const mostAxes = 14;
const mostLines = 3000; // beyond this nothing can be seen

// The fastest, and an even sample of the rest; the fastest last, on top of all others.
function shownLines(valid) {
  const step = Math.max(1, Math.ceil(valid.length / mostLines));
  return valid.filter((_, i) => i < mostLines / 2 || i % step === 0).reverse();
}

export function parallelOptions() {
  const { valid, varying, best } = state;
  const names = varying.slice(0, mostAxes);
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
        axisLabel: {
          color: css("--ink"), textBorderColor: css("--card"), textBorderWidth: 4, width: 72, overflow: "truncate",
        },
      },
    },
    parallelAxis: [
      ...names.map((name, dim) => ({ dim, name, type: "category", data: distinct(valid, name).map(String) })),
      { dim: names.length, name: "time (ms)", type: "log", inverse: true },
    ],
    series: [{
      type: "parallel", smooth: 0.15, inactiveOpacity: 0.02, progressive: 500,
      data: shownLines(valid).map((e) => ({
        value: [...names.map((name) => String(valueOf(e, name))), e.time_ns * 1e-6],
        lineStyle: lineStyle(e),
      })),
    }],
  };
}
