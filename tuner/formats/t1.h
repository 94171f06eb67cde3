/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1.h - T1, the input format of the auto-tuning community: one kernel, its parameters and constraints, its launch.
 *
 * The format is that of https://github.com/odgaard/TuningSchema (TuningSchema.json), as KTT and Kernel Tuner read it.
 * Where the two differ, and both descriptions are in a file, Kernel Tuner's counts: the blocks are ProblemSize over
 * GridDivX, GridDivY, GridDivZ; else they are GlobalSize, in blocks (CUDA) or threads (OpenCL).
 *
 * LocalSize may name block_size_x, block_size_y and block_size_z where there are no such parameters: they are then
 * 256, 1 and 1, as Kernel Tuner takes them.
 *
 * Of a kernel in a language that is not compiled here (OpenCL) the space is of use, and the template is made as far
 * as it can be: the kernel's source has to be written anew.
 *
 * T1 has no reference, and a template must have one. So the kernel with its default configuration is it: that tells
 * whether all configurations agree, not whether they are right, and the texts say so.
 */
#ifndef TUNE_FORMATS_T1_H
#define TUNE_FORMATS_T1_H

#include "tuner/space/problem.h"

struct json_t;

/* A T1 file as a template and its space. */
struct t1_import {
    char *name;        /* of the template and of the space: an identifier */
    char *template;    /* the text of NAME.template */
    char *space;       /* of NAME.space */
    char *reference;   /* of the file `reference_file`; NULL: the kernel has no outputs to compare */
    char *source;      /* to stand for the kernel's file where that is not at hand: it says what is missing */
    char *source_file; /* the name of the kernel's source beside the template */
    char *reference_file;
    char *kernel_file; /* the kernel's source as the T1 file names it */
    bool foreign;      /* which is in a language that is not compiled here */
    char *notes;       /* what could not be taken over as it is, a line each; "" if nothing */
};

/*
 * Make a template and a space of the text of a T1 file, which ends with a NUL that `length` does not count. Errors,
 * each with its place: no JSON, no T1, a member that is missing or of a wrong type, a value list or a condition that
 * is no expression, a name that the language reserves. Free with t1_import_clear, also after an error.
 */
bool t1_import(const char *path, const char *text, size_t length, struct t1_import *import, struct error *error);
void t1_import_clear(struct t1_import *import);

/* Is this the text of a T1 file, to all appearance? */
bool t1_is(const char *text, size_t length);

/*
 * The T1 document of a problem that has a space, a new reference. Lets, sizes and device fields are replaced by what
 * they stand for; constraints that read none of them stay as written. `*notes` is allocated: what T1 cannot tell,
 * a line each. Errors: a union of several spaces, a constraint or an extent that T1 cannot express.
 */
bool t1_export(const struct problem *problem, struct json_t **document, char **notes, struct error *error);

#endif
