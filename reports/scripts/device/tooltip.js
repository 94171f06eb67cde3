// SPDX-License-Identifier: Apache-2.0
// What a chart shows of the evaluation under the pointer.
import { lines, report, strong } from "../dom.js";
import { limits, ofLimitText, shareOfLimit } from "../limits.js";
import { energyText, intervalText, rateText, timeText, workOf } from "../text.js";
import { metricNames, metricText } from "../objective.js";
import { perWatt, state } from "./state.js";

function energyLine(e) {
  const efficiency = perWatt(e);
  return [energyText(e.energy_j), efficiency === undefined ? "" : `${Number(efficiency.toPrecision(4))} GFLOP/s per watt`]
    .filter(Boolean).join(", ");
}

function content(e) {
  const parameters = state.problem.parameters.filter((name) => e.configuration[name] !== undefined)
    .map((name) => `${name} = ${e.configuration[name]}`);
  const work = workOf(state.problem, e), [binding] = limits(report.device, work);
  const facts = [
    binding ? ofLimitText(shareOfLimit(report.device, work, e.time_ns), binding) : "",
    intervalText(e.low_ns, e.high_ns),
    energyLine(e),
    ...metricNames(state.problem).map((name) =>
      name !== state.objective.name && metricText(e, name) && `${metricText(e, name)} ${name}`),
    e.throttled ? `${e.throttled} throttled samples repeated` : "",
  ].filter(Boolean);
  const time = `${timeText(e.time_ns)} ${rateText(work, e.time_ns)}`, { name, text } = state.objective;
  const first = name === "time" || !text(e) ? [strong(time)] : [strong(text(e)), time];
  return lines(...first, ...facts, ...parameters);
}

// The tooltip of a chart each of whose points has its `evaluation`.
export const tooltip = { trigger: "item", formatter: (point) => content(point.data.evaluation) };
