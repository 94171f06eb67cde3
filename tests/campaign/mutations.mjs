// SPDX-License-Identifier: Apache-2.0
// Mistakes that people make in kernels and templates, planted by rules: each rule finds the places where its mistake could
// be made, and what the text would be then. A mutation is { kind, file, line, what, text }, with the file's whole new text.
// The kinds follow DeMillo, Lipton and Sayward, "Hints on Test Data Selection" (IEEE Computer 11(4), 1978): small slips of
// a competent programmer, one at a time.

// The text with comments, strings and preprocessor lines blanked out, so that places in it are places in the text.
function code(text) {
  const blank = (match) => match.replace(/[^\n]/g, " ");
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, blank).replace(/"(?:[^"\\\n]|\\.)*"/g, blank)
    .replace(/^[ \t]*#(?:[^\n\\]|\\[\s\S])*/gm, blank);
}

const lineAt = (text, at) => text.slice(0, at).split("\n").length;
const lineText = (text, at) => text.slice(text.lastIndexOf("\n", at - 1) + 1, `${text}\n`.indexOf("\n", at)).trim();

function change(kind, file, text, at, length, replacement) {
  const changed = text.slice(0, at) + replacement + text.slice(at + length);
  return { kind, file, line: lineAt(text, at), what: `${lineText(text, at)}  ->  ${lineText(changed, at)}`, text: changed };
}

// Every match of `pattern` (its first group, if it has one, else all of it), replaced by each of what `others` returns.
function* rewrite(kind, file, text, pattern, others, view = code(text)) {
  for (const match of view.matchAll(pattern)) {
    const found = match[1] ?? match[0];
    const at = match.index + (match[1] === undefined ? 0 : match[0].indexOf(found));
    for (const other of others(found, match, lineText(view, at)))
      yield change(kind, file, text, at, found.length, other);
  }
}

const declares = (line) => /^(static |extern |const )*(__shared__|__constant__|__device__|float[234]?|double|int|unsigned|struct|bool)\b[^=;(]*\[/.test(line);
const relation = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

// ---- mistakes in kernels

function* index(file, text) {
  yield* rewrite("an index or bound off by one", file, text, /(?<=[\w\]])\[([^\][]+)\]/g,
    (found, match, line) => declares(line) ? [] : [`(${found}) + 1`, `(${found}) - 1`]);
  yield* rewrite("an index or bound off by one", file, text, / (<=?|>=?) /g, (found) => [relation[found]]);
}

function* barrier(file, text) {
  yield* rewrite("a missing barrier", file, text, /__sync(?:threads|warp)\([^)]*\)(?=;)/g, () => ["(void)0"]);
}

function* constant(file, text) {
  yield* rewrite("a wrong constant", file, text, /(?<![\w.])\d+\.\d+f?(?![\w.])/g, (found) => {
    const value = parseFloat(found);
    return [`${value === 0 ? "0.01" : (value * 1.01).toFixed(6)}${found.endsWith("f") ? "f" : ""}`];
  });
  yield* rewrite("a wrong constant", file, text, /(?<![\w.])\d+(?![\w.])/g,
    (found, match, line) => declares(line) || /__(shared|constant|launch_bounds)__/.test(line) ? [] : [String(Number(found) + 1)]);
}

