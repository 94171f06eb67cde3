// SPDX-License-Identifier: Apache-2.0
// The ladder of a kernel's variants as text and JSON, in shipped knowledge, and in the order that the template gives.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, source, sql, tune } from "./tune.mjs";

const small = ["--device", "cpu", "--size", "M=48,N=40,K=32", "--seed", "1", "--strategy", "random"];

// A copy of the matrix product whose parameter VARIANT has this block.
function product(home, block) {
  const path = join(home, "product", "gemm.template");
  cpSync(join(source, "templates/gemm"), join(home, "product"), { recursive: true });
  cpSync(join(source, "spaces/gemm"), join(home, "product"), { recursive: true });
  writeFileSync(path, readFileSync(path, "utf8").replace(/^(parameter VARIANT +".*?")[^}]*}$/m, `$1 ${block}`));
  return join(home, "product");
}

const sweep = (home, subject, space) =>
  assert.equal(tune(home, subject, ...small, "--space", space, "--budget", "4").status, 0);

test("a ladder has the best of each variant, in the order that the description names them", (t) => {
  const home = folder(t);
  for (const space of ["smem_tiling", "naive"]) sweep(home, "gemm", space);
  const done = tune(home, "best", "gemm", "--ladder", "--device", "cpu", "--json");
  assert.equal(done.status, 0, done.stderr);
  const [ladder, ...others] = JSON.parse(done.stdout);
  assert.deepEqual(others, []);
  assert.deepEqual(ladder.parameters, ["VARIANT"]);
  assert.equal(ladder.size, "M=48,N=40,K=32");
  assert.deepEqual(ladder.rungs.map(({ rung }) => rung), [{ VARIANT: "naive" }, { VARIANT: "smem_tiling" }]);
  // by another way: the least time of each variant, that of the winner of its finals first
  const best = (variant) => sql(home, `select time_ns from evaluation where origin = 'measured' and outcome = 'ok'
    and json_extract(configuration, '$.VARIANT') = '${variant}' order by id in (select evaluation from verdict where result <> 'winner'), time_ns limit 1`)[0].time_ns;
  const [naive, tiled] = ["naive", "smem_tiling"].map(best);
  assert.deepEqual(ladder.rungs.map((rung) => rung.time_ns), [naive, tiled]);
  assert.equal(ladder.rungs[0].times_first, undefined);
  assert.ok(Math.abs(ladder.rungs[1].times_first / (naive / tiled) - 1) < 1e-12);

  const text = tune(home, "best", "gemm", "--ladder", "--device", "cpu").stdout.trim().split("\n");
  assert.equal(text.length, 4);
  assert.match(text[0], /^gemm on .*, M=48,N=40,K=32$/);
  assert.match(text[1], /^rung +time +x first +x before +of limit +what it is +configuration$/);
  assert.match(text[2], /^naive +[\d.]+ [mu]?s +- +- .* BLOCK_X=/);
  const [, first, before] = text[3].match(/^smem_tiling +[\d.]+ [mu]?s +([\d.]+)x +([\d.]+)x .* TILE_M=/);
  assert.equal(first, before);
  assert.ok(Math.abs(first / (naive / tiled) - 1) < 0.06, `${first} of ${naive / tiled}`); // two digits at least
  assert.doesNotMatch(text.join("\n"), /VARIANT=/);

  const unrolled = JSON.parse(tune(home, "best", "gemm", "--ladder=VARIANT,UNROLL", "--device", "cpu", "--json").stdout)[0].rungs;
  const order = unrolled.map(({ rung }) => [["naive", "smem_tiling"].indexOf(rung.VARIANT), rung.UNROLL]);
  assert.ok(order.length >= 2);
  assert.deepEqual(order, [...order].sort(([a, b], [c, d]) => a - c || b - d));
});

test("values with a meaning are in the order of their block, and results stay when one is written", (t) => {
  const home = folder(t);
  sweep(home, product(home, ""), "naive");
  const subject = product(home, '{\n"smem_tiling" "both <operands> in tiles"\n"naive" "a thread an element"\n}');
  sweep(home, subject, "naive"); // a sweep brings the meanings to the database
  assert.equal(sql(home, "select count(distinct hash) as n from template where name = 'gemm' and path like '%product%'")[0].n, 1);
  assert.match(tune(home, "show", subject, "--device", "cpu").stdout, /^VARIANT .*\n {2}smem_tiling +both <operands> in tiles\n {2}naive +a thread an element$/m);
  sweep(home, subject, "smem_tiling");
  const [ladder] = JSON.parse(tune(home, "best", subject, "--ladder", "--device", "cpu", "--json").stdout);
  assert.deepEqual(ladder.rungs.map(({ rung, meaning }) => [rung.VARIANT, meaning]),
    [["smem_tiling", "both <operands> in tiles"], ["naive", "a thread an element"]]);
  assert.match(tune(home, "best", subject, "--ladder", "--device", "cpu").stdout, /smem_tiling .*both <operands> in tiles/);

  const file = join(home, "known.json");
  const written = tune(home, "export", subject, "--ladder", "--known", "--device", "cpu", "-o", file);
  assert.equal(written.status, 0, written.stderr);
  const known = JSON.parse(readFileSync(file, "utf8"));
  assert.equal(known.problems.length, 1);
  assert.deepEqual(known.problems[0].evaluations.map((e) => e.configuration.VARIANT).sort(), ["naive", "smem_tiling"]);
  assert.equal(known.descriptions[0].values[0].meaning, "both <operands> in tiles");
});

test("every variant that is shipped is described", (t) => {
  const home = folder(t);
  const show = (...args) => JSON.parse(tune(home, "show", ...args, "--device", "cpu", "--json").stdout);
  for (const { template } of JSON.parse(tune(home, "list", "templates", "--json").stdout)) {
    const described = show(template).parameters.find(({ name }) => name === "VARIANT")?.values?.map(({ value }) => value);
    if (!show(template).spaces.includes("full") || !show(template).parameters.some(({ name }) => name === "VARIANT")) continue;
    const taken = show(template, "--space", "full").parameters.filter(({ name }) => name === "VARIANT").flatMap(({ values }) => values);
    assert.deepEqual([...new Set(taken)].sort(), [...described ?? []].sort(), template);
  }
});

test("wrong ladders", (t) => {
  const home = folder(t);
  for (const [args, says] of [
    [["--ladder"], /--ladder need a template/],
    [["gemm", "--ladder=TILE"], /no parameter 'TILE'\n {4}hint: 'tune show gemm'/],
    [["gemm", "--ladder="], /--ladder: the value is empty/],
    [["gemm", "--ladder", "--header"], /--header is of the best configuration/],
  ]) {
    const done = tune(home, "best", ...args);
    assert.equal(done.status, 2, done.stderr);
    assert.match(done.stderr, says);
  }
  assert.equal(tune(home, "best", "gemm", "--ladder", "--device", "nothing").status, 1);
});
