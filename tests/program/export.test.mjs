// SPDX-License-Identifier: Apache-2.0
// tune export: what is exported can be imported unchanged, and conforms to the formats.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { published, readJson, t1, t4, valid, writeT1 } from "./formats.mjs";
import { environment, folder, program, refuses, sql, tune } from "./tune.mjs";

function exported(home, ...args) {
  const done = tune(home, "export", ...args);
  assert.equal(done.status, 0, done.stderr);
  return JSON.parse(done.stdout);
}

// Times are converted to nanoseconds and back: a product and a quotient, each rounded by half a unit in the last place.
function assertClose(got, wanted, what) {
  assert.ok(Math.abs(got - wanted) <= 2 * Number.EPSILON * Math.abs(wanted), `${what}: ${got}, not ${wanted}`);
}

function assertSameResults(got, wanted) {
  assert.equal(got.results.length, wanted.results.length);
  wanted.results.forEach((want, i) => {
    const have = got.results[i], where = `results[${i}]`;
    assert.deepEqual(have.configuration, want.configuration, where);
    assert.equal(Date.parse(have.timestamp), Date.parse(want.timestamp), where);
    assert.equal(have.invalidity, want.invalidity, where);
    assert.equal(have.correctness, want.correctness, where);
    assert.deepEqual(have.objectives, want.objectives);
    for (const name of ["compilation", "framework", "validation", "search_algorithm"])
      assertClose(have.times[name], want.times[name], `${where}.${name}`);
    assert.equal(have.times.runtimes?.length, want.times.runtimes?.length, where);
    want.times.runtimes?.forEach((sample, k) => assertClose(have.times.runtimes[k], sample, `${where}.runtimes`));
    const [time] = have.measurements, [other] = want.measurements;
    assert.deepEqual([time.name, typeof time.value], [other.name, typeof other.value], where);
    if (typeof other.value === "number") assertClose(time.value, other.value, where);
    else assert.equal(time.value, other.value, where);
  });
}

test("T4 through the database and out again", (t) => {
  const home = folder(t);
  writeFileSync(join(home, "conv_A100_T4.json"), JSON.stringify(t4()));
  assert.equal(tune(home, "import", "conv_A100_T4.json").status, 0);
  const document = exported(home, "conv");
  assertSameResults(document, t4());
  assert.equal(document.results[0].timestamp, "2023-12-22 09:54:05.502007+00:00");
  assert.equal(document.metadata.timeunit, "miliseconds");
  assert.equal(document.schema_version, "1.0.0");

  writeFileSync(join(home, "again.json"), JSON.stringify(document)); // the device is in it now
  assert.match(tune(home, "import", "again.json", "--kernel-name", "other").stdout, /^other on A100: 3 results/);
  assertSameResults(exported(home, "other"), t4());
});

test("published recordings come back as they were, from Kernel Tuner's cache too", (t) => {
  const home = folder(t), path = published("convolution_A100_T4.json.gz");
  if (!path) return t.skip("the published recordings are not at hand");
  assert.equal(tune(home, "import", path).status, 0);
  assert.equal(tune(home, "import", published("convolution_A100_kerneltuner_cache.json.gz")).status, 0);
  const original = readJson(path);
  assertSameResults(exported(home, "convolution"), original);
  assertSameResults(exported(home, "convolution_kernel", "--device", "NVIDIA A100-PCIE-40GB"), original);
});

