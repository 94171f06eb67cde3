// SPDX-License-Identifier: Apache-2.0
// tune.3, the library: its header's comments are its documentation, and its declarations the reference. Every function
// has a page of its name that leads there.
import { readFileSync } from "node:fs";
import { bold, code, heading, literal, markdown, page } from "./roff.mjs";

const WIDTH = 66;

// A comment's text, without what makes it one.
const textOf = (comment) => comment.replace(/^\/\*\s?|\s*\*\/$/g, "").replace(/^ ?\*( |$)/gm, "").trim();

// Each comment that begins a line, with the declarations below it up to an empty line: [{ comment, declarations }, ...].
function parts(text) {
  const found = [];
  for (const [, comment = "", declarations] of text.matchAll(/^(\/\*[\s\S]*?\*\/\n)?((?:(?!\/\*).+\n)*)/gm)) {
    if (comment || declarations) found.push({ comment: textOf(comment.trim()), declarations: declarations.trim() });
  }
  return found;
}

// What C++ and compilers want to know is nothing for readers.
const forReaders = (header) => header
  .replace(/^#ifdef __cplusplus\n(.*\n)*?#endif\n/gm, "")
  .replace(/^#(?!define TUNE_INTERFACE ).*\n/gm, "")
  .replace(/^TUNE_API /gm, "");

// Words in lines of a page's width.
function fold(words, first, next, separator = " ") {
  const lines = [];
  let line = first;
  for (const word of words) {
    if (line.trim() && line.trim() !== first.trim() && line.length + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = next;
    }
    line += word + separator;
  }
  return [...lines, line.slice(0, line.length - separator.length)];
}

// Comments that are too wide stand above what they are about.
function foldComments(declarations) {
  const single = declarations.replace(/^ +\/\*[\s\S]*?\*\/$/gm, (comment) => comment.replace(/\n +\*(?!\/)/g, ""));
  return single.split("\n").flatMap((line) => {
    const found = line.match(/^( +)(.*?)\s*\/\* (.*) \*\/$/);
    if (!found || line.length <= WIDTH) return [line];
    const [, margin, declaration, text] = found;
    const comment = fold([...text.split(" "), "*/"], `${margin}/* `, `${margin} * `);
    return declaration ? [...comment, margin + declaration] : comment;
  });
}

// Prototypes are cut behind commas.
function foldPrototypes(declarations) {
  const single = declarations.replace(/\(([^()]*)\);/g, (prototype) => prototype.replace(/\s+/g, " "));
  const cut = (line) => (/^\w.*\(.*\);$/.test(line) ? fold(line.split(", "), "", "    ", ", ") : [line]);
  return single.split("\n").flatMap(cut).join("\n");
}

const functionsOf = (header) => [...header.matchAll(/^TUNE_API [^;(]*?(\w+)\(/gm)].map(([, name]) => name);

function write({ comment, declarations }) {
  const section = comment.match(/^---- (.*) ----$/);
  if (section) return [heading(2, section[1])];
  return [...(declarations ? code(foldComments(foldPrototypes(declarations))) : []), ...markdown(`${comment}\n`)];
}

// { "tune.3": text, "tune_open.3": text, ... }
export function libraryPages(file, version) {
  const header = readFileSync(file, "utf8"), functions = functionsOf(header);
  const [, { comment: about }, ...rest] = parts(forReaders(header));
  const [, summary, text] = about.match(/^tune\.h - libtune: (.*?)\.\n([\s\S]*)$/);
  const body = [
    heading(2, "Synopsis"), ".B #include <tune.h>",
    ".PP", `${bold("cc")} \\fIprogram\\fP${bold(".c $(pkg-config --cflags --libs tune)")}`,
    heading(2, "Description"), ...markdown(text),
    ...rest.flatMap(write),
    heading(2, "See also"), "\\fBtune\\fP(1), \\fBtune\\fP(5)",
  ];
  const names = ["tune", ...functions].map(literal).join(", ");
  const title = `${names} \\- ${literal(summary)}`;
  const pages = { "tune.3": page({ name: "TUNE", section: 3, version, title, body }) };
  for (const name of functions) pages[`${name}.3`] = ".so man3/tune.3\n";
  return pages;
}
