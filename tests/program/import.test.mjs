// SPDX-License-Identifier: Apache-2.0
// tune import: T1 files become working templates, recorded results become rows, and a failed import leaves nothing.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { kernel, published, readJson, t4, valid, writeT1 } from "./formats.mjs";
import { folder, sql, tune } from "./tune.mjs";

const template = "templates/affine_map", space = "spaces/affine_map/affine_map.space";

test("a T1 file becomes a template that can be swept", (t) => {
  const home = folder(t);
  writeT1(home);
  const done = tune(home, "import", "affine_T1.json");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stdout, `./${template}/affine_map.template\n./${space}\n`);
  assert.match(done.stderr, /there is no reference/);
  assert.doesNotMatch(done.stderr, /not beside/);
  assert.equal(readFileSync(join(home, template, "affine.cu"), "utf8"), kernel);

  const shown = JSON.parse(tune(home, "show", template, "--space", space, "--device", "cpu", "--json").stdout);
  assert.equal(shown.valid, valid().length);
  assert.deepEqual(shown.default.configuration, { BLOCK: 64, WORK: 1, STAGED: 0, WIDTH: 5 });
  assert.deepEqual(shown.parameters.map((p) => p.values), [[32, 64, 96, 128], [1, 2, 3, 8], [0, 1], [3, 7, 5]]);

  const swept = tune(home, template, "--space", space, "--device", "cpu", "--quiet", "--json");
  assert.equal(swept.status, 0, swept.stderr);
  const rows = sql(home, "select configuration, outcome, message from evaluation where origin = 'measured'");
  assert.deepEqual(new Set(rows.map((row) => row.configuration)), new Set(valid().map((c) => JSON.stringify(c))));
  for (const row of rows)
    assert.equal(row.outcome, JSON.parse(row.configuration).BLOCK === 96 ? "wrong_result" : "ok", row.message);
});

test("a missing kernel is asked for", (t) => {
  const home = folder(t);
  writeT1(home, (document) => { document.KernelSpecification.KernelFile = "elsewhere.cu"; });
  const done = tune(home, "import", "affine_T1.json", "-o", "deep/er");
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /elsewhere\.cu is not beside the T1 file; copy it to deep\/er\/templates\/affine_map\/elsewhere\.cu/);
  assert.match(readFileSync(join(home, "deep/er", template, "elsewhere.cu"), "utf8"), /^#error .*affine/);
  assert.equal(tune(home, "show", join("deep/er", template), "--device", "cpu").status, 0);
});

test("what a T1 file names as its kernel is read only if it is a source beside it", (t) => {
  const home = folder(t), secret = join(home, "secret");
  writeFileSync(secret, "for me alone\n", { mode: 0o600 });
  for (const file of [secret, "../secret", "/etc/passwd"]) {
    writeT1(join(home, "t1"), (document) => { document.KernelSpecification.KernelFile = file; });
    const done = tune(home, "import", "t1/affine_T1.json");
    assert.equal(done.status, 2, done.stdout);
    assert.match(done.stderr, /has not the name of a source/);
    assert.deepEqual(readdirSync(home).filter((name) => name === "templates"), []);
  }
  writeFileSync(`${secret}.cu`, "for me alone\n");
  writeT1(join(home, "t1"), (document) => { document.KernelSpecification.KernelFile = "../secret.cu"; });
  assert.match(tune(home, "import", "t1/affine_T1.json").stderr, /secret\.cu is not beside the T1 file; copy it to/);
  assert.doesNotMatch(readFileSync(join(home, template, "secret.cu"), "utf8"), /for me alone/);
});

