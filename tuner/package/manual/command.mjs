// SPDX-License-Identifier: Apache-2.0
// tune.1, the program: from what it says itself with --help, and what is the same for all commands (command.md).
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { bold, heading, literal, markdown, page, paragraph } from "./roff.mjs";

// argp breaks lines where it is told to: not at all.
function help(program, ...args) {
  const env = { ...process.env, ARGP_HELP_FMT: "rmargin=9999" };
  const done = spawnSync(program, [...args, "--help"], { encoding: "utf8", env });
  if (done.status !== 0) throw done.error ?? new Error(`${program} ${args.join(" ")} --help: ${done.stderr}`);
  return done.stdout;
}

// "tune best [TEMPLATE]" and what it does, in two lines each; the first is a sweep.
function commandsOf(usage) {
  const found = [...usage.matchAll(/^(?:usage:| {6}) (tune (\S*).*)\n {11}(.*)$/gm)];
  if (found.length < 2) throw new Error("tune --help lists no commands");
  return found.map(([, synopsis, word, meaning]) => ({ synopsis, meaning, name: /^[a-z]/.test(word) ? word : "" }));
}

// The options of a command: "  -b, --budget=N|TIME        stop after ...", whose meaning may begin a line of its own.
function optionsOf(text) {
  const found = [...text.matchAll(/^ {2}(-\w, | {4})(--\S+)\s+(.*\S)\s*$/gm)];
  return found.map(([, letter, name, meaning]) => ({ letter: letter.trim(), name, meaning }));
}

const everywhere = /^--(help|usage)$/;

// Every option once, with the commands that take it.
function allOptions(program, commands) {
  const all = new Map();
  for (const command of commands) {
    command.options = optionsOf(help(program, command.name || "gemm")).filter(({ name }) => !everywhere.test(name));
    for (const option of command.options) {
      const known = all.get(option.name) ?? { ...option, commands: [] };
      if (known.meaning !== option.meaning) throw new Error(`${option.name} means different things`);
      known.commands.push(command.name || "sweeps");
      all.set(option.name, known);
    }
  }
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const italic = (text) => `\\fI${literal(text)}\\fP`;

// "--size=NAME=N,...": the name in bold, its argument in italics.
function written(name) {
  const [, option, rest] = name.match(/^(--[\w-]+)(.*)$/);
  return bold(option) + (rest ? italic(rest) : "");
}

const style = (word) => (/^(-.*|[a-z]+)$/.test(word) ? bold : italic)(word);
const styled = (synopsis) => synopsis.split(" ").map(style).join(" ");

function writeCommand({ synopsis, meaning, options }) {
  const names = options.map(({ name }) => bold(name.replace(/[[=].*/, ""))).join(", ");
  return [".TP", styled(synopsis), paragraph(meaning), ...(names ? [".br", `Options: ${names}`] : [])];
}

function writeOption({ letter, name, meaning, commands }) {
  const names = (letter ? `${bold(letter.replace(",", ""))}, ` : "") + written(name);
  return [".TP", names, paragraph(meaning), ".br", `For ${commands.map(literal).join(", ")}`];
}

const about = `\`tune\` finds the fastest configuration of a CUDA kernel on the GPU at hand, and remembers it. A kernel
template is plain CUDA C++ with tunable parameters; a search space is a text file, see **tune**(5). Each configuration
is compiled at run time, validated on the device, timed and stored. Programs load what was found with **tune**(3).`;

export function commandPage(program, version) {
  const usage = help(program), commands = commandsOf(usage), options = allOptions(program, commands);
  const notes = usage.trimEnd().split("\n").filter((line) => /^\S/.test(line) && !line.startsWith("usage:"));
  const body = [
    heading(2, "Synopsis"), styled(commands[0].synopsis), ".br", styled("tune COMMAND [OPTION...] [ARGUMENT...]"),
    heading(2, "Description"), paragraph(about), ...notes.flatMap((note) => [".PP", paragraph(note)]),
    heading(2, "Commands"), ...commands.flatMap(writeCommand),
    heading(2, "Options"), ...options.flatMap(writeOption),
    ".TP", ["-?", "--help", "--usage"].map(bold).join(", "), "Of every command: list its options.",
    ".TP", bold("--version"), "Without a command: print the version.",
    ...markdown(readFileSync(new URL("command.md", import.meta.url), "utf8")),
    heading(2, "See also"), "\\fBtune\\fP(3), \\fBtune\\fP(5)",
  ];
  const title = "tune \\- find the fastest configuration of a CUDA kernel";
  return page({ name: "TUNE", section: 1, version, title, body });
}
