/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/element.h"

#include <string.h>

#define TYPE(element, ...) [element] = {__VA_ARGS__},

const struct element_type element_types[ELEMENT_COUNT] = {ELEMENTS(TYPE)};

bool element_find(const char *name, size_t length, enum element *element)
{
    for (int i = 0; i < ELEMENT_COUNT; i++) {
        if (strlen(element_types[i].name) == length && memcmp(element_types[i].name, name, length) == 0) {
            *element = (enum element)i;
            return true;
        }
    }
    return false;
}
