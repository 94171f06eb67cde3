// SPDX-License-Identifier: Apache-2.0
// Every relative link of every .md leads to a file (and its anchor to a heading), in the source tree and in an installed
// copy; and every path in backticks exists in the source tree.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { folder, install, source } from "./tune.mjs";

function pages(root) {
  const skipped = /^(node_modules|build.*|report|\.git)$/;
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    const path = join(root, entry.name);
    if (entry.isDirectory()) return skipped.test(entry.name) ? [] : pages(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

const withoutCode = (text) => text.replace(/^```[\s\S]*?^```$/gm, "");

// The anchor that GitHub gives a heading.
const anchorOf = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replace(/ /g, "-");
const anchors = (path) => [...withoutCode(readFileSync(path, "utf8")).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));

// What is wrong with a link; undefined if nothing is.
function flaw(page, link) {
  const [path, anchor] = link.split("#");
  const target = path ? join(dirname(page), decodeURI(path)) : page;
  if (!existsSync(target)) return "leads nowhere";
  return anchor && !anchors(target).includes(anchor) ? "names no heading" : undefined;
}

function linksOf(page) {
  const text = withoutCode(readFileSync(page, "utf8")).replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link).filter((link) => !/^[a-z]+:/.test(link));
}

function brokenLinks(root) {
  return pages(root).flatMap((page) => linksOf(page)
    .map((link) => ({ page: relative(root, page), link, flaw: flaw(page, link) }))
    .filter((found) => found.flaw));
}

test("relative links lead somewhere in the source tree", () => {
  const all = pages(source);
  assert.ok(all.includes(join(source, "README.md")) && all.flatMap(linksOf).length > 5, `${all.length} pages`);
  assert.deepEqual(brokenLinks(source), []);
});

test("relative links lead somewhere in an installed copy", (t) => {
  const prefix = folder(t);
  install(prefix);
  const root = join(prefix, "share/doc/tune");
  assert.ok(pages(root).length >= 4);
  assert.deepEqual(brokenLinks(root), []);
});

test("paths in backticks exist", () => {
  const known = /^(?:tuner|templates|spaces|db|reports|tests|\.ci|\.github)\/[\w./-]*$/;
  const missing = pages(source).flatMap((page) => [...withoutCode(readFileSync(page, "utf8")).matchAll(/`([^`\n]+)`/g)]
    .map(([, path]) => path)
    .filter((path) => known.test(path) && !/(^|[/_.])(NAME|FOLDER|KIND)/.test(path) && !existsSync(join(source, path)))
    .map((path) => `${relative(source, page)}: ${path}`));
  assert.deepEqual(missing, []);
});
