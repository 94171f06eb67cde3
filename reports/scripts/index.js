// SPDX-License-Identifier: Apache-2.0
// The index: a card for each device with its best configurations.
import { bodyRow, breakable, byId, element, fillSelect, headRow, report } from "./dom.js";
import { limitText, shareText } from "./limits.js";
import { configurationText, originText, rateText, sizeText, timeText, valueText } from "./text.js";

// Each kernel's own objective, in the place of a name.
const each = "";

// Heading, class and content of each column; where all are best by time, that is what the first column of numbers shows.
const columns = [
  ["kernel", "", (best) => best.template],
  ["size", "size", (best) => breakable(sizeText(best))],
  ["best", "number", (best) => valueText(best.objective, best.value)],
  ["time", "number", (best) => timeText(best.time_ns)],
  ["rate", "number", (best) => rateText(best, best.time_ns)],
  ["of limit", "number", limitCell],
  ["best configuration", "wrap", (best) => configurationText(best.configuration)],
  ["measured", "", originText],
];

// The share, and below it the limit.
function limitCell({ percent_of_peak: percent, limit: pipe, limit_source: source }) {
  if (percent === undefined || pipe === undefined) return "";
  const textContent = limitText({ pipe, measured: source === "measured" });
  return [shareText(percent / 100), element("div", { className: "below", textContent })];
}

// The rows by an objective, or by each kernel's own: by time where it has none with a value.
function rowsBy(objective, all) {
  if (objective !== each) return all.filter((row) => row.objective === objective);
  const keyOf = ({ template, size, data }) => JSON.stringify([template, size, data]);
  const own = new Map(all.filter((row) => row.default).map((row) => [keyOf(row), row]));
  return all.filter((row) => row.objective === "time").map((row) => own.get(keyOf(row)) ?? row);
}

function bestTable(objective, all) {
  const rows = rowsBy(objective, all), byTime = rows.every((row) => row.objective === "time");
  if (!rows.length && objective !== each)
    return element("p", { className: "note", textContent: `Nothing is known by ${objective}.` });
  const shown = columns.filter(([heading]) => !(byTime && heading === "best")), classes = shown.map(([, name]) => name);
  return element("table", {},
    element("thead", {}, headRow(shown.map(([heading]) => heading), classes.map((name) => (name === "number" ? name : "")))),
    element("tbody", {}, ...rows.map((best) => bodyRow(shown.map(([, , content]) => content(best)), classes))));
}

const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

function deviceCard(device, objective) {
  const failures = device.failures ? ` (${device.failures} failed)` : "";
  const facts = [device.kind, device.architecture, counted(device.evaluations, "configuration") + failures,
    counted(device.runs, "sweep")];
  return element("section", { className: "card device" },
    element("h2", {}, element("a", { href: device.page, textContent: device.name })),
    element("p", { className: "note", textContent: facts.join(" · ") }),
    element("div", { className: "scroll" }, bestTable(objective, device.best)));
}

const nothing = () => element("section", { className: "card empty" },
  element("h2", { textContent: "Nothing has been measured yet" }),
  element("p", { className: "note", textContent: "Run ‘tune gemm’, then ‘tune report’ again." }));

// Names, the built-in ones first: the order of the rows.
const names = [...new Set(report.devices.flatMap(({ best }) => best.map(({ objective }) => objective)))];

function showDevices() {
  const objective = byId("pick-objective").value;
  byId("devices").replaceChildren(...(report.devices.length
    ? report.devices.map((device) => deviceCard(device, objective)) : [nothing()]));
}

fillSelect("pick-objective", [[each, "each kernel's own objective"], ...names.map((name) => [name, name])], each);
byId("pick-objective").closest("nav").hidden = names.length < 2;
byId("pick-objective").onchange = showDevices;
showDevices();
byId("footer").textContent = `tune ${report.tune_version}, ${report.generated_at}`;
