// SPDX-License-Identifier: Apache-2.0
// The best configurations by the objective, with confidence intervals where they are known.
import { axis, countLabels, css, whisker, xAxis } from "../chart.js";
import { lastFinals, state } from "./state.js";
import { tooltip } from "./tooltip.js";

const most = 20;

export function fastestNote() {
  const { interval } = state.objective;
  return state.valid.some((e) => interval(e)) ? "Bars are 95 % confidence intervals of the median. Where two overlap, a "
    + "single measurement cannot tell which is better." : "";
}

export function fastestOptions() {
  const finals = lastFinals();
  const results = new Map(finals ? finals.places.map((p) => [p.evaluation, p.result]) : []);
  const colour = (e) => css(e === state.best ? "--good" : e.throttled ? "--bad"
    : results.get(e.id) === "tied" ? "--accent" : "--soft");
  const { shown, interval, unit, cost } = state.objective;
  const rows = [state.best, ...state.valid.filter((e) => e !== state.best && Number.isFinite(cost(e)))].slice(0, most);
  const data = rows.map((e, i) => ({
    value: [i, shown(e), ...(interval(e) ?? [])],
    evaluation: e,
    itemStyle: { color: colour(e) },
  }));
  const renderItem = (_, api) => {
    if (Number.isNaN(api.value(2))) return undefined; // not known
    const [low, high] = [2, 3].map((i) => api.coord([api.value(0), api.value(i)]));
    const halfCap = Math.min(api.size([1, 0])[0] * 0.25, 10);
    return whisker(low, high, [halfCap, 0], { stroke: api.visual("color"), lineWidth: 2, fill: undefined });
  };
  return {
    grid: { left: 70, right: 20, top: 30, bottom: 46 },
    tooltip,
    xAxis: xAxis({ type: "category", data: rows.map((_, i) => String(i + 1)), name: "place" }),
    yAxis: axis({ type: "value", name: unit, scale: true, axisLabel: countLabels() }),
    series: [
      { type: "custom", renderItem, encode: { x: 0, y: [2, 3] }, data, clip: true },
      { type: "scatter", symbolSize: 8, encode: { x: 0, y: 1 }, data },
    ],
  };
}
