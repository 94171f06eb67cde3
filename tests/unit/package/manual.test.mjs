// SPDX-License-Identifier: Apache-2.0
// Markdown as a manual page, and a header's comments.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { libraryPages } from "../../../tuner/package/manual/library.mjs";
import { literal, markdown } from "../../../tuner/package/manual/roff.mjs";

test("text is printed as it is", () => {
  assert.equal(literal("a\\b 'c' ~^`\" --d"), "a\\(rsb \\(aqc\\(aq \\(ti\\(ha\\(ga\\(dq \\-\\-d");
  assert.equal(literal("≤ é ⁻²"), "\\[u2264] \\[u0065_0301] \\[u207B]\\[u00B2]");
  assert.deepEqual(markdown(".so file\n'quoted'"), [".PP", "\\&.so file 'quoted'"]);
  assert.deepEqual(markdown("```\n.so file\n```\n"), [".PP", ".in +4n", ".EX", "\\&.so file", ".EE", ".in"]);
});

test("words in code, strong ones, emphasis and links", () => {
  assert.deepEqual(markdown("see `a*b*`, **bold**\nand *this*, [text](there.md#part) or [`code`](x)"),
    [".PP", "see \\fBa*b*\\fP, \\fBbold\\fP and \\fIthis\\fP, text or \\fBcode\\fP"]);
  assert.deepEqual(markdown("**a `b` c**"), [".PP", "\\fBa b c\\fP"]);
  assert.deepEqual(markdown("2 * 3 * 4"), [".PP", "2 * 3 * 4"]);
  assert.deepEqual(markdown("`--size`"), [".PP", "\\%\\fB\\-\\-size\\fP"]);
});

test("headings, lists, tables and code", () => {
  assert.deepEqual(markdown("# title\n\n## Part one\n\n### Detail\n"), [".SH PART ONE", ".SS Detail"]);
  assert.deepEqual(markdown("- a\n  b\n- c\n"), [".IP \\(bu 2", "a b", ".IP \\(bu 2", "c"]);
  assert.deepEqual(markdown("| x | y |\n|---|---|\n| `a` | b \\| c |\n"), [".PP", ".TP", "\\fBa\\fP", "b | c"]);
  assert.deepEqual(markdown("| x | y | z |\n|---|---|---|\n| a | b | c |\n| d | | e |\n"), [".PP", ".TP", "a", "y: b; z: c", ".TP", "d", "z: e"]);
  assert.deepEqual(markdown("text:\n\n    one\n\n      two\n\nmore"),
    [".PP", "text:", ".PP", ".in +4n", ".EX", "one", "", "  two", ".EE", ".in", ".PP", "more"]);
});

test("a header: prototypes above what their comments say, folded; nothing for compilers", (t) => {
  const home = mkdtempSync(join(tmpdir(), "tune-test-"));
  t.after(() => rmSync(home, { recursive: true }));
  const header = join(home, "tune.h");
  writeFileSync(header, `/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune.h - libtune: about it.
 *
 * More about it.
 */
#ifndef TUNE_H
#define TUNE_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- part ---- */

struct a {
    int member; /* that has a comment which is much too wide to stand behind it here */
};

/* What it does. */
TUNE_API int tune_first(const struct a *one, const struct a *two,
                        const struct a *three);
TUNE_API void tune_second(void);

#ifdef __cplusplus
}
#endif

#endif
`);
  const pages = libraryPages(header, "1");
  assert.deepEqual(Object.keys(pages), ["tune.3", "tune_first.3", "tune_second.3"]);
  assert.equal(pages["tune_first.3"], ".so man3/tune.3\n");
  const page = pages["tune.3"];
  assert.ok(page.includes("\ntune, tune_first, tune_second \\- about it\n"), page);
  assert.ok(page.includes(`.SH PART
.PP
.in +4n
.EX
struct a {
    /* that has a comment which is much too wide to stand behind
     * it here */
    int member;
};
.EE
.in
.PP
.in +4n
.EX
int tune_first(const struct a *one, const struct a *two,
    const struct a *three);
void tune_second(void);
.EE
.in
.PP
What it does.
.SH SEE ALSO`), page);
  assert.ok(!/__cplusplus|TUNE_API|ifndef/.test(page));
});
