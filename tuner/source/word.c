/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/word.h"

#include <ctype.h>

const char *word_next(const char **at, const char *end, size_t *length)
{
    while (*at < end && !word_has(**at))
        ++*at;
    const char *word = *at;
    while (*at < end && word_has(**at))
        ++*at;
    *length = (size_t)(*at - word);
    return *length > 0 ? word : NULL;
}

bool word_is_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return *text == '\0';
}
