/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture.h - the calls of a program, as captured while it ran.
 *
 * A capture is a text of lines, each a JSON object that is complete in itself, so that a program can add a line by
 * one write and several may share a file:
 *
 *     {"tune_capture":1,"template":"gemm","template_hash":"b21c2e3857997283","device":"NVIDIA H100 80GB HBM3",
 *      "size":{"M":4096,"N":64,"K":512},"scalars":{"alpha":2.5},"data":"","count":17}
 *
 * (in one line). Members:
 *     tune_capture    1, the version of the format; must be there
 *     template        the kernel's name; must be there
 *     size            an object of whole numbers by the names of sizes; must be there. A size that it lacks has the
 *                     template's default
 *     count           how often it was called with these sizes, 1 to 10^15; 1 if it is missing
 *     template_hash   the template that was called, as in the database
 *     device          the device's name
 *     scalars         an object of numbers: what else was passed
 *     data            the identity of the data files, as in the database
 *     inputs          an object of paths by the names of buffers: files with what these held at the first call. Of
 *                     several lines with the same sizes, the first that has any counts
 * Others may follow; those that are not named here are ignored. Several lines may have the same sizes: their counts
 * add up. Empty lines mean nothing. If the last line has no newline and is no JSON, its writer was stopped in the
 * middle, and it is left out.
 *
 * To tune for, template, size, count and inputs matter: whatever else a call was made with, and whatever the kernel
 * looked like then, a sweep tunes the template of today on the device at hand.
 */
#ifndef TUNE_DISPATCH_CAPTURE_H
#define TUNE_DISPATCH_CAPTURE_H

#include "tuner/dispatch/size_builder.h"

enum { CAPTURE_VERSION = 1 };

/* Is a text a capture? Its first line that is not blank begins with a brace. */
bool capture_is(const char *text, size_t length);

/*
 * Add the sizes of the template's calls, their counts as weights, to a set that is being built. `text` has a NUL
 * behind it. `*cut_short`: the last line was left out. ERROR_INPUT, with its place: a line that is damaged or of
 * another version, sizes that the template does not have or refuses, no call of the template.
 */
bool capture_read(const char *file, const char *text, size_t length, struct size_builder *builder, bool *cut_short,
                  struct error *error);

#endif