test("data and expected values that a T1 file names are taken along, and its kernel says what the file does not", (t) => {
  const home = folder(t), n = 1000;
  const floats = (value) => Buffer.from(Float32Array.from({ length: n }, (_, i) => value(i)).buffer);
  writeT1(home, ({ KernelSpecification: kernel }) => {
    kernel.KernelFile = "sources/own.cu";
    kernel.LocalSize = { X: "block_size_x" };
    kernel.GridDivX = ["256", "WORK"];
    kernel.Arguments = [
      { Type: "float", MemoryType: "Vector", FillType: "Constant", Size: "ProblemSize[0]", FillValue: 7 },
      { Type: "float", MemoryType: "Vector", FillType: "BinaryRaw", DataSource: "sources/x.bin", Size: "ProblemSize[0]" },
      { Name: "n", Type: "int32", MemoryType: "Scalar", FillValue: "ProblemSize[0]" },
    ];
    kernel.ReferenceArguments = [{ TargetArgument: 0, FillType: "BinaryRaw", DataSource: "sources/y.bin",
      ValidationMethod: "SideBySideComparison", ValidationThreshold: 0.25 }];
  });
  writeFileSync(join(home, "sources/own.cu"), `#include "factor.h"
#ifdef kernel_tuner
__global__ void affine(float *result, const float *given, int n) {
    int first = (blockIdx.x * block_size_x + threadIdx.x) * WORK;
    for (int i = first; i < first + WORK && i < n; i++)
        result[i] = FACTOR * given[i] + (WORK == 3) + (grid_size_x < 0);
}
#endif
`);
  writeFileSync(join(home, "sources/factor.h"), "#define FACTOR 2\n");
  writeFileSync(join(home, "sources/x.bin"), floats((i) => i / 10));
  writeFileSync(join(home, "sources/y.bin"), floats((i) => i / 5 + 0.125));
  const done = tune(home, "import", "affine_T1.json");
  assert.equal(done.status, 0, done.stderr);
  assert.doesNotMatch(done.stderr, /no reference/);
  assert.deepEqual(readdirSync(join(home, template)).sort(), ["affine_map.template", "factor.h", "own.cu", "x.bin", "y.bin"]);
  const text = readFileSync(join(home, template, "affine_map.template"), "utf8");
  assert.match(text, /buffer result : float\[problem_size_x\] inout constant\(7\)\nbuffer given : .* in file\("x\.bin"\)\n/);
  assert.match(text, /\nreference result file\("y\.bin"\)\n\ncheck result absolute 0\.25\n/);
  assert.match(text, /option "-Dkernel_tuner=1"\noption "-Dgrid_size_x=gridDim\.x"\noption "-Dblock_size_x=256"\n/);
  const swept = tune(home, template, "--space", space, "--device", "cpu", "--quiet");
  assert.equal(swept.status, 0, swept.stderr);
  for (const row of sql(home, "select configuration, outcome, message from evaluation where origin = 'measured'"))
    assert.equal(row.outcome, JSON.parse(row.configuration).WORK === 3 ? "wrong_result" : "ok", row.message);
});

