// SPDX-License-Identifier: Apache-2.0
// The page as a tree of elements. Text from users enters it as text, never as markup.

export const byId = (id) => document.getElementById(id);

// The data that the page was written with.
export const report = JSON.parse(byId("data").textContent);

export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// A bar that is full at a share of 1: beside a text, unless it is to be another element.
export function meter(share, name = "span", properties = { className: "meter small" }) {
  const bar = element("i", {});
  bar.style.width = `${Math.min(100 * share, 100)}%`;
  return element(name, properties, bar);
}

// Lines below each other, as a tooltip shows them: texts, elements or lists of these.
export const lines = (...contents) =>
  element("div", {}, ...contents.flatMap((line, i) => (i ? [element("br"), line] : [line])).flat());

// A text whose lines may break behind commas and underscores.
export const breakable = (text) => text.split(/(?<=[,_])/).flatMap((part, i) => (i ? [element("wbr"), part] : [part]));

export const strong = (textContent) => element("b", { textContent });

// Give a <select> its options, pairs of value and text.
export function fillSelect(id, options, chosen) {
  const select = byId(id);
  select.replaceChildren(...options.map(([value, textContent]) => element("option", { value, textContent })));
  if (chosen !== undefined) select.value = chosen;
}

const cell = (name, content, className = "") => element(name, { className }, ...[content].flat());

// A row of cells whose contents are text or elements; `classes` are the cells' classes.
export const headRow = (contents, classes = []) =>
  element("tr", {}, ...contents.map((content, i) => cell("th", content, classes[i])));

export const bodyRow = (contents, classes = [], className = "") =>
  element("tr", { className }, ...contents.map((content, i) => cell("td", content, classes[i])));

export function fillTable(id, head, rows) {
  const table = byId(id);
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(...rows);
}
