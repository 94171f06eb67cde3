/* SPDX-License-Identifier: Apache-2.0 */
#include "spaces_fixture.h"

#include "tests/unit/h100.h"
#include "tuner/library/admission.h"

static void what_one_of_the_spaces_has_is_admitted(void **state)
{
    (void)state;
    static const struct {
        const char *configuration;
        int64_t n;
        bool fits;
    } cases[] = {
        {"{\"A\":4}", 4, true},          {"{\"A\":8}", 4, false},
        {"{\"A\":8}", 8, true},          {"{\"A\":2}", 1, true},
        {"{\"A\":16}", 1, true},         {"{\"A\":5}", 8, false},
        {"{\"A\":4,\"B\":1}", 8, false}, {"{}", 8, false},
        {"{\"A\":\"4\"}", 8, false},     {"[4]", 8, false},
        {"{\"A\":4", 8, false},          {"", 8, false},
        {"{\"A\":4,\"A\":4}", 8, false},
    };
    struct spaces_fixture f;
    struct spaces spaces;
    struct admission admission;
    spaces_begin(&f);
    assert_success(spaces_read(f.template, &spaces, &f.error), &f.error);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct size_setting size = {"n", cases[i].n};
        bool fits;
        assert_success(admission_open(&spaces, &h100, &size, &admission, &f.error), &f.error);
        assert_success(admission_fits(cases[i].configuration, &fits, &admission, &f.error), &f.error);
        assert_int_equal(fits, cases[i].fits);
        admission_clear(&admission);
    }
    spaces_clear(&spaces);
    spaces_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_of_the_spaces_has_is_admitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
