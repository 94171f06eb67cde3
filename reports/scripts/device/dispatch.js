// SPDX-License-Identifier: Apache-2.0
// What sweeps over many sizes left for the kernel: the tree and its configurations, where each of them answers, and how
// good the answers are.
import { draw } from "../chart.js";
import { bodyRow, byId, element, fillSelect, fillTable, headRow, meter, report } from "../dom.js";
import { shareText } from "../limits.js";
import { configurationText, numberText } from "../text.js";
import { badge, costText, isHeldOut } from "./answer_look.js";
import {
  bySpread, featureText, heldOutOf, leafCount, leafOf, qualityOf, servedBy, shareOf, sizesText,
} from "./answers.js";
import { mapNote, mapOptions } from "./size_map.js";
import { shareChoices, shareOptions } from "./shares.js";
import { state } from "./state.js";

const plural = (count, noun, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;

// ---- in words

function verdict({ configurations, tree, cases }) {
  const quality = qualityOf(cases, shareOf);
  const answers = configurations.length > 1
    ? `${plural(configurations.length, "configuration")} and a tree of ${plural(leafCount({ tree }), "leaf", "leaves")}`
    : "One configuration";
  const mean = quality ? `${shareText(quality.mean)} of the best found` : "not measured";
  return `${answers} for ${plural(cases.length, "size")}: ${mean}`;
}

function note(dispatch) {
  const { cases, made_at: date, compiler, template_hash: hash } = dispatch, words = [];
  const quality = qualityOf(cases, shareOf), missing = cases.filter((one) => shareOf(one) === undefined).length;
  const weighted = cases.some(({ weight }) => weight !== 1) ? "weighted " : "";
  if (quality && cases.length > 1)
    words.push(`That is the ${weighted}geometric mean over the sizes; the least is ${shareText(shareOf(quality.worst))} at `
      + `${sizesText(dispatch, quality.worst)}.`);
  const held = qualityOf(cases.filter((one) => isHeldOut(dispatch, one)), heldOutOf);
  if (held)
    words.push(`Trees that were grown without the size reach ${shareText(held.mean)}, at least `
      + `${shareText(heldOutOf(held.worst))}.`);
  if (missing) words.push(`At ${plural(missing, "size")} the answer failed, or was not measured.`);
  words.push(`Made ${date.slice(0, 10)} with ${compiler} for kernel ${hash.slice(0, 8)}.`);
  return words.join(" ");
}

// ---- the tree

// What a way ends at: the configuration, and what it serves.
function leaf(dispatch, index) {
  const here = dispatch.cases.filter(({ size }) => leafOf(dispatch, size) === index), quality = qualityOf(here, shareOf);
  const textContent = plural(here.length, "size") + (quality ? `, ${shareText(quality.mean)}` : "");
  return [badge(dispatch.tree[index].configuration), " ", element("span", { className: "served", textContent })];
}

// A question with both ways below it.
function question(dispatch, node) {
  const below = node.below.toLocaleString("en", { maximumSignificantDigits: 15 });
  const textContent = `${featureText(node, dispatch.sizes)} < ${below}`;
  return [element("span", { className: "question", textContent }),
    element("ul", {}, branch(dispatch, node.then, "yes"), branch(dispatch, node.otherwise, "no"))];
}

function branch(dispatch, index, way) {
  const node = dispatch.tree[index], start = way ? [element("span", { className: "way", textContent: way }), " "] : [];
  return element("li", {}, ...start, ...(node.feature === undefined ? leaf(dispatch, index) : question(dispatch, node)));
}

// ---- the tables

// The parameters that all configurations share, and the others of each.
function split(configurations) {
  const [first, ...others] = configurations;
  const isSame = ([name, value]) => others.length > 0 && others.every((one) => one[name] === value);
  const shared = Object.entries(first).filter(isSame);
  const isShared = new Set(shared.map(([name]) => name));
  return [Object.fromEntries(shared), configurations.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !isShared.has(name))))];
}

function showConfigurations(dispatch) {
  const [shared, own] = split(dispatch.configurations), classes = ["", "number", "number", "wrap"];
  const text = configurationText(shared);
  byId("dispatch-shared").textContent = text && `All of them have ${text}.`;
  fillTable("dispatch-configurations", headRow(["#", "answers at", "of the best there", "configuration"], classes),
    servedBy(dispatch).map((served, i) => bodyRow([badge(i), plural(served.length, "size"),
      shareText(qualityOf(served, shareOf)?.mean), configurationText(own[i])], classes)));
}

const shareCell = (share) => (share === undefined
  ? element("span", { className: "mark throttled", textContent: "not measured" }) : [meter(share), shareText(share)]);

