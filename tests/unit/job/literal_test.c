/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/error/text_stream.h"
#include "tuner/job/literal.h"

#include <stdlib.h>

/* By C17, 6.4.4.1 and 6.4.4.2: constants have no sign, and -2^63 no constant at all. */
static void numbers_are_what_c_reads(void **state)
{
    (void)state;
    const struct {
        struct value value;
        const char *text;
    } cases[] = {
        {value_integer(0), "0"},
        {value_integer(64), "64"},
        {value_integer(-1), "(-1)"},
        {value_integer(INT32_MAX), "2147483647"},
        {value_integer(INT32_MIN), "(-2147483648LL)"},
        {value_integer(4294967296), "4294967296LL"},
        {value_integer(INT64_MIN), "(-9223372036854775807LL - 1)"},
        {value_boolean(true), "1"},
        {value_boolean(false), "0"},
        {value_float(0.5), "0.5"},
        {value_float(-0.5), "(-0.5)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text_stream stream;
        assert_true(text_stream_open(&stream, NULL));
        literal_write(stream.out, cases[i].value);
        char *text = text_stream_close(&stream, NULL);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_what_c_reads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
