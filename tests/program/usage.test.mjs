// SPDX-License-Identifier: Apache-2.0
// Wrong usage and wrong input: one clear error with its place and a hint, and status 2.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, tune } from "./tune.mjs";

const cases = [
  { name: "no arguments", args: [], says: [/usage: tune TEMPLATE/] },
  { name: "an unknown template", args: ["gem"], says: [/no template 'gem'/, /did you mean 'gemm'/] },
  { name: "an unknown space", args: ["gemm", "--space", "joint_reg_smen"], says: [/no space 'joint_reg_smen'/, /did you mean 'joint_reg_smem'/] },
  { name: "an unknown option", args: ["gemm", "--spaces", "x"], says: [/spaces/] },
  { name: "an option of another command", args: ["report", "--fresh"], says: [/fresh/] },
  { name: "an empty report folder", args: ["report", "-o", ""], says: [/--output: the value is empty\n {4}hint: -o \. is the current folder/] },
  { name: "an unknown size", args: ["gemm", "--size", "L=5"], says: [/no size 'L'|L/, /M/] },
  { name: "a size of zero", args: ["gemm", "--size", "M=0"], says: [/M/, /0/] },
  { name: "a negative size", args: ["gemm", "--size", "M=-5"], says: [/M/, /-5/] },
  { name: "a size beyond 64 bits", args: ["gemm", "--size", "M=99999999999999999999"], says: [/64 bits/] },
  { name: "a size that is not a number", args: ["gemm", "--size", "M=many"], says: [/'many' is not a whole number/] },
  { name: "sizes whose product overflows", args: ["gemm", "--size", "M=4611686018427387904,N=4611686018427387904"], says: [/overflow|fit|int/] },
  { name: "an unknown device", args: ["gemm", "--device", "gpu"], says: [/unknown device 'gpu'/, /tune list devices/] },
  { name: "a list with a missing device", args: ["gemm", "--device", "cuda:0,cuda:77"], says: [/there is no cuda:0/] },
  { name: "a list with a device that is not a GPU", args: ["gemm", "--device", "cpu,cuda:0"], says: [/'cpu' cannot be in a list/, /--device all/] },
  { name: "several devices where only one is possible", args: ["run", "gemm", "--device", "all"], says: [/works on one/] },
  { name: "a missing device", args: ["gemm", "--device", "cpu:7"], says: [/there is no cpu:7/] },
  { name: "an unknown strategy", args: ["gemm", "--strategy", "luck", "--device", "cpu"], says: [/no strategy 'luck'/] },
  { name: "an unknown objective", args: ["gemm", "--objective", "joy"], says: [/there is no objective 'joy'/, /time, energy or edp/] },
  { name: "an invalid budget", args: ["gemm", "--budget", "soon"], says: [/'soon'/, /30s/] },
  { name: "a negative seed", args: ["gemm", "--seed", " -5"], says: [/' -5' is not a whole number/] },
  { name: "an unknown list", args: ["list", "template"], says: [/did you mean 'templates'/] },
  { name: "a missing folder", args: ["./nothing"], says: [/nothing/] },
  { name: "a header of several rows", args: ["best", "--header"], says: [/need a template/] },
];

for (const { name, args, says } of cases) {
  test(name, (t) => {
    const done = tune(folder(t), ...args);
    assert.equal(done.status, 2, done.stderr);
    for (const text of says) assert.match(done.stderr, text);
    assert.equal(done.stdout, "");
  });
}

test("a size too large for memory says how much is needed", (t) => {
  const done = tune(folder(t), "gemm", "--device", "cpu", "--size", "M=2000000,N=2000000,K=64", "--budget", "1");
  assert.notEqual(done.status, 0);
  assert.match(done.stderr + done.stdout, /memory/);
  assert.match(done.stderr + done.stdout, /[TGMK]i?B/);
});

