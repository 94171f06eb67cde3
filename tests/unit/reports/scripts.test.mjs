// SPDX-License-Identifier: Apache-2.0
// The scripts of the pages as far as they need no page: quantities as text, the prepared problem, the filter, the Pareto
// front and the words about finals.
import assert from "node:assert/strict";
import { before, test } from "node:test";

const scripts = "../../../reports/scripts";
let text, limits, state, objective, rungs, roofs, overview, best, filter, finals, pareto, provenance;

before(async () => {
  // What the modules look for when they are loaded; nothing here draws.
  globalThis.document = { getElementById: () => ({ textContent: "{}" }), documentElement: {} };
  globalThis.matchMedia = () => ({ matches: false });
  const load = (name) => import(`${scripts}/${name}.js`);
  [text, limits, state, objective, rungs, roofs, overview, best, filter, finals, pareto, provenance] = await Promise.all(
    ["text", "limits", "device/state", "objective", "device/rungs", "device/roofs", "device/overview", "device/best", "device/filter", "device/finals", "device/pareto", "device/provenance"].map(load));
});

test("quantities have four digits and a unit that fits", () => {
  for (const [ns, shown] of [[undefined, ""], [0, "0 ns"], [999, "999 ns"], [1000, "1 µs"], [135449, "135.4 µs"], [2853000, "2.853 ms"], [12345678900, "12.35 s"]])
    assert.equal(text.timeText(ns), shown);
  for (const [bytes, shown] of [[undefined, ""], [0, "0 B"], [1023, "1023 B"], [1024, "1 KiB"], [24832, "24.3 KiB"], [2 ** 50, "1024 TiB"]])
    assert.equal(text.bytesText(bytes), shown);
  for (const [joules, shown] of [[undefined, ""], [0.062019, "62.02 mJ"], [1, "1 J"], [1.23456, "1.235 J"]])
    assert.equal(text.energyText(joules), shown);
  for (const [share, shown] of [[undefined, ""], [0.0196, "2 %"], [-0.5, "-50 %"], [1, "100 %"]])
    assert.equal(text.percentText(share), shown);
  assert.equal(text.intervalText(1000, undefined), "");
  assert.equal(text.intervalText(1000, 2000), "1 µs – 2 µs");
});

test("rates are of operations if they are known, else of bytes", () => {
  assert.equal(text.rateText({ flops: 2000, bytes: 1 }, 1000), "2.0 GFLOP/s"); // 2000 in 1 us
  assert.equal(text.rateText({ bytes: 3000 }, 1000), "3.0 GB/s");
  assert.equal(text.rateText({}, 1000), "");
});

test("a configuration has its own work, or the problem's", () => {
  assert.deepEqual(text.workOf({ flops: 1, bytes: 2 }, {}), { flops: 1, bytes: 2 });
  assert.deepEqual(text.workOf({ flops: 1, bytes: 2 }, { flops: 3 }), { flops: 3, bytes: 2 });
  const evaluations = [{ time_ns: 1000, bytes: 8 }, { time_ns: 1000, flops: 2000, bytes: 8 }];
  const varying = { bytes: 8, evaluations };
  assert.equal(text.problemRateUnit(varying), "GFLOP/s"); // one unit for all
  assert.deepEqual(evaluations.map((e) => text.problemRate(varying, e)), [0, 2]);
  assert.equal(text.problemRateUnit({ bytes: 3000 }), "GB/s");
  assert.equal(text.problemRate({ bytes: 3000 }, { time_ns: 1000 }), 3);
  assert.equal(text.problemRateUnit({ evaluations: [{}] }), "");
});

test("an origin is told unless it is a measurement", () => {
  assert.equal(text.originText({ measured_at: "2026-11-22T01:02:03Z", origin: "measured" }), "2026-11-22");
  assert.equal(text.originText({ measured_at: "2026-11-21T01:02:03Z", origin: "shipped" }), "2026-11-21 (shipped)");
});

test("values are in order: numbers by size, text by name, what is missing last", () => {
  assert.deepEqual(["b", 10, undefined, 9, "a", 10].sort(state.compareValues), [9, 10, 10, "a", "b", undefined]);
  assert.deepEqual([undefined, 2, 1].map((v) => [v]).sort(([a], [b]) => state.compareValues(a, b)), [[1], [2], [undefined]]);
  const rows = [8, 16, undefined, 8].map((T) => ({ configuration: T === undefined ? {} : { T } }));
  assert.deepEqual(state.distinct(rows, "T"), [8, 16, state.absent]);
});

