// SPDX-License-Identifier: Apache-2.0
// The page of a simulation: how strategies score, over all recordings and on each.
import { axis, css, dark, draw, fontFamily, palette, resizeAll, whisker, xAxis } from "./chart.js";
import { bodyRow, byId, element, fillSelect, fillTable, headRow, lines, report, strong } from "./dom.js";
import { valueText } from "./text.js";

const dashes = ["solid", "dashed", "dotted"];
const overall = "all recordings (mean)";
// What is far worse than random search would flatten everything else: the axis ends here.
const floor = -1;

const pText = (p) => p.toFixed(3);
const rangeText = (score) => `${pText(score.low)} – ${pText(score.high)}`;
const secondsText = (seconds) => `${Number(seconds.toPrecision(4))} s`;

// The least value that an axis shows: a multiple of `step`, 0 at most.
const axisStart = (step) => ({ min }) => Math.max(floor, Math.min(0, Math.floor(min / step) * step));

// --- All recordings ------------------------------------------------------------------------------------------------

// Room for the longest name, as long as most of the chart is left.
function widthOf(names) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `bold 12px ${fontFamily()}`; // bold leaves a margin
  const longest = Math.max(...names.map((name) => pen.measureText(name).width));
  return Math.ceil(Math.min(longest, byId("chart-overall").clientWidth / 2.5));
}

function overallTooltip(strategy) {
  return lines(strong(strategy.name), `P ${pText(strategy.p)} (95 % interval: ${rangeText(strategy)})`,
    `${Math.round(strategy.evaluations)} evaluations`);
}

function overallOptions() {
  const strategies = [...report.strategies].reverse(); // the best on top
  const names = strategies.map((s) => s.name), width = widthOf(names);
  const bars = strategies.map((s) => ({
    value: Math.max(s.p, floor), itemStyle: { color: css(s.p >= 0 ? "--accent" : "--bad"), opacity: 0.8 },
  }));
  const renderItem = (_, api) => {
    const [low, high] = [1, 2].map((i) => api.coord([Math.max(api.value(i), floor), api.value(0)]));
    return whisker(low, high, [0, 4], { stroke: css("--ink"), lineWidth: 1.5 });
  };
  return {
    grid: { left: width + 16, right: 24, top: 8, bottom: 44 },
    tooltip: { trigger: "item", formatter: ({ dataIndex }) => overallTooltip(strategies[dataIndex]) },
    xAxis: xAxis({ type: "value", name: "P", nameGap: 24, min: axisStart(0.1), max: 1 }),
    yAxis: axis({
      type: "category", data: names, splitLine: { show: false },
      axisLabel: { color: css("--soft"), width, overflow: "truncate" },
    }),
    series: [
      { type: "bar", barMaxWidth: 22, data: bars },
      { type: "custom", renderItem, z: 5, data: strategies.map((s, i) => [i, s.low, s.high]), encode: { x: [1, 2], y: 0 } },
    ],
  };
}

// --- Over time -----------------------------------------------------------------------------------------------------

const scoreOn = (strategy, recording) =>
  (recording ? strategy.spaces.find((s) => s.recording === recording.name) : strategy);

// A dot in the colour of a line; the policy of the page forbids style attributes, but not this.
function marker(colour) {
  const dot = element("i", { className: "dot" });
  dot.style.background = colour;
  return dot;
}

function curvesOptions() {
  const recording = report.recordings.find((r) => r.name === byId("pick").value);
  const [from, to] = recording ? [recording.from_seconds, recording.to_seconds] : [0, 100];
  const timeName = (time) => (recording ? secondsText(time) : `${Math.round(time)} % of the time`);
  return {
    color: palette,
    legend: {
      type: "scroll", top: 0, textStyle: { color: css("--ink") }, pageTextStyle: { color: css("--soft") },
      tooltip: { show: false },
    },
    grid: { left: 48, right: 24, top: 44, bottom: 44 },
    tooltip: {
      trigger: "axis", order: "valueDesc",
      formatter: (points) => lines(timeName(points[0].value[0]),
        ...points.map((p) => [marker(p.color), ` ${p.seriesName}: ${pText(p.value[1])}`])),
    },
    xAxis: xAxis({
      type: "value", name: recording ? "recorded time, s" : "share of the time, %", min: from, max: to,
      axisLabel: { color: css("--soft"), showMinLabel: false, showMaxLabel: false },
    }),
    yAxis: axis({ type: "value", name: "P", min: axisStart(0.2), max: 1 }),
    series: report.strategies.map((strategy, i) => ({
      type: "line", name: strategy.name, showSymbol: false, clip: true,
      lineStyle: { width: 1.8, type: dashes[Math.floor(i / palette.length) % dashes.length] },
      data: scoreOn(strategy, recording).curve.map((p, j, all) => [from + ((to - from) * j) / (all.length - 1), p]),
    })),
  };
}

// --- Tables --------------------------------------------------------------------------------------------------------

// A table whose first column is text and whose others are numbers.
function showNumbers(id, headings, rows) {
  const classes = headings.map((_, i) => (i ? "number" : ""));
  fillTable(id, headRow(headings, classes), rows.map((row) => bodyRow(row, classes)));
}

function showTables() {
  const { strategies, recordings } = report;
  showNumbers("scores", ["strategy", "overall", ...recordings.map((r) => r.name)], strategies.map((strategy) =>
    [strategy.name, ...[strategy, ...strategy.spaces].map((score) => `${pText(score.p)} (${rangeText(score)})`)]));
  showNumbers("recordings",
    ["recording", "configurations", "valid", "optimum", "median", "draws of random search", "from", "to"],
    recordings.map((r) => [r.name, String(r.configurations), String(r.valid), valueText(r.objective, r.optimum),
      valueText(r.objective, r.median), r.random_draws.toFixed(0), secondsText(r.from_seconds), secondsText(r.to_seconds)]));
}

// --- The page ------------------------------------------------------------------------------------------------------

const showCurves = () => draw("chart-curves", curvesOptions());

function drawAll() {
  draw("chart-overall", overallOptions());
  showCurves();
}

function factsText({ repeats, recordings, seed, parallel, budget_told: budgetKnown }) {
  const machine = parallel ? `${parallel} compile workers` : "one evaluation at a time";
  return `${repeats} repeats of each strategy on each of ${recordings.length} recordings · seed ${seed} · `
    + `${machine}${budgetKnown ? " · strategies know their budget" : ""}`;
}

byId("facts").textContent = factsText(report);
byId("footer").textContent = `tune ${report.tune_version}`;
byId("chart-overall").style.height = `${Math.max(120, 60 + 30 * report.strategies.length)}px`;
fillSelect("pick", [overall, ...report.recordings.map((r) => r.name)].map((name) => [name, name]));
byId("pick").onchange = showCurves;
showTables();
drawAll();
addEventListener("resize", resizeAll);
dark.onchange = drawAll;
