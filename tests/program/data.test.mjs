// SPDX-License-Identifier: Apache-2.0
// Data of the user's own: inputs and expected values from files, sizes from their shapes, and files that will not do.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { npy, writeNpy } from "./npy.mjs";
import { device, folder, json, refuses, sql, swept, tune } from "./tune.mjs";

const on = ["--device", device, "--quiet"];

// A sparse matrix in CSR format times a vector. The rows' number is the answer's, that of the entries their files'.
const spmv = `template spmv "y = A x, A in CSR format"
size rows = 1
size columns = 1
size entries = 1
parameter BLOCK
source "spmv.cu"
buffer start  : int[rows + 1] in file("start.npy")
buffer column : int[entries] in file("column.npy")
buffer value  : float[entries] in file("value.raw")
buffer x      : float[columns] in file("x.npy")
buffer y      : float[rows] out
launch { spmv<<<ceil_div(rows, BLOCK), BLOCK>>>(start, column, value, x, y, rows) }
reference file("y.npy")
check y within 1e-5
work flops = 2 * entries, bytes = 12 * entries
`;
const spmvSource = `__global__ void spmv(const int *start, const int *column, const float *value, const float *x, float *y, int rows)
{
    int row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = start[row]; i < start[row + 1]; i++)
        sum += value[i] * x[column[i]];
    y[row] = sum;
}
`;

// Rows of 0 to 6 entries; all values positive, so that the tolerance is one of the sums.
function makeMatrix(home, rows, columns, { shift = 0 } = {}) {
  const start = [0], column = [], value = [];
  const x = Float32Array.from({ length: columns }, (_, i) => 1 + (i % 13) / 16 + shift), y = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < (row * 5) % 7; k++) {
      column.push((row * 31 + k * 17) % columns);
      value.push(0.5 + ((row + k) % 9) / 8);
      y[row] += value.at(-1) * x[column.at(-1)];
    }
    start.push(column.length);
  }
  writeNpy(join(home, "start.npy"), Int32Array.from(start));
  writeNpy(join(home, "column.npy"), Int32Array.from(column));
  writeFileSync(join(home, "value.raw"), Buffer.from(Float32Array.from(value).buffer));
  writeNpy(join(home, "x.npy"), x);
  writeNpy(join(home, "y.npy"), y);
  return column.length;
}

function makeSpmv(t) {
  const home = folder(t);
  writeFileSync(join(home, "spmv.template"), spmv);
  writeFileSync(join(home, "spmv.cu"), spmvSource);
  writeFileSync(join(home, "blocks.space"), "space blocks of spmv\nparam BLOCK = [32, 64]\n");
  return home;
}

test("a sparse matrix from files is tuned, checked and kept apart from another", (t) => {
  const home = makeSpmv(t), entries = makeMatrix(home, 300, 200);
  const swept = json(tune(home, "./spmv.template", ...on, "--json", "--seed", "1"));
  assert.deepEqual(sql(home, "select size from problem join template on template.id = template where name <> 'ceilings'"), [{ size: `rows=300,columns=200,entries=${entries}` }]);
  assert.equal(swept.reused, 0);
  assert.equal(swept.best.length, 2);
  assert.equal(json(tune(home, "./spmv.template", ...on, "--json", "--seed", "2")).reused, 2); // whatever the seed
  json(tune(home, "check", "./spmv.template", ...on, "--json"));
  // Renamed files are the same data; other values are not.
  renameSync(join(home, "x.npy"), join(home, "vector.npy"));
  writeFileSync(join(home, "spmv.template"), spmv.replace("x.npy", "vector.npy"));
  assert.equal(json(tune(home, "./spmv.template", ...on, "--json")).reused, 2);
  writeFileSync(join(home, "spmv.template"), spmv);
  makeMatrix(home, 300, 200, { shift: 1 });
  const ran = json(tune(home, "run", "./spmv.template", ...on, "--json"));
  assert.match(ran.origin, /for other data/);
  assert.match(ran.data, /^start = start\.npy \([0-9a-f]{16}\), .*ref\(y\) = y\.npy \([0-9a-f]{16}\)$/);
  assert.equal(json(tune(home, "./spmv.template", ...on, "--json")).reused, 0);
  const rows = sql(home, "select size, data from best where template = 'spmv' and data <> ''");
  assert.equal(rows.length, 2);
  assert.match(rows[0].data, /^start = start\.npy \([0-9a-f]{16}\), .*x = (x|vector)\.npy \(.*ref\(y\) = y\.npy \([0-9a-f]{16}\)$/);
  const best = tune(home, "best", "./spmv.template", "--device", device);
  assert.match(best.stdout, /data/);
  assert.match(tune(home, "run", "./spmv.template", ...on).stdout, /^data: +start = start\.npy \([0-9a-f]{16}\), /m);
  assert.match(json(tune(home, "list", "runs", "--json"))[0].data, /^start = start\.npy .*ref\(y\) = y\.npy/);
  assert.equal(json(tune(home, "best", "./spmv.template", "--device", device, "--json")).length, 2);
  assert.match(tune(home, "best", "./spmv.template", "--device", device, "--header").stdout, /with start = start\.npy/);
  // A wrong answer is found at its element.
  const wrong = readFileSync(join(home, "y.npy"));
  wrong.writeDoubleLE(7, wrong.length - 8);
  writeFileSync(join(home, "y.npy"), wrong);
  const failed = tune(home, "run", "./spmv.template", ...on);
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /wrong result: y\[299\]: got .*, expected 7/);
  // One that holds NaN is refused.
  wrong.writeDoubleLE(NaN, wrong.length - 8);
  writeFileSync(join(home, "y.npy"), wrong);
  refuses(tune(home, "run", "./spmv.template", ...on), "spmv.template:14:", "y.npy has nan for y[299]", "allow nonfinite");
  // Expected values hold for one size.
  refuses(tune(home, "./spmv.template", ...on, "--size", "rows=10"), "spmv.template:13:16", "y.npy has 300 elements, but y has 10 at size");
});

