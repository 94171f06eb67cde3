// SPDX-License-Identifier: Apache-2.0
// A device's page: charts and tables of one problem (a kernel at a size) at a time. All text that came from users goes
// into the page as text, never as markup; charts draw on a canvas, and their tooltips are made of escaped text.

const report = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// --- Words and numbers -------------------------------------------------------------------------------------------

function escapeText(value) {
  return String(value).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function percentOfPeak(problem, ns) {
  const { peak_flops: flops = 0, peak_bandwidth: bandwidth = 0 } = report.device;
  const bound = Math.max(flops ? (problem.flops || 0) / flops : 0, bandwidth ? (problem.bytes || 0) / bandwidth : 0);
  return bound ? (100 * bound * 1e9) / ns : undefined;
}

function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  while (bytes >= 1024 && i < units.length - 1) { bytes /= 1024; i++; }
  return `${Number(bytes.toFixed(1))} ${units[i]}`;
}

// --- The state of the page: one problem, prepared for drawing -----------------------------------------------------

const state = { problem: null, valid: [], varying: [], shown: 200, sort: { key: "time", up: true } };

// Values in the order people expect: numbers by size, then the rest by name.
function compareValues(a, b) {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : 1;
}

// In a union of spaces a configuration may lack a parameter; charts show that as a value of its own.
const absent = "–";
const valueOf = (evaluation, name) => evaluation.configuration[name] ?? absent;

function distinct(evaluations, name) {
  return [...new Set(evaluations.map((e) => valueOf(e, name)))].sort(compareValues);
}

function choose(problem) {
  state.problem = problem;
  state.valid = problem.evaluations.filter((e) => e.outcome === "ok").sort((a, b) => a.time_ns - b.time_ns);
  state.valid.forEach((e, i, all) => { e.rank = all.length > 1 ? i / (all.length - 1) : 0; });
  state.varying = problem.parameters.filter((name) =>
    new Set(problem.evaluations.map((e) => e.configuration[name])).size > 1);
  state.best = state.valid.find((e) => e.id === problem.best) || state.valid[0];
  state.shown = 200;
}

// --- Colours -----------------------------------------------------------------------------------------------------

const dark = matchMedia("(prefers-color-scheme: dark)");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const palette = ["#3a6df0", "#e07b39", "#12a07a", "#c2408f", "#8a63d2", "#b59b1d", "#2aa5c9", "#d04a4a", "#6b7a8f", "#5c9e31"];
// From fast to slow (viridis, cut where it would vanish on the paper).
const speeds = () => (dark.matches
  ? ["#fde725", "#7ad151", "#22a884", "#2f8aa8", "#4a6fb0", "#56568f"]
  : ["#d9480f", "#e8890c", "#7fa650", "#3b8ea5", "#7b93b8", "#c3cad8"]);

function speedColour(rank) {
  const colours = speeds();
  const at = Math.min(rank, 0.9999) * (colours.length - 1);
  const mix = (a, b, t) => Math.round(parseInt(a, 16) * (1 - t) + parseInt(b, 16) * t);
  const [a, b] = [colours[Math.floor(at)], colours[Math.floor(at) + 1]];
  return `rgb(${[1, 3, 5].map((i) => mix(a.slice(i, i + 2), b.slice(i, i + 2), at % 1)).join(",")})`;
}

// --- Charts: each is a function from the state to the options of a chart -------------------------------------------

const drawn = new Map();

function draw(id, options) {
  let chart = drawn.get(id);
  if (!chart) {
    chart = echarts.init(byId(id));
    drawn.set(id, chart);
  }
  const base = {
    animation: false,
    textStyle: { color: css("--soft"), fontFamily: getComputedStyle(document.body).fontFamily },
    tooltip: { backgroundColor: css("--card"), borderColor: css("--line"), textStyle: { color: css("--ink"), fontSize: 12 }, confine: true },
  };
  chart.setOption({ ...base, ...options, tooltip: { ...base.tooltip, ...options.tooltip } }, { notMerge: true });
}

function axis(options) {
  return {
    nameTextStyle: { color: css("--soft") }, axisLabel: { color: css("--soft") }, axisLine: { lineStyle: { color: css("--line") } },
    splitLine: { lineStyle: { color: css("--line") } }, ...options,
  };
}

const intervalText = (low, high) => (low === undefined || high === undefined ? "" : `${timeText(low)} – ${timeText(high)}`);
const energyText = (joules) => (joules === undefined ? "" : joules >= 1 ? `${Number(joules.toPrecision(4))} J` : `${Number((joules * 1e3).toPrecision(4))} mJ`);
// Operations a second and watt are operations a joule.
const perWatt = (e) => (e.energy_j && state.problem.flops ? state.problem.flops / e.energy_j / 1e9 : undefined);
const perWattText = (e) => (perWatt(e) === undefined ? "" : `${Number(perWatt(e).toPrecision(4))} GFLOP/s per watt`);

