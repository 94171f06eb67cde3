// SPDX-License-Identifier: Apache-2.0
// tune simulate: scores recomputed here, seeds, threads, and what it refuses.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { objectives, writeRecording } from "./simulated.mjs";
import { folder, sql, tune } from "./tune.mjs";

function simulated(home, ...args) {
  const done = tune(home, "simulate", "--json", "--quiet", ...args);
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stderr, "");
  return JSON.parse(done.stdout);
}

// Score P of a search that finds `found` (milliseconds) at the given seconds, at one configuration per second: after k
// seconds random search has made k evaluations and is expected at place (M - k) / (k + 1).
function scoreOf(found) {
  const sorted = [...objectives].sort((a, b) => a - b), last = sorted.length - 1;
  const at = (place) => { const i = Math.min(Math.floor(place), last - 1); return sorted[i] + (sorted[i + 1] - sorted[i]) * (place - i); };
  const random = (k) => at(Math.min(last, (sorted.length - k) / (k + 1)));
  const median = at(last / 2);
  const until = (share) => {
    let [low, high] = [0, sorted.length];
    for (let i = 0; i < 100; i++) {
      const middle = (low + high) / 2;
      if (random(middle) > median + share * (sorted[0] - median)) low = middle; else high = middle;
    }
    return high;
  };
  const [begin, end] = [until(0.01), until(0.95)];
  let sum = 0;
  for (let i = 0; i < 1000; i++) {
    const t = begin + ((end - begin) * i) / 999;
    const best = found.filter(([seconds]) => seconds <= t).at(-1)?.[1] ?? sorted[last];
    const baseline = random(Math.floor(t));
    sum += (best - baseline) / (sorted[0] - baseline) / 1000;
  }
  return { p: sum, begin, end };
}

test("a trace is scored as the definition says", (t) => {
  const home = folder(t);
  const recording = writeRecording(home);
  const sorted = [...objectives].sort((a, b) => a - b);
  const found = [[1, sorted[40]], [3, sorted[9]], [11, sorted[0]]];
  writeFileSync(join(home, "traces.json"), JSON.stringify({ traces: [{ strategy: "by hand", recording: "made",
    repeats: [{ seconds: found.map((f) => f[0]), best_ms: found.map((f) => f[1]) }] }] }));
  const document = simulated(home, "--recorded", recording, "--traces", "traces.json");
  const expected = scoreOf(found);
  assert.equal(document.strategies.length, 1);
  assert.equal(document.strategies[0].name, "by hand");
  // The baseline is the mean of 20,000 random searches: known within 0.7 %, of which 1 - P shows; four standard errors.
  assert.ok(Math.abs(document.strategies[0].p - expected.p) < 4 * 0.007 * (1 - expected.p), `${document.strategies[0].p}, not ${expected.p}`);
  assert.ok(Math.abs(document.recordings[0].from_seconds - expected.begin) < 1e-6);
  assert.ok(Math.abs(document.recordings[0].to_seconds - expected.end) < 1e-6);
});

test("the same seed gives the same scores with any number of threads; random search scores about 0", (t) => {
  const home = folder(t);
  const recording = writeRecording(home);
  const one = simulated(home, "--recorded", recording, "--strategy", "random", "--repeats", "400", "--jobs", "1");
  const four = simulated(home, "--recorded", recording, "--strategy", "random", "--repeats", "400", "--jobs", "4");
  const other = simulated(home, "--recorded", recording, "--strategy", "random", "--repeats", "400", "--seed", "2");
  assert.deepEqual(one, four);
  assert.notEqual(other.strategies[0].p, one.strategies[0].p);
  assert.ok(Math.abs(one.strategies[0].p) < 0.15, `${one.strategies[0].p}`); // five standard errors
});