// A reference that computes, at an awkward size as well; the shape gives both sizes.
const sums = `template sums "sums of rows"
size rows = 5
size columns = 7
awkward rows = 3, columns = 2
parameter BLOCK
source "sums.cu"
buffer a : float[rows, columns] in file("a.npy")
buffer total : float[rows] inout constant(0)
launch { sums<<<ceil_div(rows, BLOCK), BLOCK>>>(a, total, rows, columns) }
reference "reference.cu" { reference<<<ceil_div(rows, 64), 64>>>(a, ref(total), rows, columns) }
check total within 1e-5
`;
const kernel = (name, type) => `__global__ void ${name}(const float *a, ${type} *total, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    ${type} sum = 0;
    for (int i = 0; i < columns; i++)
        sum += a[row * columns + i];
    total[row] = sum;
}
`;

function makeSums(t) {
  const home = folder(t);
  mkdirSync(join(home, "own"));
  writeFileSync(join(home, "own", "sums.template"), sums);
  writeFileSync(join(home, "own", "sums.cu"), kernel("sums", "float").replace("blockDim.x", "BLOCK"));
  writeFileSync(join(home, "own", "reference.cu"), kernel("reference", "double"));
  writeFileSync(join(home, "own", "one.space"), "space one of sums\nset BLOCK = 32\n");
  return home;
}
const matrix = (rows, columns) => Float32Array.from({ length: rows * columns }, (_, i) => 1 + (i % 5));

test("sizes come from the shape, --input and --size override", (t) => {
  const home = makeSums(t);
  writeNpy(join(home, "own", "a.npy"), matrix(20, 30), { shape: [20, 30] });
  assert.equal(json(tune(home, "run", "./own", ...on, "--json")).size, "rows=20,columns=30");
  assert.equal(json(tune(home, "run", "./own", ...on, "--json", "--size", "rows=10")).size, "rows=10,columns=30");
  refuses(tune(home, "run", "./own", ...on, "--size", "columns=10"), "own/sums.template:7:41", "a.npy has the shape 20 x 30, but dimension 2 of a is 10",
    "one product");
  refuses(tune(home, "run", "./own", ...on, "--size", "rows=21"), "a.npy has 600 elements, but a has 630 at size rows=21,columns=30", "a longer file will do");
  // Relative to the current folder, not to the template's.
  writeNpy(join(home, "other.npy"), matrix(4, 6), { shape: [4, 6] });
  assert.equal(json(tune(home, "run", "./own", ...on, "--json", "--input", "a=other.npy")).size, "rows=4,columns=6");
  assert.match(tune(home, "show", "./own", "--device", device, "--input", "a=other.npy").stdout, /columns +6/);
  // Too small for the awkward size.
  writeNpy(join(home, "tiny.npy"), matrix(1, 3), { shape: [1, 3] });
  refuses(tune(home, "run", "./own", ...on, "--input", "a=tiny.npy"), "--input: tiny.npy has 3 elements, but a has 6 at size rows=3,columns=2");
  refuses(tune(home, "run", "./own", ...on, "--input", "b=tiny.npy"), "template sums has no buffer b");
  refuses(tune(home, "run", "./own", ...on, "--input", "a=tiny.npy", "--input", "a=other.npy"), "a is given twice");
  refuses(tune(home, "run", "./own", ...on, "--input", "a"), "'a' is not NAME=FILE");
  // In-out buffers start from it before every run; an in-out file is restored between runs.
  writeNpy(join(home, "zeros.npy"), new Float32Array(20));
  json(tune(home, "./own", ...on, "--json", "--input", "total=zeros.npy"));
});