function tooltipOf(evaluation) {
  const lines = state.problem.parameters.filter((name) => evaluation.configuration[name] !== undefined)
    .map((name) => `${escapeText(name)} = ${escapeText(evaluation.configuration[name])}`);
  const facts = [intervalText(evaluation.low_ns, evaluation.high_ns), [energyText(evaluation.energy_j), perWattText(evaluation)].filter(Boolean).join(", "),
    evaluation.throttled ? `${evaluation.throttled} samples repeated: throttled` : ""].filter(Boolean);
  return [`<b>${timeText(evaluation.time_ns)} ${rateText(state.problem, evaluation.time_ns)}</b>`, ...facts, ...lines].join("<br>");
}

function scatterOptions() {
  const { problem, valid } = state;
  const across = byId("scatter-x").value, colour = byId("scatter-colour").value;
  const asRate = byId("scatter-y").value === "rate" && rateUnit(problem);
  const values = across ? distinct(valid, across) : [];
  // Points of one value are spread a little so that they can be told apart, always in the same way.
  const spread = (e) => ((e.id * 0.6180339887) % 1 - 0.5) * 0.6;
  const x = (e) => (across ? values.indexOf(valueOf(e, across)) + spread(e) : e.order);
  const y = (e) => (asRate ? rate(problem, e.time_ns) : e.time_ns * 1e-6);
  const groups = colour ? distinct(valid, colour) : [undefined];
  const series = groups.map((group, i) => ({
    type: "scatter", name: colour ? `${colour} = ${group}` : "valid", symbolSize: valid.length > 3000 ? 4 : 7, large: valid.length > 20000,
    itemStyle: { color: palette[i % palette.length], opacity: 0.75 },
    data: valid.filter((e) => !colour || valueOf(e, colour) === group).map((e) => ({ value: [x(e), y(e)], evaluation: e })),
  }));
  if (state.best)
    series.push({
      type: "scatter", name: "best", symbol: "circle", symbolSize: 16, z: 5, itemStyle: { color: "transparent", borderColor: css("--good"), borderWidth: 3 },
      data: [{ value: [x(state.best), y(state.best)], evaluation: state.best }],
    });
  return {
    grid: { left: 64, right: 20, top: 58, bottom: 46 },
    legend: { type: "scroll", top: 0, textStyle: { color: css("--soft") }, data: colour ? series.map((s) => s.name) : [] },
    tooltip: { trigger: "item", formatter: (point) => tooltipOf(point.data.evaluation) },
    xAxis: across
      ? axis({ type: "value", min: -0.5, max: values.length - 0.5, interval: 1, name: across, nameLocation: "middle", nameGap: 28, splitLine: { show: false },
          axisTick: { show: false }, axisLabel: { color: css("--soft"), customValues: values.map((_, i) => i), formatter: (i) => values[Math.round(i)] ?? "" } })
      : axis({ type: "value", name: "in the order tried", nameLocation: "middle", nameGap: 28, splitLine: { show: false } }),
    yAxis: axis({ type: asRate ? "value" : "log", name: asRate ? rateUnit(problem) : "ms", scale: true }),
    series,
  };
}

// --- Finals, intervals, energy

// The last finals of the problem, with their rows; none if no sweep had any.
function lastFinals() {
  const run = state.problem.runs.filter((r) => r.finals.length).pop();
  const evaluations = new Map(state.problem.evaluations.map((e) => [e.id, e]));
  return run && { run, places: run.finals.map((place) => ({ ...place, row: evaluations.get(place.evaluation) })).filter((place) => place.row) };
}

function topOptions() {
  const most = 20;
  const finals = lastFinals(), results = new Map(finals ? finals.places.map((p) => [p.evaluation, p.result]) : []);
  const rows = [state.best, ...state.valid.filter((e) => e !== state.best)].slice(0, most);
  const colour = (e) => (e === state.best ? css("--good") : e.throttled ? css("--bad") : results.get(e.id) === "tied" ? css("--accent") : css("--soft"));
  const ms = (ns) => ns * 1e-6;
  const data = rows.map((e, i) => ({ value: [i, ms(e.time_ns), ms(e.low_ns ?? e.time_ns), ms(e.high_ns ?? e.time_ns)], evaluation: e, itemStyle: { color: colour(e) } }));
  const whisker = (params, api) => {
    const [top, bottom] = [api.coord([api.value(0), api.value(3)]), api.coord([api.value(0), api.value(2)])];
    const wide = Math.min(api.size([1, 0])[0] * 0.25, 10), style = { stroke: api.visual("color"), lineWidth: 2, fill: undefined };
    const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
    return { type: "group", children: [line(top[0], top[1], bottom[0], bottom[1]), line(top[0] - wide, top[1], top[0] + wide, top[1]), line(bottom[0] - wide, bottom[1], bottom[0] + wide, bottom[1])] };
  };
  return {
    grid: { left: 70, right: 20, top: 30, bottom: 46 },
    tooltip: { trigger: "item", formatter: (point) => tooltipOf(point.data.evaluation) },
    xAxis: axis({ type: "category", data: rows.map((_, i) => String(i + 1)), name: "place", nameLocation: "middle", nameGap: 28 }),
    yAxis: axis({ type: "value", name: "ms", scale: true }),
    series: [
      { type: "custom", renderItem: whisker, encode: { x: 0, y: [2, 3] }, data, clip: true },
      { type: "scatter", symbolSize: 8, encode: { x: 0, y: 1 }, data },
    ],
  };
}

