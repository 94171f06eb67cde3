// SPDX-License-Identifier: Apache-2.0
// One objective over another, with the Pareto front: those of the last sweep by several, else energy over time.
import { axis, css, xAxis } from "../chart.js";
import { objectiveOf, objectivesOf, winnerOf } from "../objective.js";
import { percentText } from "../text.js";
import { state } from "./state.js";
import { tooltip } from "./tooltip.js";

// What a front is of: `list` is the name by which finals know the objectives together, if there were any.
export function paretoOf(problem) {
  const lists = problem.runs.map((run) => run.objective).filter((list) => objectivesOf(problem, list).length > 1);
  const list = lists.pop();
  const objectives = list ? objectivesOf(problem, list) : ["time", "energy"].map((name) => objectiveOf(problem, name));
  return { list, objectives };
}

// The rows with a value of each objective.
export const paretoRows = (rows, { objectives }) =>
  rows.filter((e) => objectives.every(({ cost }) => Number.isFinite(cost(e))));

// The rows that no other beats, from the best by the first objective on. What finals by all of them decided holds.
export function paretoFront(rows, { list, objectives }) {
  const costs = new Map(rows.map((e) => [e, objectives.map(({ cost }) => cost(e))])), front = [];
  const compare = (a, b) => costs.get(a).map((cost, i) => cost - costs.get(b)[i]).find((difference) => difference) ?? 0;
  for (const row of rows.filter((e) => !list || winnerOf(e, list) === undefined).sort(compare))
    if (!front.some((other) => costs.get(other).every((cost, i) => cost <= costs.get(row)[i]))) front.push(row);
  return front;
}

export function paretoTitle({ objectives }) {
  const names = objectives.map(({ name }) => name);
  const title = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return title[0].toUpperCase() + title.slice(1);
}

export function paretoNote(rows, pareto, sampled) {
  const { objectives } = pareto, front = paretoFront(rows, pareto), first = front[0], last = front[front.length - 1];
  const byTimeAndEnergy = objectives.length === 2 && objectives[0].name === "time" && objectives[1].name === "energy";
  if (front.length === 1)
    return `One configuration is ${byTimeAndEnergy ? "both the fastest and the most frugal" : "the best by all of them"}.`;
  const all = `${rows.length} configurations${sampled ? " shown" : ""}`;
  const shape = objectives.length === 2 ? "The line is the Pareto front" : "The large points are the Pareto front by all";
  const beaten = byTimeAndEnergy ? "in both time and energy" : "by one objective without being worse by another";
  const found = `${shape}: ${front.length} of ${all}, which no other beats ${beaten}.`;
  if (!byTimeAndEnergy) return found;
  return `${found} From its left end to its right, ${percentText(last.time_ns / first.time_ns - 1)} more time saves `
    + `${percentText(1 - last.energy_j / first.energy_j)} of the energy.`;
}

// A logarithmic axis shows little where all values lie within a decade or so.
const scaleOf = (values) => (Math.max(...values) > 20 * Math.min(...values) ? "log" : "value");

export function paretoOptions() {
  const pareto = paretoOf(state.problem), [x, y] = pareto.objectives, rows = paretoRows(state.valid, pareto);
  const point = (e) => ({ value: [x.shown(e), y.shown(e)], evaluation: e });
  const named = ({ name, unit }) => (unit === name ? name : `${name} (${unit})`);
  const front = { color: css("--good") }, line = pareto.objectives.length === 2 ? "line" : "scatter";
  return {
    grid: { left: 70, right: 24, top: 34, bottom: 46 },
    tooltip,
    xAxis: xAxis({ type: scaleOf(rows.map(x.shown)), scale: true, name: named(x), splitLine: { show: false } }),
    yAxis: axis({ type: scaleOf(rows.map(y.shown)), scale: true, name: named(y) }),
    series: [
      { type: "scatter", data: rows.map(point), symbolSize: 6, itemStyle: { color: css("--soft"), opacity: 0.5 } },
      { type: line, data: paretoFront(rows, pareto).map(point), symbol: "circle", symbolSize: 9, z: 4,
        lineStyle: { width: 2.5, ...front }, itemStyle: front },
    ],
  };
}
