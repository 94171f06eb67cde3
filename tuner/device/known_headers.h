/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known_headers.h - what is known of the headers that kernels include, by name; headers.h says what for.
 */
#ifndef TUNE_DEVICE_KNOWN_HEADERS_H
#define TUNE_DEVICE_KNOWN_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

enum header_kind {
    HEADER_OWN,     /* our text on every device */
    HEADER_CHOSEN,  /* our choice of the Toolkit's, on every device */
    HEADER_HOST,    /* refused on every device */
    HEADER_KNOWN,   /* the Toolkit's, whose declarations every compiler has built in as far as kernels need them */
    HEADER_WRITTEN, /* the Toolkit's, and our text on the CPU device */
    HEADER_TOOLKIT, /* the Toolkit's, refused on the CPU device */
};

struct known_header {
    const char *name; /* with a * at its end: what names begin with */
    enum header_kind kind;
    const char *text; /* or what to say of a refused one */
};

/* All of them. */
const struct known_header *known_headers(size_t *count);

/* NULL: unknown. */
const struct known_header *known_header_find(const char *name, size_t length);

/* Is the file, by the end of its path, one that we have written for the CPU device? */
bool known_header_is_file(const char *path);

#endif
