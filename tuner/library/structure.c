/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/structure.h"

#include <string.h>

bool structure_read(const void *theirs, void *ours, size_t size, size_t least)
{
    enum { BYTES_MOST = 1 << 16 }; /* more is no size */
    size_t bytes;
    memcpy(&bytes, theirs, sizeof bytes);
    if (bytes < least || bytes > BYTES_MOST)
        return false;
    memset(ours, 0, size);
    memcpy(ours, theirs, bytes < size ? bytes : size);
    for (size_t i = size; i < bytes; i++) {
        if (((const unsigned char *)theirs)[i])
            return false;
    }
    return true;
}

void structure_write(const void *ours, size_t size, void *theirs)
{
    size_t bytes;
    memcpy(&bytes, theirs, sizeof bytes);
    if (bytes > sizeof bytes)
        memcpy((unsigned char *)theirs + sizeof bytes, (const unsigned char *)ours + sizeof bytes,
               (bytes < size ? bytes : size) - sizeof bytes);
}
