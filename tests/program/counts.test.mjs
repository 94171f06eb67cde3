// SPDX-License-Identifier: Apache-2.0
// Numbers that launches find out and blocks read back: compaction, a breadth-first search, a padded layout.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, sql, tune } from "./tune.mjs";

// Sweep over FAULT on the CPU device: outcome and message by its value.
function sweep(home, name, faults, template, sources) {
  mkdirSync(join(home, name), { recursive: true });
  writeFileSync(join(home, name, `${name}.template`), `template ${name}\n${template}`);
  writeFileSync(join(home, name, `${name}.space`), `space ${name} of ${name}\nparam FAULT = [${faults}]\n`);
  for (const [file, text] of Object.entries(sources)) writeFileSync(join(home, name, file), text);
  const done = tune(home, `./${name}`, "--space", `${name}/${name}.space`, "--device", "cpu", "--quiet", "--json");
  const rows = sql(home, "select configuration, outcome, message from evaluation where origin = 'measured'");
  const by = (field) => Object.fromEntries(rows.map((row) => [JSON.parse(row.configuration).FAULT, row[field]]));
  return { ...done, outcomes: by("outcome"), messages: by("message") };
}

const compaction = `size n = 3000
awkward n = 257
parameter FAULT
source "compact.cu"
count m at most n
let blocks = ceil_div(n, 64)
buffer x : int[n] in uniform(-9, 10)
buffer first : uint[blocks] temp
buffer total : uint[1] temp
buffer y : int[n] out
launch {
    count<<<blocks, 64>>>(x, first, n)
    scan<<<1, 1>>>(first, total, blocks)
    read m = total[0]
    if m > 0 and FAULT != 4 { emit<<<ceil_div(m, 32), 32>>>(x, first, y, uint(m), n) }
    if FAULT == 4 { emit<<<m - m, 32>>>(x, first, y, uint(m), n) }
}
reference "reference.cu" {
    reference<<<1, 1>>>(x, ref(y), total, n)
    read m = total[0]
}
check y[0 : m] exact
`;
const compactionSources = {
  "compact.cu": `__global__ void count(const int *x, unsigned *first, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    __shared__ unsigned kept;
    if (threadIdx.x == 0) kept = 0;
    __syncthreads();
    if (i < n && x[i] > 0) atomicAdd(&kept, 1u);
    __syncthreads();
    if (threadIdx.x == 0) first[blockIdx.x] = kept;
}
__global__ void scan(unsigned *first, unsigned *total, int blocks) {
    unsigned sum = 0;
    for (int i = 0; i < blocks; i++) {
        unsigned here = first[i];
        first[i] = sum;
        sum += here;
    }
    if (FAULT == 1) return;         // nothing to read
    *total = FAULT == 2 ? 100000 : FAULT == 3 ? sum - 1 : sum;
}
__global__ void emit(const int *x, const unsigned *first, int *y, unsigned m, int n) {
    unsigned at = blockIdx.x * 32 + threadIdx.x, block = 0, seen;
    if (at >= m) return;
    while ((block + 1) * 64 < n && first[block + 1] <= at) block++;
    seen = first[block];
    for (int i = block * 64;; i++)
        if (x[i] > 0 && seen++ == at) {
            y[at] = x[i];
            return;
        }
}
`,
  "reference.cu": `__global__ void reference(const int *x, double *y, unsigned *total, int n) {
    int at = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0) y[at++] = x[i];
    *total = at;
}
`,
};

