// SPDX-License-Identifier: Apache-2.0
// A device's page: what it shows of the problem that is picked, and its controls.
import { dark, draw, resizeAll } from "../chart.js";
import { byId, fillSelect, report } from "../dom.js";
import { objectiveNames } from "../objective.js";
import { bytesText } from "../text.js";
import { showBest } from "./best.js";
import { drawDispatch, fillDispatch, pickDispatch, showDispatch } from "./dispatch.js";
import { showFailures } from "./failures.js";
import { fastestNote, fastestOptions } from "./fastest.js";
import { showFinals } from "./finals.js";
import { heatmapOptions } from "./heatmap.js";
import { fillLadder, showLadder } from "./ladder.js";
import { showOverview } from "./overview.js";
import { parallelOptions } from "./parallel.js";
import { paretoNote, paretoOf, paretoOptions, paretoRows, paretoTitle } from "./pareto.js";
import { progressOptions } from "./progress.js";
import { showProvenance } from "./provenance.js";
import { canDrawRoofline, fillRoofline, rooflineOptions } from "./roofline.js";
import { scatterChoices, scatterOptions } from "./scatter.js";
import { byEffect, choose, evaluationCount, isSample, state } from "./state.js";
import { showFirstRows, showMoreRows, sortByObjective } from "./table.js";

// The charts, each with what it needs; a chart that lacks it is hidden with its part of the page.
const charts = {
  "chart-roofline": { options: rooflineOptions, possible: canDrawRoofline },
  "chart-fastest": { options: fastestOptions, possible: () => state.valid.length > 1 },
  "chart-pareto": { options: paretoOptions, possible: () => paretoRows(state.valid, paretoOf(state.problem)).length > 1 },
  "chart-scatter": { options: scatterOptions, possible: () => state.valid.length > 0 },
  "chart-parallel": { options: parallelOptions, possible: () => state.valid.length > 0 && state.varying.length > 0 },
  "chart-heat": { options: heatmapOptions, possible: () => state.valid.length > 0 && state.varying.length > 1 },
  "chart-progress": { options: progressOptions, possible: () => state.valid.length > 0 && state.problem.runs.length > 0 },
};

const redraw = (id) => draw(id, charts[id].options());

function drawAll() {
  for (const [id, { possible }] of Object.entries(charts)) {
    const section = byId(id).closest("section");
    section.hidden = !possible();
    if (!section.hidden) redraw(id);
  }
  drawDispatch();
  showLadder();
  showFailures();
}

// The parameters to choose from, to begin with those that matter most.
function fillControls() {
  const { problem, varying } = state, [first, second] = byEffect();
  const parameters = varying.map((name) => [name, name]);
  const runs = problem.runs.map((run) =>
    [String(run.id), `${run.id}: ${run.space}, ${run.strategy}, ${run.started_at.slice(0, 16)}`
      + (run.limits ? `, within ${run.limits}` : "")]);
  fillSelect("scatter-x", [["", "order tried"], ...parameters], first ?? "");
  fillSelect("scatter-colour", [["", "none"], ...parameters], second ?? "");
  fillSelect("scatter-y", scatterChoices());
  fillSelect("heat-x", parameters, first);
  fillSelect("heat-y", parameters, second ?? first);
  fillSelect("progress-run", runs, runs.length ? runs[runs.length - 1][0] : undefined);
}

// The objective that was asked for last; a problem that lacks it is shown by its own.
let wanted;

function fillObjectives(problem) {
  const names = objectiveNames(problem);
  byId("pick-objective").closest("label").hidden = names.length < 2;
  fillSelect("pick-objective", names.map((name) => [name, name]), names.includes(wanted) ? wanted : names[0]);
}

// What is said of the objective beside the charts.
function nameObjective({ name }) {
  byId("fastest-title").textContent = name === "time" ? "Fastest configurations" : `Best configurations by ${name}`;
  byId("fastest-note").textContent = fastestNote();
  const [title, shape] = name === "edp" ? ["EDP", ""] : [name[0].toUpperCase(), name.slice(1)];
  byId("scatter-title").textContent = `${title}${shape} by parameter`;
  const labels = {
    "chart-fastest": `The best configurations by ${name}, with confidence intervals where they are known`,
    "chart-scatter": `The ${name} of every valid configuration`,
    "chart-parallel": `Parameters and ${name} of every configuration in parallel coordinates`,
    "chart-heat": `The best ${name} for each pair of values`,
    "chart-progress": `The best ${name} so far in the course of the sweep`,
  };
  for (const [id, label] of Object.entries(labels)) byId(id).ariaLabel = label;
}

