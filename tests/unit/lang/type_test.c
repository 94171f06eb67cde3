/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/arena.h"
#include "tuner/lang/type.h"

#include <string.h>

/* CUDA's sizes and alignments: CUDA C++ Programming Guide, "Alignment Requirements in Device Code". */
static const struct {
    const char *name;
    size_t bytes, alignment;
} published[] = {
    {"char2", 2, 2},    {"char3", 3, 1},
    {"char4", 4, 4},    {"uchar2", 2, 2},
    {"uchar3", 3, 1},   {"uchar4", 4, 4},
    {"short2", 4, 4},   {"short3", 6, 2},
    {"short4", 8, 8},   {"ushort2", 4, 4},
    {"ushort3", 6, 2},  {"ushort4", 8, 8},
    {"int2", 8, 8},     {"int3", 12, 4},
    {"int4", 16, 16},   {"uint2", 8, 8},
    {"uint3", 12, 4},   {"uint4", 16, 16},
    {"long2", 16, 16},  {"long3", 24, 8},
    {"long4", 32, 16},  {"ulong2", 16, 16},
    {"ulong3", 24, 8},  {"ulong4", 32, 16},
    {"float2", 8, 8},   {"float3", 12, 4},
    {"float4", 16, 16}, {"double2", 16, 16},
    {"double3", 24, 8}, {"double4", 32, 16},
    {"half2", 4, 4},    {"bfloat162", 4, 4},
    {"complex", 8, 8},  {"complex_double", 16, 16},
};

static void vectors_are_laid_out_as_published(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t count = 0;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct type *type;
        assert_true(type_find(published[i].name, strlen(published[i].name), &arena, &type));
        assert_int_equal(type->kind, TYPE_VECTOR);
        assert_string_equal(type->layout->name, published[i].name);
        assert_int_equal(type->layout->bytes, published[i].bytes);
        assert_int_equal(type->layout->alignment, published[i].alignment);
        assert_true(layout_is_sound(type->layout) && layout_is_array(type->layout));
        assert_int_equal(type->field_count, type->layout->leaf_count);
        for (size_t f = 0; f < type->field_count; f++) {
            const struct field *field = &type->fields[f];
            assert_string_equal(field->name, type->layout->leaves[f].path + 1);
            assert_true(field->first == f && field->offset == type->layout->leaves[f].offset);
            assert_true(field->type->kind == TYPE_NUMBER && field_leaves(field) == 1);
        }
        count++;
    }
    assert_null(type_builtin_name(ELEMENT_COUNT + count));
    assert_string_equal(type_builtin_name(ELEMENT_FLOAT), "float");
    assert_non_null(type_builtin_name(ELEMENT_COUNT + count - 1));
    arena_free(&arena);
}

static void components_have_names(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct type *type;
    assert_true(type_find("double4", 7, &arena, &type));
    assert_string_equal(type->fields[3].name, "w");
    assert_true(type_find("complex", 7, &arena, &type));
    assert_string_equal(type->fields[1].name, "im");
    assert_string_equal(type->layout->c_name, "float2");
    assert_true(type_find("ulong2", 6, &arena, &type));
    assert_string_equal(type->layout->c_name, "ulonglong2");
    assert_true(type_find("half", 4, &arena, &type));
    assert_true(type->kind == TYPE_NUMBER && type->layout == &scalar_layouts[ELEMENT_HALF]);
    static const char *const others[] = {"float5", "float1", "half3", "half4", "complex2", "float", "dim3", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bool number = strcmp(others[i], "float") == 0;
        assert_int_equal(type_find(others[i], strlen(others[i]), &arena, &type), number);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectors_are_laid_out_as_published),
                                       cmocka_unit_test(components_have_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