const evaluation = (id, time, configuration, more) => ({ id, outcome: "ok", time_ns: time, message: "", configuration, ...more });

// A varies and matters by 3, B varies and matters by 1.5, C is always the same, D is not always there.
const problem = () => ({
  parameters: ["B", "A", "C", "D"], flops: 4e9, outcomes: { ok: 4, crash: 7 },
  runs: [{ order: [9, 3], finals: [] }, { order: [2, 1], finals: [{ evaluation: 2, place: 1 }, { evaluation: 77, place: 2 }] }],
  evaluations: [
    evaluation(1, 100, { A: 1, B: 1, C: 0 }, { lost: { time: 2 } }),
    evaluation(2, 101, { A: 1, B: 1, C: 0, D: 5 }, { energy_j: 2 }),
    evaluation(3, 150, { A: 1, B: 2, C: 0 }),
    evaluation(4, 300, { A: 2, B: 1, C: 0, D: 6 }),
    { id: 9, outcome: "crash", message: "it died", configuration: { A: 2, B: 2, C: 0 } },
  ],
});

test("a problem is prepared: fastest first, ranks, what varies, the order tried", () => {
  state.choose(problem());
  const { valid, varying, best } = state.state;
  assert.deepEqual(valid.map((e) => e.id), [1, 2, 3, 4]);
  assert.deepEqual(valid.map((e) => e.rank), [0, 1 / 3, 2 / 3, 1]);
  assert.deepEqual(varying, ["B", "A", "D"]);
  assert.equal(best.id, 2); // who won the finals, though another row is faster
  assert.deepEqual(state.state.problem.evaluations.map((e) => e.order), [2, 1, 2, 4, 1]); // 4 is in no sweep: its place
  assert.deepEqual(state.byEffect(), ["A", "B", "D"]);
  assert.deepEqual(state.lastFinals().places.map((place) => place.row.id), [2]); // 77 is not in the report
  assert.equal(state.perWatt(valid[1]), 2); // 4 GFLOP in 2 J
  assert.equal(state.perWatt(valid[0]), undefined);
  assert.equal(state.evaluationCount(state.state.problem), 11);
});

test("of a sample the places in the sweep are given, and what it left out", () => {
  const all = problem(), [first, second] = all.runs;
  assert.deepEqual([state.placeIn(second, 1), state.triedIn(second)], [2, 2]);
  Object.assign(second, { places: [70, 900], tried: 40000 });
  assert.deepEqual([state.placeIn(second, 1), state.triedIn(second)], [900, 40000]);
  state.choose(all);
  assert.deepEqual(all.evaluations.map((e) => e.order), [900, 70, 2, 4, 1]);
  assert.equal(state.triedIn(first), 2);
  assert.ok(state.isSample(all));
  assert.ok(!state.isSample({ ...all, outcomes: { ok: 4, crash: 1 } }));
});

// Of what a launch does, A = 2 does four times as much.
const withObjective = (name, sense) => {
  const of = problem(), rate = (e) => (e.time_ns ? { [name]: (e.configuration.A === 2 ? 4e4 : 1e4) / e.time_ns, odd: "<b>" } : undefined);
  return { ...of, objective: name, metrics: { [name]: { text: "", sense }, odd: { text: "" } },
    evaluations: of.evaluations.map((e) => ({ ...e, metrics: rate(e) })) };
};

test("a template's objective puts its best first, not the fastest", () => {
  state.choose(withObjective("rate", "maximize"));
  assert.deepEqual(state.state.valid.map((e) => e.id), [4, 1, 2, 3]); // 133, 100, 99, 67
  assert.equal(state.state.best.id, 4);
  assert.deepEqual(state.byEffect(), ["B", "A", "D"]); // 133 to 67, 133 to 100
  const { name, large, cost, text: textOf } = state.state.objective;
  assert.deepEqual([name, large, textOf(state.state.best)], ["rate", true, "133.3 rate"]);
  assert.ok(Math.abs(cost(state.state.best) - 300 / 4e4) < 1e-15);
  assert.deepEqual(objective.metricNames(state.state.problem), ["rate", "odd"]);
  assert.equal(objective.metricText(state.state.best, "odd"), ""); // not a number
  assert.equal(objective.metricText({ metrics: { m: 57312345 } }, "m"), "5.731e+7");
  state.choose(withObjective("rate", "minimize"));
  assert.deepEqual(state.state.valid.map((e) => e.id), [3, 2, 1, 4]);
});

