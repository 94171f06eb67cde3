// SPDX-License-Identifier: Apache-2.0
// Sparse matrices from Matrix Market files: the arrays that kernels see, sizes from the header, a template that makes
// matrices of its own unless it is given one, and files that will not do.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeNpy } from "./npy.mjs";
import { device, folder, json, refuses, sql, tune } from "./tune.mjs";

const on = ["--device", device, "--quiet"];

const declarations = (x, A = "") => `size rows = 40
size columns = 30
size entries = 3 * rows
awkward rows = 7, columns = 5, entries = 21
parameter BLOCK
source "spmv.cu"
buffer starts  : int[rows + 1] in
buffer indices : uint[entries] in
buffer values  : float[entries] in
buffer x : float[columns] in ${x}
buffer y : float[rows] out
matrix A[rows, columns] = csr(starts, indices, values) ${A}
launch { spmv<<<ceil_div(rows, BLOCK), BLOCK>>>(starts, indices, values, x, y, rows) }
check y within 1e-5
work flops = 2 * entries, bytes = 8 * entries
`;
const kernel = (name, type) => `__global__ void ${name}(const int *starts, const unsigned *indices, const float *values, const float *x, ${type} *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    ${type} sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++) sum += values[i] * x[indices[i]];
    y[row] = sum;
}
`;
const setup = `__global__ void make(int *starts, unsigned *indices, float *values, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row > rows) return;
    starts[row] = 3 * row;
    for (int i = 3 * row; row < rows && i < 3 * row + 3; i++) {
        indices[i] = (row + i) % columns;
        values[i] = 1 + i % 4;
    }
}
`;

function makeTemplate(t, name, text) {
  const home = folder(t);
  writeFileSync(join(home, `${name}.template`), `template ${name}\n${text}`);
  writeFileSync(join(home, "spmv.cu"), kernel("spmv", "float"));
  writeFileSync(join(home, "one.space"), `space one of ${name}\nset BLOCK = 32\n`);
  return home;
}

// A lower triangle in no order, whose full matrix is multiplied here: all values positive, as the tolerance wants.
function writeSymmetric(home, n) {
  const lines = [], y = new Float64Array(n), x = Float32Array.from({ length: n }, (_, i) => 1 + (i % 13) / 16);
  for (let row = n - 1; row >= 0; row--)
    for (let column = row % 3; column <= row; column += 3 + (row % 5)) {
      const value = 0.5 + ((row + column) % 9) / 8;
      lines.push(`${row + 1} ${column + 1} ${value}`);
      y[row] += value * x[column];
      if (row !== column) y[column] += value * x[row];
    }
  const diagonal = lines.filter((line) => line.split(" ")[0] === line.split(" ")[1]).length;
  writeFileSync(join(home, "A.mtx"), `%%MatrixMarket matrix coordinate real symmetric\n% made by a test\n\n${n} ${n} ${lines.length}\n${lines.join("\n")}\n`);
  writeFileSync(join(home, "x.mtx"), `%%MatrixMarket matrix array real general\n${n} 1\n${x.join("\n")}\n`);
  writeNpy(join(home, "y.npy"), y);
  return 2 * lines.length - diagonal;
}

test("a symmetric matrix and a vector from Matrix Market files give the product computed here", (t) => {
  const home = makeTemplate(t, "product", `${declarations('file("x.mtx")', 'file("A.mtx")')}reference file("y.npy")\n`);
  const entries = writeSymmetric(home, 100);
  const ran = json(tune(home, "run", "./product.template", ...on, "--json"));
  assert.equal(ran.size, `rows=100,columns=100,entries=${entries}`);
  assert.match(ran.data, /^x = x\.mtx \([0-9a-f]{16}\), ref\(y\) = y\.npy \([0-9a-f]{16}\), A = A\.mtx \([0-9a-f]{16}\)$/);
  // A wrong value would be seen.
  writeFileSync(join(home, "x.mtx"), `%%MatrixMarket matrix array real general\n100 1\n${"1\n".repeat(100)}`);
  const wrong = tune(home, "run", "./product.template", ...on);
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /wrong result: y\[/);
  refuses(tune(home, "run", "./product.template", ...on, "--size", "rows=99"), "A.mtx has 100 rows and 100 columns, but A has 99 and 100 at size");
});

