/* SPDX-License-Identifier: Apache-2.0 */
#include "first_row.h"

#include "tests/unit/expect.h"

static bool was_valid(struct fixture *f, struct store *store, const char *name, const char *hash, const char *text)
{
    bool valid = true;
    assert_success(store_was_valid(store, name, hash, text, &valid, &f->error), &f->error);
    return valid;
}

static void a_valid_result_anywhere_counts(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct evaluation wrong = fixture_success(5e6);
    char message[] = "differs";
    assert_false(was_valid(f, store, "gemm", "aaaa", "{\"A\":1}")); /* there is nothing at all */
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"A\":1}", fixture_success(4e6));
    wrong.outcome = OUTCOME_WRONG_RESULT;
    wrong.message = message;
    fixture_put(f, store, run, "{\"A\":2}", wrong);
    f->problem.size = "M=1,N=2,K=3";
    run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"A\":3}", fixture_success(3e6));
    assert_true(was_valid(f, store, "gemm", "aaaa", "{\"A\":1}"));
    assert_false(was_valid(f, store, "gemm", "aaaa", "{\"A\":2}"));
    assert_true(was_valid(f, store, "gemm", "aaaa", "{\"A\":3}"));
    assert_false(was_valid(f, store, "gemm", "aaaa", "{\"A\":4}"));
    assert_false(was_valid(f, store, "gemm", "bbbb", "{\"A\":1}"));
    assert_false(was_valid(f, store, "spmv", "aaaa", "{\"A\":1}"));
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_valid_result_anywhere_counts, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
