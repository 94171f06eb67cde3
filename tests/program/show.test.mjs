// SPDX-License-Identifier: Apache-2.0
// What `tune show --space` says about a space: counts, what constraints remove, likely mistakes.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, tune } from "./tune.mjs";

const names = ["A", "B", "C", "D", "E", "F", "G"];

// A template with parameters A to G in a folder of its own, and a space beside it.
function write(home, space) {
  mkdirSync(join(home, "t"));
  writeFileSync(join(home, "t", "t.template"), ["template t", "size n = 64", ...names.map((name) => `parameter ${name}`),
    'source "k.cu"', "buffer y : float[n] out", "launch { k<<<1, 1>>>(y) }", 'reference "r.cu" { r<<<1, 1>>>(ref(y)) }',
    "check y exact", ""].join("\n"));
  writeFileSync(join(home, "t", "k.cu"), `__global__ void k(float *y) {}\n#if ${names.join(" + ")}\n#endif\n`);
  writeFileSync(join(home, "t", "r.cu"), "__global__ void r(double *y) {}\n");
  writeFileSync(join(home, "t", "s.space"), space.join("\n") + "\n");
}

const limits = `compute_capability warp_size max_threads_per_block max_block_x max_block_y max_block_z max_grid_x max_grid_y
  max_grid_z max_shared_per_block max_shared_per_block_optin max_shared_per_sm max_registers_per_block max_registers_per_sm
  max_threads_per_sm max_blocks_per_sm sm_count l2_bytes constant_bytes memory_bytes clock_khz memory_clock_khz
  memory_bus_bits peak_flops peak_bandwidth`.split(/\s+/);
const description = {
  kind: "cuda", name: "Some GPU", architecture: "sm_90", uuid: "", driver: "", compiler: "",
  ...Object.fromEntries(limits.map((limit) => [limit, 1024])),
};

const show = (home, ...more) => tune(home, "show", "./t", "--space", "s", ...more);

test("likely mistakes, each in one line with its place", (t) => {
  const home = folder(t);
  const device = join(home, "device.json");
  write(home, [
    "space s of t",
    "param A = [1, 2, 4, 2]",
    "param B = [1, 2, 3, 8]",
    "param C = [0, 1]",
    "let unused = A * 2",
    "let used = A * B",
    "where used <= 8",
    "where B <= 8",
    "where C == 1 or A > 4",
    "where A * B <= device.max_shared_per_sm or used < 100",
    "where B != 3",
  ]);
  writeFileSync(device, JSON.stringify({ ...description, max_shared_per_sm: 0 }));
  const done = show(home, "--device", device, "--json");
  assert.equal(done.status, 0, done.stderr);
  const shown = JSON.parse(done.stdout);
  const notes = shown.notes.map(({ kind, line, column, text }) => [line, column, kind, text]);
  assert.deepEqual(notes, [
    [2, 11, "repeated value", "A has the value 2 more than once"],
    [3, 11, "dead value", "no valid configuration has B = 3"],
    [4, 11, "single value", "C has no effect: it is 1 in every valid configuration"],
    [5, 14, "unused let", "unused is never used"],
    [8, 7, "idle constraint", "this constraint has no effect: those before it remove all that it would"],
    [10, 7, "unknown limit", "this constraint reads device.max_shared_per_sm, which is unknown (0) for Some GPU"],
    [10, 7, "idle constraint", "this constraint has no effect: those before it remove all that it would"],
  ]);
  // By hand: A * B <= 8 leaves 4 + 3 + 2 of 12 pairs; C leaves half; B != 3 takes (1, 3) and (2, 3).
  assert.deepEqual(shown.constraints.map((constraint) => constraint.removed), [6, 0, 9, 0, 2]);
  assert.equal(shown.valid, 7);
  const text = show(home, "--device", device).stdout;
  assert.match(text, /\nlikely mistakes:\n.*s\.space:2:11: /);
  assert.match(text, /s\.space:4:11: C has no effect: it is 1 in every valid configuration\n/);
});