test("a template makes matrices of its own unless it is given one", (t) => {
  const home = makeTemplate(t, "spmv", `${declarations("index()")}
setup "setup.cu" { if not given(A) { make<<<ceil_div(rows + 1, 64), 64>>>(starts, indices, values, rows, columns) } }
reference "reference.cu" { reference<<<ceil_div(rows, 64), 64>>>(starts, indices, values, x, ref(y), rows) }
`);
  writeFileSync(join(home, "setup.cu"), setup);
  writeFileSync(join(home, "reference.cu"), kernel("reference", "double"));
  json(tune(home, "./spmv.template", ...on, "--json"));
  const entries = writeSymmetric(home, 20);
  json(tune(home, "./spmv.template", ...on, "--json", "--input", "A=A.mtx"));
  assert.deepEqual(sql(home, "select size, substr(data, 1, 11) as data from best order by size"), [
    { size: `rows=20,columns=20,entries=${entries}`, data: "A = A.mtx (" },
    { size: "rows=40,columns=30,entries=120", data: null },
  ]);
  refuses(tune(home, "run", "./spmv.template", ...on, "--input", "values=A.mtx"), "--input: values is part of matrix A", "--input A=FILE.mtx");
  const refused = (text, ...texts) => {
    writeFileSync(join(home, "bad.mtx"), text);
    refuses(tune(home, "run", "./spmv.template", ...on, "--input", "A=bad.mtx"), `--input: bad.mtx${texts[0]}`, ...texts.slice(1));
  };
  const head = "%%MatrixMarket matrix coordinate real general\n";
  refused("rows columns\n", ", line 1: no Matrix Market file begins like this: rows columns", "hint: its first line is like %%MatrixMarket");
  refused(`${head}5 5 4000000000000000000\n1 1 1\n`, ", line 2: 4000000000000000000 entries do not fit in a file of 76 bytes");
  refused(`${head}5 5 2\n1 1 1\n6 1 1\n`, ", line 4: row 6 of a matrix of 5 rows");
  refused(`${head}5 5 2\n1 1 1\n1 1 1\n`, ", line 4: row 1, column 1 is listed for the second time", "scipy");
  refused(`${head}5 5 1\n1 1 1e40\n`, ", line 3: 1e+40 does not fit type float");
  refused(`${head}5 5 1\n1 1 \u001b[31m\n`, ", line 3: a value is no number: 1 1 \\x1b[31m");
});

test("the shipped spmv takes a matrix of one's own", (t) => {
  const home = folder(t);
  // Empty rows, one that is full, and one behind it; columns in no order.
  const lines = Array.from({ length: 150 }, (_, i) => `3 ${1 + ((i * 7) % 150)}`).concat("41 150", "41 2");
  writeFileSync(join(home, "own.mtx"), `%%MatrixMarket matrix coordinate pattern general\n43 150 ${lines.length}\n${lines.join("\n")}\n`);
  const own = ["--input", "A=own.mtx"];
  json(tune(home, "spmv", "--space", "hybrid", "--budget", "1", "--size", "MEAN=8", ...on, "--json", ...own));
  const best = sql(home, "select size, substr(data, 1, 13) as data from best");
  assert.deepEqual(best, [{ size: "ROWS=43,COLUMNS=150,MEAN=8,SHAPE=2,NONZEROS=152,LONGEST=150", data: "A = own.mtx (" }]);
  refuses(tune(home, "spmv", ...on, ...own, "--size", "NONZEROS=152,LONGEST=149"), "size LONGEST is 150 here, not 149", "hint: leave it out");
  // Of a program's own matrix, without a file, all is said or nothing; a file says it itself.
  const explain = (...args) => tune(home, "best", "spmv", "--device", device, "--explain", "--json", ...args);
  const size = (...args) => json(explain(...args)).size;
  assert.equal(size("--size", "ROWS=43,COLUMNS=150,MEAN=8,NONZEROS=152,LONGEST=150"), "ROWS=43,COLUMNS=150,MEAN=8,SHAPE=2,NONZEROS=152,LONGEST=150");
  assert.equal(size(...own, "--size", "MEAN=8,NONZEROS=152"), "ROWS=43,COLUMNS=150,MEAN=8,SHAPE=2,NONZEROS=152,LONGEST=150");
  refuses(explain("--size", "ROWS=43,NONZEROS=152"), "size LONGEST of matrix A is not given, but NONZEROS is", "hint: of a matrix of your own");
  refuses(tune(home, "spmv", ...on, ...own, "--size", "ROWS=44"), "own.mtx has 43 rows and 150 columns, but A has 44 and 150 at size");
});