// A user's own texts, with mistakes.
function write(home, template, space) {
  const place = join(home, "mine");
  mkdirSync(place);
  writeFileSync(join(place, "mine.template"), template);
  writeFileSync(join(place, "mine.cu"), "__global__ void f(float *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; }\n");
  writeFileSync(join(place, "reference.cu"), "__global__ void g(double *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; }\n");
  writeFileSync(join(place, "mine.space"), space);
  return place;
}
const template = `template mine "ones"
size n = 100
parameter BLOCK
source "mine.cu"
buffer y : float[n] out
launch { f<<<1, BLOCK>>>(y, n) }
reference "reference.cu" { g<<<1, 128>>>(ref(y), n) }
check y exact
`;
const space = "space mine of mine\nparam BLOCK = [128, 256]\n";
const mistakes = [
  { name: "a syntax error in a template", template: template.replace("float[n] out", "float[n out"), says: [/mine\.template:5:\d+/, /\^/] },
  { name: "an unknown name in a template", template: template.replace("1, BLOCK", "1, BLOK"), says: [/mine\.template:6:\d+/, /BLOK/, /BLOCK/] },
  { name: "a syntax error in a space", space: space.replace("]", ""), says: [/mine\.space:/] },
  { name: "an unknown parameter in a space", space: space + "param BLOKC = [1]\n", says: [/mine\.space:3:7/, /BLOKC/, /did you mean .*BLOCK/] },
  { name: "an unknown name in a constraint", space: space + "where BLOC > 5\n", says: [/mine\.space:3:7/, /BLOCK/] },
  { name: "a space of another template", space: space.replace("of mine", "of yours"), says: [/yours/] },
  { name: "a missing source", template: template.replace("mine.cu", "other.cu"), says: [/mine\.template:4:8/, /other\.cu/] },
  { name: "a division by zero in a constraint", space: space + "where 128 / (BLOCK - 128) > 0\n", says: [/mine\.space:3:/, /zero/] },
];
for (const { name, template: t1 = template, space: s1 = space, says } of mistakes) {
  test(name, (t) => {
    const home = folder(t);
    const done = tune(home, write(home, t1, s1), "--device", "cpu");
    assert.equal(done.status, 2, done.stderr);
    for (const text of says) assert.match(done.stderr, text);
  });
}

test("the texts of these tests work without the mistakes", (t) => {
  const home = folder(t);
  const done = tune(home, write(home, template, space), "--device", "cpu");
  assert.equal(done.status, 0, done.stderr);
});

test("a reference that does not compile ends the sweep with the compiler's message", (t) => {
  const home = folder(t);
  const place = write(home, template, space);
  writeFileSync(join(place, "reference.cu"), "__global__ void g(double *y, int n) { y[0] = nothing; }\n");
  const done = tune(home, place, "--device", "cpu");
  assert.equal(done.status, 2, done.stderr);
  assert.match(done.stderr, /reference\.cu:1/);
  assert.match(done.stderr, /nothing/);
});

test("a space whose every configuration fails gives status 1 and says why", (t) => {
  const home = folder(t);
  const place = write(home, template, space);
  writeFileSync(join(place, "mine.cu"), "__global__ void f(float *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 2; }\n");
  const done = tune(home, place, "--device", "cpu");
  assert.equal(done.status, 1, done.stderr);
  assert.match(done.stdout, /wrong_result/);
  assert.match(done.stderr, /no configuration gave a valid result/);
});

test("a budget that ends before anything is measured is named", (t) => {
  const done = tune(folder(t), "copy", "--device", "cpu", "--budget", "1ms");
  assert.equal(done.status, 1, done.stderr);
  assert.match(done.stderr, /the budget ended before the first configuration was measured/);
});

test("help and version go to stdout", (t) => {
  const home = folder(t);
  for (const args of [["--help"], ["gemm", "--help"], ["run", "--help"], ["--version"]]) {
    const done = tune(home, ...args);
    assert.equal(done.status, 0);
    assert.match(done.stdout, /tune/);
  }
});
