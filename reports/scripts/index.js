// SPDX-License-Identifier: Apache-2.0
// The index: a card for each device with its best configurations.
import { bodyRow, byId, element, headRow, report } from "./dom.js";
import { limitText, shareText } from "./limits.js";
import { configurationText, originText, rateText, sizeText, timeText } from "./text.js";

const headings = ["kernel", "size", "time", "rate", "of limit", "best configuration", "measured"];
const classes = ["", "", "number", "number", "number", "wrap", ""];

// The share, and below it the limit.
function limitCell({ percent_of_peak: percent, limit: pipe, limit_source: source }) {
  if (percent === undefined || pipe === undefined) return "";
  const textContent = limitText({ pipe, measured: source === "measured" });
  return [shareText(percent / 100), element("div", { className: "below", textContent })];
}

function bestRow(best) {
  return bodyRow([best.template, sizeText(best), timeText(best.time_ns), rateText(best, best.time_ns),
    limitCell(best), configurationText(best.configuration), originText(best)], classes);
}

const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

function deviceCard(device) {
  const failures = device.failures ? ` (${device.failures} failed)` : "";
  const facts = [device.kind, device.architecture, counted(device.evaluations, "configuration") + failures,
    counted(device.runs, "sweep")];
  const table = element("table", {},
    element("thead", {}, headRow(headings, classes.map((name) => (name === "number" ? name : "")))),
    element("tbody", {}, ...device.best.map(bestRow)));
  return element("section", { className: "card device" },
    element("h2", {}, element("a", { href: device.page, textContent: device.name })),
    element("p", { className: "note", textContent: facts.join(" · ") }),
    element("div", { className: "scroll" }, table));
}

const nothing = () => element("section", { className: "card empty" },
  element("h2", { textContent: "Nothing has been measured yet" }),
  element("p", { className: "note", textContent: "Run ‘tune gemm’, then ‘tune report’ again." }));

byId("devices").append(...(report.devices.length ? report.devices.map(deviceCard) : [nothing()]));
byId("footer").textContent = `tune ${report.tune_version}, ${report.generated_at}`;
