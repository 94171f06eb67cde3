/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/element.h"

#include <string.h>

const struct element_type element_types[ELEMENT_COUNT] = {
    [ELEMENT_CHAR] = {"char", "signed char", 1, false, true},
    [ELEMENT_UCHAR] = {"uchar", "unsigned char", 1, false, false},
    [ELEMENT_SHORT] = {"short", "short", 2, false, true},
    [ELEMENT_USHORT] = {"ushort", "unsigned short", 2, false, false},
    [ELEMENT_INT] = {"int", "int", 4, false, true},
    [ELEMENT_UINT] = {"uint", "unsigned int", 4, false, false},
    [ELEMENT_LONG] = {"long", "long long", 8, false, true},
    [ELEMENT_ULONG] = {"ulong", "unsigned long long", 8, false, false},
    [ELEMENT_FLOAT] = {"float", "float", 4, true, true},
    [ELEMENT_DOUBLE] = {"double", "double", 8, true, true},
};

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
