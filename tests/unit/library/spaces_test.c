/* SPDX-License-Identifier: Apache-2.0 */
#include "house.h"

#include "tuner/library/spaces.h"

static void the_likeliest_first_and_none_that_is_wrong(void **state)
{
    struct house *h = *state;
    struct spaces spaces;
    house_write(h, "spaces/t/full.space", "space full of t\nparam A = [32, 64]\nset B = 1\nset C = 1\n");
    house_write(h, "spaces/t/broken.space", "space broken of t\nparam D = [5]\n");
    assert_success(spaces_read(h->template, &spaces, &h->error), &h->error);
    assert_int_equal(spaces.count, 3);
    assert_string_equal(spaces.list[0]->name, "full");
    assert_string_equal(spaces.list[1]->name, "usual");
    assert_string_equal(spaces.list[2]->name, "other");
    for (size_t i = 0; i < spaces.count; i++)
        assert_false(spaces_is_covered(&spaces, i));
    spaces_clear(&spaces);

    house_write(h, "spaces/t/inner.space", "space inner of t\nunion other\n");
    house_write(h, "spaces/t/full.space", "space full of t\nunion inner, usual\n");
    assert_success(spaces_read(h->template, &spaces, &h->error), &h->error);
    assert_int_equal(spaces.count, 4);
    for (size_t i = 0; i < spaces.count; i++)
        assert_int_equal(spaces_is_covered(&spaces, i), i > 0);
    spaces_clear(&spaces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_likeliest_first_and_none_that_is_wrong, house_begin, house_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
