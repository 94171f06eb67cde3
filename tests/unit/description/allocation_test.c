/* SPDX-License-Identifier: Apache-2.0 */
/* Writing and reading a description with each allocation failing in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/failing_allocator.h"
#include "tuner/description/description.h"

#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/tune-description-XXXXXX";

/* A name that is not UTF-8 takes another way to JSON. */
static const struct device_description written = {.kind = "cuda", .name = "GPU \xe9", .architecture = "sm_90"};

static bool write_description(struct error *error)
{
    return device_description_write(path, &written, error);
}

static bool read_description(struct error *error)
{
    struct device_description description;
    return device_description_read(path, &description, error) && strcmp(description.name, "GPU \xef\xbf\xbd") == 0;
}

static size_t fail_each(bool (*scenario)(struct error *error))
{
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        struct error error = {0};
        failing_allocator_begin(n);
        bool done = scenario(&error);
        failed = failing_allocator_end();
        if (!done && (!failed || error.code != ERROR_OUT_OF_MEMORY))
            fail_msg("allocation %zu: code %d: %s", n, (int)error.code, error.text);
        if (done && !read_description(&error))
            fail_msg("allocation %zu: what was written cannot be read: %s", n, error.text);
    }
    return n - 1;
}

static void test_writing(void **state)
{
    (void)state;
    failing_allocator_take_jansson();
    assert_true(fail_each(write_description) > 50);
}

/* Without jansson's: its reader drops a character where it fails to grow a buffer, and says nothing. */
static void test_reading(void **state)
{
    (void)state;
    json_set_alloc_funcs(__real_malloc, free);
    assert_true(fail_each(read_description) > 1);
}

static int set_up(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_writing), cmocka_unit_test(test_reading)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
