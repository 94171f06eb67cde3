// SPDX-License-Identifier: Apache-2.0
// The page of a simulation. All names go into the page as text; charts draw on a canvas, and their tooltips are made
// of escaped text.

const report = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const palette = ["#3a6df0", "#e07b39", "#12a07a", "#c2408f", "#8a63d2", "#b59b1d", "#2aa5c9", "#d04a4a", "#6b7a8f", "#5c9e31"];
const lines = ["solid", "dashed", "dotted"];
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const escapeText = (value) => String(value).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const overall = "all recordings (mean)";
const pText = (p) => p.toFixed(3);
const intervalText = (score) => `${pText(score.low)} – ${pText(score.high)}`;

// --- Charts ------------------------------------------------------------------------------------------------------

const drawn = new Map();

function draw(id, options) {
  if (!drawn.has(id)) drawn.set(id, echarts.init(byId(id)));
  const base = {
    animation: false,
    textStyle: { color: css("--soft"), fontFamily: getComputedStyle(document.body).fontFamily },
    tooltip: { backgroundColor: css("--card"), borderColor: css("--line"), textStyle: { color: css("--ink"), fontSize: 12 }, confine: true },
  };
  drawn.get(id).setOption({ ...base, ...options, tooltip: { ...base.tooltip, ...options.tooltip } }, { notMerge: true });
}

function axis(options) {
  return {
    nameTextStyle: { color: css("--soft") }, axisLabel: { color: css("--soft") }, axisLine: { lineStyle: { color: css("--line") } },
    splitLine: { lineStyle: { color: css("--line") } }, ...options,
  };
}

// What is far below random search would press all else together: the axis ends there, and the bar says so.
const floor = -1;

// Room for the longest name as long as most of the chart is left.
function widthOf(names) {
  const pen = document.createElement("canvas").getContext("2d"); // bold leaves a margin
  pen.font = `bold 12px ${getComputedStyle(document.body).fontFamily}`;
  return Math.min(Math.max(...names.map((name) => pen.measureText(name).width)), byId("chart-overall").clientWidth / 2.5);
}

function overallOptions() {
  const strategies = [...report.strategies].reverse(); // the best on top
  const whisker = (parameters, api) => {
    const y = api.coord([0, api.value(0)])[1], [low, high] = [1, 2].map((i) => api.coord([Math.max(api.value(i), floor), 0])[0]);
    const style = { stroke: css("--ink"), lineWidth: 1.5 };
    const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
    return { type: "group", children: [line(low, y, high, y), line(low, y - 4, low, y + 4), line(high, y - 4, high, y + 4)] };
  };
  const width = Math.ceil(widthOf(strategies.map((s) => s.name)));
  return {
    grid: { left: width + 16, right: 24, top: 8, bottom: 44 },
    tooltip: { trigger: "item", formatter: ({ dataIndex: i }) => `<b>${escapeText(strategies[i].name)}</b><br>P ${pText(strategies[i].p)}, 95 % ${intervalText(strategies[i])}<br>${Math.round(strategies[i].evaluations)} evaluations` },
    xAxis: axis({ type: "value", name: "P", nameLocation: "middle", nameGap: 24, min: ({ min }) => Math.max(floor, Math.min(0, Math.floor(min * 10) / 10)), max: 1 }),
    yAxis: axis({ type: "category", data: strategies.map((s) => s.name), splitLine: { show: false }, axisLabel: { color: css("--soft"), width, overflow: "truncate" } }),
    series: [
      { type: "bar", barMaxWidth: 22, data: strategies.map((s) => ({ value: Math.max(s.p, floor), itemStyle: { color: css(s.p >= 0 ? "--accent" : "--bad"), opacity: 0.8 } })) },
      { type: "custom", renderItem: whisker, z: 5, data: strategies.map((s, i) => [i, s.low, s.high]), encode: { x: [1, 2], y: 0 } },
    ],
  };
}