// What the page holds of a problem with very many configurations. db/shown.h
function leftOut(problem) {
  const { length: shown } = problem.evaluations, all = evaluationCount(problem);
  if (!isSample(problem)) return "";
  return `${shown} of the ${all} configurations that were tried are on this page: the best by each objective, the `
    + "finalists, each sweep's improvements, the best of each value of a parameter and of most pairs of those that "
    + "matter, one of each kind of failure, and an even sample of the others. Outcomes are counted over all; the "
    + "database has the rest.";
}

function sayPareto(problem) {
  const pareto = paretoOf(problem), rows = paretoRows(state.valid, pareto), title = paretoTitle(pareto);
  byId("pareto-title").textContent = title;
  byId("chart-pareto").ariaLabel = `${title} of every configuration, with the Pareto front`;
  byId("pareto-note").textContent = rows.length ? paretoNote(rows, pareto, isSample(problem)) : "";
}

function showProblem() {
  const problem = report.problems.find((p) => String(p.id) === byId("pick-version").value) || report.problems[0];
  fillObjectives(problem);
  choose(problem, byId("pick-objective").value);
  fillControls();
  sayPareto(problem);
  fillDispatch();
  fillLadder();
  fillRoofline();
  nameObjective(state.objective);
  byId("left-out").textContent = leftOut(problem);
  showBest();
  showDispatch();
  showFinals();
  drawAll();
  showFirstRows();
  showProvenance();
}

// The versions of a kernel at a size, to begin with `chosen` or else the latest.
function fillVersions(chosen) {
  const [template, size] = [byId("pick-template").value, byId("pick-size").value];
  const found = report.problems.filter((p) => p.template === template && p.size === size);
  const nameOf = (p) => [p.template_hash.slice(0, 8), p.driver, p.compiler, p.data].filter(Boolean).join(", ") +
    (p.latest ? "" : " (older)");
  fillSelect("pick-version", found.map((p) => [String(p.id), nameOf(p)]),
    String((chosen ?? found.find((p) => p.latest) ?? found[0]).id));
}

// The sizes of a kernel, to begin with that of `chosen` or else the one that has the most configurations.
function fillSizes(chosen) {
  const found = report.problems.filter((p) => p.template === byId("pick-template").value);
  const most = found.reduce((a, b) => (evaluationCount(b) > evaluationCount(a) ? b : a), found[0]);
  fillSelect("pick-size", [...new Set(found.map((p) => p.size))].map((size) => [size, size]), (chosen ?? most).size);
  fillVersions(chosen);
}

function pickVersions() {
  fillVersions();
  showProblem();
}

function pickSizes() {
  fillSizes();
  showProblem();
}

// Show a problem of the overview, where the pickers are.
function pickProblem(problem) {
  byId("pick-template").value = problem.template;
  fillSizes(problem);
  showProblem();
  byId("pick-template").scrollIntoView({ block: "start" });
}

function showDevice({ device, tune_version: version, generated_at: date }) {
  byId("device-name").textContent = device.name;
  byId("device-facts").textContent = [
    device.architecture,
    device.sm_count && `${device.sm_count} ${device.kind === "cpu" ? "threads" : "multiprocessors"}`,
    device.memory_bytes && bytesText(device.memory_bytes),
    device.clock_khz && `${(device.clock_khz / 1e3).toFixed(0)} MHz`,
    ...device.drivers.slice(0, 1),
    ...device.compilers.slice(0, 1),
  ].filter(Boolean).join(" · ");
  byId("footer").textContent = `tune ${version}, ${date}`;
  document.title = `${device.name}: tune`;
}

function pickObjective() {
  wanted = byId("pick-objective").value;
  sortByObjective();
  showOverview(wanted, pickProblem);
  showProblem();
}

function listen() {
  byId("pick-objective").onchange = pickObjective;
  byId("pick-template").onchange = pickSizes;
  byId("pick-size").onchange = pickVersions;
  byId("pick-version").onchange = showProblem;
  for (const id of ["scatter-x", "scatter-colour", "scatter-y"]) byId(id).onchange = () => redraw("chart-scatter");
  for (const id of ["heat-x", "heat-y"]) byId(id).onchange = () => redraw("chart-heat");
  byId("progress-run").onchange = () => redraw("chart-progress");
  byId("roofline-view").onchange = () => redraw("chart-roofline");
  byId("ladder-rungs").onchange = showLadder;
  byId("dispatch-pick").onchange = pickDispatch;
  for (const id of ["dispatch-x", "dispatch-y", "dispatch-over"]) byId(id).onchange = drawDispatch;
  byId("filter").oninput = showFirstRows;
  byId("more").onclick = showMoreRows;
  addEventListener("resize", resizeAll);
  addEventListener("beforeprint", resizeAll);
  dark.onchange = drawAll;
}

showDevice(report);
if (report.problems.length) {
  fillSelect("pick-template", [...new Set(report.problems.map((p) => p.template))].map((name) => [name, name]));
  listen();
  showOverview(undefined, pickProblem);
  pickSizes();
}
