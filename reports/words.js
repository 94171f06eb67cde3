// SPDX-License-Identifier: Apache-2.0
// Words and numbers that the index and the pages of devices share. Text goes in as text, never as markup.
"use strict";

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function timeText(ns) {
  if (ns === undefined) return "";
  const [unit, name] = ns >= 1e9 ? [1e9, "s"] : ns >= 1e6 ? [1e6, "ms"] : ns >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return `${Number((ns / unit).toPrecision(4))} ${name}`;
}

// Rates are in GFLOP/s where the kernel's operations are known, else in GB/s of its least traffic.
const rateUnit = (problem) => (problem.flops ? "GFLOP/s" : problem.bytes ? "GB/s" : "");
const rate = (problem, ns) => (problem.flops || problem.bytes || 0) / ns;
const rateText = (problem, ns) => (rateUnit(problem) ? `${rate(problem, ns).toFixed(1)} ${rateUnit(problem)}` : "");

const configurationText = (configuration) =>
  Object.entries(configuration).map(([name, value]) => `${name}=${value}`).join(" ");
