/* SPDX-License-Identifier: Apache-2.0 */
/* What this header declares is there without it: the compilers of all devices know it. */
