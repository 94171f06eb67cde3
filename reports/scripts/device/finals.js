// SPDX-License-Identifier: Apache-2.0
// The finals: how the best candidates compared when they were measured in interleaved rounds.
import { bodyRow, byId, element, fillTable, headRow } from "../dom.js";
import { bytesText, configurationText, energyText, intervalText, percentText, questionText, timeText } from "../text.js";
import { absent, lastFinals, perWatt, state, valueOf } from "./state.js";

// The outcome as a title and a note.
export function verdict(places, objective) {
  const [winner, ...others] = places;
  const ties = others.filter((p) => p.result === "tied").length;
  const next = others.find((p) => p.result === "lost" && p.ratio !== undefined);
  const byTime = (objective || "time") === "time";
  const more = (ratio) => percentText(ratio - 1);
  const interval = next && next.ratio_low !== undefined
    ? ` (95 % interval: ${more(next.ratio_low)} to ${more(next.ratio_high)})` : "";
  const distance = next && (byTime ? `takes ${more(next.ratio)} longer` : `is ${more(next.ratio)} worse`);
  const behind = next ? ` The next one ${distance}${interval}.` : "";
  const rounds = `Measured in ${winner.rounds.length} interleaved rounds`;
  if (!ties) return ["A clear winner", `${rounds}.${behind}`];
  return [`A tie of ${ties + 1}`,
    `${rounds}, these configurations could not be told apart; the winner uses the fewest resources.${behind}`];
}

const ratioText = (ratio) => (ratio === undefined ? "" : ratio.toFixed(4));

const mark = (textContent) => element("span", { className: `mark ${textContent}`, textContent });
const marks = (p) => [mark(p.result), ...(p.row.throttled ? [" ", mark("throttled")] : [])];

// The parameters in which finalists differ: what they share is above, with the best configuration.
function difference(p, places) {
  const values = (name) => new Set(places.map((place) => valueOf(place.row, name)));
  const names = state.varying.filter((name) => values(name).size > 1 && valueOf(p.row, name) !== absent);
  return configurationText(Object.fromEntries(names.map((name) => [name, valueOf(p.row, name)])));
}

function efficiency(p) {
  const value = perWatt(p.row);
  return value === undefined ? "" : String(Number(value.toPrecision(4)));
}

const valueColumn = (p) => (state.objective.name === "time" ? "" : state.objective.text(p.row));

// Heading and content of each column; columns without any content are left out.
const columns = [
  ["place", (p) => String(p.place)],
  ["", marks],
  ["objective", valueColumn],
  ["time", (p) => timeText(p.time_ns)],
  ["95 % interval", (p) => intervalText(p.low_ns, p.high_ns)],
  ["ratio to the winner", (p) => ratioText(p.ratio)],
  ["95 % interval", (p) => (p.ratio_low === undefined ? "" : `${ratioText(p.ratio_low)} – ${ratioText(p.ratio_high)}`)],
  ["energy", (p) => energyText(p.row.energy_j)],
  ["GFLOP/s per watt", efficiency],
  ["registers", (p) => String(p.row.registers ?? "")],
  ["shared memory", (p) => bytesText(p.row.shared_bytes)],
  ["differs in", difference],
];

export function showFinals() {
  const finals = lastFinals();
  byId("finals").hidden = !finals || !finals.places.length;
  if (byId("finals").hidden) return;
  const { run, places } = finals;
  const [title, note] = verdict(places, run.objective);
  byId("finals-verdict").textContent = title;
  byId("finals-note").textContent =
    `${note} Sweep ${run.id}, ${run.started_at.slice(0, 10)}, by ${questionText(run)}.`;
  const shown = columns.filter(([, content]) => places.some((p) => content(p, places).length));
  const classes = shown.map(([name]) => (name === "differs in" ? "wrap" : ""));
  fillTable("finals-table", headRow(shown.map(([name]) => name)), places.map((p) =>
    bodyRow(shown.map(([, content]) => content(p, places)), classes, p.row === state.best ? "winner" : "")));
}
