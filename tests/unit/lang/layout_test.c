/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/layout.h"

#include <stdlib.h>
#include <string.h>

/* struct { float x; short a, b; char c; double d; } */
static const struct leaf mixed_leaves[] = {{ELEMENT_FLOAT, 0, ".x"},
                                           {ELEMENT_SHORT, 4, ".a"},
                                           {ELEMENT_SHORT, 6, ".b"},
                                           {ELEMENT_CHAR, 8, ".c"},
                                           {ELEMENT_DOUBLE, 16, ".d"}};
static const struct layout mixed = {"mixed", "mixed", 24, 8, 5, mixed_leaves};
static const struct leaf pair_leaves[] = {{ELEMENT_FLOAT, 0, ".x"}, {ELEMENT_FLOAT, 4, ".y"}};
static const struct layout pair = {"float2", "float2", 8, 8, 2, pair_leaves};

static void scalars_are_elements(void **state)
{
    (void)state;
    for (int i = 0; i < ELEMENT_COUNT; i++) {
        const struct layout *layout = &scalar_layouts[i];
        assert_string_equal(layout->name, element_types[i].name);
        assert_string_equal(layout->c_name, element_types[i].c_name);
        assert_true(layout->bytes == element_types[i].bytes && layout->alignment == layout->bytes);
        assert_true(layout_is_scalar(layout) && layout_is_array(layout) && layout_is_sound(layout));
        assert_int_equal(layout->leaves[0].element, i);
        assert_int_equal(layout_has_floats(layout, 0, 1), element_types[i].floating);
    }
    assert_false(layout_is_scalar(&pair));
}

static void expect_run(size_t first, size_t end, enum element element, size_t offset, size_t count)
{
    struct leaf_run run = layout_run(&mixed, first, end);
    assert_true(run.element == element && run.offset == offset && run.first == first && run.count == count);
}

static void runs_end_at_other_types_and_padding(void **state)
{
    (void)state;
    expect_run(0, 5, ELEMENT_FLOAT, 0, 1);
    expect_run(1, 5, ELEMENT_SHORT, 4, 2);
    expect_run(1, 2, ELEMENT_SHORT, 4, 1);
    expect_run(2, 5, ELEMENT_SHORT, 6, 1);
    expect_run(4, 5, ELEMENT_DOUBLE, 16, 1);
    const struct leaf apart[] = {{ELEMENT_CHAR, 0, ".a"}, {ELEMENT_CHAR, 2, ".b"}};
    const struct layout padded = {"padded", "padded", 4, 2, 2, apart};
    assert_int_equal(layout_run(&padded, 0, 2).count, 1);
    assert_true(layout_is_array(&pair) && !layout_is_array(&mixed) && !layout_is_array(&padded));
    assert_true(layout_has_floats(&mixed, 0, 5) && !layout_has_floats(&mixed, 1, 4));
}

static void numbers_are_called_by_their_paths(void **state)
{
    (void)state;
    char text[32];
    layout_number_text(&mixed, "m", 13, text, sizeof text);
    assert_string_equal(text, "m[2].c");
    layout_number_text(&scalar_layouts[ELEMENT_INT], "y", 13, text, sizeof text);
    assert_string_equal(text, "y[13]");
}

static void copies_are_equal(void **state)
{
    (void)state;
    struct layout *copy = layout_copy(&mixed);
    assert_non_null(copy);
    assert_true(layout_equal(copy, &mixed) && copy->leaves != mixed.leaves);
    assert_string_equal(copy->leaves[4].path, ".d");
    assert_false(layout_equal(copy, &pair));
    struct layout other = *copy;
    other.name = "other";
    assert_false(layout_equal(&other, copy));
    free(copy);
}

static void unsound_layouts_are_told(void **state)
{
    (void)state;
    assert_true(layout_is_sound(&mixed) && layout_is_sound(&pair));
#define UNSOUND(...)                                                                                                 \
    do {                                                                                                             \
        struct leaf leaves[5];                                                                                       \
        memcpy(leaves, mixed_leaves, sizeof leaves);                                                                 \
        struct layout layout = mixed;                                                                                \
        layout.leaves = leaves;                                                                                      \
        __VA_ARGS__;                                                                                                 \
        assert_false(layout_is_sound(&layout));                                                                      \
    } while (0)
    UNSOUND(layout.bytes = 0);
    UNSOUND(layout.bytes = 20);
    UNSOUND(layout.bytes = 16);
    UNSOUND(layout.bytes = 2 * LAYOUT_BYTES_LIMIT);
    UNSOUND(layout.alignment = 0);
    UNSOUND(layout.alignment = 3);
    UNSOUND(layout.alignment = 4);
    UNSOUND(layout.alignment = 256; layout.bytes = 256);
    UNSOUND(layout.leaf_count = 0);
    UNSOUND(leaves[4].offset = 20);
    UNSOUND(leaves[4].offset = UINT32_MAX - 7);
    UNSOUND(leaves[1].offset = 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_are_elements),
        cmocka_unit_test(runs_end_at_other_types_and_padding),
        cmocka_unit_test(numbers_are_called_by_their_paths),
        cmocka_unit_test(copies_are_equal),
        cmocka_unit_test(unsound_layouts_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
