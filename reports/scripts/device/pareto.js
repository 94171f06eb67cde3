// SPDX-License-Identifier: Apache-2.0
// Energy over time, with the Pareto front of both.
import { axis, css, xAxis } from "../chart.js";
import { percentText } from "../text.js";
import { withEnergy } from "./state.js";
import { tooltip } from "./tooltip.js";

// The rows that no other beats in both time and energy, from the fastest to the one with the least energy.
export function paretoFront(rows) {
  const front = [];
  for (const row of [...rows].sort((a, b) => a.time_ns - b.time_ns || a.energy_j - b.energy_j))
    if (!front.length || row.energy_j < front[front.length - 1].energy_j) front.push(row);
  return front;
}

export function paretoNote(rows, sampled) {
  const front = paretoFront(rows), first = front[0], last = front[front.length - 1];
  if (front.length === 1) return "One configuration is both the fastest and the most frugal.";
  const all = `${rows.length} configurations${sampled ? " shown" : ""}`;
  return `The line is the Pareto front: ${front.length} of ${all}, which no other beats in both time and energy. From its `
    + `left end to its right, ${percentText(last.time_ns / first.time_ns - 1)} more time saves `
    + `${percentText(1 - last.energy_j / first.energy_j)} of the energy.`;
}

// A logarithmic axis shows little where all values lie within a decade or so.
const scaleOf = (values) => (Math.max(...values) > 20 * Math.min(...values) ? "log" : "value");

export function paretoOptions() {
  const rows = withEnergy();
  const point = (e) => ({ value: [e.time_ns * 1e-6, e.energy_j * 1e3], evaluation: e });
  const times = scaleOf(rows.map((e) => e.time_ns)), energies = scaleOf(rows.map((e) => e.energy_j));
  const front = { color: css("--good") };
  return {
    grid: { left: 70, right: 24, top: 34, bottom: 46 },
    tooltip,
    xAxis: xAxis({ type: times, scale: true, name: "time (ms)", splitLine: { show: false } }),
    yAxis: axis({ type: energies, scale: true, name: "energy (mJ)" }),
    series: [
      { type: "scatter", data: rows.map(point), symbolSize: 6, itemStyle: { color: css("--soft"), opacity: 0.5 } },
      { type: "line", data: paretoFront(rows).map(point), symbol: "circle", symbolSize: 9, z: 4,
        lineStyle: { width: 2.5, ...front }, itemStyle: front },
    ],
  };
}
