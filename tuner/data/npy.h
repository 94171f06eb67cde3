/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npy.h - the header of NumPy's .npy files.
 *
 * "\x93NUMPY", the version (two bytes), the length of what follows (two bytes in version 1.0, four since 2.0, little-
 * endian), then a Python dictionary as text, padded with blanks and ended by a newline:
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 *
 * The elements begin right behind it. The format is that of numpy.lib.format; as there, the dictionary has these
 * three keys, each once and in any order. Only types of a plain scalar are read, not records (a list of fields) or
 * objects.
 */
#ifndef TUNE_DATA_NPY_H
#define TUNE_DATA_NPY_H

#include "tuner/error/error.h"

#include <stdint.h>

enum {
    NPY_RANK = 32,             /* dimensions, NumPy's own limit up to version 1 */
    NPY_HEADER_MOST = 1 << 16, /* bytes, all of it; NumPy writes 128 of them for a plain array */
};

struct npy {
    char order;     /* '<' little-endian, '>' big-endian, '|' where it does not matter */
    char kind;      /* 'f' float, 'i' integer, 'u' unsigned, 'b' bool, 'c' complex, 'V' bytes, 'O' object, ... */
    uint32_t bytes; /* of an element; 0 for 'O' */
    bool record;    /* the type is a list of fields: the members above are not set */
    bool fortran;   /* the first index varies fastest */
    size_t rank;    /* 0: a scalar, one element */
    uint64_t shape[NPY_RANK];
    uint64_t count;  /* elements */
    uint64_t offset; /* of the first element in the file */
};

/* Does the file begin as a .npy file does? `length` bytes of it are at hand. */
bool npy_is(const void *bytes, size_t length);

/*
 * Read the header; `bytes` are the first NPY_HEADER_MOST of the file, or all of a shorter one. ERROR_INPUT, worded to
 * follow "FILE ": "is no .npy file", "is cut off in its header" ...
 */
bool npy_read(const void *bytes, size_t length, struct npy *npy, struct error *error);

#endif