test("several files after one --recorded; the table; the overall score is the mean", (t) => {
  const home = folder(t);
  const files = [writeRecording(home, "first_T4.json"), writeRecording(home, "second_T4.json", "v")];
  const done = tune(home, "simulate", "--recorded", ...files, "--strategy", "random", "--strategy", "exhaustive", "--repeats", "20");
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /^strategy +overall +first +second$/m);
  assert.match(done.stdout, /^random +-?\d\.\d{3} \[-?\d+\.\d{3}, -?\d+\.\d{3}\]/m);
  assert.match(done.stderr, /80 replays in .* per second/);
  const { strategies } = simulated(home, "--recorded", ...files, "--strategy", "random", "--repeats", "20");
  const mean = strategies[0].spaces.reduce((sum, space) => sum + space.p / 2, 0);
  assert.ok(Math.abs(strategies[0].p - mean) < 2e-6);
});

test("compile workers speed up the strategy and random search alike, as far as one measures", (t) => {
  const home = folder(t);
  const recording = writeRecording(home);
  const on = (...parallel) => simulated(home, "--recorded", recording, "--strategy", "random", "--repeats", "400", ...parallel);
  const one = on(), three = on("--parallel", "3"), many = on("--parallel", "30");
  assert.deepEqual([one.parallel, three.parallel], [0, 3]);
  for (const fast of [three, many]) { // of a second, compiling takes three quarters
    assert.ok(Math.abs(one.recordings[0].to_seconds / fast.recordings[0].to_seconds - 4) < 1e-6);
    assert.ok(Math.abs(fast.strategies[0].p) < 0.1);
  }
});

test("shipped results of a database are not a recording", (t) => {
  const home = folder(t);
  writeRecording(home, "made_T4.json");
  const importing = ["import", "made_T4.json", "--kernel-name", "made", "--device-name", "X"];
  for (const args of [importing, ["best", "gemm"], ["forget", "made", "--with-best"]])
    assert.equal(tune(home, ...args).status, 0);
  assert.ok(sql(home, "select count(*) as n from evaluation where origin = 'shipped'")[0].n > 0);
  for (const [args, says] of [
    [["simulate", "--recorded", "tune.db"], /has no evaluations, only best configurations shipped with tune\n.*hint/],
    [["export", "gemm"], /of a sweep or an import: what came with tune is only the best of sweeps/],
  ]) {
    const done = tune(home, ...args);
    assert.equal(done.status, 2, done.stderr);
    assert.match(done.stderr, says);
  }
  assert.equal(tune(home, ...importing).status, 0);
  assert.deepEqual(simulated(home, "--recorded", "tune.db", "--strategy", "random", "--repeats", "2").recordings.map((r) => r.name), ["made on X"]);
  const document = tune(home, "export"); // the only results
  assert.equal(JSON.parse(document.stdout).results.length, objectives.length);
});

test("recordings that are not search spaces are skipped, unless there is nothing else", (t) => {
  const home = folder(t), good = writeRecording(home);
  const change = (name, of) => {
    const document = JSON.parse(readFileSync(good, "utf8"));
    writeFileSync(join(home, name), JSON.stringify({ ...document, results: of(document.results) }));
  };
  change("one_T4.json", (results) => results.slice(0, 1));
  change("flat_T4.json", (results) => results.map((r) => ({ ...r, measurements: [{ name: "time", value: 3 }] })));
  const random = ["simulate", "--json", "--strategy", "random", "--repeats", "2"];
  const done = tune(home, ...random, "--recorded", "one_T4.json", good, "flat_T4.json");
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /skipped: one: 1 valid configuration, but a replay needs at least two\ntune: skipped: flat: half of the configurations/);
  assert.deepEqual(JSON.parse(done.stdout).recordings.map((r) => r.name), ["made"]);
  for (const [files, says] of [[["one_T4.json"], /^tune: one: 1 valid configuration, but a replay needs at least two/], [["one_T4.json", "flat_T4.json"], /none of the 2 recordings can be replayed/]]) {
    const none = tune(home, ...random, "--recorded", ...files);
    assert.equal(none.status, 2, none.stderr);
    assert.match(none.stderr, says);
    assert.equal(none.stdout, "");
  }
});

