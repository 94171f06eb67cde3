// SPDX-License-Identifier: Apache-2.0
// One sweep for many sizes: what it stores, what it answers, and its tree as C.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, json, refuses, source, sql, tune } from "./tune.mjs";

// Its objective depends on size and parameters alone: the best block has a tenth of n elements.
const sized = join(source, "tests", "unit", "engine", "templates", "sized");
const on = ["--device", "cpu"];
const blockOf = (configuration) => configuration.BLOCK * configuration.ITEMS;

function sizes(home, text) {
  writeFileSync(join(home, "sizes.txt"), text);
  return "sizes.txt";
}

// Let a C compiler and a C++ compiler judge the header, and the program that includes it answer for some sizes.
function answers(home, header, asked) {
  writeFileSync(join(home, "main.c"), `#include "${header}"
#include <stdio.h>
int main(void)
{
    static const long long asked[] = {${asked.join(", ")}};
    for (int i = 0; i < ${asked.length}; i++) {
        int configuration = sized_configuration(asked[i]);
        printf("%d %s", configuration, sized_defines(configuration));
    }
    return 0;
}
`);
  const flags = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "main.c", "-o", "main"];
  for (const compiler of [["c++", "-x", "c++"], ["cc", "-std=c17"]]) {
    const built = spawnSync(compiler[0], [...compiler.slice(1), ...flags], { cwd: home, encoding: "utf8" });
    assert.equal(built.status, 0, built.stderr);
  }
  const text = spawnSync(join(home, "main"), { encoding: "utf8" }).stdout;
  return [...text.matchAll(/^(\d+) #define BLOCK (\d+)\n#define ITEMS (\d+)\n/gm)].map((found) => found.slice(1).map(Number));
}

test("a sweep over sizes leaves rows, a dispatch that answers, and C", (t) => {
  const home = folder(t);
  const swept = json(tune(home, sized, ...on, "--sizes", sizes(home, "# small and large\nn=1280\nn=1300\nn=5120 3\nn=5130\n"), "--configs", "2", "--json", "--quiet"));
  assert.equal(swept.sizes, 4);
  assert.equal(swept.missing, 0);
  assert.deepEqual(swept.dispatch.configurations.map(blockOf).sort((a, b) => a - b), [128, 512]);
  assert.deepEqual(swept.dispatch.cases.map(({ size, weight }) => [...size, weight]), [[1280, 1], [1300, 1], [5120, 3], [5130, 1]]);
  assert.ok(swept.mean > 0.9 && swept.mean <= 1 && swept.worst > 0.9, `${swept.mean} ${swept.worst}`);
  assert.deepEqual(sql(home, "select count(distinct size) as sizes, count(*) as rows from problem"), [{ sizes: 4, rows: 4 }]);

  const explain = (n) => json(tune(home, "best", sized, "--explain", ...on, "--size", `n=${n}`, "--json"));
  for (const [n, block] of [[640, 128], [9000, 512]]) {
    const { rule, configuration } = explain(n);
    assert.deepEqual([rule, blockOf(configuration)], ["tree", block]);
  }
  assert.equal(explain(1280).rule, "exact");
  assert.equal(explain(1500).rule, "size"); // hardly another than 1300
  assert.match(tune(home, "best", sized, "--explain", ...on, "--size", "n=9000").stdout, /^from: +database: dispatch tree over 4 sizes, the nearest n=51[23]0, [01]\.\d octaves? from here/m);

  const wrote = tune(home, "best", sized, ...on, "--c", "dispatch.h");
  assert.equal(wrote.status, 0, wrote.stderr);
  const asked = [1, 1280, 1500, 5120, 9000, 2 ** 40];
  const found = answers(home, "dispatch.h", asked);
  assert.deepEqual(found.map(([, block, items]) => block * items), [128, 128, 128, 512, 512, 512]);
  for (const [number, block] of found) { // as #defines
    const defines = spawnSync("cc", ["-E", "-dM", `-DSIZED_CONFIGURATION=${number}`, "-include", join(home, "dispatch.h"), "-x", "c", "/dev/null"], { encoding: "utf8" }).stdout;
    assert.match(defines, new RegExp(`^#define BLOCK ${block}$`, "m"));
  }

  const exported = tune(home, "export", "--known", sized, ...on, "-o", "known.json"); // and as text, for others
  assert.equal(exported.status, 0, exported.stderr);
  assert.match(tune(home, "import", "known.json", "--db", "other.db").stdout, /: 4 known results, 1 dispatch tree\n$/);
  assert.match(tune(home, "best", sized, "--explain", ...on, "--size", "n=9000", "--db", "other.db").stdout, /^from: +database: dispatch tree over 4 sizes/m);

  const again = tune(home, sized, ...on, "--sizes", "sizes.txt", "--configs", "2", "--quiet");
  assert.match(again.stdout, /^4 sizes, 0 evaluations in /);
  assert.match(again.stdout, /^n < \d+: [01]\nelse: [01]$/m);
  assert.match(again.stdout, /^\d+\.\d % of the best found at each size \(geometric mean\); least: (9\d|100)\.\d % at n=\d+$/m);
});

test("captured calls and ranges are sizes", (t) => {
  const home = folder(t);
  const call = (size, count) => `${JSON.stringify({ tune_capture: 1, template: "sized", template_hash: "0", size, count, later: 1 })}\n`;
  const calls = call({ n: 1280 }, 3) + call({ n: 7 }, 1) + call({ n: 5120 }, 2) + call({ n: 1280 }, 4);
  const swept = tune(home, sized, ...on, "--sizes", sizes(home, `${calls}{"tune_capt`), "--budget", "4", "--json", "--quiet");
  assert.deepEqual(json(swept).dispatch.cases.map(({ size, weight }) => [...size, weight]), [[1280, 7], [5120, 2]]);
  assert.match(swept.stderr, /^tune: the last line of sizes\.txt was cut short: left out\ntune: left out: sizes at which the space has no configuration, 1, such as n=7$/m);
  const sampled = json(tune(home, sized, ...on, "--sizes", sizes(home, "n=1000..9000 sample 3 multiple of 1000\n"), "--budget", "3", "--json", "--quiet"));
  assert.equal(sampled.sizes, 3);
  refuses(tune(home, sized, ...on, "--sizes", sizes(home, `${calls}oops\n`)), "sizes.txt:5:1: the line is damaged", "oops", "hint: ");
  refuses(tune(home, sized, ...on, "--sizes", sizes(home, "n=1..9\n")), "sizes.txt:1:1: how many sizes are to be sampled");
});

test("captured data are those of their sizes, and the tree is for all data", (t) => {
  const home = folder(t);
  const call = (n, inputs) => `${JSON.stringify({ tune_capture: 1, template: "sized", size: { n }, count: 1, inputs })}\n`;
  const write = (name, count, first) => writeFileSync(join(home, name), Float32Array.from({ length: count }, (_, i) => first + i / 4));
  write("short.raw", 640, 3); // too short for the awkward size, which has other values
  write("long.raw", 6400, -500);
  const calls = call(640, { x: join(home, "short.raw") }) + call(2560) + call(6400, { x: join(home, "long.raw") });
  const swept = json(tune(home, sized, ...on, "--sizes", sizes(home, calls), "--budget", "6", "--json", "--quiet"));
  assert.equal(swept.sizes, 3);
  assert.equal(swept.without, 0);
  const files = sql(home, "select size, input_files as files from problem order by id").map(({ size, files }) => [size, files && files.replace(/^x = .*\/(\w+\.raw) \([0-9a-f]{16}\)$/, "$1")]);
  assert.deepEqual(files.sort(), [["n=2560", files[0][1]], ["n=640", "short.raw"], ["n=6400", "long.raw"]]);
  assert.ok(!files[0][1]);
  assert.deepEqual(sql(home, "select inputs from dispatch"), [{ inputs: "" }]);
  assert.match(tune(home, "best", sized, ...on, "--explain", "--size", "n=6400").stdout, /^from: +database: dispatch tree over 3 sizes/m);

  const lost = call(640, { x: join(home, "none.raw") });
  refuses(tune(home, sized, ...on, "--sizes", sizes(home, lost)), "none.raw: No such file", "the file of sizes names these data at n=640");
  refuses(tune(home, sized, ...on, "--sizes", sizes(home, call(640, { y: join(home, "long.raw") }))), "y has no initial values to replace");
  refuses(tune(home, sized, ...on, "--sizes", sizes(home, call(640, { x: 1 }))), "sizes.txt:1:", "this is no path");
});

test("what a file of sizes, --configs and --c may not be is refused", (t) => {
  const home = folder(t);
  const sweep = (...args) => tune(home, sized, ...on, ...args);
  refuses(sweep("--sizes", sizes(home, "n=10\nn=\n")), "sizes.txt:2:1: this is not NAME=NUMBER", "n=\n", "hint: ");
  refuses(sweep("--sizes", sizes(home, "")), "sizes.txt has no sizes");
  refuses(sweep("--sizes", "missing.txt"), "missing.txt");
  refuses(sweep("--sizes", sizes(home, "n=8\n")), "leave none of its 12 configurations", "the sizes are n=8");
  writeFileSync(join(home, "sizes.txt"), "n=640\n");
  refuses(sweep("--sizes", "sizes.txt", "--size", "n=3"), "--size does not go with --sizes");
  refuses(sweep("--sizes", "sizes.txt", "--fresh"), "--fresh does not go with --sizes", "--db");
  refuses(sweep("--configs", "3"), "--configs is about --sizes");
  refuses(sweep("--sizes", "sizes.txt", "--configs", "0"), "from 1 to 64");
  refuses(tune(home, "best", sized, ...on, "--c", "x.h"), "no sweep for many sizes of sized on", `'tune ${sized} --sizes FILE'`);
  refuses(tune(home, "best", sized, ...on, "--c", "x.h", "--header"), "--c does not go with");
  refuses(tune(home, "best", sized, ...on, "--c", "x.h", "--size", "n=640"), "--c does not go with --size", "--header");
  assert.throws(() => readFileSync(join(home, "x.h")));
});

test("a sweep over sizes that finds nothing says where the reason is", (t) => {
  const home = folder(t);
  cpSync(sized, join(home, "sized"), { recursive: true });
  writeFileSync(join(home, "sized", "scale.cu"), "__global__ void scale(const float *x, float *y, float factor, int n) { y[0] = oops; }\n");
  const failed = tune(home, "./sized", ...on, "--sizes", sizes(home, "n=640\n"), "--budget", "1", "--json");
  assert.equal(failed.status, 1, failed.stderr);
  assert.match(failed.stderr, /^tune: no configuration gave a valid result at any size\n +hint: .* tune \.\/sized --size n=640$/m);
  const { evaluations, without, mean, held_out_worst, dispatch } = JSON.parse(failed.stdout);
  assert.deepEqual([evaluations, without, mean, held_out_worst, dispatch], [1, 1, null, null, null]);
});
