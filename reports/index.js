// The index: a card for each device with its best configurations. Text goes in as text, never as markup.
"use strict";

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function timeText(ns) {
  const [unit, name] = ns >= 1e9 ? [1e9, "s"] : ns >= 1e6 ? [1e6, "ms"] : ns >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return `${Number((ns / unit).toPrecision(4))} ${name}`;
}

function rateText(row) {
  if (row.flops) return `${(row.flops / row.time_ns).toFixed(1)} GFLOP/s`;
  return row.bytes ? `${(row.bytes / row.time_ns).toFixed(1)} GB/s` : "";
}

function configurationText(configuration) {
  return Object.entries(configuration).map(([name, value]) => `${name}=${value}`).join(" ");
}

function bestRow(row) {
  const percent = row.percent_of_peak === undefined ? "" : `${row.percent_of_peak.toFixed(1)} %`;
  return element("tr", {},
    element("td", { textContent: row.template }),
    element("td", { textContent: row.size }),
    element("td", { className: "number", textContent: timeText(row.time_ns) }),
    element("td", { className: "number", textContent: rateText(row) }),
    element("td", { className: "number", textContent: percent }),
    element("td", { className: "wrap", textContent: configurationText(row.configuration) }),
    element("td", { textContent: `${row.origin} ${row.measured_at.slice(0, 10)}` }));
}

function deviceCard(device) {
  const head = element("tr", {}, ...["kernel", "size", "time", "rate", "of peak", "best configuration", "from"]
    .map((name, i) => element("th", { textContent: name, className: i > 1 && i < 5 ? "number" : "" })));
  const table = element("table", {}, element("thead", {}, head),
    element("tbody", {}, ...device.best.map(bestRow)));
  const failures = device.failures ? `, ${device.failures} failed` : "";
  return element("section", { className: "card device" },
    element("h2", {}, element("a", { href: device.page, textContent: device.name })),
    element("p", { className: "note", textContent:
      `${device.kind} · ${device.architecture} · ${device.evaluations} configurations${failures} · ${device.runs} sweeps` }),
    element("div", { className: "scroll" }, table));
}

const report = JSON.parse(document.getElementById("data").textContent);
const place = document.getElementById("devices");
place.append(...report.devices.map(deviceCard));
if (report.devices.length === 0) {
  place.append(element("section", { className: "card empty" },
    element("h2", { textContent: "Nothing has been measured yet" }),
    element("p", { className: "note", textContent: "Run ‘tune gemm --space joint_reg_smem’ and look again." })));
}
document.getElementById("footer").textContent = `tune ${report.tune_version}, ${report.generated_at}`;
