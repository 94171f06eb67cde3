// SPDX-License-Identifier: Apache-2.0
// What all charts have in common: one look in light and dark, and a canvas each.
import { byId } from "./dom.js";
import { countText } from "./text.js";

export const dark = matchMedia("(prefers-color-scheme: dark)");
export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export const fontFamily = () => getComputedStyle(document.body).fontFamily;

// Colours of series.
export const palette = [
  "#3a6df0", "#e07b39", "#12a07a", "#c2408f", "#8a63d2", "#b59b1d", "#2aa5c9", "#d04a4a", "#6b7a8f", "#5c9e31",
];

// Colours from fast to slow: in the dark viridis, cut where it would vanish in the background.
export const speeds = () => (dark.matches
  ? ["#fde725", "#7ad151", "#22a884", "#2f8aa8", "#4a6fb0", "#56568f"]
  : ["#d9480f", "#e8890c", "#7fa650", "#3b8ea5", "#7b93b8", "#c3cad8"]);

// The colour of a rank, 0 for the fastest to 1 for the slowest.
export function speedColour(rank) {
  const colours = speeds();
  const at = Math.min(rank, 0.9999) * (colours.length - 1);
  const mix = (a, b, t) => Math.round(parseInt(a, 16) * (1 - t) + parseInt(b, 16) * t);
  const [a, b] = [colours[Math.floor(at)], colours[Math.floor(at) + 1]];
  return `rgb(${[1, 3, 5].map((i) => mix(a.slice(i, i + 2), b.slice(i, i + 2), at % 1)).join(",")})`;
}

const drawn = new Map();

export const resizeAll = () => drawn.forEach((chart) => chart.resize());

// Draw a chart, or redraw it; it takes the size that its element has now.
export function draw(id, options) {
  if (!drawn.has(id)) drawn.set(id, echarts.init(byId(id)));
  const chart = drawn.get(id);
  const tooltip = {
    backgroundColor: css("--card"), borderColor: css("--line"), textStyle: { color: css("--ink"), fontSize: 12 },
    confine: true, ...options.tooltip,
  };
  chart.setOption({ animation: false, textStyle: { color: css("--soft"), fontFamily: fontFamily() }, ...options, tooltip },
    { notMerge: true });
  chart.resize();
}

export function axis(options) {
  return {
    nameTextStyle: { color: css("--soft") },
    axisLabel: { color: css("--soft") },
    axisLine: { lineStyle: { color: css("--line") } },
    splitLine: { lineStyle: { color: css("--line") } },
    ...options,
  };
}

// Values of any size in little room: metrics are what a template counts.
export const labelText = (value) =>
  (value >= 1e6 ? countText(value).trim() : value >= 1e3 ? value.toLocaleString("en") : String(value));
export const countLabels = (options) => ({ color: css("--soft"), formatter: labelText, ...options });

// An x axis with its name below the labels.
export const xAxis = (options) => axis({ nameLocation: "middle", nameGap: 28, ...options });

// A confidence interval for a custom series: a line from one point to the other, and across each end a cap, which
// reaches from the point as far as [dx, dy] to both sides.
export function whisker([x1, y1], [x2, y2], [dx, dy], style) {
  const line = (fromX, fromY, toX, toY) => ({ type: "line", shape: { x1: fromX, y1: fromY, x2: toX, y2: toY }, style });
  const cap = (x, y) => line(x - dx, y - dy, x + dx, y + dy);
  return { type: "group", children: [line(x1, y1, x2, y2), cap(x1, y1), cap(x2, y2)] };
}
