// SPDX-License-Identifier: Apache-2.0
// The rungs of a ladder: the best configuration for each value of a parameter, or for each combination of values of
// several, from the simplest variant of the kernel to the tuned one.
import { winnerOf } from "../objective.js";
import { compareValues, meaningOf, state, valueMeanings, valueOf } from "./state.js";

const mostRungs = 24, fewValues = 4;

const isText = (name) => state.valid.some((e) => typeof e.configuration[name] === "string");
const count = (names) => new Set(state.valid.map((e) => JSON.stringify(names.map((name) => valueOf(e, name))))).size;

// The space of the last sweep that measured an evaluation, as a value; shipped rows come from none.
const spaces = () => new Map(state.problem.runs.map((run) => [run.id, run.space]));

// The parameter that a ladder takes unless told otherwise: one whose values are described, VARIANT, or any other with
// texts for values.
function mainParameter() {
  const { varying } = state;
  return varying.find((name) => valueMeanings(name).length) ?? varying.find((name) => name === "VARIANT")
    ?? varying.find(isText);
}

function findChoices() {
  const { varying, valid } = state, main = mainParameter();
  const others = varying.filter((name) => name !== main);
  const choices = main ? [[main], ...others.filter((name) => count([name]) <= fewValues).map((name) => [main, name])] : [];
  if (new Set(valid.map((e) => spaces().get(e.run))).size > 1) choices.push([]);
  choices.push(...others.map((name) => [name]));
  return choices.filter((names) => !names.length || (count(names) > 1 && count(names) <= mostRungs));
}

// The first place where a text names the value as a word of its own.
function mention(text, value) {
  const at = text.split(/(\W+)/).indexOf(value);
  return at < 0 ? undefined : at;
}

// The template's order of a parameter's values: those that it describes, then those that its description names. NaN:
// it says nothing of the value.
function placeOf(name, value) {
  const values = valueMeanings(name), described = values.findIndex((v) => v.value === value);
  return described >= 0 ? described : values.length + (mention(meaningOf(name), value) ?? NaN);
}

function compareRungs(names, a, b) {
  for (const [i, name] of names.entries()) {
    const [first, second] = [a.values[i], b.values[i]];
    if (first === second) continue;
    const [x, y] = [placeOf(name, first), placeOf(name, second)];
    if (x !== y && (!Number.isNaN(x) || !Number.isNaN(y))) return Number.isNaN(x) ? 1 : Number.isNaN(y) ? -1 : x - y;
    // texts that the template does not order: from slow to fast, or from bad to good
    const texts = typeof first === "string" && typeof second === "string";
    return texts ? compareCosts(a, b) : compareValues(first, second);
  }
  return compareCosts(a, b);
}

// From the worst rung to the best.
function compareCosts(a, b) {
  const [first, second] = [a.best, b.best].map(state.objective.cost);
  return first === second ? 0 : second - first;
}

// The cost that counts: what lost the finals is not better than their winner, however good a single measurement was.
function contestCost(e) {
  const { name, cost } = state.objective;
  const id = winnerOf(e, name), winner = id === undefined ? undefined : state.valid.find((other) => other.id === id);
  return winner ? Math.max(cost(e), cost(winner)) : cost(e);
}

const isBetter = (a, b) => b === undefined || contestCost(a) < contestCost(b);

// What the rungs may be: lists of names of parameters, the one to begin with first; an empty list stands for spaces.
let found = { problem: undefined, choices: [] };
export function ladderChoices() {
  if (found.problem !== state.problem) found = { problem: state.problem, choices: findChoices() };
  return found.choices;
}

// The rungs of the first choice; where there is none, one of all configurations.
export function mainRungs() {
  const [names] = ladderChoices();
  return names ? rungsOf(names) : [{ label: "", best: state.best, all: state.valid }];
}

// The rungs in order, { values, label, meaning, best, all, first, previous }: `first` and `previous` say how many times
// as good a rung is as the first one and the one before it, by time: as fast. Undefined where either has no value.
export function rungsOf(names) {
  const rungs = new Map(), spaceOf = spaces();
  for (const e of state.valid) {
    const values = names.length ? names.map((name) => valueOf(e, name)) : [spaceOf.get(e.run) ?? "no sweep"];
    const key = JSON.stringify(values);
    if (!rungs.has(key)) rungs.set(key, { values, label: values.join(", "), all: [] });
    const rung = rungs.get(key);
    rung.all.push(e);
    if (e === state.best || (rung.best !== state.best && isBetter(e, rung.best))) rung.best = e;
  }
  const ordered = [...rungs.values()].sort((a, b) => compareRungs(names, a, b));
  ordered.forEach((rung, i) => {
    rung.meaning = names.map((name, j) => valueMeanings(name).find((v) => v.value === rung.values[j])?.meaning)
      .filter(Boolean).join("; ");
    if (!i) return;
    const { cost } = state.objective, gain = (from) => cost(from.best) / cost(rung.best);
    rung.first = Number.isFinite(gain(ordered[0])) ? gain(ordered[0]) : undefined;
    rung.previous = Number.isFinite(gain(ordered[i - 1])) ? gain(ordered[i - 1]) : undefined;
  });
  return ordered;
}
