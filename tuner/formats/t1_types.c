/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_types.h"

#include "tuner/lang/type.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH_MOST = 16 };

static bool find_number(const char *name, size_t length, enum element *element)
{
    static const struct {
        const char *name;
        enum element element;
    } types[] = {
        {"bool", ELEMENT_UCHAR},    {"int8", ELEMENT_CHAR},   {"uint8", ELEMENT_UCHAR},   {"int16", ELEMENT_SHORT},
        {"uint16", ELEMENT_USHORT}, {"int32", ELEMENT_INT},   {"uint32", ELEMENT_UINT},   {"int64", ELEMENT_LONG},
        {"uint64", ELEMENT_ULONG},  {"float", ELEMENT_FLOAT}, {"double", ELEMENT_DOUBLE}, {"int", ELEMENT_INT},
        {"uint", ELEMENT_UINT},     {"half", ELEMENT_HALF},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strlen(types[i].name) == length && memcmp(name, types[i].name, length) == 0) {
            *element = types[i].element;
            return true;
        }
    }
    return false;
}

/* A vector that templates have, such as float4. `*found`: it is. False: out of memory. */
static bool find_vector(struct t1 *t1, const char *name, struct t1_argument *argument, bool *found,
                        struct error *error)
{
    const struct type *type = NULL;
    bool known = type_find(name, strlen(name), &t1->arena, &type);
    *found = type && type->kind == TYPE_VECTOR;
    if (*found) {
        argument->element = type->layout->leaves[0].element;
        argument->type = type->layout->name;
        argument->width = (unsigned)type->layout->leaf_count;
    }
    return !known || type || error_out_of_memory(error);
}

/* Others, such as float16, are so many numbers. */
static bool find_wide(const char *name, struct t1_argument *argument, unsigned *count)
{
    static const char *const numbers[] = {"float", "double", "half"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t length = strlen(numbers[i]);
        char *end;
        if (strncmp(name, numbers[i], length) != 0 || !isdigit((unsigned char)name[length]))
            continue;
        *count = (unsigned)strtoul(name + length, &end, 10);
        return !*end && *count >= 2 && *count <= WIDTH_MOST && find_number(name, length, &argument->element);
    }
    return false;
}

bool t1_type_find(struct t1 *t1, const char *name, struct t1_argument *argument, unsigned *count, bool *found,
                  struct error *error)
{
    *count = 1;
    argument->width = 1;
    *found = find_number(name, strlen(name), &argument->element);
    if (!*found) {
        if (!find_vector(t1, name, argument, found, error))
            return false;
        if (*found)
            return true;
        *found = find_wide(name, argument, count);
    }
    argument->type = element_types[argument->element].name;
    return true;
}

void t1_type_take(struct t1_argument *argument, const struct draft_type *type, unsigned *count)
{
    element_find(type->name, strlen(type->name), &argument->element);
    argument->type = type->width == argument->width ? type->whole : type->name;
    if (type->width != argument->width) {
        *count *= argument->width;
        argument->width = 1;
    }
    if (!type->floating && argument->high < argument->low + 2)
        argument->high = argument->low + 2;
}
