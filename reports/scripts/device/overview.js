// SPDX-License-Identifier: Apache-2.0
// All problems of the device at a glance: the best time of each kernel and size, how near it comes to the limit, and what
// the ladder of its variants gained. A row leads to its problem.
import { bodyRow, byId, element, fillTable, headRow, report } from "../dom.js";
import { limits, limitText, shareOfLimit, shareText } from "../limits.js";
import { originText, problemRate, problemRateUnit, sizeText, timeText, workOf } from "../text.js";
import { objectiveOf } from "./objective.js";

// A narrow window shows the first four.
const headings = ["kernel", "size", "best time", "of limit", "limit", "rate", "measured"];
const classes = ["", "size", "number", "", "", "number", ""];

const bestOf = (problem) => problem.evaluations.find((e) => e.id === problem.best);

// The latest version of each kernel at each size, of several drivers and compilers the fastest.
export function overviewProblems(problems) {
  const shown = new Map();
  for (const problem of problems) {
    const best = bestOf(problem), key = JSON.stringify([problem.template, problem.size, problem.data]);
    const other = shown.get(key), { cost } = objectiveOf(problem);
    if (best && problem.latest && (!other || cost(best) < cost(bestOf(other)))) shown.set(key, problem);
  }
  return [...shown.values()];
}

function shareCell(share) {
  if (share === undefined) return "";
  const bar = element("i", {});
  bar.style.width = `${Math.min(100 * share, 100)}%`;
  return [element("span", { className: "meter small" }, bar), shareText(share)];
}

// Lines may break behind commas and underscores.
const breakable = (text) => text.split(/(?<=[,_])/).flatMap((part, i) => (i ? [element("wbr"), part] : [part]));

function overviewRow(problem, isFirst, pick) {
  const best = bestOf(problem), work = workOf(problem, best), [binding] = limits(report.device, work);
  const unit = problemRateUnit(problem);
  const size = element("button", { type: "button", onclick: () => pick(problem) }, ...breakable(sizeText(problem)));
  return bodyRow([
    isFirst ? breakable(problem.template) : "", size, timeText(best.time_ns),
    shareCell(shareOfLimit(report.device, work, best.time_ns)),
    binding ? limitText(binding) : "", unit ? `${problemRate(problem, best).toFixed(1)} ${unit}` : "", originText(best),
  ], classes);
}

// `pick` shows a problem. A device with a single problem needs no overview.
export function showOverview(pick) {
  const problems = overviewProblems(report.problems);
  byId("overview").hidden = problems.length < 2;
  fillTable("overview-table", headRow(headings, classes),
    problems.map((problem, i) => overviewRow(problem, problem.template !== problems[i - 1]?.template, pick)));
}
