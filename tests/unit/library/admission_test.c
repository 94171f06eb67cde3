/* SPDX-License-Identifier: Apache-2.0 */
#include "house.h"

#include "tuner/library/admission.h"

#define OTHER "\"B\":2,\"C\":true}"

static void what_one_of_the_spaces_has_is_admitted(void **state)
{
    static const struct {
        const char *configuration;
        int64_t n;
        bool fits;
    } cases[] = {
        {HOUSE_CONFIGURATION(4), 4, true},
        {HOUSE_CONFIGURATION(8), 4, false},
        {HOUSE_CONFIGURATION(8), 8, true},
        {HOUSE_CONFIGURATION(16), 16, true},
        {HOUSE_CONFIGURATION(5), 8, false},
        {HOUSE_CONFIGURATION(2), 8, false}, /* of two spaces */
        {HOUSE_CONFIGURATION("4"), 8, false},
        {"{\"A\":2," OTHER, 1, true},
        {"{\"A\":4," OTHER, 8, false},
        {"{\"A\":2,\"D\":1," OTHER, 8, false},
        {"{\"A\":2,\"A\":2," OTHER, 8, false},
        {"{\"A\":2}", 8, false},
        {"{}", 8, false},
        {"[4]", 8, false},
        {"{\"A\":4", 8, false},
        {"", 8, false},
    };
    struct house *h = *state;
    struct spaces spaces;
    struct admission admission;
    assert_success(spaces_read(h->template, &spaces, &h->error), &h->error);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct size_setting size = {"n", cases[i].n};
        bool fits;
        assert_success(admission_open(&spaces, &h100, &size, &admission, &h->error), &h->error);
        assert_success(admission_fits(cases[i].configuration, &fits, &admission, &h->error), &h->error);
        assert_int_equal(fits, cases[i].fits);
        admission_clear(&admission);
    }
    spaces_clear(&spaces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_one_of_the_spaces_has_is_admitted, house_begin, house_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
