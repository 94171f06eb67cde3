/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tuner/cluster/hand_image.h"

#include <stdlib.h>
#include <string.h>

static void test_an_image_is_appended_and_reads_back(void **state)
{
    (void)state;
    enum { BEFORE = 3 };
    char image[5000];
    void *bytes = strdup("abc"), *back = NULL;
    size_t count = BEFORE, back_bytes = 0;
    struct error error = {0};
    memset(image, 'x', sizeof image);
    assert_success(hand_image_append(image, sizeof image, &bytes, &count, &error), &error);
    assert_memory_equal(bytes, "abc", BEFORE);
    assert_in_range(count, BEFORE + 1, sizeof image / 10);
    assert_success(hand_image_unpack((char *)bytes + BEFORE, count - BEFORE, &back, &back_bytes, &error), &error);
    assert_int_equal(back_bytes, sizeof image);
    assert_memory_equal(back, image, sizeof image);
    free(back);
    free(bytes);
}

static void test_no_image_takes_no_bytes(void **state)
{
    (void)state;
    void *bytes = NULL, *back = &back;
    size_t count = 0, back_bytes = 1;
    assert_true(hand_image_append(NULL, 0, &bytes, &count, NULL));
    assert_true(!bytes && count == 0);
    assert_true(hand_image_unpack(NULL, 0, &back, &back_bytes, NULL));
    assert_true(!back && back_bytes == 0);
}

static bool unpack(const void *bytes, size_t count, struct error *error)
{
    void *image;
    size_t size;
    bool read = hand_image_unpack(bytes, count, &image, &size, error);
    free(image);
    return read;
}

static void test_a_damaged_image_is_refused(void **state)
{
    (void)state;
    char noise[] = "this is not compressed";
    /* a frame that promises a terabyte, and one of 4 bytes that has none */
    unsigned char large[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0};
    unsigned char cut[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 4};
    struct error error = {0};
    assert_false(unpack(noise, sizeof noise, &error));
    assert_mentions(error.text, "length");
    assert_false(unpack(large, sizeof large, &error));
    assert_mentions(error.text, "length");
    assert_false(unpack(cut, sizeof cut, &error));
    assert_mentions(error.text, "damaged");
    assert_int_equal(error.code, ERROR_MESSAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_image_is_appended_and_reads_back),
        cmocka_unit_test(test_no_image_takes_no_bytes),
        cmocka_unit_test(test_a_damaged_image_is_refused),
    };
    return cmocka_run_group_tests_name("hand_image", tests, NULL, NULL);
}