test("a template's counts, buffers and matrices", (t) => {
  const home = folder(t);
  write(home, ["space s of t", "param A = [1, 2]"]);
  const path = join(home, "t", "t.template");
  writeFileSync(path, readFileSync(path, "utf8").replace("launch", `count found at most n // 2
size stored = 5 * n
size widest = 7
buffer s : int[n + 1] in
buffer c : int[stored] in
buffer rows : float4[n, 2 * n] temp
matrix M[n, 3 * n, stored, widest] = csr(s, c)
setup "k.cu" { if not given(M) { k<<<1, 1>>>(s) } }
launch`));
  const shown = JSON.parse(tune(home, "show", "./t", "--device", "cpu", "--json").stdout);
  assert.deepEqual(shown.counts, [{ name: "found", most: "n // 2" }]);
  assert.deepEqual(shown.buffers, [
    { name: "y", type: "float", role: "out", passed: "out", dimensions: ["n"] },
    { name: "s", type: "int", role: "in", passed: null, dimensions: ["n + 1"] },
    { name: "c", type: "int", role: "in", passed: null, dimensions: ["stored"] },
    { name: "rows", type: "float4", role: "temp", passed: null, dimensions: ["n", "2 * n"] },
  ]);
  assert.deepEqual(shown.matrices, [{ name: "M", format: "csr", rows: "n", columns: "3 * n", sizes: ["stored", "widest"], buffers: ["s", "c"], file: null }]);
  assert.deepEqual(shown.sizes.map(({ name, value, derived }) => [name, value, derived]), [["n", 64, undefined], ["stored", 320, true], ["widest", 7, true]]);
  const text = tune(home, "show", "./t", "--device", "cpu").stdout;
  assert.match(text, /\ncount +at most\nfound +n \/\/ 2\n/);
  assert.match(text, /\nstored +320 +derived: what the matrix has *\n/);
  assert.match(text, /\nmatrix +rows +columns +entries +buffers +file\nM +n +3 \* n +stored, of a row widest +s, c/);
});

test("an output that no kernel gets is a likely mistake of the template", (t) => {
  const home = folder(t);
  write(home, ["space s of t", "param A = [1, 2]"]);
  const path = join(home, "t", "t.template");
  writeFileSync(path, readFileSync(path, "utf8").replace("launch", "buffer z : float[n] out\ncheck z below 1\nlaunch"));
  assert.match(show(home).stdout, /\nlikely mistakes:\n.*t\.template:12:8: nothing writes z: no launch passes it to a kernel\n/);
});

test("a space of more than 10^12 configurations is counted without listing it", (t) => {
  const home = folder(t);
  write(home, ["space s of t", ...names.map((name) => `param ${name} = range(1, 129)`),
    "where A * B <= 128", "where C % D == 0", "where E + F <= 128"]);
  let products = 0, multiples = 0, sums = 0;
  for (let a = 1; a <= 128; a++) {
    for (let b = 1; b <= 128; b++) {
      products += a * b <= 128;
      multiples += a % b === 0;
      sums += a + b <= 128;
    }
  }
  const shown = JSON.parse(show(home, "--device", "cpu", "--json").stdout);
  assert.equal(BigInt(shown.valid), BigInt(products) * BigInt(multiples) * BigInt(sums) * 128n);
  assert.ok(shown.valid > 4e11);
  assert.deepEqual(shown.notes.map((note) => note.text), ["no valid configuration has E = 128", "no valid configuration has F = 128"]);
});

test("a space that cannot be counted in a second says why", (t) => {
  const home = folder(t);
  write(home, ["space s of t", ...names.map((name) => `param ${name} = range(1, 1025)`),
    "where (A * 7919 + B * 104729 + C * 1299709 + D * 15485863 + E * 32452843 + F + G) % 1000003 == 1"]);
  const done = show(home, "--device", "cpu");
  assert.equal(done.status, 2);
  assert.match(done.stderr, /space s cannot be counted: more than 5 million values would have to be tried/);
  writeFileSync(join(home, "t", "s.space"), ["space s of t", ...names.map((name) => `param ${name} = range(1, 1025)`), ""].join("\n"));
  assert.match(show(home, "--device", "cpu").stderr, /1\.18e\+21 valid configurations, more than can be numbered/);
});

