// SPDX-License-Identifier: Apache-2.0
// Manual pages from Markdown, as far as this project's documents use it: headings, paragraphs, lists, tables, code. The
// result is plain ASCII, which every troff reads alike.

const escapes = { "\\": "\\(rs", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "\"": "\\(dq", "-": "\\-" };

// A character beyond ASCII by its code, or by those that it is composed of.
const codeOf = (character) => character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
const beyond = (character) => `\\[u${[...character.normalize("NFD")].map(codeOf).join("_")}]`;

// Any text, so that it is printed as it is; '-' as the character that options begin with.
const escape = (character) => escapes[character] ?? beyond(character);
export const literal = (text) => text.replace(/[\\'`^~"-]|[^\x00-\x7f]/gu, escape);

// Of prose '-' is a hyphen, and quotes are quotes.
const prose = (text) => text.replace(/[\\^~]|[^\x00-\x7f]/gu, escape);

// In bold; the name of an option is not hyphenated.
export const bold = (text) => `${/^-\S*$/.test(text) ? "\\%" : ""}\\fB${literal(text)}\\fP`;

// A line that begins with a dot or a quote would be a request.
const guarded = (line) => /^[.']/.test(line) ? `\\&${line}` : line;

// Code, **bold**, *italic* and [links](target), of which the text stays, in a paragraph.
function inline(text) {
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[((?:[^\]`]|`[^`]*`)+)\]\([^)]*\)/g;
  let result = "", last = 0;
  for (const found of text.matchAll(pattern)) {
    const [whole, code, strong, emphasis, link] = found;
    result += prose(text.slice(last, found.index));
    if (code) result += bold(code);
    else if (strong) result += `\\fB${prose(strong.replaceAll("`", ""))}\\fP`;
    else if (emphasis) result += `\\fI${prose(emphasis)}\\fP`;
    else result += inline(link);
    last = found.index + whole.length;
  }
  return result + prose(text.slice(last));
}

export const paragraph = (text) => guarded(inline(text.replace(/\\([|*`])/g, "$1").replace(/\s*\n\s*/g, " ").trim()));

export const code = (lines) => [".PP", ".in +4n", ".EX", ...lines.map((line) => guarded(literal(line))), ".EE", ".in"];

export const heading = (level, title) => level <= 2 ? `.SH ${literal(title.toUpperCase())}` : `.SS ${literal(title)}`;

// The cells of a row; "\|" is no end of one.
const cells = (row) => row.replace(/^\s*\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim());

// The first column has terms, which the others explain: where there are several, each by its heading.
function table(rows) {
  const [[, ...headings], , ...body] = rows.map(cells);
  const label = (i) => headings.length > 1 && headings[i] ? `${headings[i]}: ` : "";
  const meaning = (parts) => parts.map((part, i) => part && label(i) + part).filter((part) => part).join("; ");
  return [".PP", ...body.flatMap(([term, ...parts]) => [".TP", paragraph(term), paragraph(meaning(parts)) || "\\&"])];
}

const dedent = (lines) => lines.map((line) => line.replace(/^ {4}/, ""));

// What a line begins, by its look, and the lines that belong to it.
const kinds = [
  {
    begins: /^```/, ends: (line) => /^```/.test(line), keepsEnd: true,
    write: (lines) => code(lines.slice(1, -1)),
  },
  {
    begins: /^#+ /, ends: () => true,
    write: ([line]) => [heading(line.match(/^#+/)[0].length, line.replace(/^#+ /, ""))],
  },
  {
    begins: /^ {4}/, ends: (line, next = "") => !/^ {4}/.test(line || next),
    write: (lines) => code(dedent(lines)),
  },
  {
    begins: /^\|/, ends: (line) => !/^\|/.test(line),
    write: table,
  },
  {
    begins: /^- /, ends: (line) => !/^ {2}\S/.test(line),
    write: (lines) => [".IP \\(bu 2", paragraph(lines.join("\n").slice(2))],
  },
  {
    begins: /./, ends: (line) => line === "" || /^(- |\||```|#+ )/.test(line),
    write: (lines) => [".PP", paragraph(lines.join("\n"))],
  },
];

// The body of a page; the document's title is for the caller.
export function markdown(text) {
  const lines = text.replace(/^# .*\n/, "").split("\n"), body = [];
  for (let i = 0; i < lines.length;) {
    const kind = kinds.find(({ begins }) => begins.test(lines[i]));
    if (!kind) {
      i++;
      continue;
    }
    let end = i + 1;
    while (end < lines.length && !kind.ends(lines[end], lines[end + 1])) end++;
    if (kind.keepsEnd) end++;
    body.push(...kind.write(lines.slice(i, end)));
    i = end;
  }
  return body;
}

// A whole page.
export function page({ name, section, version, title, body }) {
  const first = [".\\\" SPDX-License-Identifier: Apache-2.0", `.TH ${name} ${section} "" "tune ${literal(version)}"`];
  return [...first, ".SH NAME", title, ...body, ""].join("\n");
}