const scoresOf = (strategy, name) => (name === overall ? strategy : strategy.spaces.find((s) => s.recording === name));

function curvesOptions() {
  const name = byId("pick").value;
  const recording = report.recordings.find((r) => r.name === name);
  const time = (i, points) => (recording ? recording.from_seconds + ((recording.to_seconds - recording.from_seconds) * i) / (points - 1) : (100 * i) / (points - 1));
  return {
    color: palette,
    legend: { type: "scroll", top: 0, textStyle: { color: css("--ink") }, pageTextStyle: { color: css("--soft") }, tooltip: { show: false } },
    grid: { left: 48, right: 24, top: 44, bottom: 44 },
    tooltip: { trigger: "axis", order: "valueDesc", formatter: (points) => [recording ? `${Number(points[0].value[0].toPrecision(4))} s` : `${Math.round(points[0].value[0])} % of the time`,
      ...points.map((p) => `${p.marker} ${escapeText(p.seriesName)}: ${pText(p.value[1])}`)].join("<br>") },
    xAxis: axis({ type: "value", name: recording ? "seconds of recorded costs" : "share of the time, %", nameLocation: "middle", nameGap: 28, min: time(0, 2), max: time(1, 2), axisLabel: { color: css("--soft"), showMinLabel: false, showMaxLabel: false } }),
    yAxis: axis({ type: "value", name: "P", min: ({ min }) => Math.max(floor, Math.min(0, Math.floor(min * 5) / 5)), max: 1 }),
    series: report.strategies.map((strategy, i) => {
      const { curve } = scoresOf(strategy, name);
      return { type: "line", name: strategy.name, showSymbol: false, lineStyle: { width: 1.8, type: lines[Math.floor(i / palette.length) % lines.length] },
        data: curve.map((p, j) => [time(j, curve.length), p]), clip: true };
    }),
  };
}

// --- Tables ------------------------------------------------------------------------------------------------------

function fillTable(id, headings, rows) {
  const [head, body] = byId(id).children;
  head.replaceChildren(element("tr", {}, ...headings.map((name, i) => element("th", { textContent: name, className: i ? "number" : "" }))));
  body.replaceChildren(...rows.map((row) => element("tr", {}, ...row.map((text, i) => element("td", { textContent: text, className: i ? "number" : "" })))));
}

function fillTables() {
  fillTable("scores", ["strategy", "overall", ...report.recordings.map((r) => r.name)],
    report.strategies.map((s) => [s.name, ...[s, ...s.spaces].map((score) => `${pText(score.p)} (${intervalText(score)})`)]));
  fillTable("recordings", ["recording", "configurations", "valid", "optimum", "median", "random search has", "from", "to"],
    report.recordings.map((r) => [r.name, r.configurations, r.valid, timeText(r.optimum_ns), timeText(r.median_ns), `${r.random_draws.toFixed(0)} draws`,
      `${Number(r.from_seconds.toPrecision(4))} s`, `${Number(r.to_seconds.toPrecision(4))} s`]));
}

// --- The page ----------------------------------------------------------------------------------------------------

const redraw = () => { draw("chart-overall", overallOptions()); draw("chart-curves", curvesOptions()); };

byId("facts").textContent = `${report.repeats} replays of each strategy on ${report.recordings.length} recordings, seed ${report.seed}, ` +
  `${report.parallel} at once${report.budget_told ? ", strategies know their budget" : ""}`;
byId("pick").append(...[overall, ...report.recordings.map((r) => r.name)].map((name) => element("option", { value: name, textContent: name })));
byId("pick").addEventListener("change", () => draw("chart-curves", curvesOptions()));
byId("chart-overall").style.height = `${Math.max(120, 60 + 30 * report.strategies.length)}px`;
fillTables();
redraw();
addEventListener("resize", () => drawn.forEach((chart) => chart.resize()));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
byId("footer").textContent = `tune ${report.tune_version}`;
