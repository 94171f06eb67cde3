/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_import.h - T1, the input format of the auto-tuning community: a kernel with its parameters, constraints and
 * launch, imported as a template and a space.
 *
 * The format is https://github.com/odgaard/TuningSchema (TuningSchema.json), read as KTT and Kernel Tuner read it.
 * Where the two differ and a file has both descriptions, Kernel Tuner's counts (t1_launch.h).
 *
 * A kernel in a language that tune does not compile (OpenCL) is imported for its space; the template is completed as
 * far as possible, and the kernel has to be rewritten.
 *
 * A template needs a reference. Where T1 names a file of expected values, that is it; else the kernel in its default
 * configuration takes that role, which shows that all configurations agree, not that they are right. The generated
 * texts say so. Where the kernel's source is at hand, it is asked for what T1 does not say: names and types of
 * parameters, what is only read, which of Kernel Tuner's macros it needs.
 */
#ifndef TUNE_FORMATS_T1_IMPORT_H
#define TUNE_FORMATS_T1_IMPORT_H

#include "tuner/error/error.h"
#include "tuner/formats/kernel_files.h"

/* A file to be copied beside the template. */
struct t1_data {
    char *from, *name;
};

/* A T1 file as a template and its space. */
struct t1_import {
    char *name;        /* of the template and the space: an identifier */
    char *template;    /* the text of NAME.template */
    char *space;       /* the text of NAME.space */
    char *reference;   /* the text of `reference_file`; NULL: no expected values are computed */
    char *source;      /* a placeholder for the kernel's source, which says what is missing */
    char *source_file; /* the kernel's source beside the template */
    char *reference_file;
    char *kernel_file; /* the kernel's source as named in the T1 file */
    bool foreign;      /* the kernel's language is not compiled by tune */
    char *kernel;      /* the kernel's source, if it was found */
    size_t kernel_length;
    struct kernel_files headers; /* that it includes */
    struct t1_data *data;
    size_t data_count;
    bool compares_itself; /* the reference is the kernel in its default configuration */
    char *origin;         /* what the template says it was imported from; NULL: the T1 file */
    char *notes;          /* what was lost or assumed, one line each; "" if nothing */
};

struct t1_import_setting {
    bool reads;         /* look for the kernel and for data beside the T1 file (t1_beside.h) */
    const char *origin; /* NULL: the T1 file */
};

/*
 * Import the text of a T1 file, which ends with a NUL that `length` does not count. Errors, each with its place:
 * invalid JSON or T1, a missing member or one of the wrong type, a value list or condition that is not an expression,
 * a reserved name. Free with t1_import_clear, also after an error.
 */
bool t1_import(const char *path, const char *text, size_t length, const struct t1_import_setting *setting,
               struct t1_import *import, struct error *error);
void t1_import_clear(struct t1_import *import);

/* Does the text look like a T1 file? */
bool t1_is(const char *text, size_t length);

#endif
