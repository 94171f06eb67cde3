/* SPDX-License-Identifier: Apache-2.0 */
/* Images of the CUDA device that are whole, truncated and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/image.h"

#include <stdlib.h>
#include <string.h>

static const struct image_name names[] = {{"f", "_Z1fv"}, {"&table", "table"}, {"a<b>", ""}};

static void test_image(void **state)
{
    (void)state;
    struct image_view view;
    struct error error = {0};
    void *cubin;
    size_t bytes;
    char *image = image_create(names, 3, 5, &cubin, &bytes);
    assert_non_null(image);
    memcpy(cubin, "cubin", 5);
    assert_true(image_view(image, bytes, &view, &error));
    assert_int_equal(view.name_count, 3);
    assert_int_equal(view.cubin_bytes, 5);
    assert_memory_equal(view.cubin, "cubin", 5);
    assert_int_equal(((const char *)view.cubin - image) % 16, 0);
    assert_string_equal(image_lowered(&view, "f"), "_Z1fv");
    assert_string_equal(image_lowered(&view, "&table"), "table");
    assert_string_equal(image_lowered(&view, "a<b>"), "");
    assert_null(image_lowered(&view, "_Z1fv"));
    free(image);
}

static void test_damaged_image(void **state)
{
    (void)state;
    struct image_view view;
    struct error error = {0};
    void *cubin;
    size_t bytes;
    char *image = image_create(names, 3, 1, &cubin, &bytes);
    assert_non_null(image);
    for (size_t size = 0; size < bytes; size++) {
        char *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, image, size);
        assert_false(image_view(copy, size, &view, &error));
        assert_true(strlen(error.text) > 0);
        free(copy);
    }
    for (size_t i = 0; i < bytes; i++) {
        for (int value = 0; value < 256; value += 17) {
            char before = image[i];
            image[i] = (char)value;
            if (image_view(image, bytes, &view, &error))
                image_lowered(&view, "absent");
            image[i] = before;
        }
    }
    image[8] = 100; /* more names than there are */
    assert_false(image_view(image, bytes, &view, &error));
    assert_non_null(strstr(error.text, "table of names"));
    free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_image),
        cmocka_unit_test(test_damaged_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