test("files that will not do are refused at their place", (t) => {
  const home = makeSums(t), file = join(home, "own", "a.npy"), good = matrix(8, 8), shape = [8, 8];
  const refused = (bytes, ...texts) => {
    writeFileSync(file, bytes);
    refuses(tune(home, "run", "./own", ...on), "own/sums.template:7:41: ", 'file("a.npy")', ...texts);
  };
  refuses(tune(home, "run", "./own", ...on), "own/sums.template:7:41: cannot read a.npy: No such file or directory");
  refused(npy(Float64Array.from(good), { shape }), "a.npy holds float64, but a is float (float32)", "astype(np.float32)");
  refused(npy(good, { shape, descr: ">f4" }), "a.npy is big-endian", "newbyteorder");
  refused(npy(good, { shape, fortran: true }), "a.npy is in Fortran order", "ascontiguousarray");
  refused(npy(good, { shape, descr: "|O" }), "a.npy holds Python objects, not plain numbers");
  refused(npy(good, { shape }).subarray(0, 200), "a.npy is cut off");
  refused(npy(good, { shape }).subarray(0, 30), "a.npy is cut off in its header");
  refused(Buffer.from("1 2 3"), "a.npy is no .npy file");
  const huge = npy(good, { shape });
  huge.writeUInt16LE(65535, 8);
  refused(Buffer.concat([huge, Buffer.alloc(70000, " ")]), "has a header of 65535 bytes");
  refused(npy(good, { shape: ["9999999999", "9999999999"] }), "more elements than 64 bits can count");
  assert.equal(spawnSync("mkfifo", [join(home, "fifo")]).status, 0);
  refuses(tune(home, "run", "./own", ...on, "--input", "a=fifo"), "--input: cannot read fifo: it is not a regular file but a FIFO");
  refuses(tune(home, "run", "./own", ...on, "--input", "a=own"), "cannot read own: it is not a regular file but a folder");
  refuses(tune(home, "run", "./own", ...on, "--input", "a=/dev/zero"), "not a regular file but a device");
  writeFileSync(join(home, "odd"), "12345");
  refuses(tune(home, "run", "./own", ...on, "--input", "a=odd"), "odd has 5 bytes, which is no whole number of elements of type float");
  // A raw file has no shape: both sizes are the template's own.
  writeFileSync(join(home, "raw"), Buffer.from(good.buffer));
  assert.equal(json(tune(home, "run", "./own", ...on, "--json", "--input", "a=raw")).size, "rows=5,columns=7");
  copyFileSync(join(home, "raw"), file);
  refuses(tune(home, "run", "./own", ...on), "a.npy is no .npy file");
});

test("random inputs have no expected values in a file", (t) => {
  const home = makeSpmv(t);
  makeMatrix(home, 30, 20);
  writeFileSync(join(home, "spmv.template"), spmv.replace('file("x.npy")', "uniform(0, 1)"));
  refuses(tune(home, "run", "./spmv.template", ...on), "spmv.template:10:8: x is random, so no file can have the expected values", "--input x=FILE");
  json(tune(home, "run", "./spmv.template", ...on, "--json", "--input", "x=x.npy"));
});

// Sums of each element with its neighbour, whose values are in a file, and twice each, which a kernel computes.
const mixed = `template mixed
size n = 500
awkward n = 33
parameter WRONG
source "mixed.cu"
buffer x : float[n] in file("x.npy")
buffer y : float[n] out
buffer z : float[n] out
launch { mixed<<<ceil_div(n, 64), 64>>>(x, y, z, n) }
reference y file("y.npy")
reference "twice.cu" { twice<<<ceil_div(n, 64), 64>>>(x, z, ref(z), n) }
check y within 1e-6
check z exact
`;
const mixedSources = {
  "mixed.cu": `__global__ void mixed(const float *x, float *y, float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i] + (i ? x[i - 1] : 0) + (WRONG == 1 && i == 400);
    z[i] = 2 * x[i] + (WRONG == 2 && i == 400);
}
`,
  "twice.cu": `__global__ void twice(const float *x, const float *z, double *expected, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) expected[i] = 2 * x[i];
}
`,
};

test("some expected values may be in a file and others computed by a kernel", (t) => {
  const home = folder(t), x = Float32Array.from({ length: 500 }, (_, i) => 1 + (i % 13) / 16);
  for (const [name, text] of Object.entries({ "mixed.template": mixed, ...mixedSources, "w.space": "space w of mixed\nparam WRONG = [0, 1, 2]\n" }))
    writeFileSync(join(home, name), text);
  writeNpy(join(home, "x.npy"), x);
  writeNpy(join(home, "y.npy"), Float64Array.from(x, (value, i) => value + (i ? x[i - 1] : 0)));
  json(tune(home, "./mixed.template", ...on, "--json"));
  const rows = sql(home, `select configuration, outcome, message from evaluation where ${swept} order by configuration`);
  assert.deepEqual(rows.map((row) => row.outcome), ["ok", "wrong_result", "wrong_result"]);
  assert.match(rows[1].message, /^y\[400\]: .* 1 of 500 elements wrong, at size n=500/);
  assert.match(rows[2].message, /^z\[400\]: /);
  // The kernel's part is examined as any reference is.
  writeFileSync(join(home, "twice.cu"), mixedSources["twice.cu"].replace("= 2 * x[i];", "= 2 * x[i] + 1e-9 * z[i];"));
  refuses(tune(home, "./mixed.template", ...on), "mixed.template:13:7: the reference depends on what was in z before", "ref(z)[0] is");
});
