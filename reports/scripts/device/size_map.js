// SPDX-License-Identifier: Apache-2.0
// Two dimensions of the sizes as a plane: which configuration the tree picks where, and the sizes of the sweep.
import { axis, xAxis } from "../chart.js";
import { areNumbered, casePoints, caseTooltip, regions, sizeAxis } from "./answer_look.js";
import { answersAlong, asksUnits, extentOf, typicalOf } from "./answers.js";

const columns = 160, rows = 96;

// Cases of one place lie in a spiral around it, so that each can be seen: where the nth of them is, in pixels.
function offsetOf(n, distance) {
  const radius = distance * Math.sqrt(n), angle = n * 2.39996;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

function points({ cases }, across, up) {
  const before = new Map(), distance = areNumbered(cases) ? 9 : 4;
  return cases.map((one) => {
    const value = [one.size[across], one.size[up]], key = value.join(), n = before.get(key) ?? 0;
    before.set(key, n + 1);
    return { value, one, symbolOffset: offsetOf(n, distance) };
  });
}

// The plane in stripes, each in runs of one answer.
function stripes(dispatch, across, up, xs, [low, high]) {
  const typical = typicalOf(dispatch), found = [];
  const at = (i) => low * (high / low) ** (i / rows);
  for (let i = 0; i < rows; i++) {
    const sizes = typical.sizes.map((size, d) => (d === up ? at(i + 0.5) : size));
    for (const { from, to, configuration } of answersAlong(dispatch, across, xs, { ...typical, sizes }, columns))
      found.push([from, to, at(i), at(i + 1), configuration]);
  }
  return found;
}

// What the plane stands for.
export function mapNote(dispatch, across, up) {
  const { sizes, units } = typicalOf(dispatch);
  const others = dispatch.sizes.filter((_, d) => d !== across && d !== up).map((name) =>
    `${name} = ${sizes[dispatch.sizes.indexOf(name)].toLocaleString("en")}`);
  const divisible = asksUnits(dispatch) ? dispatch.sizes.map((name, d) => `${name} by ${units[d]}`) : [];
  return ["The colour of the plane is what the tree answers",
    others.length ? ` at ${others.join(", ")} (the median)` : "",
    divisible.length ? `${others.length ? "," : ""} for sizes divisible as most are (${divisible.join(", ")})` : "",
    "; points are the sizes of the sweep",
    others.length ? ", whatever their other sizes." : "."].join("");
}

export function mapOptions(dispatch, across, up) {
  const xs = extentOf(dispatch, across), ys = extentOf(dispatch, up);
  return {
    grid: { left: 62, right: 18, top: 28, bottom: 46 },
    tooltip: caseTooltip(dispatch),
    xAxis: xAxis(sizeAxis(dispatch.sizes[across], xs)),
    yAxis: axis(sizeAxis(dispatch.sizes[up], ys)),
    series: [regions(stripes(dispatch, across, up, xs, ys)), casePoints(points(dispatch, across, up))],
  };
}