// Rows that no other row beats in both time and energy, from the fastest to the thriftiest.
function paretoFront(rows) {
  let least = Infinity;
  return [...rows].sort((a, b) => a.time_ns - b.time_ns || a.energy_j - b.energy_j).filter((e) => e.energy_j < least && ((least = e.energy_j), true));
}

const withEnergy = () => state.valid.filter((e) => e.energy_j > 0);

// An axis of decades says little where all lie within one.
const spanning = (values) => (Math.max(...values) > 20 * Math.min(...values) ? "log" : "value");

function paretoOptions() {
  const rows = withEnergy(), front = paretoFront(rows);
  const point = (e) => ({ value: [e.time_ns * 1e-6, e.energy_j * 1e3], evaluation: e });
  byId("pareto-note").textContent = front.length === 1
    ? "One configuration is both the fastest and the one that takes least energy."
    : `${front.length} of ${rows.length} configurations are beaten by no other in both time and energy: the line. From its left end to its right ${
      Number((100 * (1 - front[front.length - 1].energy_j / front[0].energy_j)).toPrecision(2))} % of the energy of a run are saved for ${
      Number((100 * (front[front.length - 1].time_ns / front[0].time_ns - 1)).toPrecision(2))} % more time.`;
  return {
    grid: { left: 70, right: 24, top: 34, bottom: 46 },
    tooltip: { trigger: "item", formatter: (p) => tooltipOf(p.data.evaluation) },
    xAxis: axis({ type: spanning(rows.map((e) => e.time_ns)), scale: true, name: "time (ms)", nameLocation: "middle", nameGap: 28, splitLine: { show: false } }),
    yAxis: axis({ type: spanning(rows.map((e) => e.energy_j)), scale: true, name: "energy (mJ)" }),
    series: [
      { type: "scatter", data: rows.map(point), symbolSize: 6, itemStyle: { color: css("--soft"), opacity: 0.5 } },
      { type: "line", data: front.map(point), symbol: "circle", symbolSize: 9, z: 4, lineStyle: { width: 2.5, color: css("--good") }, itemStyle: { color: css("--good") } },
    ],
  };
}

function parallelOptions() {
  const { valid, varying } = state;
  // Beyond this many lines nothing can be seen: keep the fastest, and an even sample of the rest.
  const most = 3000, step = Math.max(1, Math.ceil(valid.length / most));
  const lines = valid.filter((_, i) => i < most / 2 || i % step === 0).reverse();
  const names = varying.slice(0, 14);
  const categories = names.map((name) => distinct(valid, name));
  return {
    tooltip: { show: false },
    parallel: { left: 50, right: 60, top: 40, bottom: 24, parallelAxisDefault: { nameTextStyle: { color: css("--ink") }, axisLine: { lineStyle: { color: css("--line") } },
      axisLabel: { color: css("--ink"), textBorderColor: css("--card"), textBorderWidth: 4, width: 72, overflow: "truncate" } } },
    parallelAxis: [
      ...names.map((name, i) => ({ dim: i, name, type: "category", data: categories[i].map(String) })),
      { dim: names.length, name: "time (ms)", type: "log", inverse: true },
    ],
    series: [{
      type: "parallel", smooth: 0.15, inactiveOpacity: 0.02, progressive: 500,
      data: lines.map((e) => ({
        value: [...names.map((name) => String(valueOf(e, name))), e.time_ns * 1e-6],
        lineStyle: { color: speedColour(e.rank), opacity: e === state.best ? 1 : 0.18 + 0.5 * (1 - e.rank) ** 3, width: e === state.best ? 3.5 : 1.2 },
      })),
    }],
  };
}

