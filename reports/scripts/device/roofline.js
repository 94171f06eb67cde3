// SPDX-License-Identifier: Apache-2.0
// What the device could do at best, and how near each configuration comes: the roofline, and, since the configurations of
// a kernel hardly differ in arithmetic intensity, the share of the limit by variant.
import { axis, css, palette, xAxis } from "../chart.js";
import { byId, fillSelect, report } from "../dom.js";
import { limits, shareOfLimit, shareText } from "../limits.js";
import { countText, timeText, workOf } from "../text.js";
import { roofSeries, roofs } from "./roofs.js";
import { mainRungs } from "./rungs.js";
import { spread, state } from "./state.js";
import { tooltip } from "./tooltip.js";

const workOfOne = (e) => workOf(state.problem, e);
const shareOf = (e) => shareOfLimit(report.device, workOfOne(e), e.time_ns);
const limitOf = (e) => limits(report.device, workOfOne(e))[0];
const intensity = (e) => workOfOne(e).flops / workOfOne(e).bytes;

// ---- the points: a group for each rung

const rungSeries = (rungs, groups) => groups.map((data, i) => ({
  type: "scatter", name: rungs[i].label || "valid", data, symbolSize: state.valid.length > 3000 ? 4 : 7,
  itemStyle: { color: palette[i % palette.length], opacity: 0.7 },
}));

const isNarrow = () => byId("chart-roofline").clientWidth < 560;

const bestSeries = (groups) => ({
  type: "scatter", name: "best", symbol: "circle", symbolSize: 16, z: 5,
  data: groups.flat().filter(({ evaluation }) => evaluation === state.best),
  itemStyle: { color: "transparent", borderColor: css("--good"), borderWidth: 3 },
  label: {
    show: true, position: isNarrow() ? "top" : "right", distance: 8, color: css("--good"), fontWeight: 600, fontSize: 13,
    backgroundColor: css("--card"), borderRadius: 4, padding: [2, 4], formatter: () => shareText(shareOf(state.best)),
  },
});

// ---- over the arithmetic intensity

const doTheSame = () => {
  const all = state.valid.map(intensity);
  return Math.max(...all) < 1.02 * Math.min(...all);
};

const rateOf = (e) => workOfOne(e).flops / (e.time_ns * 1e-9);

const decade = (value, round) => 10 ** round(Math.log10(value));

// The extents of both axes: whole decades around the points, the ridges and the roofs.
function extents({ memory, flat }) {
  const xs = [...state.valid.map(intensity), ...(memory ? flat.map(({ from }) => from) : [])];
  const ys = state.valid.map(rateOf);
  return {
    left: decade(Math.min(...xs) / 3, Math.floor), right: decade(Math.max(...xs) * 3, Math.ceil),
    low: decade(Math.min(...ys) / 1.2, Math.floor),
    high: decade(Math.max(...ys, ...flat.map(({ flops }) => flops)) * 1.2, Math.ceil),
  };
}

// Configurations that do the same work lie at one intensity. Below a flat roof each rung has a lane of its own there, as
// far as the roof is flat; below the slope of memory that would tell lies.
function laneWidth(count, { left, right }, { memory, flat }) {
  if (!doTheSame() || limitOf(state.best).figure === "bytes") return 0;
  const room = memory ? 2 * Math.log10(intensity(state.best) / flat[0].from) : Infinity; // in decades
  return Math.min(Math.min(0.05, 0.5 / count) * Math.log10(right / left), room / count);
}

function overIntensity(rungs, extent, drawn) {
  const width = laneWidth(rungs.length, extent, drawn);
  const lane = (i, e) => 10 ** (width * (i - (rungs.length - 1) / 2 + spread(e)));
  return rungs.map((rung, i) => rung.all.map((e) => ({
    value: [intensity(e) * lane(i, e), rateOf(e)], evaluation: e,
  })));
}

// The intensity that all have.
const intensityLine = () => ({
  symbol: "none", silent: true, data: [{ xAxis: intensity(state.best) }],
  lineStyle: { color: css("--soft"), type: "dotted", width: 1, opacity: 0.7 },
  label: {
    position: "insideStartTop", distance: 4, color: css("--soft"),
    formatter: `${Number(intensity(state.best).toPrecision(3))} FLOP/B`,
    textBorderColor: css("--card"), textBorderWidth: 3,
  },
});

function intensityOptions(rungs) {
  const drawn = roofs(report.device, workOfOne(state.best)), extent = extents(drawn), { left, right, low, high } = extent;
  const groups = overIntensity(rungs, extent, drawn), best = bestSeries(groups);
  const axisLabel = { color: css("--soft"), formatter: countText };
  return {
    grid: { left: 66, right: 24, top: rungs.length > 1 ? 62 : 34, bottom: 46 },
    legend: {
      type: "scroll", top: 0, textStyle: { color: css("--soft") }, data: rungs.map(({ label }) => label).filter(Boolean),
    },
    tooltip,
    xAxis: xAxis({
      type: "log", min: left, max: right, name: "arithmetic intensity (FLOP/B)", splitLine: { show: false }, axisLabel,
    }),
    yAxis: axis({ type: "log", min: low, max: high, name: "FLOP/s", axisLabel }),
    series: [...roofSeries(drawn, extent, intensity(state.best)), ...rungSeries(rungs, groups),
      doTheSame() ? { ...best, markLine: intensityLine() } : best],
  };
}

