/* SPDX-License-Identifier: Apache-2.0 */
#include "spaces_fixture.h"

#include "tuner/library/spaces.h"

static void the_likeliest_first_and_none_that_is_wrong(void **state)
{
    (void)state;
    struct spaces_fixture f;
    struct spaces spaces;
    spaces_begin(&f);
    assert_success(spaces_read(f.template, &spaces, &f.error), &f.error);
    assert_int_equal(spaces.count, 3);
    assert_string_equal(spaces.list[0]->name, "full");
    assert_string_equal(spaces.list[1]->name, "usual");
    assert_string_equal(spaces.list[2]->name, "a");
    spaces_clear(&spaces);
    spaces_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_likeliest_first_and_none_that_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
