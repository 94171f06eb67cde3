// SPDX-License-Identifier: Apache-2.0
// The progress of a sweep: each configuration as it was tried, and the best so far.
import { axis, countLabels, css, xAxis } from "../chart.js";
import { byId } from "../dom.js";
import { placeIn, state, triedIn } from "./state.js";
import { tooltip } from "./tooltip.js";

// The points that were tried, and the steps of the best so far up to the end of the sweep.
function traced(run, evaluations) {
  const tried = [], steps = [], { cost, shown } = state.objective;
  run.order.forEach((id, i) => {
    const e = evaluations.get(id);
    if (!e || e.outcome !== "ok") return;
    if (!Number.isFinite(cost(e))) return;
    const point = { value: [placeIn(run, i), shown(e)], evaluation: e };
    tried.push(point);
    if (!steps.length || cost(e) < cost(steps[steps.length - 1].evaluation)) steps.push(point);
  });
  const last = steps[steps.length - 1];
  if (last) steps.push({ ...last, value: [triedIn(run), last.value[1]], symbol: "none" });
  return { tried, steps };
}

export function progressOptions() {
  const { problem } = state;
  const run = problem.runs.find((r) => String(r.id) === byId("progress-run").value);
  const evaluations = new Map(problem.evaluations.map((e) => [e.id, e]));
  const { tried, steps } = traced(run ?? { order: [] }, evaluations);
  const best = { color: css("--good") };
  return {
    grid: { left: 64, right: 20, top: 30, bottom: 46 },
    tooltip,
    xAxis: xAxis({
      type: "value", min: 0, max: Math.max(run ? triedIn(run) : 0, 1), name: "configurations tried",
      splitLine: { show: false },
    }),
    yAxis: axis({ type: "log", name: state.objective.unit, axisLabel: countLabels() }),
    series: [
      { type: "scatter", data: tried, symbolSize: 4, itemStyle: { color: css("--soft"), opacity: 0.35 } },
      { type: "line", step: "end", data: steps, symbolSize: 8, lineStyle: { width: 2.5, ...best }, itemStyle: best },
    ],
  };
}