test("what a T1 file gets wrong about its kernel is said where it stands", (t) => {
  const home = folder(t);
  writeT1(home, ({ KernelSpecification: kernel }) => {
    kernel.Arguments[1].Type = "int32";
    kernel.Arguments[1].Size = 1;
    kernel.Arguments[0].FillType = "BinaryRaw";
    kernel.Arguments[0].DataSource = "y.bin";
    kernel.Arguments.pop();
  });
  assert.equal(tune(home, "import", "affine_T1.json").status, 0);
  const text = readFileSync(join(home, template, "affine_map.template"), "utf8");
  assert.match(text, /^# Note: the file does not tell of the kernel's parameter 5, int n: declare it/m);
  assert.match(text, /^# Note: y\.bin is not beside the T1 file: with it, write in file\("y\.bin"\)\nbuffer y /m);
  assert.match(text, /^# Note: the file says int, the kernel float \*x\nbuffer x : float/m);
});

test("existing files are not overwritten", (t) => {
  const home = folder(t);
  writeT1(home);
  assert.equal(tune(home, "import", "affine_T1.json").status, 0);
  const again = tune(home, "import", "affine_T1.json");
  assert.equal(again.status, 2);
  assert.match(again.stderr, /already exists\n.*hint/s);
});

test("the published T1 files declare as many configurations as were recorded", (t) => {
  for (const [name, gpus] of [["convolution", ["A100", "A6000", "MI250X"]], ["dedispersion", ["A100", "A4000", "MI250X"]]]) {
    const path = published(`${name}_T1.json`);
    if (!path) return t.skip("the published recordings are not at hand");
    const home = folder(t);
    assert.equal(tune(home, "import", path).status, 0);
    const own = `${name}_milo`;
    const shown = tune(home, "show", `templates/${own}`, "--space", `spaces/${own}/${own}.space`, "--device", "cpu", "--json");
    assert.equal(shown.status, 0, shown.stderr);
    for (const gpu of gpus)
      assert.equal(JSON.parse(shown.stdout).valid, readJson(published(`${name}_${gpu}_T4.json.gz`)).results.length);
  }
});

const parameter = (change) => (document) => Object.assign(document.ConfigurationSpace.TuningParameters[0], change);
const argument = (index, change) => (document) => Object.assign(document.KernelSpecification.Arguments[index], change);
for (const [what, change, message] of [
  ["no parameters", (d) => { d.ConfigurationSpace.TuningParameters = []; }, /"TuningParameters" is missing or empty/],
  ["no kernel", (d) => { delete d.KernelSpecification; }, /"KernelSpecification" is missing or not an object/],
  ["values that are no expression", parameter({ Values: "[32, 64" }), /affine_T1\.json, Values of BLOCK:1:1: this '\[' is never closed/],
  ["values that are code", parameter({ Values: "__import__('os').system('true')" }), /Values of BLOCK:1:\d+: /],
  ["values that read another parameter", (d) => { d.ConfigurationSpace.TuningParameters[3].Values = "[WORK, 7]"; }, /Values of WIDTH:1:2: unknown name WORK/],
  ["values that have no value", parameter({ Values: "[2**i for i in range(2/4)]" }), /Values of BLOCK:1:16: range\(\) needs whole numbers, not 0\.5/],
  ["no values", parameter({ Values: "[]" }), /parameter BLOCK has no values/],
  ["a name of the language", parameter({ Name: "while" }), /"while" is a reserved word and cannot name a parameter.*hint/s],
  ["a name with a line end", parameter({ Name: "A\nwhere 0" }), /"A\\nwhere 0" is not a valid name for a parameter.*hint/s],
  ["a condition of unknown names", (d) => { d.ConfigurationSpace.Conditions[0].Expression = "BLOCKS < 3"; }, /Conditions\[0\]:1:1: unknown name BLOCKS.*did you mean BLOCK/s],
  ["two statements", (d) => { d.ConfigurationSpace.Conditions[0].Expression = "BLOCK < 3\nparam X = [1]"; }, /Conditions\[0\]:1:\d+: expected/],
  ["a lambda of two names", (d) => { d.ConfigurationSpace.Conditions[0].Expression = "lambda a, b: a < b"; }, /this lambda cannot be converted to a constraint/],
  ["conditions that contradict", (d) => { d.ConfigurationSpace.Conditions[0].Expression = "BLOCK < 3"; }, /BLOCK < 3/],
  ["an unknown type", argument(0, { Type: "quad" }), /argument 0 \(y\): unknown Type "quad"/],
  ["an unknown kind of memory", argument(0, { MemoryType: "Texture" }), /argument 0 \(y\): unknown MemoryType "Texture"/],
  ["arguments without end", (d) => { d.KernelSpecification.Arguments = Array(2000).fill(d.KernelSpecification.Arguments[3]); }, /the kernel has 2000 arguments; at most 1000 are supported/],
  ["factors without end", (d) => { d.KernelSpecification.GridDivX = Array(2000).fill("BLOCK"); }, /GridDivX has 2000 factors; at most 100 are supported/],
  ["no size", argument(0, { Size: null }), /argument 0 \(y\): "Size" must be a number or an expression/],
  ["a text that no define can hold", parameter({ Values: ["a", "a\nb"] }), /Values of BLOCK: "a\\nb" cannot be passed to a kernel as a macro\n.*hint/s],
  ["a width that is no number", argument(0, { Type: "float+4" }), /unknown Type "float\+4"/],
  ["an extent below 0", argument(0, { Size: -5 }), /the template of affine_T1\.json:\d+:\d+: buffer y has an extent of -5/],
  ["a size that there is not", argument(0, { Size: "ProblemSize[2]" }), /ProblemSize\[2\] is out of range: ProblemSize has 1 extent$/m],
]) test(`one clear error for ${what}`, (t) => {
  const home = folder(t);
  writeT1(home, change);
  const done = tune(home, "import", "affine_T1.json");
  assert.equal(done.status, 2, done.stdout);
  assert.match(done.stderr, message);
  assert.equal(done.stderr.match(/^tune: /gm).length, 1);
  assert.deepEqual(readdirSync(home).filter((name) => name !== "cache").sort(), ["affine_T1.json", "sources"]);
});

test("names and values that need quoting in other languages", (t) => {
  const home = folder(t), long = "x".repeat(300);
  writeT1(home, (document) => {
    argument(0, { Name: "results" })(document); // which T4 files have as a member
    document.ConfigurationSpace.TuningParameters.push(
      { Name: "LONG", Type: "string", Values: [long, "y"], Default: long }, { Name: "SIGNED", Type: "int", Values: [-1, 1] });
    document.KernelSpecification.SharedMemory = "8 if BLOCK > 64 else 4";
    document.KernelSpecification.Arguments.push({ Name: "l", Type: "float", MemoryType: "Local", Size: "BLOCK" });
  });
  const done = tune(home, "import", "affine_T1.json");
  assert.equal(done.status, 0, done.stderr);
  const text = readFileSync(join(home, template, "affine_map.template"), "utf8");
  assert.match(text, /<<<.*, BLOCK, \(8 if BLOCK > 64 else 4\) \+ \(BLOCK\) \* 4>>>\(results, /);
  assert.match(readFileSync(join(home, template, "reference.cu"), "utf8"), /^#define SIGNED \(-1\)$/m);
  const shown = JSON.parse(tune(home, "show", template, "--space", space, "--device", "cpu", "--json").stdout);
  assert.equal(shown.default.configuration.LONG, long);
});

test("a block that no parameter tells is Kernel Tuner's, and a kernel in another language has a space", (t) => {
  const home = folder(t);
  writeT1(home, ({ ConfigurationSpace: space, KernelSpecification: kernel }) => {
    space.TuningParameters.push({ Name: "METHOD", Type: "string", Values: "['L-BFGS-B', 'CG']", Default: ["CG"] });
    kernel.Language = "OpenCL";
    kernel.LocalSize = { X: "block_size_x", Y: "block_size_y", Z: "1" };
    kernel.GridDivY = ["block_size_y"]; // unknown, where a size of one extent does not ask for it
    kernel.Arguments[0].Type = "image2d_t";
  });
  const done = tune(home, "import", "affine_T1.json");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stderr, "tune: the kernel is written in OpenCL, which tune cannot compile: only the space is usable\n" +
    "tune: no parameter gives the block size: assumed 256 x 1 x 1 threads, as in Kernel Tuner\n");
  assert.match(readFileSync(join(home, template, "affine_map.template"), "utf8"), /affine<<<ceil_div\(problem_size_x, BLOCK \* WORK\), 256>>>/);
  assert.match(readFileSync(join(home, template, "affine.cu"), "utf8"), /^#error .*in CUDA/);
  const shown = JSON.parse(tune(home, "show", template, "--space", space, "--device", "cpu", "--json").stdout);
  assert.equal(shown.valid, 2 * valid().length);
  assert.equal(shown.default.configuration.METHOD, "CG");
});

test("constraints under the name that drafts of T1 use", (t) => {
  const home = folder(t);
  writeT1(home, ({ ConfigurationSpace: space }) => {
    space.Constraints = space.Conditions;
    delete space.Conditions;
  });
  assert.equal(tune(home, "import", "affine_T1.json").status, 0);
  assert.equal(JSON.parse(tune(home, "show", template, "--space", space, "--device", "cpu", "--json").stdout).valid, valid().length);
});

test("an empty folder name is not the root", (t) => {
  const home = folder(t);
  writeT1(home, (document) => { document.General.BenchmarkName = "/"; });
  const done = tune(home, "import", "affine_T1.json", "-o", "");
  assert.equal(done.status, 2, done.stdout);
  assert.match(done.stderr, /--output: the value is empty\n.*hint/);
});

test("text that is not JSON is reported with its place", (t) => {
  const home = folder(t);
  writeFileSync(join(home, "broken.json"), "{\n  \"ConfigurationSpace\": {,}\n}\n");
  const done = tune(home, "import", "broken.json");
  assert.equal(done.status, 2);
  assert.match(done.stderr, /broken\.json:2:2\d: invalid JSON/);
  writeFileSync(join(home, "odd.json"), "[1,");
  assert.match(tune(home, "import", "odd.json").stderr, /odd\.json:1:\d: invalid JSON.*hint: .*T1/s);
  assert.equal(tune(home, "import", "nowhere.json").status, 2);
  assert.equal(tune(home, "import").status, 2);
});

test("results become rows, and importing them again changes nothing", (t) => {
  const home = folder(t);
  writeFileSync(join(home, "conv_A100_T4.json"), JSON.stringify(t4()));
  writeFileSync(join(home, "conv_A100_T4.json.gz"), gzipSync(JSON.stringify(t4())));
  for (const name of ["conv_A100_T4.json", "conv_A100_T4.json.gz"]) {
    const done = tune(home, "import", name);
    assert.equal(done.status, 0, done.stderr);
    assert.equal(done.stdout, "conv on A100: 3 results, 2 of them failures\n");
    assert.match(done.stderr, /does not name kernel or device: taken from the file's name/);
  }
  assert.deepEqual(sql(home, "select configuration, outcome, message, measured_at, origin, samples_ns from evaluation order by id"), [
    { configuration: '{"a":16,"b":"x"}', outcome: "ok", message: "", measured_at: "2023-12-22T09:54:05.502007Z", origin: "imported", samples_ns: "[3976191.997528076,3878911.9720458984]" },
    { configuration: '{"a":32,"b":"x"}', outcome: "launch_error", message: "RuntimeFailedConfig", measured_at: "2023-12-22T09:54:06.508453Z", origin: "imported", samples_ns: null },
    { configuration: '{"a":16,"b":"y"}', outcome: "compile_error", message: "CompilationFailedConfig", measured_at: "2023-12-22T09:54:07Z", origin: "imported", samples_ns: null },
  ]);
  assert.deepEqual(sql(home, "select template, device, time_ms, origin from best"),
    [{ template: "conv", device: "A100", time_ms: 3.9276, origin: "imported" }]);
  for (const args of [[], ["conv"], ["conv", "--device", "A100"]]) assert.match(tune(home, "best", ...args).stdout, /conv +A100 .*imported 2023-12-22/);
  for (const args of [["convolve"], ["conv", "--device", "A30"], ["conv", "--header"], ["conv", "--size", "n=1"], ["./conv"]]) {
    const none = tune(home, "best", ...args);
    assert.equal(none.status, 2, none.stdout);
    assert.match(none.stderr, /conv/);
  }

  const named = tune(home, "import", "conv_A100_T4.json", "--kernel-name", "mine", "--device-name", "A 100");
  assert.equal(named.stdout, "mine on A 100: 3 results, 2 of them failures\n");
  assert.equal(named.stderr, "");
});

test("KTT's results become rows, if they are in JSON", (t) => {
  const home = folder(t), pair = (Name, Value) => ({ Name, Value, ValueType: "UnsignedInt" });
  writeFileSync(join(home, "coulomb.json"), JSON.stringify({
    Metadata: { Device: "RTX 2080", TimeUnit: "Microseconds", Timestamp: "2024-08-12 11:26:23 UTC" },
    Results: [{ KernelName: "coulomb", Status: "Ok", TotalDuration: 1500, Configuration: [pair("BLOCK", 64)], ComputationResults: [] },
      { KernelName: "coulomb", Status: "ValidationFailed", TotalDuration: 1, Configuration: [pair("BLOCK", 32)] }],
  }));
  const done = tune(home, "import", "coulomb.json");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stdout + done.stderr, "coulomb on RTX 2080: 2 results, 1 of them failures\n");
  assert.deepEqual(sql(home, "select configuration, outcome, time_ns, measured_at from evaluation order by id"), [
    { configuration: '{"BLOCK":64}', outcome: "ok", time_ns: 1.5e6, measured_at: "2024-08-12T11:26:23Z" },
    { configuration: '{"BLOCK":32}', outcome: "wrong_result", time_ns: null, measured_at: "2024-08-12T11:26:23Z" },
  ]);
  writeFileSync(join(home, "coulomb.xml"), "<TuningData/>");
  const xml = tune(home, "import", "coulomb.xml");
  assert.equal(xml.status, 2);
  assert.match(xml.stderr, /coulomb\.xml is XML, not JSON\n +hint: of KTT's results only those in JSON are read/);
});

test("one bad result rejects the whole file", (t) => {
  for (const change of [
    (r) => { r.invalidity = "perhaps"; }, (r) => { delete r.configuration; }, (r) => { r.timestamp = "yesterday"; },
    (r) => { r.configuration.a = [1]; },
  ]) {
    const home = folder(t), document = t4();
    change(document.results[2]);
    writeFileSync(join(home, "conv_A100_T4.json"), JSON.stringify(document));
    const done = tune(home, "import", "conv_A100_T4.json");
    assert.equal(done.status, 2, done.stderr);
    assert.match(done.stderr, /conv_A100_T4\.json/);
    if (existsSync(join(home, "tune.db")))
      assert.deepEqual(sql(home, "select id from evaluation"), []);
  }
});
