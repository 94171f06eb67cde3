/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/formats/timestamp.h"

static void test_timestamps(void **state)
{
    (void)state;
    static const struct {
        const char *text, *utc;
    } cases[] = {
        {"2023-12-22 09:54:05.502007+00:00", "2023-12-22T09:54:05.502007Z"},
        {"2024-02-29T23:30:00.5-01:30", "2024-03-01T01:00:00.5Z"},
        {"2024-01-01 00:15:00+0530", "2023-12-31T18:45:00Z"},
        {"2024-01-01 00:15:00", "2024-01-01T00:15:00Z"},
        {"2024-01-01T00:15:00Z", "2024-01-01T00:15:00Z"},
        {"2024-01-01", NULL},
        {"2024-01-01 00:15:00 UTC", "2024-01-01T00:15:00Z"},
        {"2024-01-01 00:15:00 CET", NULL},
        {"2024-01-01 00:15:00.123456789012345678901234567890", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char utc[TIMESTAMP_TEXT];
        bool read = timestamp_to_utc(cases[i].text, utc);
        if (read != (cases[i].utc != NULL) || (read && strcmp(utc, cases[i].utc) != 0))
            fail_msg("%s becomes %s", cases[i].text, read ? utc : "nothing");
    }
    char text[TIMESTAMP_TEXT];
    timestamp_from_utc("2023-12-22T09:54:05.502007Z", text);
    assert_string_equal(text, "2023-12-22 09:54:05.502007+00:00");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timestamps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