// The worst answers first.
function showCases(dispatch) {
  const weighted = dispatch.cases.some(({ weight }) => weight !== 1);
  const isAnyHeldOut = dispatch.cases.some((one) => isHeldOut(dispatch, one));
  byId("dispatch-marks").textContent = [
    isAnyHeldOut ? "Rings are answers of trees that were grown without the size." : "",
    dispatch.cases.some((one) => shareOf(one) === undefined)
      ? "Triangles are sizes whose answer failed, or was not measured." : "",
  ].filter(Boolean).join(" ");
  const columns = [
    ["size", "size", (one) => sizesText(dispatch, one)],
    ...(weighted ? [["weight", "number", ({ weight }) => numberText(weight)]] : []),
    ["answer", "", ({ answer }) => badge(answer)],
    ["it gives", "number", ({ cost }) => costText(dispatch, cost)],
    ["best found", "number", ({ best }) => costText(dispatch, best)],
    ["of the best", "number", (one) => shareCell(shareOf(one))],
    ...(isAnyHeldOut ? [["held out", "number", (one) => shareText(heldOutOf(one))]] : []),
  ];
  const classes = columns.map(([, name]) => name);
  const rows = [...dispatch.cases].sort((a, b) => (shareOf(a) ?? 0) - (shareOf(b) ?? 0));
  fillTable("dispatch-cases", headRow(columns.map(([name]) => name), classes),
    rows.map((one) => bodyRow(columns.map(([, , content]) => content(one)), classes)));
}

// ---- the section

const dispatches = () => report.dispatches.filter(({ template }) => template === state.problem.template);
const picked = () => report.dispatches[Number(byId("dispatch-pick").value)];

function nameOf({ objective, data, made_at: date, origin, template_hash: hash }) {
  const isOlder = report.problems.every((one) => one.template_hash !== hash || !one.latest);
  return [`by ${objective}`, data, date.slice(0, 10), origin === "measured" ? "" : origin,
    isOlder ? `older, ${hash.slice(0, 8)}` : ""].filter(Boolean).join(", ");
}

// How well a dispatch suits the problem that the page shows.
function fitOf({ template_hash: hash, objective, data }) {
  const { problem } = state;
  return 4 * (hash === problem.template_hash) + 2 * (objective === state.objective.name) + (data === problem.data);
}

let shownFor; // the best fit when the section was filled

// Hidden where the kernel has none. The choice stays as long as another problem has the same to choose from.
export function fillDispatch() {
  const all = dispatches(), [best] = [...all].sort((a, b) => fitOf(b) - fitOf(a)), select = byId("dispatch-pick");
  byId("dispatch").hidden = !best;
  if (!best) return;
  const index = (one) => String(report.dispatches.indexOf(one));
  if (shownFor !== best) fillSelect("dispatch-pick", all.map((one) => [index(one), nameOf(one)]), index(best));
  shownFor = best;
  select.closest(".controls").hidden = all.length < 2;
  fillAxes();
}

function fillAxes() {
  const dispatch = picked(), [across, up] = bySpread(dispatch), names = dispatch.sizes.map((name, i) => [String(i), name]);
  byId("dispatch-map").hidden = up === undefined;
  byId("dispatch-split").classList.toggle("single", up === undefined);
  fillSelect("dispatch-x", names, String(Math.min(across, up ?? across)));
  fillSelect("dispatch-y", names, String(Math.max(across, up ?? across)));
  fillSelect("dispatch-over", shareChoices(dispatch));
  byId("dispatch-over").closest(".controls").hidden = dispatch.sizes.length < 2;
}

export function drawDispatch() {
  if (byId("dispatch").hidden) return;
  const dispatch = picked(), across = Number(byId("dispatch-x").value), up = Number(byId("dispatch-y").value);
  if (dispatch.sizes.length > 1) {
    byId("dispatch-map-note").textContent = mapNote(dispatch, across, up);
    draw("chart-dispatch-map", mapOptions(dispatch, across, up));
  }
  draw("chart-dispatch-shares", shareOptions(dispatch, byId("dispatch-over").value));
}

function leftOut(count) {
  return count ? `${plural(count, "further sweep")} of this device over many sizes would make the page too large; the `
    + "database has them." : "";
}

// All but the charts.
export function showDispatch() {
  if (byId("dispatch").hidden) return;
  const dispatch = picked();
  byId("dispatch-verdict").textContent = verdict(dispatch);
  byId("dispatch-note").textContent = note(dispatch);
  byId("dispatch-left-out").textContent = leftOut(report.dispatches_left_out);
  byId("dispatch-tree").replaceChildren(branch(dispatch, 0));
  showConfigurations(dispatch);
  showCases(dispatch);
}

export function pickDispatch() {
  fillAxes();
  showDispatch();
  drawDispatch();
}
