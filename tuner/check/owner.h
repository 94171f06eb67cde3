/* SPDX-License-Identifier: Apache-2.0 */
/*
 * owner.h - the variable or buffer that an out-of-bounds access was probably meant for.
 */
#ifndef TUNE_CHECK_OWNER_H
#define TUNE_CHECK_OWNER_H

#include "tuner/check/watched.h"

struct owner {
    char name[64];     /* "" if there is none */
    const char *space; /* "global memory", ...; NULL if there is none */
    int64_t offset;    /* of the address, from the first byte */
    uint64_t bytes;    /* of the variable or buffer */
};

/*
 * The nearest variable or buffer in the memory that holds `address`: a buffer, the block's dynamic shared memory, a
 * variable of the module, or a local array on the current stack. False if the address is in none of these.
 */
bool owner_find(const struct watched *watched, uintptr_t address, struct owner *owner);

/* "4 bytes past the end of x (global memory, 768 bytes)" */
void owner_text(const struct owner *owner, char *text, size_t size);

/* Look for a variable nearer than `best` in the description that AddressSanitizer keeps of a stack frame; `offset` is
 * the address in the frame. */
void owner_read_frame(const char *description, int64_t offset, struct owner *best);

#endif