function heatOptions() {
  const { valid } = state;
  const [across, down] = [byId("heat-x").value, byId("heat-y").value];
  const [xs, ys] = [distinct(valid, across), distinct(valid, down)];
  const cells = new Map();
  for (const e of valid) { // in order of time: the first of a cell is its best
    const key = `${xs.indexOf(valueOf(e, across))},${ys.indexOf(valueOf(e, down))}`;
    if (!cells.has(key)) cells.set(key, e);
  }
  const data = [...cells].map(([key, e]) => ({ value: [...key.split(",").map(Number), Math.log10(e.time_ns * 1e-6)], evaluation: e }));
  const times = data.map((d) => d.value[2]);
  return {
    grid: { left: 70, right: 16, top: 10, bottom: 100 },
    tooltip: { formatter: (cell) => tooltipOf(cell.data.evaluation) },
    xAxis: axis({ type: "category", data: xs.map(String), name: across, nameLocation: "middle", nameGap: 26, splitArea: { show: false } }),
    yAxis: axis({ type: "category", data: ys.map(String), name: down, nameLocation: "middle", nameGap: 48 }),
    visualMap: { min: Math.min(...times), max: Math.max(...times) + 1e-9, calculable: true, itemWidth: 12, itemHeight: 160, orient: "horizontal", left: "center", bottom: 0, textStyle: { color: css("--soft") },
      inRange: { color: speeds() }, formatter: (v) => timeText(10 ** v * 1e6) },
    series: [{
      type: "heatmap", data, itemStyle: { borderColor: css("--card"), borderWidth: 2, borderRadius: 4 },
      label: { show: data.length <= 80, color: "#111", fontSize: 11, formatter: (cell) => Number((10 ** cell.value[2]).toPrecision(3)) },
    }],
  };
}

function courseOptions() {
  const { problem } = state;
  const run = problem.runs.find((r) => String(r.id) === byId("course-run").value);
  const evaluations = new Map(problem.evaluations.map((e) => [e.id, e]));
  const order = run ? run.order : [];
  let best = Infinity;
  const steps = [], tried = [];
  order.forEach((id, i) => {
    const e = evaluations.get(id);
    if (!e || e.outcome !== "ok") return;
    tried.push({ value: [i + 1, e.time_ns * 1e-6], evaluation: e });
    if (e.time_ns < best) { best = e.time_ns; steps.push({ value: [i + 1, best * 1e-6], evaluation: e }); }
  });
  if (steps.length) steps.push({ value: [order.length, best * 1e-6], evaluation: steps[steps.length - 1].evaluation, symbol: "none" });
  return {
    grid: { left: 64, right: 20, top: 30, bottom: 46 },
    tooltip: { trigger: "item", formatter: (point) => tooltipOf(point.data.evaluation) },
    xAxis: axis({ type: "value", min: 0, max: Math.max(order.length, 1), name: "configurations tried", nameLocation: "middle", nameGap: 28, splitLine: { show: false } }),
    yAxis: axis({ type: "log", name: "ms" }),
    series: [
      { type: "scatter", data: tried, symbolSize: 4, itemStyle: { color: css("--soft"), opacity: 0.35 } },
      { type: "line", step: "end", data: steps, symbolSize: 8, lineStyle: { width: 2.5, color: css("--good") }, itemStyle: { color: css("--good") } },
    ],
  };
}

// [name, how many, one of them]; of very many rows the report holds a sample.
function failureKinds() {
  const examples = new Map(state.problem.evaluations.map((e) => [e.outcome, e]));
  return Object.entries(state.problem.outcomes)
    .filter(([name]) => name !== "ok")
    .map(([name, count]) => [name, count, examples.get(name)])
    .sort((a, b) => b[1] - a[1]);
}

const rowCount = (problem) => Object.values(problem.outcomes).reduce((sum, count) => sum + count, 0);

function failureOptions(kinds) {
  return {
    grid: { left: 130, right: 50, top: 4, bottom: 24 },
    tooltip: {},
    xAxis: axis({ type: "value", minInterval: 1 }),
    yAxis: axis({ type: "category", inverse: true, data: kinds.map(([name]) => name), splitLine: { show: false } }),
    series: [{ type: "bar", data: kinds.map(([, count]) => count), itemStyle: { color: css("--bad"), borderRadius: 4 }, barMaxWidth: 22, label: { show: true, position: "right", color: css("--ink") } }],
  };
}

// --- Parts of the page ---------------------------------------------------------------------------------------------