test("T1 to a template and a space, and to T1 again: the same space", (t) => {
  const home = folder(t);
  writeT1(home);
  assert.equal(tune(home, "import", "affine_T1.json").status, 0);
  const args = ["templates/affine_map", "--space", "spaces/affine_map/affine_map.space", "--device", "cpu"];
  const document = exported(home, "--t1", ...args);
  const { TuningParameters: parameters, Conditions: conditions } = document.ConfigurationSpace;
  const written = t1().ConfigurationSpace;
  assert.deepEqual(parameters.map((p) => [p.Name, p.Type, p.Default]), written.TuningParameters.map((p) => [p.Name, p.Type, p.Default]));
  assert.deepEqual(parameters.map((p) => p.Values), [...written.TuningParameters.slice(0, 2).map((p) => p.Values), "[0, 1]", "[3, 7, 5]"]);
  assert.deepEqual(conditions, [
    { Expression: "BLOCK * WORK <= 256", Parameters: ["BLOCK", "WORK"] },
    { Expression: "STAGED == 0 or ceil(BLOCK / 64) == 1", Parameters: ["BLOCK", "STAGED"] },
    { Expression: "WIDTH != 3 and WIDTH in (3, 5)", Parameters: ["WIDTH"] },
  ]);
  const kernel = document.KernelSpecification;
  assert.deepEqual(kernel.LocalSize, { X: "BLOCK", Y: "1", Z: "1" });
  assert.deepEqual(kernel.GlobalSize, { X: "(-(-1000 // (BLOCK * WORK)))", Y: "1", Z: "1" });
  assert.equal(kernel.KernelName, "affine");
  const wanted = t1().KernelSpecification.Arguments;
  kernel.Arguments.forEach((argument, i) => {
    for (const name of ["Type", "MemoryType", "MemType", "AccessType", "FillValue", "Output"])
      assert.equal(argument[name], wanted[i][name], `${i} ${name}`);
  });
  assert.deepEqual(kernel.Arguments.slice(0, 3).map((a) => [a.Name, a.Size]), [["y", 1000], ["x", 1004], ["coefficient", 2]]);

  writeFileSync(join(home, "back_T1.json"), JSON.stringify(document));
  assert.equal(tune(home, "import", "back_T1.json", "-o", "back").status, 0);
  const own = ["back/templates/affine_map", "--space", "back/spaces/affine_map/affine_map.space", "--device", "cpu"];
  const shown = JSON.parse(tune(home, "show", ...own, "--json").stdout);
  assert.equal(shown.valid, valid().length);
  assert.deepEqual(exported(home, "--t1", ...own).ConfigurationSpace, document.ConfigurationSpace);
});

test("shipped spaces have as many configurations in T1", (t) => {
  for (const [name, space] of [["gemm", "joint_reg_smem"], ["transpose", "tiled"], ["mri_fhd", "registers"], ["dcs", "direct"]]) {
    const home = folder(t);
    writeFileSync(join(home, "T1.json"), JSON.stringify(exported(home, "--t1", name, "--space", space, "--device", "cpu")));
    const imported = tune(home, "import", "T1.json");
    assert.equal(imported.status, 0, imported.stderr);
    const count = (...args) => JSON.parse(tune(home, "show", ...args, "--device", "cpu", "--json").stdout).valid;
    assert.equal(count(`./templates/${name}`, "--space", `./spaces/${name}/${name}.space`), count(name, "--space", space), name);
  }
});

test("results of a sweep as T4", (t) => {
  const home = folder(t);
  writeT1(home);
  tune(home, "import", "affine_T1.json");
  const swept = tune(home, "templates/affine_map", "--space", "spaces/affine_map/affine_map.space", "--device", "cpu", "--quiet");
  assert.equal(swept.status, 0, swept.stderr);
  const { metadata, results } = exported(home, "./templates/affine_map", "--size", "problem_size_x=1000");
  const shown = tune(home, "show", "templates/affine_map", "--space", "spaces/affine_map/affine_map.space", "--device", "cpu", "--json");
  assert.deepEqual(metadata.default, JSON.parse(shown.stdout).default.configuration);
  assert.equal(results.length, valid().length);
  for (const result of results) {
    const wrong = result.configuration.BLOCK === 96;
    assert.equal(result.invalidity, wrong ? "correctness" : "correct");
    assert.equal(result.correctness, wrong ? 0 : 1);
    assert.ok(result.times.compilation > 0);
    if (!wrong) assert.ok(result.times.runtimes.length > 0 && result.measurements[0].value > 0);
  }
});

