/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/type.h"
#include "tuner/lang/arena.h"

#include <stdio.h>
#include <string.h>

#define NUMBER(element, ...) [element] = {TYPE_NUMBER, &scalar_layouts[element], NULL, 0, false, 0},

static const struct type numbers[ELEMENT_COUNT] = {ELEMENTS(NUMBER)};

static const char *const components[] = {".x", ".y", ".z", ".w"};
static const char *const parts[] = {".re", ".im"};

enum { WIDEST = 4, VECTOR_ALIGNMENT = 16 };

static const struct vector {
    const char *name, *c_name;
    enum element element;
    size_t width;
    const char *const *paths;
} vectors[] = {
#define VECTORS(name, c_name, element)                                                                               \
    {name "2", c_name "2", element, 2, components}, {name "3", c_name "3", element, 3, components},                  \
    {                                                                                                                \
        name "4", c_name "4", element, 4, components                                                                 \
    }
    VECTORS("char", "char", ELEMENT_CHAR),
    VECTORS("uchar", "uchar", ELEMENT_UCHAR),
    VECTORS("short", "short", ELEMENT_SHORT),
    VECTORS("ushort", "ushort", ELEMENT_USHORT),
    VECTORS("int", "int", ELEMENT_INT),
    VECTORS("uint", "uint", ELEMENT_UINT),
    VECTORS("long", "longlong", ELEMENT_LONG),
    VECTORS("ulong", "ulonglong", ELEMENT_ULONG),
    VECTORS("float", "float", ELEMENT_FLOAT),
    VECTORS("double", "double", ELEMENT_DOUBLE),
    {"half2", "__half2", ELEMENT_HALF, 2, components},
    {"bfloat162", "__nv_bfloat162", ELEMENT_BFLOAT16, 2, components},
    {"complex", "float2", ELEMENT_FLOAT, 2, parts},
    {"complex_double", "double2", ELEMENT_DOUBLE, 2, parts},
};

enum { VECTOR_COUNT = sizeof vectors / sizeof *vectors };

/* What a vector type consists of, in one piece. */
struct vector_type {
    struct type type;
    struct layout layout;
    struct leaf leaves[WIDEST];
    struct field fields[WIDEST];
};

static const struct type *make_vector(const struct vector *vector, struct arena *arena)
{
    struct vector_type *made = arena_allocate(arena, sizeof *made);
    if (!made)
        return NULL;
    size_t size = element_types[vector->element].bytes, bytes = vector->width * size;
    size_t alignment = vector->width == 3 ? size : bytes < VECTOR_ALIGNMENT ? bytes : VECTOR_ALIGNMENT;
    for (size_t i = 0; i < vector->width; i++) {
        made->leaves[i] = (struct leaf){vector->element, (uint32_t)(i * size), vector->paths[i]};
        made->fields[i] = (struct field){vector->paths[i] + 1, &numbers[vector->element], 0, i * size, i};
    }
    made->layout = (struct layout){vector->name, vector->c_name, bytes, alignment, vector->width, made->leaves};
    made->type = (struct type){TYPE_VECTOR, &made->layout, made->fields, vector->width, false, 0};
    return &made->type;
}

size_t field_leaves(const struct field *field)
{
    return field->type->layout->leaf_count * (field->length ? field->length : 1);
}

bool type_find(const char *name, size_t length, struct arena *arena, const struct type **type)
{
    enum element element;
    if (element_find(name, length, &element)) {
        *type = &numbers[element];
        return true;
    }
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        if (strlen(vectors[i].name) == length && memcmp(vectors[i].name, name, length) == 0) {
            *type = make_vector(&vectors[i], arena);
            return true;
        }
    }
    return false;
}

const char *type_builtin_name(size_t i)
{
    if (i < ELEMENT_COUNT)
        return element_types[i].name;
    i -= ELEMENT_COUNT;
    return i < VECTOR_COUNT ? vectors[i].name : NULL;
}