function showBest() {
  const { problem, best } = state;
  const place = byId("best");
  if (!best) {
    place.replaceChildren(element("p", { className: "note", textContent: "No configuration of this problem is valid." }));
    return;
  }
  const percent = percentOfPeak(problem, best.time_ns);
  const figure = element("div", {},
    element("div", { className: "figure" }, timeText(best.time_ns), " ",
      element("small", { textContent: rateText(problem, best.time_ns) })));
  if (percent !== undefined) {
    const bar = element("i", {});
    bar.style.width = `${Math.min(percent, 100)}%`;
    figure.append(element("div", { className: "meter", title: "share of the device's peak" }, bar),
      element("div", { className: "note", textContent: `${percent.toFixed(1)} % of what the device could do` }));
  }
  const chips = element("div", { className: "chips" }, ...Object.entries(best.configuration).map(([name, value]) =>
    element("span", { className: "chip" }, `${name} `, element("b", { textContent: String(value) }))));
  const facts = [
    ["95 % interval", intervalText(best.low_ns, best.high_ns) || undefined],
    ["energy of a run", best.energy_j === undefined ? undefined : `${energyText(best.energy_j)}${best.energy_error_j === undefined ? "" : ` ± ${energyText(best.energy_error_j)}`}`],
    ["per watt", perWatt(best) === undefined ? undefined : perWattText(best).replace(" per watt", "")],
    ["throttled", best.throttled ? `${best.throttled} samples repeated` : undefined],
    ["seed of the inputs", best.seed],
    ["registers", best.registers], ["spills", best.spill_bytes === undefined ? undefined : bytesText(best.spill_bytes)],
    ["shared memory", best.shared_bytes === undefined ? undefined : bytesText(best.shared_bytes)],
    ["occupancy", best.occupancy === undefined ? undefined : `${(100 * best.occupancy).toFixed(0)} %`],
    ["largest error", best.error_ratio === undefined ? undefined : `${Number(best.error_ratio.toPrecision(2))} of the allowed`],
    ["faster than the median", state.valid.length > 2 ? `${Number((state.valid[Math.floor(state.valid.length / 2)].time_ns / best.time_ns).toFixed(2))}×` : undefined],
    ["measured", `${best.measured_at.slice(0, 10)} (${best.origin})`],
  ].filter(([, value]) => value !== undefined);
  place.replaceChildren(figure, element("div", {}, chips, element("div", { className: "details" },
    ...facts.map(([name, value]) => element("span", {}, `${name} `, element("b", { textContent: String(value) }))))));
}

const percent = (ratio) => Number((100 * (ratio - 1)).toPrecision(2));

// What the finals say, in plain words.
function verdict(places) {
  const [winner, ...others] = places, tied = others.filter((p) => p.result === "tied");
  const next = others.find((p) => p.result === "lost" && p.ratio !== undefined);
  const interval = next && next.ratio_low !== undefined ? ` (95 % interval: ${percent(next.ratio_low)} % to ${percent(next.ratio_high)} %)` : "";
  const behind = next ? ` The next one takes ${percent(next.ratio)} % longer${interval}.` : "";
  if (tied.length) return [`Declared a tie of ${tied.length + 1}.`, `Measured ${winner.rounds.length} times in turns, these could not be told apart. The winner is the one that uses fewer resources.${behind}`];
  return ["A clear winner.", `Measured ${winner.rounds.length} times in turns.${behind}`];
}

function showFinals() {
  const finals = lastFinals();
  byId("finals").hidden = !finals || !finals.places.length;
  if (byId("finals").hidden) return;
  const [title, note] = verdict(finals.places);
  byId("finals-verdict").textContent = title;
  byId("finals-note").textContent = `${note} Sweep ${finals.run.id}, ${finals.run.started_at.slice(0, 10)}; by ${finals.run.objective || "time"}.`;
  const ratio = (value) => (value === undefined ? "" : value.toFixed(4));
  const marks = (p) => [element("span", { className: `mark ${p.result}`, textContent: p.result }),
    ...(p.row.throttled ? [" ", element("span", { className: "mark throttled", textContent: "throttled" })] : [])];
  const shape = [
    ["place", (p) => String(p.place)], ["", marks], ["time", (p) => timeText(p.time_ns)], ["95 % interval", (p) => intervalText(p.low_ns, p.high_ns)],
    ["to the winner's", (p) => ratio(p.ratio)], ["95 % interval", (p) => (p.ratio_low === undefined ? "" : `${ratio(p.ratio_low)} – ${ratio(p.ratio_high)}`)],
    ["energy", (p) => energyText(p.row.energy_j)], ["GFLOP/s per watt", (p) => String(Number((perWatt(p.row) ?? NaN).toPrecision(4)) || "")],
    ["registers", (p) => String(p.row.registers ?? "")], ["shared", (p) => (p.row.shared_bytes === undefined ? "" : bytesText(p.row.shared_bytes))],
    ["configuration", (p) => configurationText(Object.fromEntries(state.varying.map((name) => [name, valueOf(p.row, name)])))],
  ].filter(([, show]) => finals.places.some((p) => show(p).length)); // columns that say something
  byId("finals-table").tHead.replaceChildren(element("tr", {}, ...shape.map(([textContent]) => element("th", { textContent }))));
  byId("finals-table").tBodies[0].replaceChildren(...finals.places.map((p) => element("tr", { className: p.row === state.best ? "winner" : "" },
    ...shape.map(([name, show]) => element("td", { className: name === "configuration" ? "wrap" : "" }, ...[show(p)].flat())))));
}