test("an objective without a value comes last, and a damaged one is the time", () => {
  const damaged = withObjective("rate", "maximize");
  for (const [i, value] of [[0, undefined], [1, -5], [2, "7"], [3, 3]]) damaged.evaluations[i].metrics = { rate: value };
  state.choose(damaged);
  assert.deepEqual(state.state.valid.map((e) => e.id), [4, 1, 2, 3]);
  const names = [[undefined, undefined], ["gone", {}], ["rate", { rate: { sense: "up" } }], ["toString", {}], ["rate", "text"], ["rate", null]];
  for (const [name, metrics] of names) assert.equal(objective.objectiveOf({ objective: name, metrics }).name, "time");
  assert.equal(objective.objectiveOf({ objective: "energy" }).cost({ energy_j: 2 }), 2);
  assert.equal(objective.objectiveOf({ objective: "energy" }).cost({}), Infinity);
  assert.deepEqual(objective.metricNames({ metrics: 3 }), []);
});

test("the objectives of a problem are those that a row has a value of, its own first", () => {
  const rows = [evaluation(1, 100, {}, { metrics: { b: 3, a: 1, shown: 1 } }), { id: 2, outcome: "crash", energy_j: 2, metrics: { d: 1 } }];
  const metrics = { shown: {}, a: { sense: "maximize" }, b: { sense: "minimize" }, c: { sense: "minimize" }, d: { sense: "maximize" }, time: { sense: "maximize" } };
  assert.deepEqual(objective.objectiveNames({ metrics, evaluations: rows }), ["time", "a", "b"]);
  assert.deepEqual(objective.objectiveNames({ metrics, objective: "b", evaluations: rows }), ["b", "time", "a"]);
  assert.deepEqual(objective.objectiveNames({ metrics, objective: "c", evaluations: rows }), ["time", "a", "b"]);
  rows[0].energy_j = 0.5;
  assert.deepEqual(objective.objectiveNames({ evaluations: rows }), ["time", "energy", "edp"]);
});

test("each objective has its unit, direction and interval", () => {
  const e = evaluation(1, 2e6, {}, { low_ns: 1e6, high_ns: 4e6, energy_j: 0.5, energy_error_j: 0.25, metrics: { rate: 7 } });
  const of = (name) => objective.objectiveOf({ metrics: { rate: { sense: "maximize" } } }, name);
  for (const [name, shown, interval, textOf, cost] of [
    ["time", 2, [1, 4], "2 ms", 2e6], ["energy", 500, [250, 750], "500 mJ", 0.5], ["edp", 1e-3, [0.25e-3, 3e-3], "0.001 J s", 1e-3],
    ["rate", 7, undefined, "7 rate", 1 / 7], ["gone", 2, [1, 4], "2 ms", 2e6],
  ]) {
    const one = of(name), got = [one.shown(e), ...(one.interval(e) ?? [])], wanted = [shown, ...(interval ?? [])];
    assert.equal(got.length, wanted.length, name);
    got.forEach((value, i) => assert.ok(Math.abs(value / wanted[i] - 1) < 1e-9, `${name} ${got}`));
    assert.equal(one.text(e), textOf);
    assert.ok(Math.abs(one.cost(e) / cost - 1) < 1e-9);
    assert.equal(one.large, name === "rate");
  }
  assert.equal(of("energy").interval({ energy_j: 1 }), undefined);
  assert.equal(of("edp").cost({ time_ns: 1 }), Infinity);
});

