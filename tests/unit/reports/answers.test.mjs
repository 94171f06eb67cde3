// SPDX-License-Identifier: Apache-2.0
// The scripts about sweeps over many sizes as far as they need no page: the tree's answers, their quality, the plane.
import assert from "node:assert/strict";
import { before, test } from "node:test";

let answers, map;

before(async () => {
  // What the modules look for when they are loaded; nothing here draws.
  globalThis.document = { getElementById: () => ({ textContent: "{}" }), documentElement: {} };
  globalThis.matchMedia = () => ({ matches: false });
  [answers, map] = await Promise.all(["answers", "size_map"].map((name) => import(`../../../reports/scripts/device/${name}.js`)));
});

// M / N < 0.5: 1; else if 4 divides M, but not 8: 2; else 0.
const tree = [{ feature: "ratio", a: 0, b: 1, below: 0.5, then: 1, otherwise: 2 }, { configuration: 1 },
  { feature: "unit", a: 0, below: 8, then: 3, otherwise: 6 }, { feature: "unit", a: 0, below: 4, then: 4, otherwise: 5 },
  { configuration: 0 }, { configuration: 2 }, { configuration: 0 }];
const one = (size, answer, best, cost, more) => ({ size, answer, best, cost, weight: 1, held_out: 0.5, ...more });
const dispatch = () => ({
  sizes: ["M", "N"], configurations: [{ T: 1 }, { T: 2 }, { T: 3 }], tree,
  cases: [one([64, 4096], 1, 50, 100), one([4, 4], 2, 80, 100, { weight: 3 }), one([1024, 64], 0, 10, undefined, { held_out: 0 }), one([64, 64], 0, 100, 100)],
});

test("the tree answers as it does in C", () => {
  for (const [sizes, configuration] of [[[64, 4096], 1], [[64, 128], 0], [[64, 129], 1], [[4, 4], 2], [[12, 4], 2], [[8, 4], 0], [[6, 4], 0], [[2 ** 40, 1], 0]])
    assert.equal(tree[answers.leafOf(dispatch(), sizes)].configuration, configuration, String(sizes));
  const product = { tree: [{ feature: "product", a: 1, b: 0, below: 100, then: 1, otherwise: 2 }, { configuration: 0 }, { configuration: 1 }] };
  assert.deepEqual([[9, 11], [10, 10]].map((sizes) => answers.leafOf(product, sizes)), [1, 2]);
  assert.deepEqual([1, 6, 96, 1024, 4096, 3 * 2 ** 30].map(answers.unitOf), [1, 2, 32, 1024, 1024, 1024]);
  assert.deepEqual(tree.slice(0, 4).map((node) => node.feature && answers.featureText(node, ["M", "N"])), ["M / N", undefined, "power of two in M", "power of two in M"]);
  assert.ok(answers.asksUnits(dispatch()) && !answers.asksUnits(product));
  assert.deepEqual([answers.leafCount(dispatch()), answers.leafCount({ tree: [{ configuration: 0 }] })], [4, 1]);
});

test("the quality is the weighted geometric mean, of what is known", () => {
  const { cases } = dispatch(), { mean, worst } = answers.qualityOf(cases, answers.shareOf);
  assert.ok(Math.abs(mean - (0.5 * 0.8 ** 3) ** (1 / 5)) < 1e-12);
  assert.equal(worst, cases[0]);
  assert.equal(answers.heldOutOf(cases[2]), undefined);
  assert.equal(answers.qualityOf([cases[2]], answers.shareOf), undefined);
  assert.deepEqual(answers.servedBy(dispatch()).map((served) => served.length), [2, 1, 1]);
  assert.equal(answers.sizesText(dispatch(), cases[1]), "M=4,N=4");
  assert.deepEqual([[3, 5], Array(64).fill(2 ** 62)].map((size) => answers.productOf({ size })), [15, 1e300]);
});

test("the plane is of the dimensions that vary most, the others being typical", () => {
  const { cases } = dispatch(), three = { ...dispatch(), sizes: ["K", "M", "N"], cases: cases.map(({ size, ...rest }) => ({ ...rest, size: [7, ...size] })) };
  assert.deepEqual(answers.bySpread(three), [2, 1, 0]);
  assert.deepEqual(answers.typicalOf(three), { sizes: [7, 64, 64], units: [1, 64, 64] });
  const typical = answers.typicalOf({ sizes: ["n"], cases: [1, 64, 256, 512].map((n) => one([n], 0, 1, 1)) });
  assert.deepEqual(typical, { sizes: [64], units: [64] }); // of which most are multiples
  const [low, high] = answers.extentOf(dispatch(), 0);
  assert.ok(low < 4 && low > 1 && high > 1024 && high < 4096);
  assert.ok(answers.extentAround([5]).every((end) => end !== 5));
  assert.match(map.mapNote(three, 1, 2), /answers at K = 7 \(the median\), for sizes divisible as most are \(K by 1, M by 64, N by 64\); points .* whatever/);
  assert.match(map.mapNote({ ...dispatch(), tree: [{ configuration: 0 }] }, 0, 1), /what the tree answers; points are the sizes of the sweep\.$/);
});

test("along a dimension the answers change where the tree says", () => {
  const runs = answers.answersAlong(dispatch(), 0, [1, 4096], { sizes: [64, 64], units: [4, 64] }, 1200);
  assert.deepEqual(runs.map(({ configuration }) => configuration), [1, 2]);
  assert.ok(Math.abs(runs[0].to - 32) < 0.5, runs[0].to);
  assert.deepEqual([runs[0].from, runs[1].to], [1, 4096]);
  assert.equal(runs[0].to, runs[1].from);
});