function showFailures() {
  const kinds = failureKinds();
  byId("failures").hidden = kinds.length === 0;
  if (!kinds.length) return;
  byId("chart-failures").style.height = `${40 + 34 * kinds.length}px`;
  draw("chart-failures", failureOptions(kinds));
  drawn.get("chart-failures").resize();
  byId("failure-list").replaceChildren(...kinds.map(([name, count, example]) => element("details", {},
    element("summary", { textContent: `${name}: ${count}${example ? `, such as ${configurationText(example.configuration)}` : ""}` }),
    element("pre", { textContent: example?.message || "(no message)" }))));
}

// Half the width of the interval as a share of the time.
const halfWidth = (e) => (e.low_ns === undefined || e.high_ns === undefined || !e.time_ns ? undefined : (e.high_ns - e.low_ns) / 2 / e.time_ns);

const columns = () => [
  { key: "time", name: "time", number: true, get: (e) => e.time_ns, show: (e) => timeText(e.time_ns) },
  { key: "interval", name: "± 95 %", number: true, get: halfWidth, show: (e) => (halfWidth(e) === undefined ? "" : `${Number((100 * halfWidth(e)).toPrecision(2))} %`) },
  { key: "rate", name: rateUnit(state.problem) || "rate", number: true, get: (e) => (e.time_ns ? rate(state.problem, e.time_ns) : undefined),
    show: (e) => (e.time_ns && rateUnit(state.problem) ? rate(state.problem, e.time_ns).toFixed(1) : "") },
  ...(withEnergy().length ? [
    { key: "energy_j", name: "energy", number: true, get: (e) => e.energy_j, show: (e) => energyText(e.energy_j) },
    { key: "per_watt", name: "GFLOP/s per W", number: true, get: perWatt, show: (e) => (perWatt(e) === undefined ? "" : String(Number(perWatt(e).toPrecision(3)))) },
  ] : []),
  ...(state.valid.some((e) => e.throttled) ? [{ key: "throttled", name: "throttled", number: true, get: (e) => e.throttled, show: (e) => (e.throttled ? `${e.throttled} repeated` : "") }] : []),
  ...state.varying.map((name) => ({ key: name, name, number: true, get: (e) => e.configuration[name], show: (e) => e.configuration[name] ?? "" })),
  ...[["registers", "regs"], ["spill_bytes", "spill"], ["shared_bytes", "shared"]].map(([key, name]) =>
    ({ key, name, number: true, get: (e) => e[key], show: (e) => e[key] ?? "" })),
  { key: "occupancy", name: "occup.", number: true, get: (e) => e.occupancy, show: (e) => (e.occupancy === undefined ? "" : `${(100 * e.occupancy).toFixed(0)} %`) },
  { key: "outcome", name: "outcome", get: (e) => e.outcome, show: (e) => e.outcome },
  { key: "message", name: "message", get: (e) => e.message, show: (e) => e.message.split("\n")[0] },
];

// A filter is words: NAME=VALUE, NAME<NUMBER and so on, or any part of the configuration, the outcome or the message.
// `time` is in milliseconds.
function matcher(text) {
  const terms = text.trim().split(/\s+/).filter(Boolean).map((word) => {
    const parts = word.match(/^([A-Za-z_]\w*)(<=|>=|!=|=|<|>)(.+)$/);
    if (!parts) return (e) => `${configurationText(e.configuration)} ${e.outcome} ${e.message}`.toLowerCase().includes(word.toLowerCase());
    const [, name, operator, wanted] = parts;
    const value = (e) => (name === "time" ? (e.time_ns === undefined ? undefined : e.time_ns * 1e-6) : name in e.configuration ? e.configuration[name] : e[name]);
    const number = Number(wanted);
    return {
      "=": (e) => String(value(e)) === wanted || (wanted !== "" && value(e) === number), "!=": (e) => String(value(e)) !== wanted && value(e) !== number,
      "<": (e) => value(e) < number, ">": (e) => value(e) > number, "<=": (e) => value(e) <= number, ">=": (e) => value(e) >= number,
    }[operator];
  });
  return (e) => terms.every((term) => term(e));
}

