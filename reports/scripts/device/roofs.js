// SPDX-License-Identifier: Apache-2.0
// The roofs of a roofline: what the device could do at best with work of this kind, over its arithmetic intensity.
import { css } from "../chart.js";
import { ceilings, limitText } from "../limits.js";
import { countText } from "../text.js";

/*
 * The slope of memory, { name, rate, dashed }, and the flat roofs, { figure, name, flops, from, dashed }, lowest first: so
 * many operations a second, from the intensity where memory allows as much. The roof of a pipe other than fp32 follows
 * from how much of that pipe's work comes with an fp32 operation. Dashed: of the data sheet. A roof far above the lowest
 * one says nothing.
 */
export function roofs(device, work) {
  const known = ceilings(device), memory = known.find(({ figure }) => figure === "bytes");
  const flat = known.filter(({ figure }) => figure !== "bytes" && work[figure] > 0)
    .map((ceiling) => {
      const flops = (work.flops / work[ceiling.figure]) * ceiling.rate;
      const { figure } = ceiling;
      return { figure, name: limitText(ceiling), flops, from: memory && flops / memory.rate, dashed: !ceiling.measured };
    })
    .sort((a, b) => a.flops - b.flops);
  return {
    memory: memory && { name: limitText(memory), rate: memory.rate, dashed: !memory.measured },
    flat: flat.filter(({ flops }) => flops <= 8 * flat[0].flops),
  };
}

const roofLine = (name, data, dashed) => ({
  type: "line", name, data, symbol: "none", silent: true, z: 1,
  lineStyle: { color: css("--bad"), width: 1.75, type: dashed ? "dashed" : "solid" },
});

// A text beside a place in the chart.
const textAt = (value, formatter, label) => ({
  value, symbolSize: 0.1,
  label: {
    show: true, color: css("--bad"), fontSize: 12, formatter, textBorderColor: css("--card"), textBorderWidth: 3, ...label,
  },
});

// A place for the slope's name, from one end of it to the other, away from where the points are.
function namePlace(begin, top, busy) {
  const at = (t) => begin * (top / begin) ** t;
  return [0.5, 0.2, 0.75].map(at).find((x) => Math.abs(Math.log10(x / busy)) > 0.6) ?? at(0.2);
}

// The roofs as series between the extents of the axes; the points are about the intensity `busy`.
export function roofSeries({ memory, flat }, { left, right, low }, busy) {
  const lines = flat.map(({ name, flops, from, dashed }) =>
    roofLine(name, [[Math.max(from ?? left, left), flops], [right, flops]], dashed));
  // above the line, unless the next one is there
  const texts = flat.map(({ name, flops }, i) => textAt([right, flops], `${name}: ${countText(flops)}FLOP/s`, {
    position: "left", offset: [6, flat[i + 1]?.flops < 2 * flops ? 10 : -10],
  }));
  if (memory) {
    const begin = Math.max(left, low / memory.rate), top = Math.max(...flat.map(({ from }) => from), begin);
    const middle = namePlace(begin, top, busy);
    lines.push(roofLine(memory.name, [[begin, begin * memory.rate], [top, top * memory.rate]], memory.dashed));
    texts.push(textAt([middle, middle * memory.rate], `${memory.name}: ${countText(memory.rate)}B/s`, {
      position: "right", offset: [2, 12],
    }));
  }
  return [...lines, { type: "scatter", data: texts, silent: true, z: 6 }];
}
