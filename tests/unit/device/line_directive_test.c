/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/line_directive.h"

#include <stdlib.h>

static void expect(unsigned line, const char *path, const char *wanted)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    line_directive(stream, line, path);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_quoting(void **state)
{
    (void)state;
    expect(1, "k.cu", "#line 1 \"k.cu\"\n");
    expect(4294967295, "a b/\xc3\xa4.cu", "#line 4294967295 \"a b/\xc3\xa4.cu\"\n");
    expect(7, "\"\\\n\x01", "#line 7 \"\\\"\\\\??\"\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quoting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