test("the best by an objective is none that lost its finals", () => {
  const rows = [evaluation(1, 10, {}, { energy_j: 3, lost: { time: 2 } }), evaluation(2, 11, {}, { energy_j: 1, lost: { energy: 3 } }),
    evaluation(3, 12, {}, { energy_j: 2 }), { id: 4, outcome: "crash" }];
  const bestBy = (name) => objective.bestBy({ evaluations: rows }, objective.objectiveOf({}, name))?.id;
  assert.deepEqual(["time", "energy", "edp"].map(bestBy), [2, 3, 2]);
  assert.equal(objective.bestBy({ evaluations: rows.slice(3) }, objective.objectiveOf({})), undefined);
});

test("finals are those that the best has won, if it was in any", () => {
  const won = (id, evaluation, of) => ({ id, order: [], objective: of, finals: [{ evaluation, place: 1 }] });
  const runOf = (...runs) => {
    state.choose({ ...problem(), runs });
    return state.lastFinals()?.run.id;
  };
  assert.equal(runOf(won(1, 2), won(2, 2), won(3, 1)), 2); // 2 is the best
  assert.equal(runOf(won(1, 3), won(2, 1)), 2);
  assert.equal(runOf({ id: 1, order: [], finals: [] }), undefined);
  assert.equal(runOf(won(1, 2, "time"), won(2, 2, "energy")), 1); // that by energy says nothing of the time
});

test("a problem without anything valid has no best", () => {
  const { evaluations: [, , , , crash], ...rest } = problem();
  state.choose({ ...rest, evaluations: [crash], runs: [] });
  assert.deepEqual([state.state.best, state.state.valid, state.state.varying, state.lastFinals()], [undefined, [], [], undefined]);
});

test("the limit that takes longest binds", () => {
  const device = { peak_flops: 1e12, peak_bandwidth: 1e11 };
  // 1e9 operations take 1 ms at least, 1e9 bytes 10 ms: 20 ms are half of what is possible
  assert.equal(limits.shareOfLimit(device, { flops: 1e9, bytes: 1e9 }, 20e6), 0.5);
  assert.deepEqual(limits.limits(device, { flops: 1e9, bytes: 1e9 }).map(({ pipe, seconds, measured }) => [pipe, seconds, measured]),
    [["memory", 0.01, false], ["fp32", 0.001, false]]);
  assert.equal(limits.limitText(limits.limits(device, { flops: 1e9 })[0]), "fp32, data sheet");
  assert.equal(limits.ofLimitText(0.5, { pipe: "memory", measured: true }), "50.0 % of the memory limit");
  assert.equal(limits.ofLimitText(0.5, { pipe: "fp32" }), "50.0 % of the fp32 limit (data sheet)");
  assert.equal(limits.shareOfLimit(device, { flops: 1e9 }, 2e6), 0.5);
  assert.equal(limits.shareOfLimit(device, {}, 1), undefined);
  assert.equal(limits.shareOfLimit({}, { flops: 1e9 }, 1), undefined);
  // what was measured counts more than the data sheet: 8e10 of 1e11 bytes a second, 1e9 in 12.5 ms
  const measured = { ...device, ceilings: [{ figure: "bytes", rate: 8e10, source: "measured" }, { figure: "flops", rate: 1e12, source: "data sheet" }] };
  assert.equal(limits.shareOfLimit(measured, { flops: 1e9, bytes: 1e9 }, 25e6), 0.5);
  assert.deepEqual(limits.ceilings(measured).map(({ figure, rate, measured: is }) => [figure, rate, is]),
    [["flops", 1e12, false], ["bytes", 8e10, true]]);
});

test("counts and shares have three digits or so and a prefix, ratios two decimals", () => {
  for (const [value, shown] of [[0, "0 "], [7, "7 "], [999.4, "999 "], [999.6, "1 k"], [1234, "1.23 k"], [66.9e12, "66.9 T"], [4.8e18, "4800 P"], [0.25, "0.25 "]])
    assert.equal(text.countText(value), shown);
  for (const [share, shown] of [[undefined, ""], [0.0003456, "0.035 %"], [0.00994, "0.99 %"], [0.00996, "1.0 %"], [0.77, "77.0 %"], [1.0234, "102.3 %"]])
    assert.equal(limits.shareText(share), shown);
  for (const [ratio, shown] of [[undefined, ""], [1, "1.00×"], [0.205, "0.20×"], [0.0996, "0.10×"], [1 / 5300, "0.00019×"], [9.99, "9.99×"], [9.999, "10×"], [27.04, "27×"], [123.4, "123×"]])
    assert.equal(text.timesText(ratio), shown);
});

