/* SPDX-License-Identifier: Apache-2.0 */
/* Two images in one block come apart as they were, and nothing else comes apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/images.h"

#include <stdlib.h>
#include <string.h>

static void what_was_joined_comes_apart(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"first", "second one"}, {"", "x"}, {"x", ""}, {"", ""}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t bytes, part_bytes;
        void *images = images_join(pairs[i][0], strlen(pairs[i][0]), pairs[i][1], strlen(pairs[i][1]), &bytes);
        assert_non_null(images);
        assert_int_equal(bytes, 8 + strlen(pairs[i][0]) + strlen(pairs[i][1]));
        for (size_t k = 0; k < 2; k++) {
            const void *part;
            assert_true(images_part(images, bytes, k == 1, &part, &part_bytes));
            assert_int_equal(part_bytes, strlen(pairs[i][k]));
            assert_memory_equal(part, pairs[i][k], part_bytes);
        }
        free(images);
    }
}

static void anything_else_is_refused(void **state)
{
    (void)state;
    const void *part;
    size_t bytes, part_bytes;
    char *images = images_join("abc", 3, "de", 2, &bytes);
    assert_false(images_part(NULL, 0, false, &part, &part_bytes));
    assert_false(images_part(images, 7, false, &part, &part_bytes));
    assert_false(images_part(images, 10, false, &part, &part_bytes)); /* two of three bytes */
    assert_true(images_part(images, 11, true, &part, &part_bytes));
    assert_int_equal(part_bytes, 0);
    memset(images, 0xff, 8);
    assert_false(images_part(images, bytes, true, &part, &part_bytes));
    free(images);
    assert_null(images_join("a", SIZE_MAX, "b", 1, &bytes));
    assert_null(images_join("a", SIZE_MAX - 8, "b", 1, &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_joined_comes_apart),
        cmocka_unit_test(anything_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
