// SPDX-License-Identifier: Apache-2.0
// What a device could do at best: the ceilings of its pipes, and the limit that binds a kernel's work.

// The figures of work, each with the pipe that does it and the device's data-sheet rate. tuner/evaluation/work.h
export const figures = [
  { figure: "flops", pipe: "fp32", unit: "FLOP", peak: "peak_flops" },
  { figure: "bytes", pipe: "memory", unit: "B", peak: "peak_bandwidth" },
  { figure: "special_ops", pipe: "special-function", unit: "op", peak: "peak_special" },
  { figure: "shared_traffic", pipe: "shared-memory", unit: "B", peak: "peak_shared" },
  { figure: "integer_ops", pipe: "integer", unit: "op", peak: "peak_integer" },
];

function findCeilings(device) {
  const measured = new Map((device.ceilings ?? []).map((ceiling) => [ceiling.figure, ceiling]));
  return figures.map(({ peak, ...of }) => {
    const found = measured.get(of.figure);
    return { ...of, rate: found?.rate ?? device[peak], measured: found?.source === "measured" };
  }).filter(({ rate }) => rate > 0);
}

// The known ceilings, { figure, pipe, unit, rate, measured }: of the data sheet where nothing was measured.
const known = new WeakMap();
export function ceilings(device) {
  if (!known.has(device)) known.set(device, findCeilings(device));
  return known.get(device);
}

// The least time that each pipe needs for the work, longest first: the first one binds.
export function limits(device, work) {
  return ceilings(device).filter(({ figure }) => work[figure] > 0)
    .map((ceiling) => ({ ...ceiling, seconds: work[ceiling.figure] / ceiling.rate }))
    .sort((a, b) => b.seconds - a.seconds);
}

// The share of what the device could do at best; undefined where no limit is known.
export function shareOfLimit(device, work, ns) {
  let seconds = 0;
  for (const { figure, rate } of ceilings(device)) seconds = Math.max(seconds, (work[figure] ?? 0) / rate);
  return seconds && ns > 0 ? (seconds * 1e9) / ns : undefined;
}

// A share, to compare with others.
export const shareText = (share) =>
  (share === undefined ? "" : `${100 * share < 0.995 ? Number((100 * share).toPrecision(2)) : (100 * share).toFixed(1)} %`);

// The name of a limit: the pipe, and where its ceiling comes from.
export const limitText = ({ pipe, measured }) => `${pipe}${measured ? "" : ", data sheet"}`;

// "77.0 % of the fp32 limit"
export const ofLimitText = (share, { pipe, measured }) =>
  `${shareText(share)} of the ${pipe} limit${measured ? "" : " (data sheet)"}`;
