// SPDX-License-Identifier: Apache-2.0
// The index: a card for each device with its best configurations.

function bestRow(row) {
  const percent = row.percent_of_peak === undefined ? "" : `${row.percent_of_peak.toFixed(1)} %`;
  return element("tr", {},
    element("td", { textContent: row.template }),
    element("td", { textContent: row.size }),
    element("td", { className: "number", textContent: timeText(row.time_ns) }),
    element("td", { className: "number", textContent: rateText(row, row.time_ns) }),
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
