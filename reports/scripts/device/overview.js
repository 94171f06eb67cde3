// SPDX-License-Identifier: Apache-2.0
// All problems of the device at a glance: the best of each kernel and size, and how near it comes to the limit. A row
// leads to its problem.
import { bodyRow, breakable, byId, element, fillTable, headRow, meter, report } from "../dom.js";
import { limits, limitText, shareOfLimit, shareText } from "../limits.js";
import { originText, problemRate, problemRateUnit, sizeText, workOf } from "../text.js";
import { bestBy, objectiveNames, objectiveOf } from "../objective.js";

// A narrow window shows the first four.
const headings = (byTime) => ["kernel", "size", byTime ? "best time" : "best", "of limit", "limit", "rate", "measured"];
const classes = ["", "size", "number", "", "", "number", ""];

// The latest version of each kernel at each size, of several drivers and compilers the best one, each { problem,
// objective, best }: by the objective of this name where the problem has values of it, else by the problem's own.
export function overviewProblems(problems, wanted) {
  const shown = new Map();
  for (const problem of problems) {
    const names = objectiveNames(problem), objective = objectiveOf(problem, names.includes(wanted) ? wanted : names[0]);
    const best = bestBy(problem, objective), { cost } = objective;
    const key = JSON.stringify([problem.template, problem.size, problem.data]), other = shown.get(key);
    if (best && problem.latest && (!other || cost(best) < cost(other.best))) shown.set(key, { problem, objective, best });
  }
  return [...shown.values()];
}

function overviewRow({ problem, objective, best }, isFirst, pick) {
  const work = workOf(problem, best), [binding] = limits(report.device, work);
  const unit = problemRateUnit(problem), share = shareOfLimit(report.device, work, best.time_ns);
  const size = element("button", { type: "button", onclick: () => pick(problem) }, ...breakable(sizeText(problem)));
  return bodyRow([
    isFirst ? breakable(problem.template) : "", size, objective.text(best),
    share === undefined ? "" : [meter(share), shareText(share)],
    binding ? limitText(binding) : "", unit ? `${problemRate(problem, best).toFixed(1)} ${unit}` : "", originText(best),
  ], classes);
}

// By the objective of this name; `pick` shows a problem. A device with a single problem needs no overview.
export function showOverview(wanted, pick) {
  const rows = overviewProblems(report.problems, wanted);
  byId("overview").hidden = rows.length < 2;
  fillTable("overview-table", headRow(headings(rows.every(({ objective }) => objective.name === "time")), classes),
    rows.map((row, i) => overviewRow(row, row.problem.template !== rows[i - 1]?.problem.template, pick)));
}