test("a product beyond the range of a double", (t) => {
  const home = folder(t), many = Array.from({ length: 320 }, (_, i) => `P${i}`);
  write(home, ["space s of t", ...many.map((name) => `param ${name} = range(10)`), ...many.map((name) => `where ${name} == 7`)]);
  const template = join(home, "t", "t.template");
  writeFileSync(template, readFileSync(template, "utf8").replace("parameter A", many.map((name) => `parameter ${name}`).join("\n")));
  const shown = JSON.parse(show(home, "--device", "cpu", "--json").stdout);
  assert.equal(shown.cartesian, null);
  assert.equal(shown.valid, 1);
  assert.equal(shown.constraints[0].removed, -1); // not counted
  assert.match(show(home, "--device", "cpu").stdout, /^1 valid configuration of more than 1e308$/m);
});

// `and` and `or` return an operand, which is read twice; expanded into a tree this has 2^60 leaves.
test("deeply nested constraints", (t) => {
  for (const [first, comparison, expected] of [["A == 1", "", 80], ["A", " > 1", 40]]) {
    const home = folder(t);
    let text = first;
    for (let i = 0; i < 60; i++)
      text = first === "A" ? `(${text} ${i % 2 ? "and" : "or"} B)` : `(A == ${i} ${i % 2 ? "and" : "or"} ${text})`;
    write(home, ["space s of t", "param A = range(40)", "param B = range(3)", `where ${first === "A" ? text + comparison : text + " or B"}`]);
    const done = show(home, "--device", "cpu", "--json");
    assert.equal(done.status, 0, done.stderr);
    assert.equal(JSON.parse(done.stdout).valid, expected);
  }
});

test("members of a union with too many values in total", (t) => {
  const home = folder(t);
  write(home, ["space s of t", "union a, b"]);
  writeFileSync(join(home, "t", "a.space"), 'space a of t\nparam A = range(65535)\n');
  writeFileSync(join(home, "t", "b.space"), 'space b of t\nparam A = range(65530, 65537)\n');
  const done = show(home, "--device", "cpu");
  assert.equal(done.status, 2, done.stdout);
  assert.match(done.stderr, /parameter A 65537 values in all; at most 65535 are supported\n.*hint/);
});

test("a parameter that neither a source nor the template uses", (t) => {
  const home = folder(t), place = join(home, "mine");
  mkdirSync(place);
  writeFileSync(join(place, "k.template"), `template k "k"\nsize n = 8\nparameter USED\nparameter SHAPE\nparameter GRID\nparameter IDLE
source "k.cu"\nbuffer z : float[n] out\nlaunch { k<<<GRID, n>>>(z) }\nreference "r.cu" { r<<<1, n>>>(ref(z)) }\ncheck z exact\n`);
  writeFileSync(join(place, "k.cu"), "// IDLE\n#if SHAPE_round\n#endif\n#include \"part.inl\"\n");
  writeFileSync(join(place, "part.inl"), "__global__ void k(float *z) { z[0] = USED; }\n");
  writeFileSync(join(place, "r.cu"), "__global__ void r(double *z) { z[0] = IDLE; }\n");
  writeFileSync(join(place, "s.space"), 'space s of k\nparam USED = [1, 2]\nparam SHAPE = ["round", "flat"]\nparam GRID = [1, 2]\nparam IDLE = [1, 2]\nwhere IDLE + USED < 4\n');
  const shown = JSON.parse(tune(home, "show", place, "--space", "s", "--device", "cpu", "--json").stdout);
  assert.deepEqual(shown.notes.map(({ kind, line, text }) => [kind, line, text]),
    [["no effect", 5, "IDLE has no effect: no source of template k mentions it, nor does its text"]]);
});
