// SPDX-License-Identifier: Apache-2.0
// The best value of the objective for each pair of values of two parameters.
import { axis, css, labelText, speeds, xAxis } from "../chart.js";
import { byId } from "../dom.js";
import { distinct, state, valueOf } from "./state.js";
import { tooltip } from "./tooltip.js";

// Cells on a scale of the decimal logarithms of costs.
const valueOfCost = (cost) => (state.objective.large ? 1 / cost : cost);
const shortOfCost = (cost) => labelText(Number((valueOfCost(cost) * state.objective.scale).toPrecision(3)));
const textOfCost = (cost) => (state.objective.unit === state.objective.name ? shortOfCost(cost)
  : state.objective.textOf(Number(valueOfCost(cost).toPrecision(3))));

function bestCells(across, xs, down, ys) {
  const cells = new Map();
  for (const e of state.valid) { // best first: the first of a cell is its best
    if (!Number.isFinite(state.objective.cost(e))) continue;
    const [x, y] = [xs.indexOf(valueOf(e, across)), ys.indexOf(valueOf(e, down))];
    const key = x * ys.length + y;
    if (!cells.has(key)) cells.set(key, { value: [x, y, Math.log10(state.objective.cost(e))], evaluation: e });
  }
  return [...cells.values()];
}

export function heatmapOptions() {
  const [across, down] = [byId("heat-x").value, byId("heat-y").value];
  const [xs, ys] = [distinct(state.valid, across), distinct(state.valid, down)];
  const data = bestCells(across, xs, down, ys);
  const times = data.map((cell) => cell.value[2]);
  return {
    grid: { left: 70, right: 16, top: 10, bottom: 100 },
    tooltip,
    xAxis: xAxis({ type: "category", data: xs.map(String), name: across, nameGap: 26, splitArea: { show: false } }),
    yAxis: axis({ type: "category", data: ys.map(String), name: down, nameLocation: "middle", nameGap: 48 }),
    visualMap: {
      min: Math.min(...times), max: Math.max(...times) + 1e-9, calculable: true, itemWidth: 12, itemHeight: 160,
      orient: "horizontal", left: "center", bottom: 0, textStyle: { color: css("--soft") },
      inRange: { color: speeds() }, formatter: (value) => textOfCost(10 ** value),
    },
    series: [{
      type: "heatmap", data, itemStyle: { borderColor: css("--card"), borderWidth: 2, borderRadius: 4 },
      label: {
        show: data.length <= 80, color: "#111", fontSize: 11,
        formatter: (cell) => shortOfCost(10 ** cell.value[2]),
      },
    }],
  };
}
