// SPDX-License-Identifier: Apache-2.0
// tune.5, what the files of tune hold: from the documents that describe them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { heading, markdown, page } from "./roff.mjs";

// The part of a document that a pattern finds; it is an error if that is gone.
function part(source, file, pattern) {
  const found = readFileSync(join(source, file), "utf8").match(pattern);
  if (!found) throw new Error(`${file}: nothing looks like ${pattern}, which tune.5 is made from`);
  return found[0];
}

export function formatsPage(source, version) {
  const body = [
    heading(2, "Description"),
    ...markdown(part(source, "tuner/lang/GRAMMAR.md", /^[\s\S]*$/)),
    heading(2, "Files of sizes"),
    ...markdown(part(source, "README.md", /^A file for `--sizes`[\s\S]*?(?=\n\n)/m)),
    ...markdown(part(source, "db/SCHEMA.md", /^## Known results\n[\s\S]*?(?=\n## )/m)),
    ...markdown(part(source, "tuner/search/PROTOCOL.md", /^[\s\S]*$/).replace(/^# /, "## ")),
    heading(2, "See also"),
    "\\fBtune\\fP(1), \\fBtune\\fP(3)",
  ];
  const title = "tune \\- templates, search spaces, files of sizes and known results of tune";
  return page({ name: "TUNE", section: 5, version, title, body });
}
