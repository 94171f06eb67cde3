// SPDX-License-Identifier: Apache-2.0
// Quantities as text. What is not known is undefined, and shown as nothing.

const significant = (value, digits) => Number(value.toPrecision(digits));

// For the tooltips of charts, which are markup.
export const escapeText = (value) => String(value).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

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

// A share of 1 in percent.
export const percentText = (share, digits = 2) => (share === undefined ? "" : `${significant(100 * share, digits)} %`);

// Rates are GFLOP/s where the kernel's operations are known, else GB/s of its minimum traffic.
export const rateUnit = (problem) => (problem.flops ? "GFLOP/s" : problem.bytes ? "GB/s" : "");
export const rate = (problem, ns) => (problem.flops || problem.bytes || 0) / ns;
export const rateText = (problem, ns) =>
  (rateUnit(problem) ? `${rate(problem, ns).toFixed(1)} ${rateUnit(problem)}` : "");

// The day of a result, and where it comes from if it was not measured here.
export const originText = ({ measured_at: date, origin }) =>
  date.slice(0, 10) + (origin === "measured" ? "" : ` (${origin})`);

export const configurationText = (configuration) =>
  Object.entries(configuration).map(([name, value]) => `${name}=${value}`).join(" ");
