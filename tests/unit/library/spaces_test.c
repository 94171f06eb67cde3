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
    for (size_t i = 0; i < spaces.count; i++)
        assert_false(spaces_is_covered(&spaces, i));
    spaces_clear(&spaces);

    spaces_write(&f, "inner.space", "space inner of t\nunion a\n");
    spaces_write(&f, "full.space", "space full of t\nunion inner, usual\n");
    assert_success(spaces_read(f.template, &spaces, &f.error), &f.error);
    assert_int_equal(spaces.count, 4);
    for (size_t i = 0; i < spaces.count; i++)
        assert_int_equal(spaces_is_covered(&spaces, i), i > 0);
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
