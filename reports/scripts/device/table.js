// SPDX-License-Identifier: Apache-2.0
// The table of all configurations: sorted by any column, filtered, and shown a part at a time.
import { bodyRow, byId, element, fillTable, headRow } from "../dom.js";
import { energyText, percentText, problemRate, problemRateUnit, timeText } from "../text.js";
import { matcher } from "./filter.js";
import { metricNames, metricOf, metricText } from "../objective.js";
import { compareValues, evaluationCount, halfWidth, isFailure, isSample, perWatt, state, withEnergy } from "./state.js";

const firstRows = 200, furtherRows = 500;
let shownRows = firstRows;
let sort; // undefined: the best first

// A column: its values `get` sort it, its texts `show` fill it.
const numeric = (key, name, get, show) => ({ key, name, className: "number", get, show });
const plain = (key, name, field) => numeric(key, name, (e) => e[field], (e) => e[field] ?? "");

function energyColumns() {
  if (!withEnergy().length) return [];
  const efficiencyText = (e) => (perWatt(e) === undefined ? "" : Number(perWatt(e).toPrecision(3)));
  const { name, value, text } = state.objective;
  return [
    numeric("energy_j", "energy", (e) => e.energy_j, (e) => energyText(e.energy_j)),
    ...(name === "edp" ? [numeric("edp", "edp", value, text)] : []),
    numeric("per_watt", "GFLOP/s per W", perWatt, efficiencyText),
  ];
}

function throttledColumn() {
  if (!state.valid.some((e) => e.throttled)) return [];
  return [numeric("throttled", "throttled", (e) => e.throttled, (e) => (e.throttled ? `${e.throttled} repeated` : ""))];
}

const metricColumns = () => metricNames(state.problem).map((name) =>
  numeric(`metric ${name}`, name, (e) => metricOf(e, name), (e) => metricText(e, name)));

// What a table shows until another order is asked for.
function ownSort() {
  const { name, large } = state.objective;
  return { key: { time: "time", energy: "energy_j", edp: "edp" }[name] ?? `metric ${name}`, ascending: !large };
}

function columns() {
  const unit = problemRateUnit(state.problem);
  const rateOf = (e) => (e.time_ns ? problemRate(state.problem, e) : undefined);
  return [
    numeric("time", "time", (e) => e.time_ns, (e) => timeText(e.time_ns)),
    numeric("interval", "± 95 %", halfWidth, (e) => percentText(halfWidth(e))),
    numeric("rate", unit || "rate", rateOf, (e) => (e.time_ns && unit ? rateOf(e).toFixed(1) : "")),
    ...metricColumns(),
    ...energyColumns(),
    ...throttledColumn(),
    ...state.varying.map((name) =>
      numeric(`parameter ${name}`, name, (e) => e.configuration[name], (e) => e.configuration[name] ?? "")),
    plain("registers", "regs", "registers"),
    plain("spill_bytes", "spill", "spill_bytes"),
    plain("shared_bytes", "shared", "shared_bytes"),
    numeric("occupancy", "occup.", (e) => e.occupancy,
      (e) => (e.occupancy === undefined ? "" : `${(100 * e.occupancy).toFixed(0)} %`)),
    { key: "outcome", name: "outcome", className: "", get: (e) => e.outcome, show: (e) => e.outcome },
    { key: "message", name: "message", className: "message", get: (e) => e.message, show: (e) => e.message.split("\n")[0] },
  ];
}

function sortBy(key) {
  const now = sort ?? ownSort();
  sort = { key, ascending: now.key === key ? !now.ascending : true };
  showTable();
}

function head(shape, sorting) {
  const row = headRow(shape.map((column) =>
    element("button", { type: "button", textContent: column.name, onclick: () => sortBy(column.key) })),
  shape.map((column) => (column.className === "number" ? "number" : "")));
  row.children[shape.indexOf(sorting)].ariaSort = (sort ?? ownSort()).ascending ? "ascending" : "descending";
  return row;
}

function body(shape, e) {
  const classes = shape.map((column) => (column.key === "outcome" && isFailure(e.outcome) ? "bad" : column.className));
  return bodyRow(shape.map((column) => String(column.show(e))), classes, e === state.best ? "winner" : "");
}

// Rows without a value stay last in either direction.
function compareRows(a, b) {
  if (a === undefined || b === undefined) return compareValues(a, b);
  return (sort ?? ownSort()).ascending ? compareValues(a, b) : compareValues(b, a);
}

export function showTable() {
  const shape = columns();
  const sorting = shape.find((column) => column.key === (sort ?? ownSort()).key) || shape[0];
  const rows = state.problem.evaluations.filter(matcher(byId("filter").value))
    .sort((a, b) => compareRows(sorting.get(a), sorting.get(b)));
  fillTable("configurations", head(shape, sorting), rows.slice(0, shownRows).map((e) => body(shape, e)));
  const { evaluations } = state.problem, all = evaluationCount(state.problem);
  byId("filter-count").textContent = `${rows.length} of ${evaluations.length}`
    + (isSample(state.problem) ? ` that are shown; the database has all ${all}` : "");
  byId("more").hidden = rows.length <= shownRows;
}

// The best first again.
export function sortByObjective() {
  sort = undefined;
}

export function showFirstRows() {
  shownRows = firstRows;
  showTable();
}

export function showMoreRows() {
  shownRows += furtherRows;
  showTable();
}
