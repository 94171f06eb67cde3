// SPDX-License-Identifier: Apache-2.0
// The filter of the table. It is a list of words, all of which must hold: NAME=VALUE, NAME<NUMBER and so on with
// parameters and an evaluation's fields, or any part of the configuration, the outcome or the message. `time` is in
// milliseconds.
import { configurationText } from "../text.js";

const operators = {
  "=": (value, wanted) => String(value) === wanted || value === Number(wanted),
  "!=": (value, wanted) => String(value) !== wanted && value !== Number(wanted),
  "<": (value, wanted) => value < Number(wanted),
  ">": (value, wanted) => value > Number(wanted),
  "<=": (value, wanted) => value <= Number(wanted),
  ">=": (value, wanted) => value >= Number(wanted),
};

function fieldOf(evaluation, name) {
  if (name === "time") return evaluation.time_ns === undefined ? undefined : evaluation.time_ns * 1e-6;
  return Object.hasOwn(evaluation.configuration, name) ? evaluation.configuration[name] : evaluation[name];
}

function contains(evaluation, word) {
  const text = `${configurationText(evaluation.configuration)} ${evaluation.outcome} ${evaluation.message}`;
  return text.toLowerCase().includes(word.toLowerCase());
}

function term(word) {
  const parts = word.match(/^([A-Za-z_]\w*)(<=|>=|!=|=|<|>)(.+)$/);
  if (!parts) return (evaluation) => contains(evaluation, word);
  const [, name, operator, wanted] = parts;
  return (evaluation) => operators[operator](fieldOf(evaluation, name), wanted);
}

// The filter as a function of an evaluation.
export function matcher(text) {
  const terms = text.trim().split(/\s+/).filter(Boolean).map(term);
  return (evaluation) => terms.every((holds) => holds(evaluation));
}
