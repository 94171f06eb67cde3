/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type.h - the types of buffers and arguments as templates write them: numbers, vectors, complex numbers, and structs
 * with fields of any of these.
 *
 * Sizes and alignments are CUDA's: a vector of two or four is aligned to its size, but to 16 bytes at most, one of
 * three to its component's size; structs are laid out as in C++.
 */
#ifndef TUNE_LANG_TYPE_H
#define TUNE_LANG_TYPE_H

#include "tuner/lang/layout.h"

struct arena;

enum type_kind {
    TYPE_NUMBER,
    TYPE_VECTOR, /* fields x, y, z, w; of a complex number re, im */
    TYPE_STRUCT,
    TYPE_POINTER, /* 8 bytes without a leaf; in arguments only */
};

struct type {
    enum type_kind kind;
    const struct layout *layout;
    const struct field *fields; /* of vectors and structs */
    size_t field_count;
    bool has_pointer; /* it is one, or a field is or has one */
    unsigned depth;   /* of structs in it */
};

struct field {
    const char *name;
    const struct type *type; /* of an array: that of its elements */
    size_t length;           /* of an array; 0: it is none */
    size_t offset;           /* bytes */
    size_t first;            /* leaf */
};

/* How many leaves a field has. */
size_t field_leaves(const struct field *field);

/*
 * The built-in type of this name: of static storage if it is a number, else in the arena. False: there is none. True,
 * with `*type` NULL: out of memory.
 */
bool type_find(const char *name, size_t length, struct arena *arena, const struct type **type);

/* Names of built-in types, numbers first, for hints: the i-th; NULL past the last. */
enum { TYPES_MOST = 64 };
const char *type_builtin_name(size_t i);

#endif
