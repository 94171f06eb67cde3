// SPDX-License-Identifier: Apache-2.0
// The ladder: a bar for each rung, as long as the rung is fast, and a table with what each step gained.
import { axis, css, draw, xAxis } from "../chart.js";
import { bodyRow, byId, fillSelect, fillTable, headRow, report } from "../dom.js";
import { limits, limitText, shareOfLimit, shareText } from "../limits.js";
import { configurationText, timesText, timeText, workOf } from "../text.js";
import { ladderChoices, rungsOf } from "./rungs.js";
import { isSample, state } from "./state.js";
import { tooltip } from "./tooltip.js";

const choiceText = (names) => names.join(" and ") || "space";

// Hidden where there is but one rung. The choice stays if the new problem has it.
export function fillLadder() {
  const choices = ladderChoices(), earlier = byId("ladder-rungs").value;
  const options = choices.map((names) => [JSON.stringify(names), choiceText(names)]);
  byId("ladder").hidden = !options.length;
  if (!options.length) return;
  fillSelect("ladder-rungs", options, options.some(([value]) => value === earlier) ? earlier : options[0][0]);
}

const shareOf = (rung) => shareOfLimit(report.device, workOf(state.problem, rung.best), rung.best.time_ns);

// The gain over the whole ladder in words.
function summary(rungs) {
  const [first] = rungs, top = rungs.find((rung) => rung.best === state.best);
  const { name, text } = state.objective;
  if (name !== "time")
    return top === first || top.first === undefined ? `${top.label} is the best by ${name}: ${text(top.best)}.`
      : `${top.label} is ${timesText(top.first)} as good as ${first.label} by ${name}: ${text(top.best)} instead of `
        + `${text(first.best)}.`;
  if (top === first) return `${top.label} is the fastest: ${timeText(top.best.time_ns)}.`;
  return `${top.label} is ${timesText(top.first)} as fast as ${first.label}: ${timeText(top.best.time_ns)} instead of `
    + `${timeText(first.best.time_ns)}.`;
}

// The limit that binds the best configuration as a multiple of the first rung's speed, if it lies near enough to be drawn.
function limitLine(rungs) {
  if (state.objective.name !== "time") return undefined; // the limit is one of the time
  const [binding] = limits(report.device, workOf(state.problem, state.best));
  if (!binding) return undefined;
  const times = rungs[0].best.time_ns * 1e-9 / binding.seconds;
  const fastest = Math.max(1, ...rungs.map((rung) => rung.first ?? 1));
  return times <= 2.5 * fastest ? { times, binding } : undefined;
}

const cut = (label, most) => (label.length > most ? `${label.slice(0, most - 1)}…` : label);

function ladderOptions(rungs, width) {
  const limit = limitLine(rungs), narrow = width < 560, byTime = state.objective.name === "time";
  const longest = Math.max(1, ...rungs.map((rung) => rung.first ?? 1), 1.02 * (limit?.times ?? 0));
  const label = (rung) => timesText(rung.first ?? 1) + (narrow || !byTime ? "" : `   ${timeText(rung.best.time_ns)}`);
  const letters = Math.max(...rungs.map((rung) => rung.label.length));
  return {
    grid: {
      left: Math.min(narrow ? 118 : 230, 14 + 7.2 * letters), right: narrow ? 52 : 118, top: limit ? 26 : 6, bottom: 44,
    },
    tooltip,
    xAxis: xAxis({ type: "value", min: 0, max: longest,
      name: `times as ${byTime ? "fast" : "good"} as ${cut(rungs[0].label, 24)}`,
      axisLabel: { color: css("--soft"), showMaxLabel: false },
      splitLine: { showMaxLine: false, lineStyle: { color: css("--line") } } }),
    yAxis: axis({
      type: "category", inverse: true, data: rungs.map((rung) => rung.label), splitLine: { show: false },
      axisTick: { show: false }, axisLabel: { color: css("--ink"), formatter: (text) => cut(text, narrow ? 15 : 30) },
    }),
    series: [{
      type: "bar", barMaxWidth: 26, barMinHeight: 2,
      data: rungs.map((rung) => ({
        value: rung.first ?? 1, evaluation: rung.best,
        itemStyle: { color: css(rung.best === state.best ? "--good" : "--accent"), borderRadius: [0, 4, 4, 0] },
        label: {
          show: true, position: "right", color: css("--ink"), backgroundColor: css("--card"), padding: [1, 2],
          formatter: () => label(rung),
        },
      })),
      markLine: limit && {
        symbol: "none", silent: true, z: 1, data: [{ xAxis: limit.times }],
        lineStyle: { color: css("--bad"), type: limit.binding.measured ? "solid" : "dashed", width: 1.5 },
        label: { color: css("--bad"), formatter: `limit: ${limitText(limit.binding)}`, position: "start", align: "right" },
      },
    }],
  };
}

// Heading, class and content of each column; columns without any content are left out.
const columns = [
  ["rung", "", (rung) => rung.label],
  ["objective", "number", (rung) => (state.objective.name === "time" ? "" : state.objective.text(rung.best))],
  ["time", "number", (rung) => timeText(rung.best.time_ns)],
  ["× first", "number", (rung) => timesText(rung.first)],
  ["× before", "number", (rung) => timesText(rung.previous)],
  ["of limit", "number", (rung) => shareText(shareOf(rung))],
  ["valid", "number", (rung) => (isSample(state.problem) ? "" : String(rung.all.length))],
  ["shown", "number", (rung) => (isSample(state.problem) ? String(rung.all.length) : "")],
  ["what it is", "wrap", (rung) => rung.meaning],
];

function bestText(rung, names) {
  const rest = Object.entries(rung.best.configuration).filter(([name]) => !names.includes(name));
  return configurationText(Object.fromEntries(rest));
}

export function showLadder() {
  if (byId("ladder").hidden) return;
  const names = JSON.parse(byId("ladder-rungs").value), rungs = rungsOf(names);
  byId("ladder-summary").textContent = summary(rungs);
  byId("chart-ladder").style.height = `${60 + 34 * rungs.length}px`;
  draw("chart-ladder", ladderOptions(rungs, byId("chart-ladder").clientWidth));
  const shown = [...columns.filter(([, , content]) => rungs.some((rung) => content(rung))),
    ["best configuration", "wrap", (rung) => bestText(rung, names)]];
  const classes = shown.map(([, name]) => name);
  fillTable("ladder-table", headRow(shown.map(([name]) => name), classes.map((name) => (name === "number" ? name : ""))),
    rungs.map((rung) => bodyRow(shown.map(([, , content]) => content(rung)), classes,
      rung.best === state.best ? "winner" : "")));
}