// Three variants, the second of which wins the finals although the third has a faster single measurement.
const variants = (more) => ({
  parameters: ["V", "W", "N"], outcomes: { ok: 6 }, runs: [{ id: 1, space: "all", order: [], finals: [] }],
  evaluations: [
    evaluation(1, 800, { V: "naive", W: "y", N: 10 }, { run: 1 }), evaluation(2, 900, { V: "naive", W: "x", N: 9 }),
    evaluation(3, 100, { V: "tiled", W: "x", N: 9 }), evaluation(4, 99, { V: "tiled", W: "y", N: 10 }, { lost: { time: 3 } }),
    evaluation(5, 200, { V: "shuffled", W: "x", N: 9 }), evaluation(6, 95, { V: "shuffled", W: "y", N: 10 }, { lost: { time: 3 } }),
  ],
  ...more,
});
const shown = (names) => rungs.rungsOf(names).map(({ label, best, first, previous }) => [label, best.id, first, previous]);

test("rungs are in the order of the description, each with its best", () => {
  state.choose(variants({ descriptions: [{ name: "V", meaning: "untiled, tiled_twice, naive, shuffled or tiled" }] }));
  assert.deepEqual(rungs.ladderChoices(), [["V"], ["V", "W"], ["V", "N"], [], ["W"], ["N"]]);
  assert.deepEqual(shown(["V"]), [["naive", 1, undefined, undefined], ["shuffled", 6, 800 / 95, 800 / 95], ["tiled", 3, 8, 0.95]]);
  assert.deepEqual(shown(["N"]).map(([label]) => label), ["9", "10"]);
  assert.deepEqual(shown(["V", "N"]).map(([label]) => label), ["naive, 9", "naive, 10", "shuffled, 9", "shuffled, 10", "tiled, 9", "tiled, 10"]);
  assert.deepEqual(shown([]).map(([label]) => label), ["all", "no sweep"]);
});

test("a block gives the order and the meanings; without any word from the template the slowest comes first", () => {
  const values = [{ value: "tiled", meaning: "in tiles" }, { value: "naive", meaning: "plain" }];
  state.choose(variants({ descriptions: [{ name: "W", meaning: "", values: [{ value: "y", meaning: "why" }] }, { name: "V", meaning: "how", values }] }));
  assert.deepEqual(rungs.ladderChoices()[0], ["V"]); // the first of the template's parameters
  assert.deepEqual(rungs.rungsOf(["V"]).map((rung) => [rung.label, rung.meaning]), [["tiled", "in tiles"], ["naive", "plain"], ["shuffled", ""]]);
  assert.equal(rungs.rungsOf(["V", "W"])[0].meaning, "in tiles; why");
  state.choose(variants());
  assert.deepEqual(shown(["V"]).map(([label]) => label), ["naive", "tiled", "shuffled"]);
  assert.equal(state.meaningOf("V"), "");
});

test("damaged descriptions are none", () => {
  for (const descriptions of [7, {}, "V", [null, 7, { name: "V" }], [{ name: "V", meaning: 7, values: { value: "naive" } }], [{ name: "V", values: [null, 3, {}] }]]) {
    state.choose(variants({ descriptions }));
    assert.deepEqual(shown(["V"]).map(([label]) => label), ["naive", "tiled", "shuffled"], JSON.stringify(descriptions));
    assert.equal(rungs.rungsOf(["V"])[0].meaning, "");
  }
});

test("what has one variant has no ladder of variants", () => {
  const { evaluations, ...rest } = variants();
  state.choose({ ...rest, evaluations: evaluations.slice(2, 3) });
  assert.deepEqual(rungs.ladderChoices(), []);
});

