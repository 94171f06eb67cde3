// SPDX-License-Identifier: Apache-2.0
// Every valid configuration: its value of the objective, its time or its rate over a parameter or over the order tried.
import { axis, countLabels, css, palette, xAxis } from "../chart.js";
import { byId } from "../dom.js";
import { objectiveOf } from "../objective.js";
import { problemRate, problemRateUnit } from "../text.js";
import { distinct, spread, state, valueOf } from "./state.js";
import { tooltip } from "./tooltip.js";

const rateChoice = " rate "; // a choice for the y axis that cannot be the name of an objective as well

function parameterAxis(name, values) {
  return xAxis({
    type: "value", name, min: -0.5, max: values.length - 0.5, interval: 1,
    splitLine: { show: false }, axisTick: { show: false },
    axisLabel: {
      color: css("--soft"), customValues: values.map((_, i) => i), formatter: (i) => values[Math.round(i)] ?? "",
    },
  });
}

// The points, a series for each value of the parameter `colour`.
function pointSeries(colour, point) {
  const { valid } = state;
  return (colour ? distinct(valid, colour) : [undefined]).map((group, i) => ({
    type: "scatter",
    name: colour ? `${colour} = ${group}` : "valid",
    symbolSize: valid.length > 3000 ? 4 : 7,
    large: valid.length > 20000,
    itemStyle: { color: palette[i % palette.length], opacity: 0.75 },
    data: valid.filter((e) => !colour || valueOf(e, colour) === group).map(point)
      .filter(({ value }) => value[1] !== undefined),
  }));
}

// What the y axis can show, each with the name to choose it by: the objective first.
export function scatterChoices() {
  const { name } = state.objective, rate = problemRateUnit(state.problem);
  return [...new Set([name, "time"])].map((one) => [one, one]).concat(rate ? [[rateChoice, "rate"]] : []);
}

// The y axis and an evaluation's value on it.
function upward() {
  const { problem, objective } = state, chosen = byId("scatter-y").value;
  if (chosen === rateChoice)
    return { type: "value", name: problemRateUnit(problem), y: (e) => problemRate(problem, e) };
  const { unit, shown } = chosen === objective.name ? objective : objectiveOf(problem, "time");
  return { type: "log", name: unit, y: (e) => (shown(e) > 0 ? shown(e) : undefined) };
}

export function scatterOptions() {
  const { valid, best } = state;
  const across = byId("scatter-x").value, colour = byId("scatter-colour").value;
  const { type, name, y } = upward();
  const values = across ? distinct(valid, across) : [];
  const x = (e) => (across ? values.indexOf(valueOf(e, across)) + spread(e) : e.order);
  const point = (e) => ({ value: [x(e), y(e)], evaluation: e });
  const series = pointSeries(colour, point);
  if (best)
    series.push({
      type: "scatter", name: "best", symbol: "circle", symbolSize: 16, z: 5, data: [point(best)],
      itemStyle: { color: "transparent", borderColor: css("--good"), borderWidth: 3 },
    });
  return {
    grid: { left: 64, right: 20, top: 58, bottom: 46 },
    legend: { type: "scroll", top: 0, textStyle: { color: css("--soft") }, data: colour ? series.map((s) => s.name) : [] },
    tooltip,
    xAxis: across
      ? parameterAxis(across, values)
      : xAxis({ type: "value", name: "order tried", splitLine: { show: false } }),
    yAxis: axis({
      type, name, scale: true, axisLabel: countLabels(),
      axisLine: { onZero: false, lineStyle: { color: css("--line") } },
    }),
    series,
  };
}
