// SPDX-License-Identifier: Apache-2.0
// How the charts of a sweep over many sizes show a configuration and a size: in colours, numbers and words.
import { countLabels, css, palette } from "../chart.js";
import { element, lines, report, strong } from "../dom.js";
import { shareText } from "../limits.js";
import { objectiveOf } from "../objective.js";
import { numberText } from "../text.js";
import { heldOutOf, shareOf, sizesText } from "./answers.js";

export const colourOf = (configuration) => palette[configuration % palette.length];

// A colour's share on the colour of a card, both as #rrggbb.
function mix(colour, share) {
  const part = (text, i) => parseInt(text.slice(i, i + 2), 16), card = css("--card");
  return `rgb(${[1, 3, 5].map((i) => Math.round(part(colour, i) * share + part(card, i) * (1 - share))).join(",")})`;
}

// The number of a configuration in its colour.
export function badge(configuration) {
  const made = element("span", { className: "badge", textContent: String(configuration) });
  made.style.background = colourOf(configuration);
  return made;
}

// Rectangles [x from, x to, y from, y to, configuration] behind the points of a chart.
export function regions(data) {
  const fills = new Map(data.map(([, , , , configuration]) => [configuration, ""]));
  for (const configuration of fills.keys()) fills.set(configuration, mix(colourOf(configuration), 0.22));
  return {
    type: "custom", data, silent: true, z: 0, clip: true, encode: { x: [0, 1], y: [2, 3] }, tooltip: { show: false },
    renderItem: (_, api) => {
      const [left, top] = api.coord([api.value(0), api.value(3)]), [right, bottom] = api.coord([api.value(1), api.value(2)]);
      return { // without seams
        type: "rect", shape: { x: left, y: top, width: right - left + 0.5, height: bottom - top + 0.5 },
        style: { fill: fills.get(api.value(4)) },
      };
    },
  };
}

const pointsWithNumbers = 250;
export const areNumbered = ({ length }) => length <= pointsWithNumbers;

// What the points of cases have in common; `data` are { value, one }.
export function casePoints(data) {
  const numbered = areNumbered(data);
  return {
    type: "scatter", z: 3, data: data.map((point) => ({ ...point, itemStyle: { color: colourOf(point.one.answer) } })),
    symbol: "circle", symbolSize: numbered ? 15 : 8, clip: false,
    itemStyle: { borderColor: css("--card"), borderWidth: 1, opacity: 1 },
    label: {
      show: numbered, color: "#fff", fontSize: 9, fontWeight: 700, formatter: ({ data: { one } }) => String(one.answer),
    },
  };
}

// ---- in words

// A cost by the objective of the dispatch.
export function costText({ template, template_hash: hash, objective }, cost) {
  if (cost === undefined) return "";
  const problem = report.problems.find((one) => one.template === template && one.template_hash === hash) ?? {};
  const { name, large, textOf } = objectiveOf(problem, objective);
  return name === objective ? textOf(large ? 1 / cost : cost) : numberText(cost);
}

// Is it known what a tree that was grown without the case answers? The only case cannot be left out.
export const isHeldOut = ({ cases }, one) => cases.length > 1 && heldOutOf(one) !== undefined;

function caseLines(dispatch, one) {
  const share = shareOf(one);
  const answer = share === undefined ? `configuration ${one.answer}: failed, or not measured`
    : `configuration ${one.answer}: ${costText(dispatch, one.cost)}, ${shareText(share)} of the best found`;
  return lines(strong(sizesText(dispatch, one)), `best found: ${costText(dispatch, one.best)}`, answer,
    ...(isHeldOut(dispatch, one) ? [`${shareText(heldOutOf(one))} by a tree grown without this size`] : []),
    ...(one.weight === 1 ? [] : [`weight ${numberText(one.weight)}`]));
}

// A logarithmic axis of sizes: in powers of two, unless these would be too many.
export const sizeAxis = (name, [min, max]) => ({
  type: "log", logBase: max / min > 2 ** 14 ? 10 : 2, name, min, max, splitLine: { show: false },
  axisLabel: countLabels({ hideOverlap: true, showMinLabel: false, showMaxLabel: false }),
});

// The tooltip of a chart each of whose points has its case as `one`.
export const caseTooltip = (dispatch) =>
  ({ trigger: "item", formatter: ({ data }) => (data?.one ? caseLines(dispatch, data.one) : "") });