test("roofs over the work of a kernel", () => {
  // 1e12 operations and 1e11 bytes a second meet at 10 operations a byte; 2e11 special functions a second, one of them
  // with every 4 operations, allow 8e11 of these
  const device = { ceilings: [
    { figure: "flops", rate: 1e12, source: "measured" }, { figure: "bytes", rate: 1e11, source: "data sheet" },
    { figure: "special_ops", rate: 2e11, source: "data sheet" }, { figure: "shared_traffic", rate: 1e13, source: "measured" },
  ] };
  const drawn = roofs.roofs(device, { flops: 4e9, bytes: 1e6, special_ops: 1e9 });
  assert.deepEqual(drawn.memory, { name: "memory, data sheet", rate: 1e11, dashed: true });
  assert.deepEqual(drawn.flat, [
    { figure: "special_ops", name: "special-function, data sheet", flops: 8e11, from: 8, dashed: true },
    { figure: "flops", name: "fp32", flops: 1e12, from: 10, dashed: false },
  ]);
  // shared memory that would allow 40 times as much as fp32 says nothing, and without operations there is no roof
  assert.deepEqual(roofs.roofs(device, { flops: 4e9, shared_traffic: 1e9 }).flat.map(({ name }) => name), ["fp32"]);
  assert.deepEqual(roofs.roofs(device, { bytes: 1 }).flat, []);
  assert.deepEqual(roofs.roofs({}, { flops: 1, bytes: 1 }), { memory: undefined, flat: [] });
});

test("the overview has the latest version of each kernel and size, by the fastest of its toolchains", () => {
  const one = (id, template, size, time, latest = true) =>
    ({ id, template, size, latest, evaluations: [evaluation(id, time, {}), evaluation(id + 100, time / 2, {}, { lost: { time: id } })] });
  const problems = [one(1, "gemm", "M=1", 50), one(2, "gemm", "M=1", 40), one(3, "gemm", "M=1", 45), one(4, "gemm", "M=2", 9),
    one(5, "gemm", "M=2", 5, false), { ...one(6, "scan", "n=1", 5), evaluations: [{ id: 9, outcome: "crash" }] }, one(7, "sort", "", 5)];
  const shownBy = (wanted) => overview.overviewProblems(problems, wanted).map(({ problem: of, best, objective: by }) => [of.id, best.id, by.name]);
  assert.deepEqual(shownBy(), [[2, 2, "time"], [4, 4, "time"], [7, 7, "time"]]);
  // by another objective where there are values of it
  problems[0].evaluations[1].energy_j = 2;
  problems[2].evaluations[0].energy_j = 1;
  assert.deepEqual(shownBy("energy"), [[3, 3, "energy"], [4, 4, "time"], [7, 7, "time"]]);
});

test("the filter's words must all hold", () => {
  const rows = problem().evaluations;
  const found = (words) => rows.filter(filter.matcher(words)).map((e) => e.id);
  for (const [words, ids] of [["", [1, 2, 3, 4, 9]], ["  ", [1, 2, 3, 4, 9]], ["A=1", [1, 2, 3]], ["A=1 B=1", [1, 2]], ["A!=1", [4, 9]], ["A>=2", [4, 9]],
    ["time<0.00015", [1, 2]], ["time>=0.00015", [3, 4]], ["outcome=crash", [9]], ["CRASH", [9]], ["DIED", [9]], ["D=5", [2]], ["D>5", [4]],
    ["id<=2", [1, 2]], ["nothing=1", []], ["A=", [1, 2, 3, 4, 9]], ["=", [1, 2, 3, 4, 9]], ["constructor=1", []], ["(", []]])
    assert.deepEqual(found(words), ids, words);
});

test("the Pareto front is what no row beats in both", () => {
  // by brute force: a row is on the front if no other is as good in both and better in one
  const rows = [];
  for (let i = 0; i < 60; i++) rows.push({ time_ns: 1 + (i * 7919) % 23, energy_j: 1 + (i * 104729) % 19, id: i });
  const beaten = (a) => rows.some((b) => b.time_ns <= a.time_ns && b.energy_j <= a.energy_j && (b.time_ns < a.time_ns || b.energy_j < a.energy_j));
  const key = (e) => `${e.time_ns},${e.energy_j}`;
  const both = pareto.paretoOf({ runs: [{ objective: "time" }, {}] });
  assert.equal(pareto.paretoTitle(both), "Time and energy");
  assert.deepEqual(new Set(pareto.paretoFront(rows, both).map(key)), new Set(rows.filter((a) => !beaten(a)).map(key)));
  assert.deepEqual(pareto.paretoFront([], both), []);
  assert.match(pareto.paretoNote([{ time_ns: 1, energy_j: 1 }, { time_ns: 2, energy_j: 2 }], both), /^One configuration is both/);
  assert.match(pareto.paretoNote([{ time_ns: 10, energy_j: 4 }, { time_ns: 12, energy_j: 3 }, { time_ns: 13, energy_j: 9 }], both),
    /2 of 3 configurations.* 20 % more time saves 25 % of the energy/);
});

