/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_scan.h - the __global__ functions of a CUDA source: their names, template parameters and parameters, and how
 * each body uses its pointers.
 *
 * Found by their tokens, without a preprocessor: both branches of an #if count, and a signature that macros make is
 * not seen. A kernel that is declared and defined is told once, with its definition; one of several overloads, and
 * one in a class, are told like any other. What the scan says are good guesses for a first template, not facts.
 */
#ifndef TUNE_SOURCE_KERNEL_SCAN_H
#define TUNE_SOURCE_KERNEL_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum { KERNEL_NAME_MOST = 127, KERNEL_TYPE_MOST = 127, KERNEL_PARAMETERS_MOST = 256 };

enum kernel_access {
    KERNEL_UNUSED,     /* the body never names it */
    KERNEL_READS,      /* const, or never assigned through */
    KERNEL_WRITES,     /* only assigned through */
    KERNEL_READ_WRITE, /* anything else: it adds to it, passes it on, or there is no body */
};

struct kernel_parameter {
    char type[KERNEL_TYPE_MOST + 1]; /* of what a pointer points to: words between single spaces, without const and
                                        the like: "unsigned int"; "" if it is too long */
    char name[KERNEL_NAME_MOST + 1]; /* "" if it has none, or is too long */
    unsigned pointers;               /* asterisks, and brackets: float *x and float x[] have one */
    bool constant;                   /* of a pointer: what it points to; else the parameter */
    bool reference;
    enum kernel_access access; /* of a pointer */
};

struct kernel_template_parameter {
    char kind[KERNEL_TYPE_MOST + 1]; /* "int", "typename", "bool" ... */
    char name[KERNEL_NAME_MOST + 1];
    char value[KERNEL_TYPE_MOST + 1]; /* its default; "": none */
};

struct kernel_signature {
    char name[KERNEL_NAME_MOST + 1]; /* as a launch writes it: space::kernel in a namespace */
    unsigned line;                   /* of __global__ */
    size_t start, end;               /* in bytes: from __global__ to behind the body or the semicolon */
    bool defined;                    /* it has a body */
    unsigned dimensions;             /* of threads or blocks that the body asks for: 1 to 3 */
    struct kernel_template_parameter *generic;
    size_t generic_count;
    struct kernel_parameter *parameters;
    size_t parameter_count;
};

struct kernel_scan {
    struct kernel_signature *kernels; /* in their order */
    size_t count;
};

/* The kernels of `length` bytes. Clear them with kernel_scan_clear, also after a failure. False: out of memory. */
bool kernel_scan(const char *text, size_t length, struct kernel_scan *scan);
void kernel_scan_clear(struct kernel_scan *scan);

#endif
