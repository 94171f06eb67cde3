// SPDX-License-Identifier: Apache-2.0
// Objectives and metrics that a template defines: a temporal factor, where the best rate is not the least time.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, json, kernels, sql, tune } from "./tune.mjs";

const points = "points a second", heat = "heat/heat.template";

function edit(home, from, to) {
  const path = join(home, heat), text = readFileSync(path, "utf8");
  assert.ok(text.includes(from));
  writeFileSync(path, text.replace(from, to));
}


test("a temporal factor is tuned by its rate, and the objectives stand side by side", (t) => {
  const home = folder(t);
  cpSync(join(kernels, "heat"), join(home, "heat"), { recursive: true });
  const sweep = (...args) => json(tune(home, heat, "--device", "cpu", "--json", "--quiet", ...args));
  const best = (...args) => json(tune(home, "best", heat, "--device", "cpu", "--json", ...args))[0];

  // The template's default, then the least time, of the same measurements.
  const first = sweep();
  assert.equal(first.objective, points);
  assert.equal(first.best[0].configuration.STEPS, 16);
  const { time_ns: time, metrics } = first.best[0];
  assert.ok(Math.abs(metrics[points] / (20000 * 16 / (time * 1e-9)) - 1) < 1e-9);
  assert.ok(Math.abs(metrics["GB/s"] / (8 * 20000 / time) - 1) < 1e-9);
  assert.equal(first.undefined, 0);
  assert.ok(Math.abs(first.best[0].gflops / (2 * 20000 * 16 / time) - 1) < 1e-9); // the work of this configuration
  const second = sweep("--objective", "time");
  assert.equal(second.reused, 2);
  assert.equal(second.best[0].configuration.STEPS, 1);
  assert.equal(second.best[0].metrics["1 / (STEPS - 1)"], null);
  assert.equal(best().configuration.STEPS, 16);
  assert.equal(best("--objective", "time").configuration.STEPS, 1);
  assert.equal(best("--objective", points).configuration.STEPS, 16);
  assert.equal(json(tune(home, "run", heat, "--device", "cpu", "--json")).configuration.STEPS, 16);
  assert.equal(json(tune(home, "run", heat, "--device", "cpu", "--json", "--objective", "time")).configuration.STEPS, 1);
  assert.match(tune(home, "best", heat).stdout, /points a second/);
  const ladder = (...args) => json(tune(home, "best", heat, "--ladder=STEPS", "--device", "cpu", "--json", ...args))[0].rungs;
  assert.ok(ladder().find((rung) => rung.rung.STEPS === 16).times_first > 1);
  assert.ok(ladder("--objective", "time").find((rung) => rung.rung.STEPS === 16).times_first < 1);

  // Where it is undefined or not positive: a clear line, and never best.
  const third = tune(home, heat, "--device", "cpu", "--quiet", "--objective", "excess");
  assert.equal(third.status, 0, third.stderr);
  assert.match(third.stdout, /1 valid configuration has no value of "excess": .*heat\.template:19:29: "excess" is 0, and not a positive number/);
  assert.match(third.stdout, /best: +(BLOCK=64 )?STEPS=16/);

  // An edited objective is computed anew of what is stored; nothing is measured again.
  edit(home, "maximize n * STEPS / time", "maximize 7 / (n * STEPS)");
  assert.equal(best().configuration.STEPS, 1);
  assert.equal(best().metrics[points], 7 / 20000);
  const rows = sql(home, `select sense, value from best_by_objective where objective = '${points}'`);
  assert.deepEqual(rows, [{ sense: "maximize", value: 7 / 20000 }]);
  edit(home, "maximize 7 / (n * STEPS)", "minimize 1 / (STEPS - STEPS)");
  const none = tune(home, heat, "--device", "cpu", "--quiet");
  assert.equal(none.status, 1);
  assert.match(none.stdout, /2 valid configurations have no value of "points a second": .*heat\.template:18:\d+: division by zero/);
  assert.match(none.stderr, /no valid configuration has a value of the objective "points a second"/);
  assert.equal(sql(home, "select count(*) as n from evaluation where origin = 'measured'")[0].n, 2);
});

