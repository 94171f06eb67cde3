// SPDX-License-Identifier: Apache-2.0
// By what the configurations of a problem are compared: time, energy, their product, or what the template defines. Of a
// cost less is better; it is the value, or its reciprocal if that is to be large, and Infinity where there is none.
import { numberText, valueText } from "./text.js";

// The objects of a document may be damaged, and names of metrics are users' own.
const objectOf = (value) => (value && typeof value === "object" ? value : {});
export const own = (object, name) => (Object.hasOwn(objectOf(object), name) ? object[name] : undefined);
const finite = (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);

export const metricNames = (problem) => Object.keys(objectOf(problem.metrics));
export const metricOf = (e, name) => finite(own(e.metrics, name));
export const metricText = (e, name) => numberText(metricOf(e, name));

// The ends of the 95 % interval of the energy; undefined where it is not known.
const energies = ({ energy_j: energy, energy_error_j: error }) =>
  (energy > 0 && error !== undefined ? [Math.max(energy - error, 0), energy + error] : undefined);
const times = ({ low_ns: low, high_ns: high }) => (low !== undefined && high !== undefined ? [low, high] : undefined);
const products = (e) => times(e) && energies(e)?.map((energy, i) => energy * times(e)[i] * 1e-9);

const productOf = (e) => (e.energy_j > 0 ? e.energy_j * e.time_ns * 1e-9 : undefined);

// Charts show multiples of `unit`. The intervals of metrics are not known: their values may depend on anything.
const builtIn = {
  time: { value: (e) => e.time_ns, unit: "ms", scale: 1e-6, interval: times },
  energy: { value: (e) => e.energy_j, unit: "mJ", scale: 1e3, interval: energies },
  edp: { value: productOf, unit: "J s", scale: 1, interval: products },
};

const senseOf = (problem, name) => own(own(problem.metrics, name), "sense");
const isBuiltIn = (name) => Object.hasOwn(builtIn, name);
const isDefined = (problem, name) => isBuiltIn(name) || ["maximize", "minimize"].includes(senseOf(problem, name));

// The objective with this name; without one, or if there is none of this name, the problem's own, else time.
//   large    the larger the better
//   value, cost, text    of an evaluation; the value is undefined where there is none
//   textOf   of a value
//   shown, interval      the value and the ends of its interval (or undefined), in units of charts
export function objectiveOf(problem, wanted) {
  const name = [wanted, problem.objective].find((one) => one && isDefined(problem, one)) ?? "time";
  const { value, unit, scale, interval } = isBuiltIn(name) ? builtIn[name]
    : { value: (e) => metricOf(e, name), unit: name, scale: 1, interval: () => undefined };
  const large = !isBuiltIn(name) && senseOf(problem, name) === "maximize";
  return {
    name, large, unit, scale, value,
    cost: (e) => (value(e) > 0 ? (large ? 1 / value(e) : value(e)) : Infinity),
    text: (e) => valueText(name, value(e)),
    textOf: (one) => valueText(name, one),
    shown: (e) => value(e) * scale,
    interval: (e) => interval(e)?.map((end) => end * scale),
  };
}

// Those of a list, "time,energy"; none if it is the name of one, or names what there is not.
export function objectivesOf(problem, list) {
  const names = String(list ?? "").split(",");
  const several = !isDefined(problem, list) && names.every((name) => isDefined(problem, name));
  return several ? names.map((name) => objectiveOf(problem, name)) : [];
}

const validOf = (problem) => problem.evaluations.filter((e) => e.outcome === "ok");

// The names of the objectives that some evaluation has a value of, the problem's own first.
export function objectiveNames(problem) {
  const first = objectiveOf(problem).name, valid = validOf(problem);
  const defined = metricNames(problem).filter((name) => isDefined(problem, name) && !isBuiltIn(name));
  return [first, ...[...Object.keys(builtIn), ...defined].filter((name) => name !== first)].filter((name) => {
    const { cost } = objectiveOf(problem, name);
    return valid.some((e) => Number.isFinite(cost(e)));
  });
}

// The winner of the finals that an evaluation lost or tied by an objective, by its number; undefined: it did not.
export const winnerOf = (e, name) => own(e.lost, name);

// The best evaluation: what lost finals is not, however good a single measurement was. Undefined where none has a value.
export function bestBy(problem, { name, cost }) {
  let best;
  for (const e of validOf(problem))
    if (winnerOf(e, name) === undefined && Number.isFinite(cost(e)) && (!best || cost(e) < cost(best))) best = e;
  return best;
}