test("the Pareto front is by the objectives of the last sweep by several, and by what its finals decided", () => {
  const metrics = { rate: { sense: "maximize" }, size: { sense: "minimize" }, "a,b": { sense: "minimize" } };
  const runs = ["time,energy", "size,rate", "a,b", "time,nothing", "time"].map((name) => ({ objective: name }));
  const found = pareto.paretoOf({ metrics, runs });
  assert.deepEqual([found.list, pareto.paretoTitle(found)], ["size,rate", "Size and rate"]);
  const row = (id, size, rate, lost) => ({ id, metrics: { size, rate }, lost });
  const rows = [row(1, 5, 9), row(2, 3, 4), row(3, 1, 1, { "size,rate": 2 }), row(4, 4, 4, { time: 1 }), row(5, 3, 4), row(6, 2, null)];
  const usable = pareto.paretoRows(rows, found);
  assert.deepEqual(usable.map(({ id }) => id), [1, 2, 3, 4, 5]);
  assert.deepEqual(pareto.paretoFront(usable, found).map(({ id }) => id), [2, 1]);
  assert.match(pareto.paretoNote(usable, found), /: 2 of 5 configurations, which no other beats by one objective/);
  assert.equal(pareto.paretoNote([rows[0]], found), "One configuration is the best by all of them.");
});

test("what held the clocks down", () => {
  const shown = (...reasons) => provenance.slowdownText(reasons.map((bits) => ({ throttle_reasons: bits })));
  assert.equal(shown(), "");
  assert.equal(shown(undefined, -1), ""); // not reported
  assert.equal(shown(0, 1), "nothing"); // 1 is an idle device
  assert.equal(shown(0, 0x4, 0x44, -1), "power cap (2 of 3), hardware: heat (1 of 3)");
});

test("what is best within the limits that sweeps had", () => {
  const one = problem(), run = (id, more) => ({ id, order: [], finals: [], ...more });
  one.runs = [run(1), run(2, { limits: "registers <= 64", best: 3 }), run(3, { limits: "registers <= 64", objective: "energy", best: 1 }),
    run(4, { limits: "registers <= 64" }), run(5, { limits: "time < 1" }), run(6, { limits: "power < 9", objective: "time", best: 2 }), run(7, { limits: "power < 8", best: 77 })];
  state.choose(one);
  assert.deepEqual(state.bestsWithin().map(best.withinText), [
    "The best of sweep 2, within registers <= 64, is another: 150 ns, A=1 B=2 C=0.", "Sweep 5 found nothing within time < 1.",
    "This is also the best of sweep 6, within power < 9.", "The best of sweep 7, within power < 8, is not on this page."]);
  assert.deepEqual([{}, one.runs[1], one.runs[2]].map(text.questionText), ["time", "time within registers <= 64", "energy within registers <= 64"]);
  assert.deepEqual(["ok", "limit", "crash"].filter(state.isFailure), ["crash"]);
});

test("finals in words", () => {
  const winner = { result: "winner", rounds: [1, 2, 3, 4, 5, 6] };
  const tied = { result: "tied", ratio: 1.001 };
  const lost = { result: "lost", ratio: 1.05, ratio_low: 1.04, ratio_high: 1.06 };
  assert.deepEqual(finals.verdict([winner, lost]), ["A clear winner",
    "Measured in 6 interleaved rounds. The next one takes 5 % longer (95 % interval: 4 % to 6 %)."]);
  assert.deepEqual(finals.verdict([winner, tied, tied]), ["A tie of 3",
    "Measured in 6 interleaved rounds, these configurations could not be told apart; the winner uses the fewest resources."]);
  assert.match(finals.verdict([winner, tied, { result: "lost", ratio: 1.5 }])[1], /The next one takes 50 % longer\.$/);
  assert.deepEqual(finals.verdict([winner]), ["A clear winner", "Measured in 6 interleaved rounds."]);
});