function* operator(file, text) {
  const others = { "+": ["-"], "-": ["+"], "*": ["+"], "/": ["%"], "%": ["/"], "+=": ["=", "-="], "&&": ["||"], "||": ["&&"], "==": ["!="], "!=": ["=="] };
  yield* rewrite("a wrong operator", file, text, / (\+=|[-+*/%]|&&|\|\||[=!]=) /g, (found) => others[found]);
  yield* rewrite("a wrong operator", file, text, /\b(min|max)(?=\()/g, (found) => [found === "min" ? "max" : "min"]);
}

const inArithmetic = [index, constant, operator];

function* sharedSize(file, text) {
  yield* rewrite("a size that does not match", file, text, /__shared__[^;]*?\[([^\][]+)\]/g, (found) => [`(${found}) / 2`]);
}

const wider = { "int ": ["long long ", "short ", "float "], "float ": ["double ", "int "], "double ": ["float "], "long long ": ["int ", "double "],
  "const float *": ["const double *"], "float *": ["double *"], "double *": ["float *"] };

function* signature(file, text) {
  const view = code(text);
  for (const kernel of view.matchAll(/__global__[^;{(]*?(?:__launch_bounds__\([^)]*\)+\s*)?\b\w+\(([^)]*)\)/g)) {
    const start = kernel.index + kernel[0].lastIndexOf(kernel[1]);
    for (const parameter of kernel[1].matchAll(/(?:^|, *\n? *)((?:const )?(?:long long|int|float|double) \*?)/g)) {
      const at = start + parameter.index + parameter[0].indexOf(parameter[1]);
      for (const other of wider[parameter[1]] ?? [])
        yield change("a wrong argument type", file, text, at, parameter[1].length, other);
    }
  }
}

// ---- mistakes in templates

// The arguments of every launch: where each begins and what it is.
function* launches(text) {
  const view = code(text).replace(/#[^\n]*/g, (comment) => " ".repeat(comment.length));
  for (const match of view.matchAll(/>>>\(/g)) {
    const list = [];
    let depth = 0;
    let from = match.index + 4;
    for (let at = from; at < view.length; at++) {
      if (depth === 0 && (view[at] === "," || view[at] === ")")) {
        const raw = view.slice(from, at);
        list.push({ at: from + raw.length - raw.trimStart().length, text: raw.trim() });
        from = at + 1;
        if (view[at] === ")") break;
      }
      depth += (view[at] === "(") - (view[at] === ")");
    }
    yield list;
  }
}

function* argument(file, text) {
  const kind = "a wrong argument type";
  for (const list of launches(text)) {
    for (const { at, text: value } of list) {
      const typed = /^(long|double|float)\((.*)\)$/.exec(value);
      if (/^(ref|mag)\(/.test(value)) continue;
      if (typed && typed[1] !== "float") yield change(kind, file, text, at, value.length, typed[2]);
      else if (/^[\d.]+$|^(n|m|k|M|N|K|nx|ny|NX|NY|NZ|ROWS|COLUMNS|ATOMS|count|taps|sections|blocks)$/.test(value)) {
        yield change(kind, file, text, at, value.length, `long(${value})`);
        yield change(kind, file, text, at, value.length, `double(${value})`);
      }
    }
    const last = list.at(-1);
    yield change(kind, file, text, last.at + last.text.length, 0, `, ${last.text}`);
    if (list.length > 1) {
      const previous = list.at(-2);
      yield change(kind, file, text, previous.at + previous.text.length, last.at + last.text.length - previous.at - previous.text.length, "");
      if (previous.text !== last.text)
        yield change(kind, file, text, previous.at, last.at + last.text.length - previous.at, `${last.text}, ${previous.text}`);
    }
  }
}

function* poison(file, text) {
  const kind = "a read of what was never written";
  yield* rewrite(kind, file, text, /\b(in(?:out)? (?:uniform|constant)\([^)]*\))/g, () => ["temp"], text);
  yield* rewrite(kind, file, text, /^ +(fill \w+ = .*)$/gm, () => ["let nothing = 0"], text);
  yield* rewrite(kind, file, text, /^ +((?:compute_mu|compute_samples|slice_atoms|scale|place_atoms|sum_sections)<<<.*)$/gm, () => ["let nothing = 0"], text);
}

function* size(file, text) {
  const kind = "a size that does not match";
  yield* rewrite(kind, file, text, /^buffer[^[\n]*\[([^\]\n]+)\]/gm, (found) => [`${found} - 1`, `(${found}) // 2`], text);
  yield* rewrite(kind, file, text, /(?<=<<<.*)(ceil_div\([^(),]+, [^(),]+\))(?=.*>>>)/g, (found) => [found.replace("ceil_div(", "max(1, ").replace(", ", ", (").replace(/max\(1, \((.*), (.*)\)$/, "max(1, $1 // ($2))")], text);
  yield* rewrite(kind, file, text, /, (\d+ \* \([^()]+\))>>>/g, (found) => [`${found} // 2`, "0"], text);
  yield* rewrite(kind, file, text, /(first \+ count|\(first \+ count\))\]/g, (found) => [`${found} - 1`, `${found} + 1`], text);
  yield* rewrite(kind, file, text, /range\(0, (\w+), \w+\)/g, (found) => [`${found} - 1`], text);
}

// ---- mistakes in references

function* notANumber(file, text) {
  const kind = "a reference that gives NaN";
  const stores = /^( *)((?:expected|magnitude|energy|counts|sums|absolutes|\w*(?:ref|mag|exp)\w*)(?:\[[^\n]*\])? = )([^;\n]+);/gm;
  for (const match of code(text).matchAll(stores)) {
    const at = match.index + match[1].length + match[2].length;
    if (!match[2].includes("[")) continue;
    yield change(kind, file, text, at, match[3].length, `(${match[3]}) * sqrt(-1.0)`);
    yield change(kind, file, text, at, match[3].length, `threadIdx.x == 0 ? sqrt(-1.0) : (double)(${match[3]})`);
    yield change(kind, file, text, at, match[3].length, `(${match[3]}) * exp(1e4)`);
    yield change(kind, file, text, match.index + match[1].length, match[2].length, `if (threadIdx.x != 0) ${match[2]}`);
  }
}

// ---- macros and conditions

function* macros(file, text, { configuration }) {
  const kind = "a macro overridden";
  for (const [name, value] of Object.entries(configuration)) {
    if (typeof value !== "number" || value < 2 || !new RegExp(`\\b${name}\\b`).test(code(text))) continue;
    const other = value / 2;
    const lines = (what, before, after = "") => ({ kind, file, line: 1, what: what.replaceAll("\n", "; "), text: `${before}\n${text}${after}` });
    yield lines(`#define ${name} ${other} first`, `#undef ${name}\n#define ${name} ${other}`);
    yield lines(`#define ${name} ${other} without #undef`, `#define ${name} ${other}`);
    yield lines(`${name} is ${other} for this file only`, `#pragma push_macro("${name}")\n#undef ${name}\n#define ${name} ${other}`, `\n#pragma pop_macro("${name}")\n`);
    yield lines(`#define ${name} ${other}, and back`, `#undef ${name}\n#define ${name} ${other}`, `\n#undef ${name}\n#define ${name} ${value}\n`);
    yield lines(`#undef ${name} after use`, `#undef ${name}\n#define ${name} ${other}`, `\n#undef ${name}\n`);
  }
}

function* conditions(file, text, { configuration }) {
  const kind = "a condition that says nothing";
  for (const [name, value] of Object.entries(configuration)) {
    if (typeof value !== "number") continue;
    for (const condition of [`"${name} <= ${value - 1}"`, `${value} > 0`, `not "${name}"`, `${name} < ${value} or ${value}`])
      yield { kind, file, line: 0, what: `where ${condition}`, text: `${text}where ${condition}\n` };
  }
}

// All mutations of a subject: { configuration, template, sources, references, space, text(file) }. Setups are left alone:
// other inputs are no mistake.
export function* mutations(subject) {
  const { template, sources, references, space, text } = subject;
  for (const source of sources)
    for (const rule of [...inArithmetic, barrier, sharedSize, signature, macros]) yield* rule(source, text(source), subject);
  for (const rule of [argument, poison, size]) yield* rule(template, text(template), subject);
  for (const reference of references) {
    yield* notANumber(reference, text(reference));
    // Magnitudes are left alone: they say what is tolerated, and nothing can tell that somebody meant less.
    for (const rule of inArithmetic)
      for (const mutation of rule(reference, text(reference)))
        if (!/absolute|magnitude/.test(mutation.what)) yield { ...mutation, kind: "a wrong reference" };
  }
  yield* conditions(space, text(space), subject);
  // The same slips in an included file, made after the kernel has a stored result. (The CPU device does not take `extern
  // __shared__` in an included file.)
  for (const source of sources.filter((file) => !text(file).includes("extern __shared__")))
    for (const rule of inArithmetic)
      for (const mutation of rule(source, text(source))) yield { ...mutation, kind: "a changed include", included: true };
}
