// SPDX-License-Identifier: Apache-2.0
// By what the configurations of a problem are compared: time, unless the template names another objective. Of a cost less
// is better; it is the value, or its reciprocal if that is to be large, and Infinity where there is none.
import { energyText, timeText } from "../text.js";

// The objects of a document may be damaged, and names of metrics are users' own.
const objectOf = (value) => (value && typeof value === "object" ? value : {});
export const own = (object, name) => (Object.hasOwn(objectOf(object), name) ? object[name] : undefined);
const finite = (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const number = (value) => (value === undefined ? "" : Math.abs(value) >= 1e6 ? value.toExponential(3)
  : String(Number(value.toPrecision(4))));

const builtIn = {
  energy: { value: (e) => e.energy_j, text: (e) => energyText(e.energy_j) },
  edp: { value: (e) => e.energy_j * e.time_ns * 1e-9, text: (e) => `${number(e.energy_j * e.time_ns * 1e-9)} J s` },
};

export const metricNames = (problem) => Object.keys(objectOf(problem.metrics));
export const metricOf = (e, name) => finite(own(e.metrics, name));
export const metricText = (e, name) => number(metricOf(e, name));

// { name, large, cost, text } of a problem; `large`: the larger the better.
export function objectiveOf(problem) {
  const name = problem.objective ?? "time", known = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  const sense = own(own(problem.metrics, name), "sense");
  if (!known && sense !== "maximize" && sense !== "minimize")
    return { name: "time", large: false, cost: (e) => e.time_ns, text: (e) => timeText(e.time_ns) };
  const large = sense === "maximize", value = known ? known.value : (e) => metricOf(e, name);
  const cost = (e) => (value(e) > 0 ? (large ? 1 / value(e) : value(e)) : Infinity);
  return { name, large, cost, text: known ? known.text : (e) => `${metricText(e, name)} ${name}` };
}