test("sizes choose results in any order, and not all need be given", (t) => {
  const home = folder(t);
  for (const size of ["M=48,N=40,K=32", "M=48,N=40,K=64"]) {
    const swept = tune(home, "gemm", "--space", "naive", "--size", size, "--device", "cpu", "--budget", "2", "--quiet");
    assert.equal(swept.status, 0, swept.stderr);
  }
  for (const size of ["M=48,N=40,K=32", "K=32,M=48,N=40", "K=32"])
    assert.equal(exported(home, "gemm", "--size", size).results.length, 2);
  refuses(tune(home, "export", "gemm", "--size", "M=48"), "there are several: gemm M=48,N=40,K=32", "--size");
  refuses(tune(home, "export", "gemm", "--size", "K=3"), "the database has no such results", "run a sweep");
});

test("a file that cannot be written completely does not replace an earlier one", (t) => {
  const home = folder(t), out = join(home, "out"), document = t4(), count = 300;
  document.results = Array.from({ length: count }, (_, i) => ({ ...document.results[0], configuration: { a: i } }));
  writeFileSync(join(home, "conv_A100_T4.json"), JSON.stringify(document));
  assert.equal(tune(home, "import", "conv_A100_T4.json").status, 0);
  tune(home, "best"); // loads what comes with tune: the database need not grow any more
  mkdirSync(out);
  writeFileSync(join(out, "kept.json"), "before");
  const left = () => readdirSync(out).map((name) => [name, readFileSync(join(out, name), "utf8")]);
  const limited = (name) => spawnSync("bash", ["-c", 'ulimit -f 64; exec "$@"', "tune", program, "export", "conv", "-o", join(out, name)], // in KiB
    { encoding: "utf8", cwd: home, env: environment(home) });
  for (const name of ["kept.json", "new.json"]) {
    const done = limited(name);
    assert.equal(done.status, 1, done.stderr);
    assert.match(done.stderr, new RegExp(`^tune: cannot write .*${name}: File too large\n$`));
    assert.deepEqual(left(), [["kept.json", "before"]]);
  }
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=777", "tmpfs", out]).status === 0) {
    writeFileSync(join(out, "kept.json"), "before");
    const done = tune(home, "export", "conv", "-o", "out/kept.json");
    const after = left();
    spawnSync("umount", [out]);
    assert.match(done.stderr, /^tune: cannot write .*kept\.json: No space left on device\n$/);
    assert.deepEqual(after, [["kept.json", "before"]]);
  }

  sql(home, "update evaluation set samples_ns = 'spoilt' where origin = 'imported' and configuration like '%299%'");
  assert.match(tune(home, "export", "conv", "-o", "out/kept.json").stderr, /samples of .* are damaged/);
  assert.deepEqual(left(), [["kept.json", "before"]]);
  sql(home, "update evaluation set samples_ns = '[]' where samples_ns = 'spoilt'");
  symlinkSync("kept.json", join(out, "link.json"));
  assert.match(tune(home, "export", "conv", "-o", "out/link.json").stderr, /it leads to kept\.json: name that file/);
  assert.deepEqual(left()[0], ["kept.json", "before"]);
  assert.equal(tune(home, "export", "conv", "-o", "out/kept.json").status, 0);
  assert.equal(readJson(join(out, "kept.json")).results.length, count);
  const piped = spawnSync("bash", ["-c", '"$@" -o /dev/stdout | cat', "tune", program, "export", "conv"], { encoding: "utf8", cwd: home, env: environment(home) });
  assert.equal(JSON.parse(piped.stdout).results.length, count);
  assert.match(tune(home, "export", "conv", "-o", "/dev/full").stderr, /cannot write \/dev\/full: No space left on device/);
});

test("wrong usage is reported in one line", (t) => {
  const home = folder(t);
  for (const [args, message] of [
    [["nowhere"], /the database has no such results/],
    [["--t1", "gemm", "--space", "full", "--device", "cpu"], /T1 cannot express unions/],
    [["--t1", "--t4", "gemm"], /choose one/],
    [["gemm", "--space", "naive"], /--space needs --t1/],
    [["--t1", "gemm", "--space", "naive", "--device", "cpu", "-o", "nowhere/file.json"], /cannot create nowhere\/file\.json: No such file/],
    [[], /no such results/],
  ]) {
    const done = tune(home, "export", ...args);
    assert.notEqual(done.status, 0, args.join(" "));
    assert.match(done.stderr, message);
    assert.equal(done.stdout, "");
  }
});