function showTable() {
  const table = byId("configurations"), shape = columns();
  const sorting = shape.find((c) => c.key === state.sort.key) || shape[0];
  const head = element("tr", {}, ...shape.map((c) => {
    const cell = element("th", { className: c.number ? "number" : "" }, element("button", { type: "button", textContent: c.name,
      onclick: () => { state.sort = { key: c.key, up: state.sort.key === c.key ? !state.sort.up : true }; showTable(); } }));
    if (c.key === sorting.key) cell.ariaSort = state.sort.up ? "ascending" : "descending";
    return cell;
  }));
  const rows = state.problem.evaluations.filter(matcher(byId("filter").value));
  const sign = state.sort.up ? 1 : -1;
  rows.sort((a, b) => { // what has no value stays last either way
    const [x, y] = [sorting.get(a), sorting.get(b)];
    return x === undefined || y === undefined ? compareValues(x, y) : sign * compareValues(x, y);
  });
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(...rows.slice(0, state.shown).map((e) => element("tr", { className: e === state.best ? "winner" : "" },
    ...shape.map((c) => element("td", { textContent: String(c.show(e)),
      className: [c.number ? "number" : "", c.key === "message" ? "message" : "", c.key === "outcome" && e.outcome !== "ok" ? "bad" : ""].join(" ").trim() })))));
  const { evaluations } = state.problem, all = rowCount(state.problem);
  byId("filter-count").textContent = `${rows.length} of ${evaluations.length}` +
    (evaluations.length < all ? `: the fastest and a sample of the others; the database has all ${all}` : "");
  byId("more").hidden = rows.length <= state.shown;
}

function pairs(table, entries) {
  byId(table).tBodies[0].replaceChildren(...entries.filter(([, value]) => value !== undefined && value !== "").map(([name, value]) =>
    element("tr", {}, element("th", { textContent: name, scope: "row" }), element("td", { textContent: String(value) }))));
}

function showProvenance() {
  const { problem } = state, device = report.device;
  const clocks = state.valid.map((e) => e.sm_clock_mhz).filter((v) => v > 0);
  const throttled = state.valid.filter((e) => e.throttle_reasons > 1).length;
  const repeated = state.valid.reduce((sum, e) => sum + (e.throttled || 0), 0);
  const seeds = [...new Set(problem.evaluations.map((e) => e.seed).filter((seed) => seed !== undefined))];
  const dates = problem.evaluations.map((e) => e.measured_at).sort();
  pairs("provenance", [
    ["device", device.name], ["UUID", device.uuid], ["architecture", device.architecture], ["multiprocessors", device.sm_count],
    ["driver", problem.driver], ["compiler", problem.compiler], ["kernel version", problem.template_hash],
    ["clocks while measuring", clocks.length ? `${Math.min(...clocks)} – ${Math.max(...clocks)} MHz` : undefined],
    ["measured while throttled", clocks.length ? `${throttled} of ${state.valid.length}` : undefined],
    ["samples repeated for throttling", repeated || undefined],
    ["measured on", [...new Set(problem.evaluations.map((e) => e.uuid).filter(Boolean))].join(", ")],
    ["seed of the inputs", seeds.length > 3 ? `${seeds.slice(0, 3).join(", ")} and ${seeds.length - 3} more` : seeds.join(", ")],
    ["peak", device.peak_flops ? `${(device.peak_flops / 1e12).toFixed(1)} TFLOP/s fp32${device.peak_bandwidth ? `, ${(device.peak_bandwidth / 1e9).toFixed(0)} GB/s` : ""}` : undefined],
    ["measured", dates.length ? `${dates[0]} – ${dates[dates.length - 1]}` : undefined],
  ]);
  const names = ["id", "space", "strategy", "objective", "seed", "budget", "status", "started_at", "ended_at", "configurations", "reused", "host", "tune_version"];
  byId("runs").tHead.replaceChildren(element("tr", {}, ...names.map((name) => element("th", { textContent: name.replace("_", " ") }))));
  byId("runs").tBodies[0].replaceChildren(...problem.runs.map((run) => element("tr", {}, ...names.map((name) => element("td", { textContent: String(run[name] ?? "").replace(/(T\d\d:\d\d):.*Z$/, "$1Z") })))));
  byId("spaces").replaceChildren(...problem.spaces.map((space) => element("details", {},
    element("summary", { textContent: `space ${space.name} (${space.hash})` }), element("pre", { textContent: space.text }))));
}

// --- Controls --------------------------------------------------------------------------------------------------------

function fill(select, entries, chosen) {
  byId(select).replaceChildren(...entries.map(([value, text]) => element("option", { value, textContent: text })));
  if (chosen !== undefined) byId(select).value = chosen;
}