test("lists name objectives, and tables show what rows are the best by", (t) => {
  const home = folder(t);
  cpSync(join(kernels, "heat"), join(home, "templates/heat"), { recursive: true });
  process.env.TUNE_HOME = home;
  t.after(() => delete process.env.TUNE_HOME);
  const [listed] = json(tune(home, "list", "templates", "--json"));
  assert.equal(listed.objectives, "points a second (default), excess, joules");
  for (const by of [points, "time"])
    assert.equal(tune(home, "heat", "--device", "cpu", "--quiet", "--objective", by).status, 0);
  const runs = json(tune(home, "list", "runs", "--json")), [quick] = sql(home, "select time_ns from best natural join (select id as evaluation_id, time_ns from evaluation)");
  assert.deepEqual(runs.map((run) => run.objective), ["time", points]);
  const rate = sql(home, `select value from best_by_objective where objective = '${points}'`)[0].value;
  assert.ok(Math.abs(runs[1].best_value / rate - 1) < 1e-9);
  assert.ok(Math.abs(runs[0].best_value / quick.time_ns - 1) < 1e-9);
  assert.match(tune(home, "list", "runs").stdout, /points a second {2}- +done +\d\.\d+e\+\d+ /);

  // As on a device that meters energy.
  sql(home, "update evaluation set energy_j = case when configuration like '%16%' then 2e-3 else 1e-3 end");
  const table = tune(home, "best", "heat", "--objective", "energy").stdout;
  assert.match(table, / energy .* 1 mJ .*STEPS=1$/ms);
  assert.match(tune(home, "best", "heat", "--objective", "energy", "--device", "cpu", "--header").stdout, /, 1 mJ; measured[^]*#define STEPS 1\n/);
  assert.match(tune(home, "best", "heat", "--device", "cpu", "--header").stdout, /, \d\.\d+e\+\d+ points a second; measured/);
  const [row] = json(tune(home, "best", "--objective", "edp", "--json"));
  assert.equal(row.objective, "edp");
  assert.ok(Math.abs(row.value / (row.energy_j * row.time_ns * 1e-9) - 1) < 1e-9);
});

test("metrics and objectives go out as T4 and come back", (t) => {
  const home = folder(t);
  cpSync(join(kernels, "heat"), join(home, "heat"), { recursive: true });
  assert.equal(tune(home, heat, "--device", "cpu", "--quiet").status, 0);
  const own = json(tune(home, "best", heat, "--device", "cpu", "--json"))[0];
  const document = json(tune(home, "export", heat, "-o", "/dev/stdout"));
  assert.equal(document.metadata.metrics[points].sense, "maximize");
  const result = document.results.find(({ configuration }) => configuration.STEPS === 16);
  assert.deepEqual(result.objectives, [points]);
  const measured = Object.fromEntries(result.measurements.map(({ name, value }) => [name, value]));
  assert.ok(Math.abs(measured[points] / own.metrics[points] - 1) < 1e-12);
  assert.equal(measured["1 / (STEPS - 1)"], 1 / 15);
  assert.deepEqual(document.results.find(({ configuration }) => configuration.STEPS === 1).measurements.map(({ name }) => name),
    ["time", "GB/s", points, "excess"]); // the others are undefined

  writeFileSync(join(home, "heat_T4.json"), JSON.stringify(document));
  assert.equal(tune(home, "import", "heat_T4.json", "--kernel-name", "imported").status, 0);
  const best = (...args) => json(tune(home, "best", "--json", ...args)).find((row) => row.template === "imported");
  assert.equal(best().configuration.STEPS, 16); // by the objective of the file
  assert.deepEqual(best().metrics[points], measured[points]);
  assert.equal(best("--objective", "time").configuration.STEPS, 1);
  assert.deepEqual(json(tune(home, "export", "imported")), document);
  const odd = JSON.parse(JSON.stringify(document));
  odd.results[0].measurements.push({ name: "a \"quote\"", value: 1 });
  writeFileSync(join(home, "odd_T4.json"), JSON.stringify(odd));
  const done = tune(home, "import", "odd_T4.json", "--kernel-name", "odd");
  assert.equal(done.status, 0);
  assert.match(done.stderr, /odd_T4\.json: 1 measurement is left out/);
});

test("objectives that there are not", (t) => {
  const home = folder(t);
  cpSync(join(kernels, "heat"), join(home, "heat"), { recursive: true });
  const cases = [
    [["--objective", "point a second"], /there is no objective 'point a second'\n +hint: did you mean "points a second"\?/],
    [["--objective", "GB/s"], /there is no objective 'GB\/s'/],
    [["--objective", "joules"], /--objective joules: .* does not report energy/],
  ];
  for (const [args, message] of cases) {
    const done = tune(home, heat, "--device", "cpu", "--quiet", ...args);
    assert.equal(done.status, 2);
    assert.match(done.stderr, message);
  }
});