// The rate is the reciprocal of what `objectives` has as times, so its best is theirs; every time is the same but for one.
function writeRates(home) {
  const document = JSON.parse(readFileSync(writeRecording(home), "utf8"));
  document.metadata.metrics = { "work a second": { text: "1 / time", sense: "maximize" }, shown: { text: "1" } };
  document.results.forEach((result, i) => {
    const [{ value }] = result.measurements;
    result.measurements = [{ name: "time", value: 5 + (i === 0) }, { name: "work a second", value: 1000 / value },
      { name: "loss", value: value + 7 }, { name: "shown", value: 1 }];
    result.objectives = ["work a second"];
  });
  const path = join(home, "rates_T4.json");
  writeFileSync(path, JSON.stringify(document));
  return path;
}

test("recordings are replayed by any objective that they have, in its direction", (t) => {
  const home = folder(t), rates = writeRates(home), [best] = [...objectives].sort((a, b) => a - b);
  assert.equal(tune(home, "import", rates, "--kernel-name", "made", "--device-name", "X").status, 0);
  const common = ["--strategy", "greedy", "--repeats", "200"];
  for (const file of [rates, "tune.db"]) {
    const own = simulated(home, "--recorded", file, ...common); // by the recording's own objective
    assert.deepEqual(simulated(home, "--recorded", file, ...common, "--objective", "work a second"), own);
    const [recording] = own.recordings;
    assert.deepEqual([recording.objective, recording.sense], ["work a second", "maximize"]);
    assert.ok(Math.abs(recording.optimum - 1000 / best) < 1e-9);
    assert.ok(recording.median < recording.optimum);
    assert.equal(recording.optimum_ns, undefined);
    assert.ok(own.strategies[0].p > 0.3, `${own.strategies[0].p}`); // far better than random: the space is smooth
  }
  sql(home, "update evaluation set energy_j = json_extract(metrics, '$.loss') where configuration like '%\"x\":6%'");
  const energy = tune(home, "simulate", "--recorded", "tune.db", ...common, "--objective", "energy");
  assert.equal(energy.status, 0, energy.stderr);
  assert.match(energy.stderr, /made on X: 132 of 144 valid configurations have no value of 'energy' and count as failures/);
  assert.match(energy.stdout, new RegExp(`^made on X +144 +12 +energy +${Number((best + 7).toPrecision(4))} J `, "m"));

  writeFileSync(join(home, "traces.json"), JSON.stringify({ traces: [{ strategy: "theirs", recording: "rates", repeats: [{ seconds: [1], best_ms: [1] }] }] }));
  for (const [args, says] of [
    [["--objective", "energy"], /^tune: rates: the energy of no valid configuration is recorded\n +hint: for this recording --objective can be time, "work a second"$/m],
    [["--objective", "loss"], /rates: whether 'loss' is to be large or small is not recorded/],
    [["--objective", "beauty"], /rates: there is no objective 'beauty'\n +hint: .*"work a second"/],
    [["--objective", "time"], /rates: half of the configurations equal the best/],
    [["--traces", "traces.json"], /traces have times, but rates is ranked by 'work a second': use --objective time/],
  ]) {
    const done = tune(home, "simulate", "--quiet", "--recorded", rates, ...args);
    assert.equal(done.status, 2, `${args}: ${done.stdout}${done.stderr}`);
    assert.match(done.stderr, says);
  }
});

test("searches that stop by themselves are as they were, and it is said how often they were right", (t) => {
  const home = folder(t);
  const recording = writeRecording(home);
  const replays = (...args) => simulated(home, "--recorded", recording, "--strategy", "random", "--repeats", "10", ...args).strategies[0];
  const whole = replays(), stopping = replays("--until", "10%");
  assert.equal(whole.until, undefined);
  assert.equal(stopping.p, whole.p);
  assert.deepEqual(stopping.curve, whole.curve);
  assert.equal(stopping.evaluations, whole.evaluations);
  const { stopped, right, saved, evaluations } = stopping.until;
  assert.ok(stopped > 0 && stopped <= 1 && right <= stopped && right >= 0);
  assert.ok(evaluations >= 50 && evaluations < 144);
  assert.ok(Math.abs(saved - (1 - evaluations / 144)) < 1e-3);
  assert.deepEqual(stopping.spaces[0].until, stopping.until);
  const table = tune(home, "simulate", "--quiet", "--recorded", recording, "--strategy", "random", "--repeats", "10", "--until", "10%");
  assert.match(table.stdout, /Until 10 %: [^]*strategy +recording +stopped +right +saved +evaluations\nrandom +overall +[\d.]+ % /);
  for (const share of ["10", "0%", "101%", "x%", "-1%"]) {
    const done = tune(home, "simulate", "--recorded", recording, `--until=${share}`);
    assert.equal(done.status, 2);
    assert.match(done.stderr, /--until: '[^']+' is not a share\n +hint: for example --until 1%/);
  }
});

