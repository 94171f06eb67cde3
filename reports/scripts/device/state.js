// SPDX-License-Identifier: Apache-2.0
// The problem that the page shows (one kernel at one size, of one version), prepared for drawing.
import { workOf } from "../text.js";
import { bestBy, objectiveOf } from "../objective.js";

export const state = {
  problem: null, // as in the document
  valid: [],     // its valid evaluations, the best first
  varying: [],   // names of the parameters that have more than one value
  best: null,
  objective: null, // by what they are compared (objective.js)
};

// A configuration from a union of spaces may lack a parameter; charts show that as a value of its own.
export const absent = "–";
export const valueOf = (evaluation, name) => evaluation.configuration[name] ?? absent;

// Order of values: numbers by size, then the rest by name, then what is undefined.
export function compareValues(a, b) {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : 1;
}

export const distinct = (evaluations, name) =>
  [...new Set(evaluations.map((e) => valueOf(e, name)))].sort(compareValues);

// When a sweep tried the evaluation that stands at index i of its order, from 1, and how many it tried: of a sample the
// order has gaps.
export const placeIn = (run, i) => run.places?.[i] ?? i + 1;
export const triedIn = (run) => run.tried ?? run.order.length;

// By the objective of this name, if the problem has it.
export function choose(problem, objective) {
  state.problem = problem;
  state.objective = objectiveOf(problem, objective);
  const { cost } = state.objective, compare = (a, b) => (a === b ? 0 : a - b); // two infinite ones are equal
  state.valid = problem.evaluations.filter((e) => e.outcome === "ok")
    .sort((a, b) => compare(cost(a), cost(b)) || a.time_ns - b.time_ns);
  state.valid.forEach((e, i, all) => { e.rank = all.length > 1 ? i / (all.length - 1) : 0; });
  state.varying = problem.parameters.filter((name) =>
    new Set(problem.evaluations.map((e) => e.configuration[name])).size > 1);
  state.best = bestBy(problem, state.objective) || state.valid[0];
  const order = new Map(problem.runs.flatMap((run) => run.order.map((id, i) => [id, placeIn(run, i)])));
  problem.evaluations.forEach((e, i) => { e.order = order.get(e.id) ?? i + 1; });
}

// How much a parameter matters: the ratio of its values' best costs. 0 where some configurations lack it: another
// parameter stands for it there.
function effect(name) {
  const values = distinct(state.valid, name);
  if (values.length < 2 || values.includes(absent)) return 0;
  const bests = values.map((value) => state.valid.find((e) => valueOf(e, name) === value)).map(state.objective.cost);
  return Math.max(...bests) / Math.min(...bests);
}

// The varying parameters, those that matter most first.
export function byEffect() {
  const effects = new Map(state.varying.map((name) => [name, effect(name)]));
  return [...state.varying].sort((a, b) => effects.get(b) - effects.get(a));
}

// The finals by this objective that the best configuration won last, else the last ones, with their evaluations;
// undefined if no sweep had any. (A later sweep may have been of another space.)
export function lastFinals() {
  const runs = state.problem.runs.filter((r) => r.finals.length && (r.objective || "time") === state.objective.name);
  const run = runs.filter((r) => r.finals[0].evaluation === state.best?.id).pop() ?? runs.pop();
  if (!run) return undefined;
  const evaluations = new Map(state.problem.evaluations.map((e) => [e.id, e]));
  const places = run.finals.map((place) => ({ ...place, row: evaluations.get(place.evaluation) }));
  return { run, places: places.filter((place) => place.row) };
}

// The limits that sweeps by this objective had, each with the latest of these that found something within them, and its
// best evaluation: { run, best }. No `best`: the page lacks it, or if `run.best` is undefined nothing was found.
export function bestsWithin() {
  const latest = new Map(), evaluations = new Map(state.problem.evaluations.map((e) => [e.id, e]));
  for (const run of state.problem.runs)
    if (run.limits && (run.objective || "time") === state.objective.name &&
        (run.best !== undefined || latest.get(run.limits)?.best === undefined))
      latest.set(run.limits, run);
  return [...latest.values()].map((run) => ({ run, best: evaluations.get(run.best) }));
}

// What a limit kept from being measured did not fail.
export const isFailure = (outcome) => outcome !== "ok" && outcome !== "limit";

// Points of one value are spread by the golden ratio, from -0.3 to 0.3, so that they can be told apart and always lie
// the same way.
export const spread = (e) => ((e.id * 0.6180339887) % 1 - 0.5) * 0.6;

export const withEnergy = () => state.valid.filter((e) => e.energy_j > 0);

// GFLOP per joule, which is GFLOP/s per watt.
export function perWatt(e) {
  const { flops } = workOf(state.problem, e);
  return e.energy_j && flops ? flops / e.energy_j / 1e9 : undefined;
}

// Half the width of the confidence interval as a share of the time.
export const halfWidth = (e) =>
  (e.low_ns === undefined || e.high_ns === undefined || !e.time_ns ? undefined : (e.high_ns - e.low_ns) / 2 / e.time_ns);

// What the template says of a parameter and of its values; nothing if that is not known, or damaged.
const listed = (list) => (Array.isArray(list) ? list.filter(Boolean) : []);
const described = (name) => listed(state.problem.descriptions).find((parameter) => parameter.name === name);
export const meaningOf = (name) => String(described(name)?.meaning ?? "");
export const valueMeanings = (name) => listed(described(name)?.values);

// How many configurations the database has; of very many the report holds a sample (db/shown.h).
export const evaluationCount = (problem) => Object.values(problem.outcomes).reduce((sum, count) => sum + count, 0);
export const isSample = (problem) => problem.evaluations.length < evaluationCount(problem);