test("a compaction launches as many threads as elements are kept, and as many are compared", (t) => {
  const home = folder(t);
  const { outcomes, messages, stderr } = sweep(home, "compact", "0, 1, 2, 3, 4", compaction, compactionSources);
  assert.deepEqual(outcomes, { 0: "ok", 1: "host_error", 2: "host_error", 3: "not_finite", 4: "host_error" }, stderr + JSON.stringify(messages));
  assert.match(messages[3], /y: 1 of \d+ elements were never written/);
  assert.match(messages[1], /compact\.template:15:5: m is read from total\[0\], which nothing has written$/);
  const beyond = sweep(home, "beyond", "0", compaction.replace("y[0 : m]", "y[m : 2 * n]"), compactionSources);
  assert.equal(beyond.status, 2);
  assert.match(beyond.stderr, /beyond\.template:23:7: y\[\d+ : 6000\] is not a range of the buffer, which has 3000 elements/);
  assert.match(messages[2], /:15:5: m is 100000, read from total\[0\]; it is declared to be at most 257$/);
  assert.match(messages[4], /:17:21: kernel emit: the grid's x is 0; it must be at least 1; launch it under a condition: if n > 0/);
});

// Frontiers take turns as often as the graph asks for: a ring of n vertices with chords from v to 7 v + 3.
const search = `size n = 5000
awkward n = 211
parameter FAULT
source "bfs.cu"
count m at most n
buffer offsets : int[n + 1] in
buffer edges : int[3 * n] in
buffer distance : int[n] out
buffer frontier : int[n] temp
buffer next : int[n] temp
buffer tail : uint[2] temp
setup "graph.cu" { graph<<<1, 1>>>(offsets, edges, n) }
launch {
    start<<<ceil_div(n, 64), 64>>>(distance, frontier, tail, n)
    read m = tail[0]
    repeat n while m > 0 {
        fill tail = 0
        expand<<<ceil_div(m, 64), 64>>>(offsets, edges, distance, frontier, next, tail, uint(m))
        if FAULT == 0 { swap frontier, next }
        read m = tail[0]
    }
}
reference "reference.cu" { reference<<<1, 1>>>(offsets, edges, ref(distance), n) }
check distance exact
`;
const searchSources = {
  "bfs.cu": `__global__ void start(int *distance, int *frontier, unsigned *tail, int n) {
    int v = blockIdx.x * 64 + threadIdx.x;
    if (v < n) distance[v] = v == 0 ? 0 : -1;
    if (v == 0) frontier[0] = 0, tail[0] = 1;
}
__global__ void expand(const int *offsets, const int *edges, int *distance, const int *frontier, int *next, unsigned *tail, unsigned m) {
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i >= m) return;
    int v = frontier[i];
    for (int e = offsets[v]; e < offsets[v + 1]; e++)
        if (atomicCAS(&distance[edges[e]], -1, distance[v] + 1) == -1) next[atomicAdd(tail, 1u)] = edges[e];
}
`,
  "graph.cu": `__global__ void graph(int *offsets, int *edges, int n) {
    for (int v = 0; v <= n; v++) offsets[v] = 3 * v;
    for (int v = 0; v < n; v++) {
        edges[3 * v] = (v + 1) % n;
        edges[3 * v + 1] = (v + n - 1) % n;
        edges[3 * v + 2] = (int)((v * 7ll + 3) % n);
    }
}
`,
  "reference.cu": `__global__ void reference(const int *offsets, const int *edges, double *distance, int n) {
    for (int v = 0; v < n; v++) distance[v] = v == 0 ? 0 : -1;
    bool more = true;
    for (int level = 0; more; level++) {
        more = false;
        for (int v = 0; v < n; v++)
            for (int e = offsets[v]; distance[v] == level && e < offsets[v + 1]; e++)
                if (distance[edges[e]] < 0) distance[edges[e]] = level + 1, more = true;
    }
}
`,
};

test("the grid of a breadth-first search follows its frontier, which two buffers hold in turn", (t) => {
  const home = folder(t);
  const { outcomes, stderr } = sweep(home, "bfs", "0, 1", search, searchSources);
  assert.equal(outcomes[0], "ok", stderr);
  assert.notEqual(outcomes[1], "ok");
  const checked = tune(home, "check", "./bfs", "--space", "bfs/bfs.space", "--device", "cpu", "--size", "n=100", "--configuration", "FAULT=0", "--no-nvrtc");
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
});

// Rows of x are as long as their index modulo 6; columns of the padded layout are as many as the longest row has.
const padded = `size n = 1000
awkward n = 67
parameter FAULT
source "ell.cu"
count width at most 5
let wide = width if FAULT != 1 else width - 1
buffer values : float[6 * n] in uniform(0, 1)
buffer longest : int[1] scratch constant(0)
buffer ell : float[n, wide] temp
buffer sums : float[n] out
prepare {
    widest<<<ceil_div(n, 64), 64>>>(longest, n)
    read width = longest[0]
    pad<<<ceil_div(n, 64), 64>>>(values, ell, n, width)
}
launch { sum<<<ceil_div(n, 64), 64>>>(ell, sums, n, width) }
reference "reference.cu" { reference<<<ceil_div(n, 64), 64>>>(values, ref(sums), mag(sums), n) }
check sums within sum_error(5)
`;
const paddedSources = {
  "ell.cu": `__global__ void widest(int *longest, int n) {
    int row = blockIdx.x * 64 + threadIdx.x;
    if (row < n) atomicMax(longest, row % 6);
}
__global__ void pad(const float *values, float *ell, int n, int width) {
    int row = blockIdx.x * 64 + threadIdx.x;
    for (int i = 0; row < n && i < width; i++)
        if (FAULT != 2 || i < row % 6) ell[i * n + row] = i < row % 6 ? values[6 * row + i] : 0;
}
__global__ void sum(const float *ell, float *sums, int n, int width) {
    int row = blockIdx.x * 64 + threadIdx.x;
    float sum = 0;
    for (int i = 0; row < n && i < width; i++) sum += ell[i * n + row];
    if (row < n) sums[row] = sum;
}
`,
  "reference.cu": `__global__ void reference(const float *values, double *sums, double *mag, int n) {
    int row = blockIdx.x * 64 + threadIdx.x;
    double sum = 0;
    for (int i = 0; row < n && i < row % 6; i++) sum += values[6 * row + i];
    if (row < n) sums[row] = mag[row] = sum;
}
`,
};

test("a layout is as wide as prepare finds out, between guard bands and with poison", (t) => {
  const home = folder(t);
  const { outcomes, messages, stderr } = sweep(home, "ell", "0, 1, 2", padded, paddedSources);
  assert.equal(outcomes[0], "ok", stderr);
  assert.equal(outcomes[1], "out_of_bounds");
  assert.match(messages[1], /wrote past the end of ell: .*the extent is 268/); /* 4 columns of 67 rows */
  assert.notEqual(outcomes[2], "ok");
  const check = (fault) => tune(home, "check", "./ell", "--space", "ell/ell.space", "--device", "cpu", "--size", "n=100", "--configuration", `FAULT=${fault}`, "--no-nvrtc");
  const right = check(0), outside = check(1), unwritten = check(2);
  assert.equal(right.status, 0, right.stdout + right.stderr);
  assert.match(outside.stdout, /past the end of ell/);
  assert.match(unwritten.stdout, /ell\.cu:13: uninitialised read: ell/);
});
