// SPDX-License-Identifier: Apache-2.0
// The best configuration of the problem: its time, how it was measured and what it takes of the device.
import { byId, element, meter, report } from "../dom.js";
import { limits, ofLimitText, shareOfLimit } from "../limits.js";
import {
  bytesText, configurationText, energyText, intervalText, originText, rateText, timeText, workOf,
} from "../text.js";
import { metricNames, metricText } from "../objective.js";
import { bestsWithin, isSample, meaningOf, perWatt, state } from "./state.js";

function figure(problem, best) {
  const { name, text } = state.objective, rate = rateText(workOf(problem, best), best.time_ns);
  const shown = element("div", {}, name === "time"
    ? element("div", { className: "figure" }, timeText(best.time_ns), " ", element("small", { textContent: rate }))
    : element("div", { className: "figure" }, text(best), " ",
      element("small", { textContent: [timeText(best.time_ns), rate].filter(Boolean).join(", ") })));
  const work = workOf(problem, best), share = shareOfLimit(report.device, work, best.time_ns);
  if (share !== undefined) {
    shown.append(meter(share, "div", { className: "meter", title: "share of what the device could do at best" }),
      element("div", { className: "note",
        textContent: ofLimitText(share, limits(report.device, work)[0]) }));
  }
  return shown;
}

const chip = ([name, value]) =>
  element("span", { className: "chip", title: meaningOf(name) }, `${name} `, element("b", { textContent: String(value) }));

// Pairs of name and text; an empty text is left out.
function facts(best) {
  const efficiency = perWatt(best), error = energyText(best.energy_error_j);
  const { name, cost } = state.objective, middle = state.valid[Math.floor(state.valid.length / 2)];
  const comparable = state.valid.length > 2 && !isSample(state.problem) && Number.isFinite(cost(middle));
  const gain = comparable ? cost(middle) / cost(best) : undefined;
  return [
    ["95 % interval", intervalText(best.low_ns, best.high_ns)],
    ["energy per run", energyText(best.energy_j) + (error && ` ± ${error}`)],
    ["efficiency", efficiency === undefined ? "" : `${Number(efficiency.toPrecision(4))} GFLOP/s per watt`],
    ["throttled", best.throttled ? `${best.throttled} samples repeated` : ""],
    ["input seed", best.seed ?? ""],
    ["registers", best.registers ?? ""],
    ["spills", bytesText(best.spill_bytes)],
    ["shared memory", bytesText(best.shared_bytes)],
    ["occupancy", best.occupancy === undefined ? "" : `${(100 * best.occupancy).toFixed(0)} %`],
    ["largest error", best.error_ratio === undefined ? "" : `${Number(best.error_ratio.toPrecision(2))} of the tolerance`],
    ...metricNames(state.problem).filter((metric) => metric !== name).map((metric) => [metric, metricText(best, metric)]),
    [name === "time" ? "faster than the median" : "better than the median",
      gain === undefined ? "" : `${Number(gain.toFixed(2))}×`],
    ["measured", originText(best)],
  ].filter(([, text]) => text !== "");
}

// What is best here is so of all that was measured: what the answer is to those who asked for less.
export function withinText({ run, best }) {
  const within = `within ${run.limits}`;
  if (run.best === undefined) return `Sweep ${run.id} found nothing ${within}.`;
  if (best && best === state.best) return `This is also the best of sweep ${run.id}, ${within}.`;
  return `The best of sweep ${run.id}, ${within}, is ` + (best
    ? `another: ${state.objective.text(best)}, ${configurationText(best.configuration)}.` : "not on this page.");
}

const withinNotes = () =>
  bestsWithin().map((within) => element("p", { className: "note within", textContent: withinText(within) }));

export function showBest() {
  const { problem, best } = state;
  if (!best) {
    byId("best").replaceChildren(element("div", {},
      element("p", { className: "note", textContent: "No valid configuration yet." }), ...withinNotes()));
    return;
  }
  byId("best").replaceChildren(figure(problem, best), element("div", {},
    element("div", { className: "chips" }, ...Object.entries(best.configuration).map(chip)),
    element("div", { className: "details" }, ...facts(best).map(([name, text]) =>
      element("span", {}, `${name} `, element("b", { textContent: String(text) })))), ...withinNotes()));
}
