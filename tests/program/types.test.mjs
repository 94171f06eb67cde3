// SPDX-License-Identifier: Apache-2.0
// Types other than numbers, with kernels that use them: vectors, complex numbers, half precision, structs with padding, and
// a struct of pointers by value. Each kernel is also broken in one place, which must be named.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { device, folder, kernels, sql, swept, tune } from "./tune.mjs";

const copy = (home, name) => {
  cpSync(join(kernels, name), join(home, name), { recursive: true });
  return join(home, name);
};

const sweep = (home, name, ...options) =>
  tune(home, join(home, name), "--space", join(home, name, "full.space"), "--device", device, "--budget", "1", ...options);

for (const name of ["nbody4", "particles", "half_axpy", "complex_multiply"])
  test(`${name} is validated`, (t) => {
    const home = folder(t);
    copy(home, name);
    const done = sweep(home, name, "--size", `n=${name === "nbody4" ? 300 : 1000}`);
    assert.equal(done.status, 0, done.stderr);
    assert.deepEqual(sql(home, `select distinct outcome from evaluation where ${swept}`), [{ outcome: "ok" }]);
  });

const edit = (folder, file, from, to) => {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from), from);
  writeFileSync(path, text.replace(from, to));
};

const faults = [
  ["nbody4", "nbody.cu", "sum.y += y * factor", "sum.y += x * factor", /accelerations\[0\]\.y: got .*, expected .* of 579 numbers wrong/],
  ["particles", "particles.cu", "q->position.z = p", "q->position.y = p", /after: 257 of 771 numbers were never written, first at 0\.position\.z/],
  ["particles", "particles.cu", "q->spin[1] = p.spin[0]", "q->spin[1] = i == 7 ? 1 : p.spin[0]", /after\[7\]\.spin\[1\]: got 1, expected .*; 1 of 514 numbers wrong/],
  ["particles", "particles.cu", "q->cell =", "((particle *)w.before)[3].cell = make_uint2(1000, 2000); q->cell =", /wrote into the input before at element 4; 2 of 2580 numbers changed/],
  ["half_axpy", "axpy.cu", "z[i] =", "if (i != 5) z[i] =", /z: 1 of 1025 elements were never written, first at 5/],
  ["half_axpy", "axpy.cu", "z[i] =", "z[i] = i == 5 ? 0x7bff :", /z\[5\]: got 65504, expected /],
  ["complex_multiply", "multiply.cu", "x.x * y.y + x.y * y.x", "x.x * y.y - x.y * y.x", /c\[\d+\]\.im: got /],
  // An image for a GPU does not say what types a kernel takes that is extern "C": only that their sizes fit.
  ["complex_multiply", "multiply.cu", "double2 s", "float4 s",
    device === "cpu" ? /parameter 4 of multiply is `float4`, but the launch passes complex_double \(16 bytes\)/ : /c\[\d+\]\.re: got /],
  ["nbody4", "nbody.cu", "float4 shift", "int4 shift",
    device === "cpu" ? /parameter 3 of accelerate is `int4`, but the launch passes float4 \(16 bytes\)/ : /accelerations\[\d+\]\.x: got /],
];

test("faults are named by element and field", (t) => {
  for (const [name, file, from, to, message] of faults) {
    const home = folder(t);
    edit(copy(home, name), file, from, to);
    const done = sweep(home, name, "--size", `n=${name === "nbody4" ? 300 : 1000}`);
    assert.equal(done.status, 1, done.stderr);
    const rows = sql(home, `select message from evaluation where outcome <> 'ok' and ${swept}`);
    assert.match(rows[0]?.message ?? done.stderr, message);
  }
});

test("what a kernel copies into padding does not matter", (t) => {
  const home = folder(t);
  const at = copy(home, "particles");
  edit(at, "particles.cu", "particle *q = &w.after[i];", "particle *q = &w.after[i]; memset(q, i, sizeof *q);");
  const done = sweep(home, "particles", "--size", "n=1000");
  assert.equal(done.status, 0, done.stderr);
});
