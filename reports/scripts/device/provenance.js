// SPDX-License-Identifier: Apache-2.0
// Where the results come from: device, software, conditions, sweeps and their spaces.
import { bodyRow, byId, element, fillTable, headRow, report } from "../dom.js";
import { state } from "./state.js";

const unique = (values) => [...new Set(values)];

function peakText({ peak_flops: flops, peak_bandwidth: bandwidth }) {
  if (!flops) return "";
  return `${(flops / 1e12).toFixed(1)} TFLOP/s fp32${bandwidth ? `, ${(bandwidth / 1e9).toFixed(0)} GB/s` : ""}`;
}

function seedText(evaluations) {
  const seeds = unique(evaluations.map((e) => e.seed).filter((seed) => seed !== undefined));
  return seeds.length > 3 ? `${seeds.slice(0, 3).join(", ")} and ${seeds.length - 3} more` : seeds.join(", ");
}

// Bits of throttle_reasons: see tuner/description/state.h. An idle device (bit 0) is not held back by anything.
const slowdowns = [
  [0x2, "clocks set by the user"], [0x4, "power cap"], [0x8, "hardware slowdown"], [0x10, "sync boost"],
  [0x20, "driver: heat"], [0x40, "hardware: heat"], [0x80, "power brake"], [0x100, "display"],
];

// What held the clocks down, and in how many of the evaluations that know; empty if none does.
export function slowdownText(evaluations) {
  const known = evaluations.filter((e) => e.throttle_reasons >= 0);
  if (!known.length) return "";
  const counts = slowdowns.map(([bit, name]) => [name, known.filter((e) => e.throttle_reasons & bit).length]);
  const found = counts.filter(([, count]) => count > 0).map(([name, count]) => `${name} (${count} of ${known.length})`);
  return found.join(", ") || "nothing";
}

const rangeText = (first, last, unit = "") => (first === undefined ? "" : `${first} – ${last}${unit}`);

// Pairs of name and value; what is not known is left out.
function facts() {
  const { problem, valid } = state, { device } = report, { evaluations } = problem;
  const clocks = valid.map((e) => e.sm_clock_mhz).filter((clock) => clock > 0).sort((a, b) => a - b);
  const dates = evaluations.map((e) => e.measured_at).sort();
  return [
    ["device", device.name],
    ["UUID", device.uuid],
    ["architecture", device.architecture],
    [device.kind === "cpu" ? "threads" : "multiprocessors", device.sm_count],
    ["driver", problem.driver],
    ["compiler", problem.compiler],
    ["kernel version", problem.template_hash],
    ["data", problem.data ?? ""],
    ["SM clock", rangeText(clocks[0], clocks[clocks.length - 1], " MHz")],
    ["clocks held down by", slowdownText(valid)],
    ["throttled samples repeated", valid.reduce((sum, e) => sum + (e.throttled || 0), 0) || ""],
    ["measured on", unique(evaluations.map((e) => e.uuid).filter(Boolean)).join(", ")],
    ["input seed", seedText(evaluations)],
    ["peak", peakText(device)],
    ["measured", rangeText(dates[0], dates[dates.length - 1])],
  ].filter(([, value]) => value !== undefined && value !== "");
}

function showFacts() {
  byId("provenance").tBodies[0].replaceChildren(...facts().map(([name, value]) => element("tr", {},
    element("th", { textContent: name, scope: "row" }), element("td", { textContent: String(value) }))));
}

const runColumns = [
  "id", "space", "strategy", "objective", "limits", "seed", "budget", "status", "started_at", "ended_at", "configurations",
  "reused", "host", "tune_version",
];

// Dates of sweeps are shown to the minute.
const runText = (value) => String(value ?? "").replace(/(T\d\d:\d\d):.*Z$/, "$1Z");

export function showProvenance() {
  const { runs, spaces } = state.problem;
  showFacts();
  const columns = runColumns.filter((name) => name !== "limits" || runs.some((run) => run.limits));
  fillTable("runs", headRow(columns.map((name) => name.replace("_", " "))),
    runs.map((run) => bodyRow(columns.map((name) => runText(run[name])))));
  byId("spaces").replaceChildren(...spaces.map((space) => element("details", {},
    element("summary", { textContent: `space ${space.name} (${space.hash})` }),
    element("pre", { textContent: space.text }))));
}