// What a chart cannot be drawn without; its part of the page is hidden then.
const charts = {
  top: { options: topOptions, possible: () => state.valid.length > 1 },
  pareto: { options: paretoOptions, possible: () => withEnergy().length > 1 },
  scatter: { options: scatterOptions, possible: () => state.valid.length > 0 },
  parallel: { options: parallelOptions, possible: () => state.valid.length > 0 && state.varying.length > 0 },
  heat: { options: heatOptions, possible: () => state.valid.length > 0 && state.varying.length > 1 },
  course: { options: courseOptions, possible: () => state.valid.length > 0 && state.problem.runs.length > 0 },
};

function drawAll() {
  for (const [name, { options, possible }] of Object.entries(charts)) {
    const section = byId(`chart-${name}`).closest("section");
    section.hidden = !possible();
    if (section.hidden) continue;
    draw(`chart-${name}`, options());
    drawn.get(`chart-${name}`).resize(); // it may have been hidden before
  }
  showFailures();
}

function showProblem() {
  choose(report.problems.find((p) => String(p.id) === byId("pick-version").value) || report.problems[0]);
  const { problem, varying, valid } = state;
  const last = problem.runs[problem.runs.length - 1];
  const order = new Map(problem.runs.flatMap((run) => run.order.map((id, i) => [id, i + 1])));
  problem.evaluations.forEach((e, i) => { e.order = order.get(e.id) ?? i + 1; });
  const parameters = varying.map((name) => [name, name]);
  // The two parameters that matter most to begin with: those whose best times differ most between their values, among
  // those that every configuration has.
  const effect = (name) => {
    const values = distinct(valid, name);
    const bests = values.map((value) => valid.find((e) => valueOf(e, name) === value).time_ns);
    if (values.includes(absent)) return 0; // another one stands for it
    return bests.length > 1 ? Math.max(...bests) / Math.min(...bests) : 0;
  };
  const ranked = [...varying].sort((a, b) => effect(b) - effect(a));
  fill("scatter-x", [["", "the order tried"], ...parameters], ranked[0] ?? "");
  fill("scatter-colour", [["", "nothing"], ...parameters], ranked[1] ?? "");
  fill("heat-x", parameters, ranked[0]);
  fill("heat-y", parameters, ranked[1] ?? ranked[0]);
  fill("course-run", problem.runs.map((run) => [String(run.id), `${run.id}: ${run.space}, ${run.strategy}, ${run.started_at.slice(0, 16)}`]), last && String(last.id));
  showBest();
  showFinals();
  drawAll();
  showTable();
  showProvenance();
}

function pickVersions() {
  const found = report.problems.filter((p) => p.template === byId("pick-template").value && p.size === byId("pick-size").value);
  fill("pick-version", found.map((p) => [String(p.id), `${p.template_hash.slice(0, 8)}, ${p.driver}, ${p.compiler}${p.latest ? "" : " (older)"}`]),
    String((found.find((p) => p.latest) || found[0]).id));
  showProblem();
}

function pickSizes() {
  const found = report.problems.filter((p) => p.template === byId("pick-template").value);
  // The size with most configurations is what people came for.
  const most = found.reduce((a, b) => (b.evaluations.length > a.evaluations.length ? b : a), found[0]);
  fill("pick-size", [...new Set(found.map((p) => p.size))].map((size) => [size, size]), most.size);
  pickVersions();
}

function start() {
  const { device } = report;
  byId("device-name").textContent = device.name;
  byId("device-facts").textContent = [device.architecture, device.sm_count && `${device.sm_count} ${device.kind === "cpu" ? "threads" : "multiprocessors"}`,
    device.memory_bytes && bytesText(device.memory_bytes), device.clock_khz && `${(device.clock_khz / 1e3).toFixed(0)} MHz`, ...device.drivers.slice(0, 1), ...device.compilers.slice(0, 1)].filter(Boolean).join(" · ");
  byId("footer").textContent = `tune ${report.tune_version}, ${report.generated_at}`;
  document.title = `${device.name}: tune`;
  if (!report.problems.length) return;

  fill("pick-template", [...new Set(report.problems.map((p) => p.template))].map((name) => [name, name]));
  byId("pick-template").onchange = pickSizes;
  byId("pick-size").onchange = pickVersions;
  byId("pick-version").onchange = showProblem;
  for (const id of ["scatter-x", "scatter-colour", "scatter-y"]) byId(id).onchange = () => draw("chart-scatter", scatterOptions());
  for (const id of ["heat-x", "heat-y"]) byId(id).onchange = () => draw("chart-heat", heatOptions());
  byId("course-run").onchange = () => draw("chart-course", courseOptions());
  byId("filter").oninput = () => { state.shown = 200; showTable(); };
  byId("more").onclick = () => { state.shown += 500; showTable(); };
  const resize = () => drawn.forEach((chart) => chart.resize());
  addEventListener("resize", resize);
  addEventListener("beforeprint", resize);
  dark.onchange = drawAll;
  pickSizes();
}

start();
