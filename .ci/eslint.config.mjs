// SPDX-License-Identifier: Apache-2.0
// The linter's rules for all JavaScript; paths are relative to the folder that it runs in. Run it with .ci/lint.
import js from "@eslint/js";

const readonly = (...names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

const rules = {
  "eqeqeq": "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
  "no-use-before-define": ["error", { functions: false }],
  "no-var": "error",
  "prefer-const": "error",
};

// What ships is held to more: short functions in short files.
const shipped = {
  "complexity": ["error", 16],
  "max-len": ["error", 125],
  "max-lines": ["error", 220],
  "max-lines-per-function": ["error", { max: 45, skipComments: true }],
  "no-shadow": "error",
};

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    files: ["reports/scripts/**/*.js"],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "module",
      globals: readonly("addEventListener", "document", "echarts", "getComputedStyle", "matchMedia"),
    },
    rules: { ...rules, ...shipped },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      ecmaVersion: 2023,
      sourceType: "module",
      globals: readonly("clearInterval", "console", "process", "setInterval", "setTimeout", "URL", "Buffer"),
    },
    rules,
  },
  { files: ["tuner/**/*.mjs"], rules: shipped },
  { files: ["tuner/package/manual/roff.mjs"], rules: { "no-control-regex": "off" } }, // which tells what is ASCII
  {
    files: ["tests/program/terminal.test.mjs"], // which looks for escape sequences
    rules: { "no-control-regex": "off" },
  },
  {
    files: ["tests/browser/*.mjs"], // what it sends into the page
    languageOptions: { globals: readonly("document", "getComputedStyle", "innerWidth", "window") },
  },
];