// ---- by variant

const overRungs = (rungs) => rungs.map((rung, i) =>
  rung.all.map((e) => ({ value: [i + spread(e), 100 * shareOf(e)], evaluation: e })));

function rungAxis(rungs, width) {
  const turned = isNarrow() && rungs.length > 2;
  return xAxis({
    type: "value", min: -0.5, max: rungs.length - 0.5, interval: 1, splitLine: { show: false }, axisTick: { show: false },
    axisLabel: {
      color: css("--ink"), customValues: rungs.map((_, i) => i), formatter: (i) => rungs[Math.round(i)]?.label ?? "",
      rotate: turned ? 40 : 0, width: turned ? 110 : (width - 80) / rungs.length - 8, overflow: "truncate",
    },
  });
}

// In percent. The limit is drawn where it comes anywhere near it.
const mostOfLimit = () => 100 * state.valid.reduce((most, e) => Math.max(most, shareOf(e)), 0);
const isLimitNear = () => mostOfLimit() > 40;

function shareOptions(rungs, width) {
  const groups = overRungs(rungs), near = isLimitNear();
  const limit = {
    symbol: "none", silent: true, data: [{ yAxis: 100 }], label: { show: false },
    lineStyle: { color: css("--bad"), width: 1.75, type: limitOf(state.best).measured ? "solid" : "dashed" },
  };
  return {
    grid: { left: 56, right: 64, top: 34, bottom: isNarrow() && rungs.length > 2 ? 84 : 40 },
    tooltip,
    xAxis: rungAxis(rungs, width),
    yAxis: axis({
      type: "value", name: "% of the limit", min: 0,
      max: near ? Math.max(100, 10 * Math.ceil(mostOfLimit() / 10)) : undefined,
      axisLine: { onZero: false, lineStyle: { color: css("--line") } },
    }),
    series: [...rungSeries(rungs, groups), { ...bestSeries(groups), markLine: near ? limit : undefined }],
  };
}

// ---- the section

export const canDrawRoofline = () => state.valid.length > 0 && shareOf(state.best) !== undefined;

// A roofline needs operations and bytes. The choice stays if the new problem has it.
export function fillRoofline() {
  const views = [["share", "share of the limit by variant"]], earlier = byId("roofline-view").value;
  if (state.valid.every((e) => intensity(e) > 0 && intensity(e) < Infinity)) views.unshift(["roofline", "roofline"]);
  fillSelect("roofline-view", views, views.some(([view]) => view === earlier) ? earlier : views[0][0]);
}

// What binds the best configuration, and where its ceiling comes from.
function verdictOnLimit() {
  const { seconds, pipe, rate, unit, measured } = limitOf(state.best);
  return `The best configuration takes ${timeText(state.best.time_ns)}. Its work takes at least ${timeText(seconds * 1e9)}: `
    + `the ${pipe} limit, ${countText(rate)}${unit}/s ${measured ? "as measured on this device" : "by the data sheet"}.`;
}

// Does the amount that comes with an operation differ between configurations?
function doesVary(figure) {
  const ratio = (e) => (workOfOne(e)[figure] ?? 0) / workOfOne(e).flops;
  return state.valid.some((e) => Math.abs(ratio(e) - ratio(state.best)) > 0.01 * ratio(state.best));
}

function note(isRoofline) {
  const words = [verdictOnLimit()];
  if (isRoofline && state.valid.length > 1 && doTheSame() && limitOf(state.best).figure !== "bytes")
    words.push("All configurations have the same arithmetic intensity; they are spread sideways to be told apart.");
  const { memory, flat } = roofs(report.device, workOfOne(state.best));
  if (isRoofline && flat.some(({ figure }) => doesVary(figure)))
    words.push("Configurations differ in how much they ask of other pipes than fp32: these roofs are the best one's.");
  const isDashed = isRoofline
    ? [memory, ...flat].some((roof) => roof?.dashed)
    : isLimitNear() && !limitOf(state.best).measured;
  if (isDashed) words.push("Dashed: data sheet, not measured.");
  return words.join(" ");
}

export function rooflineOptions() {
  const rungs = mainRungs(), isRoofline = byId("roofline-view").value === "roofline";
  byId("roofline-note").textContent = note(isRoofline);
  return isRoofline ? intensityOptions(rungs) : shareOptions(rungs, byId("chart-roofline").clientWidth);
}