test("what another device's recording says is known beforehand", (t) => {
  const home = folder(t);
  const recording = writeRecording(home), same = writeRecording(home, "elsewhere_T4.json"), other = writeRecording(home, "other_T4.json", "k");
  const replays = (...args) => simulated(home, "--recorded", recording, "--strategy", "random", "--repeats", "10", ...args).strategies[0];
  const within = (...args) => replays("--within", "1%", ...args).within;
  assert.equal(replays().within, undefined);
  const alone = within(), known = within("--known", same);
  assert.ok(alone.median > 1 && alone.nine_in_ten >= alone.median);
  assert.deepEqual(known, { median: 1, nine_in_ten: 1, early: 1 });
  const table = tune(home, "simulate", "--quiet", "--recorded", recording, "--strategy", "random", "--repeats", "10", "--within", "1%", "--known", same);
  assert.match(table.stdout, /Within 1 % of the optimum: [^]*strategy +recording +median +nine in ten +after 15\nrandom +overall +1\.0 +1\.0 +100 %/);
  const both = tune(home, "simulate", "--recorded", recording, "--within", "1%", "--until", "1%");
  assert.equal(both.status, 2);
  assert.match(both.stderr, /--until and --within exclude each other/);
  const refused = tune(home, "simulate", "--recorded", recording, "--known", other);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /--known: other has no valid configuration in common with what is recorded\n +hint: .*same kernel/);
});

test("a page is written, with the recording's name as data only", (t) => {
  const home = folder(t);
  const recording = writeRecording(home, "<b>&odd_T4.json");
  const done = tune(home, "simulate", "--recorded", recording, "--strategy", "random", "--repeats", "5", "-o", "out");
  assert.equal(done.status, 0, done.stderr);
  const page = join(home, "out", "simulation.html");
  assert.equal(done.stdout.trim().split("\n").at(-1), "out/simulation.html");
  assert.ok(existsSync(page));
  assert.ok(!readFileSync(page, "utf8").includes("<b>&odd"));
});

test("errors have their place", (t) => {
  const home = folder(t);
  const recording = writeRecording(home);
  writeFileSync(join(home, "broken.json"), "{\n \"results\": [}");
  writeFileSync(join(home, "traces.json"), JSON.stringify({ traces: [{ strategy: "theirs", recording: "other", repeats: [] }] }));
  const cases = [
    [[], /needs recorded results/],
    [["--recorded", "missing.json"], /cannot open missing\.json/],
    [["--recorded", "broken.json"], /broken\.json:2:\d+: invalid JSON/],
    [["--recorded", recording, "--strategy", "randon"], /no strategy 'randon'[^]*did you mean random/],
    [["--recorded", recording, "--repeats", "0"], /--repeats: '0'/],
    [["--recorded", recording, "--parallel", "x"], /--parallel: 'x'/],
    [["--recorded", recording, "--parallel", "65"], /--parallel: '65' is not a whole number from 1 to 64/], // as in a sweep
    [["--recorded", recording, "--traces", "traces.json"], /no traces of 'theirs' on made/],
    [["--recorded", recording, "--traces", "broken.json"], /broken\.json:2:\d+: /],
  ];
  for (const [args, says] of cases) {
    const done = tune(home, "simulate", "--quiet", ...args);
    assert.equal(done.status, 2, `${args}: ${done.stdout}${done.stderr}`);
    assert.match(done.stderr, says);
    assert.equal(done.stdout, "");
  }
});
