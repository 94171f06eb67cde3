// SPDX-License-Identifier: Apache-2.0
// A recording for tests of simulations: 12 by 12 configurations of one second each, with the fastest in the middle.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const time = (x, y) => 1 + (x - 6) ** 2 + 0.5 * (y - 5) ** 2 + 0.001 * x;

export const objectives = [];
for (let x = 0; x < 12; x++) for (let y = 0; y < 12; y++) objectives.push(time(x, y));

export function writeRecording(home, name = "made_T4.json", kernel = "") {
  const results = [];
  for (let x = 0; x < 12; x++)
    for (let y = 0; y < 12; y++)
      results.push({ configuration: { x, y: `${kernel}${y}` }, invalidity: "correct", times: { compilation: 750, validation: 250 },
        measurements: [{ name: "time", value: time(x, y) }] });
  const path = join(home, name);
  writeFileSync(path, JSON.stringify({ metadata: { timeunit: "milliseconds" }, results }));
  return path;
}
