// SPDX-License-Identifier: Apache-2.0
// What a sweep over many sizes left (tuner/dispatch/dispatch.h): a few configurations, and the tree that picks one of them
// for any sizes.

// ---- the tree's questions. tuner/dispatch/feature.h

const unitMost = 1024;

// The largest power of two up to a limit that divides a size.
export function unitOf(size) {
  let unit = 1;
  while (unit < unitMost && size % (2 * unit) === 0) unit *= 2;
  return unit;
}

const features = {
  size: { value: ([a]) => a, text: (a) => a },
  ratio: { value: ([a, b]) => a / b, text: (a, b) => `${a} / ${b}` },
  product: { value: ([a, b]) => a * b, text: (a, b) => `${a} × ${b}` },
  unit: { value: ([, , unit]) => unit, text: (a) => `power of two in ${a}` },
};

// "M / N"
export const featureText = ({ feature, a, b }, names) => features[feature].text(names[a], names[b]);

// The leaf that answers for these sizes, whose units are given where the sizes stand for others near them.
export function leafOf({ tree }, sizes, units = sizes.map(unitOf)) {
  let at = 0;
  while (tree[at].feature !== undefined) {
    const { feature, a, b, below, then, otherwise } = tree[at];
    at = features[feature].value([sizes[a], sizes[b], units[a]]) < below ? then : otherwise;
  }
  return at;
}

export const asksUnits = ({ tree }) => tree.some(({ feature }) => feature === "unit");
export const leafCount = ({ tree }) => tree.filter(({ feature }) => feature === undefined).length;

// ---- its cases

// The share of the best found that the answer reaches, and that the answers of trees reach that were grown without the
// size; undefined where that failed or was not measured.
export const shareOf = ({ best, cost }) => (cost > 0 ? Math.min(best / cost, 1) : undefined);
export const heldOutOf = ({ held_out: share }) => (share > 0 ? share : undefined);

export const sizesText = ({ sizes }, { size }) => size.map((value, i) => `${sizes[i]}=${value}`).join(",");
// As large as an axis can be at most.
export const productOf = ({ size }) => size.reduce((product, value) => Math.min(product * value, 1e300), 1);

// The weighted geometric mean of the shares that are known, and the case of the least one; undefined if none is known.
export function qualityOf(cases, share) {
  const known = cases.filter((one) => share(one) !== undefined);
  if (!known.length) return undefined;
  const weight = known.reduce((sum, one) => sum + one.weight, 0);
  const mean = Math.exp(known.reduce((sum, one) => sum + one.weight * Math.log(share(one)), 0) / weight);
  return { mean, worst: known.reduce((a, b) => (share(b) < share(a) ? b : a)) };
}

// The cases that each configuration answers.
export const servedBy = ({ configurations, cases }) =>
  configurations.map((_, i) => cases.filter(({ answer }) => answer === i));

// ---- the sizes as a plane

// The median, one of the values: at least half of them are as large.
const medianOf = (values) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
const valuesOf = ({ cases }, dimension) => cases.map(({ size }) => size[dimension]);

// How much a dimension varies: the standard deviation of its logarithm, in octaves.
function spreadOf(dispatch, dimension) {
  const logs = valuesOf(dispatch, dimension).map(Math.log2), mean = logs.reduce((a, b) => a + b, 0) / logs.length;
  return Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length);
}

// The dimensions, those that vary most first.
export function bySpread(dispatch) {
  const spreads = dispatch.sizes.map((_, i) => spreadOf(dispatch, i));
  return dispatch.sizes.map((_, i) => i).sort((a, b) => spreads[b] - spreads[a] || a - b);
}

// From the least to the greatest of some sizes, with room on both sides.
export function extentAround(values) {
  const low = Math.min(...values), high = Math.max(...values), room = Math.max(2 ** 0.5, (high / low) ** 0.06);
  return [low / room, high * room];
}
export const extentOf = (dispatch, dimension) => extentAround(valuesOf(dispatch, dimension));

// What stands for all sizes where a chart shows but one or two of them: their medians, and those of their units.
export const typicalOf = (dispatch) => ({
  sizes: dispatch.sizes.map((_, i) => medianOf(valuesOf(dispatch, i))),
  units: dispatch.sizes.map((_, i) => medianOf(valuesOf(dispatch, i).map(unitOf))),
});

// Where the tree answers what, along a dimension from low to high on a log scale, the others being as given: each
// { from, to, configuration }, as runs of `steps` samples.
export function answersAlong(dispatch, dimension, [low, high], { sizes, units }, steps) {
  const at = (i) => low * (high / low) ** (i / steps), runs = [];
  for (let i = 0; i < steps; i++) {
    const here = sizes.map((size, d) => (d === dimension ? at(i + 0.5) : size));
    const { configuration } = dispatch.tree[leafOf(dispatch, here, units)], last = runs[runs.length - 1];
    if (last?.configuration === configuration) last.to = at(i + 1);
    else runs.push({ from: at(i), to: at(i + 1), configuration });
  }
  return runs;
}
