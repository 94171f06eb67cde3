// SPDX-License-Identifier: Apache-2.0
// Mutants that change nothing anybody could observe, each with the reason.
export const harmless = [
];
