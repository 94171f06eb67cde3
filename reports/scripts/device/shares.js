// SPDX-License-Identifier: Apache-2.0
// How good the answers of a tree are: the share of the best found by size.
import { axis, css, xAxis } from "../chart.js";
import { shareText } from "../limits.js";
import { casePoints, caseTooltip, isHeldOut, regions, sizeAxis } from "./answer_look.js";
import { answersAlong, extentAround, heldOutOf, productOf, qualityOf, shareOf, typicalOf } from "./answers.js";

// What the x axis can show: a dimension, or all of them multiplied.
const everything = "all";
export const shareChoices = ({ sizes }) =>
  [...(sizes.length > 1 ? [[everything, sizes.join(" × ")]] : []), ...sizes.map((name, i) => [String(i), name])];

const place = (over) => (one) => (over === everything ? productOf(one) : one.size[Number(over)]);

// The y axis in percent, up to 100: where it begins, and its steps.
function extentOfShares(cases) {
  const least = 100 * Math.min(...cases.flatMap((one) => [shareOf(one) ?? 1, heldOutOf(one) ?? 1]));
  const interval = [1, 2, 5, 10].find((step) => 100 - least <= 6 * step) ?? 20;
  return { min: Math.max(0, interval * Math.floor(least / interval - 0.4)), max: 100, interval };
}

const heldOutSeries = (cases, x) => ({
  type: "scatter", z: 2, symbol: "circle", symbolSize: 7, clip: false,
  data: cases.map((one) => ({ value: [x(one), 100 * heldOutOf(one)], one })),
  itemStyle: { color: "transparent", borderColor: css("--soft"), borderWidth: 1.5 },
});

// What has no measured answer is at the bottom.
const missingSeries = (cases, x, floor) => ({
  type: "scatter", z: 3, symbol: "triangle", symbolSize: 12, clip: false,
  data: cases.filter((one) => shareOf(one) === undefined).map((one) => ({ value: [x(one), floor], one })),
  itemStyle: { color: css("--bad") },
});

const meanLine = (mean) => ({
  symbol: "none", silent: true, data: [{ yAxis: 100 * mean }],
  lineStyle: { color: css("--good"), type: "dashed", width: 1.25 },
  label: {
    position: "insideEndBottom", color: css("--good"), formatter: `mean ${shareText(mean)}`,
    textBorderColor: css("--card"), textBorderWidth: 3,
  },
});

// Of a single dimension the tree's answers are the background.
const stripes = (dispatch, xs, { min, max }) => answersAlong(dispatch, 0, xs, typicalOf(dispatch), 400)
  .map(({ from, to, configuration }) => [from, to, min, max, configuration]);

export function shareOptions(dispatch, over) {
  const { cases, sizes } = dispatch, x = place(over), shares = extentOfShares(cases);
  const [, name] = shareChoices(dispatch).find(([value]) => value === over);
  const xs = extentAround(cases.map(x)), quality = qualityOf(cases, shareOf);
  const answered = cases.filter((one) => shareOf(one) !== undefined);
  const points = casePoints(answered.map((one) => ({ value: [x(one), 100 * shareOf(one)], one })));
  return {
    grid: { left: 52, right: 18, top: 34, bottom: 46 },
    tooltip: caseTooltip(dispatch),
    xAxis: xAxis(sizeAxis(name, xs)),
    yAxis: axis({ type: "value", name: "% of the best found", ...shares }),
    series: [
      regions(sizes.length === 1 ? stripes(dispatch, xs, shares) : []),
      heldOutSeries(cases.filter((one) => isHeldOut(dispatch, one)), x),
      { ...points, markLine: cases.length > 1 && quality ? meanLine(quality.mean) : undefined },
      missingSeries(cases, x, shares.min),
    ],
  };
}
