// SPDX-License-Identifier: Apache-2.0
// Quantities as text. What is not known is undefined, and shown as nothing.
import { figures } from "./limits.js";

const significant = (value, digits) => Number(value.toPrecision(digits));

export function timeText(ns) {
  if (ns === undefined) return "";
  const [unit, name] = ns >= 1e9 ? [1e9, "s"] : ns >= 1e6 ? [1e6, "ms"] : ns >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return `${significant(ns / unit, 4)} ${name}`;
}

export const intervalText = (lowNs, highNs) =>
  (lowNs === undefined || highNs === undefined ? "" : `${timeText(lowNs)} – ${timeText(highNs)}`);

export function bytesText(bytes) {
  if (bytes === undefined) return "";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  while (bytes >= 1024 && i < units.length - 1) { bytes /= 1024; i++; }
  return `${Number(bytes.toFixed(1))} ${units[i]}`;
}

export function energyText(joules) {
  if (joules === undefined) return "";
  return joules >= 1 ? `${significant(joules, 4)} J` : `${significant(joules * 1e3, 4)} mJ`;
}

// What a sweep looked for.
export const questionText = ({ objective, limits }) => (objective || "time") + (limits ? ` within ${limits}` : "");

// A number of any size.
export const numberText = (value) => (value === undefined ? "" : Math.abs(value) >= 1e6 ? value.toExponential(3)
  : String(significant(value, 4)));

// The value of an objective: nanoseconds, joules, joule seconds, or what a template counts.
export function valueText(objective, value) {
  if (value === undefined) return "";
  const units = { time: timeText, energy: energyText, edp: (product) => `${numberText(product)} J s` };
  return Object.hasOwn(units, objective) ? units[objective](value) : `${numberText(value)} ${objective}`;
}

// A share of 1 in percent.
export const percentText = (share, digits = 2) => (share === undefined ? "" : `${significant(100 * share, digits)} %`);

// A rate or amount with three digits and the prefix that fits: "4.8 T"
export function countText(value) {
  if (!(value > 0)) return "0 ";
  const prefixes = ["", "k", "M", "G", "T", "P"];
  const step = Math.min(Math.max(Math.floor(Math.log10(significant(value, 3)) / 3), 0), prefixes.length - 1);
  return `${significant(value / 1000 ** step, 3)} ${prefixes[step]}`;
}

// How many times: two decimals up to ten, two digits where those say too little.
export function timesText(ratio) {
  if (ratio === undefined) return "";
  return `${ratio < 0.0995 ? significant(ratio, 2) : ratio < 9.995 ? ratio.toFixed(2) : significant(ratio, 3)}×`;
}

// What a configuration computes: its own work, or the problem's where all do the same.
export function workOf(problem, e) {
  const work = {};
  for (const { figure } of figures) {
    const amount = e[figure] ?? problem[figure];
    if (amount !== undefined) work[figure] = amount;
  }
  return work;
}

// Rates are GFLOP/s where the kernel's operations are known, else GB/s of its minimum traffic.
export const rateUnit = (work) => (work.flops ? "GFLOP/s" : work.bytes ? "GB/s" : "");
export const rate = (work, ns) => (work.flops || work.bytes || 0) / ns;
export const rateText = (work, ns) => (rateUnit(work) ? `${rate(work, ns).toFixed(1)} ${rateUnit(work)}` : "");

// One unit for all configurations of a problem, and a configuration's rate in it.
const knows = (problem, what) => problem[what] || (problem.evaluations ?? []).some((e) => e[what]);
const rateWork = (problem) => (knows(problem, "flops") ? "flops" : knows(problem, "bytes") ? "bytes" : "");
export const problemRateUnit = (problem) => rateUnit({ [rateWork(problem)]: 1 });
export const problemRate = (problem, e) => (workOf(problem, e)[rateWork(problem)] ?? 0) / e.time_ns;

// The size of a problem, and its data if they come from files.
export const sizeText = ({ size, data }) => [size, data].filter(Boolean).join(", ") || "one size";

// The day of a result, and where it comes from if it was not measured here.
export const originText = ({ measured_at: date, origin }) =>
  date.slice(0, 10) + (origin === "measured" ? "" : ` (${origin})`);

export const configurationText = (configuration) =>
  Object.entries(configuration).map(([name, value]) => `${name}=${value}`).join(" ");
