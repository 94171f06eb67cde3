/* SPDX-License-Identifier: Apache-2.0 */
/* A problem's identity in the database, and its amount of work. */
#include "tests/unit/fixture.h"
#include "tuner/device/host_part.h"
#include "tuner/engine/identity.h"

#define TEMPLATE(work)                                                                                               \
    "template scale \"y = 3 x\"\n"                                                                                   \
    "size n = 1000\n"                                                                                                \
    "parameter BLOCK \"threads\"\n"                                                                                  \
    "source \"scale.cu\"\n"                                                                                          \
    "buffer x : float[n] in uniform(-1, 1)\n"                                                                        \
    "buffer y : float[n] out\n"                                                                                      \
    "launch { scale<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, n) }\n"                                                     \
    "reference \"reference.cu\" { r<<<1, 32>>>(x, ref(y), n) }\n"                                                    \
    "check y within 1e-6\n" work

static const char space_text[] = "space blocks of scale\nparam BLOCK = [256, 128]\n";

static void expect_work(const char *template_text, double flops, double bytes)
{
    struct fixture fixture;
    struct store_problem identity;
    fixture_create(&fixture, template_text, space_text);
    assert_success(problem_identity(fixture.problem, &identity, &fixture.error), &fixture.error);
    assert_string_equal(identity.template_name, "scale");
    assert_string_equal(identity.template_hash, fixture.template->hash);
    assert_string_equal(identity.space_name, "blocks");
    assert_string_equal(identity.size, "n=1000");
    assert_ptr_equal(identity.device, problem_device(fixture.problem));
    assert_true(identity.work.flops == flops && identity.work.bytes == bytes);
    fixture_free(&fixture);
}

static void test_work(void **state)
{
    (void)state;
    expect_work(TEMPLATE("work flops = 2 * n, bytes = 8 * n\n"), 2000, 8000);
    expect_work(TEMPLATE("work bytes = 8 * n\n"), 0, 8000);
    expect_work(TEMPLATE(""), 0, 0);
    expect_work(TEMPLATE("work flops = 2 * n, bytes = 8 * n, special = 7 * BLOCK, shared = 4 * n\n"), 2000, 8000);
}

/* Of the figures that are not part of a result's identity. */
static void test_the_other_figures(void **state)
{
    (void)state;
    struct fixture fixture;
    struct store_problem identity;
    fixture_create(&fixture, TEMPLATE("work special = 7 * BLOCK, shared = 4 * n, integer = 5\n"), space_text);
    assert_success(problem_identity(fixture.problem, &identity, &fixture.error), &fixture.error);
    assert_true(identity.work.special_ops == 0 && identity.work.shared_traffic == 4000);
    assert_true(identity.work.integer_ops == 5 && identity.work.flops == 0);
    fixture_free(&fixture);
}

/* Each evaluation has its own, even one that only a let reads. */
static void test_work_that_depends_on_the_configuration_is_not_the_problems(void **state)
{
    (void)state;
    expect_work(TEMPLATE("work flops = n + BLOCK, bytes = n\n"), 0, 1000);
    expect_work(TEMPLATE("let all = n * BLOCK\nwork flops = n, bytes = all\n"), 1000, 0);
    expect_work(TEMPLATE("work flops = n // (BLOCK - 256)\n"), 0, 0); /* of one configuration: its row says so */
}

/* The host's compiler counts where launches on the host may have part in results on another device. */
static void test_compilers(void **state)
{
    (void)state;
    static const char hosted[] = "template t\nsize n = 8\nparameter BLOCK\nsource \"k.cu\"\nbuffer x : int[n] temp\n"
                                 "launch { k<<<1, 1, host = BLOCK == 128>>>(x) }\n";
    struct fixture fixture;
    struct store_problem identity;
    char compiler[128], expected[300];
    fixture_create(&fixture, TEMPLATE(""), space_text);
    assert_success(problem_identity(fixture.problem, &identity, &fixture.error), &fixture.error);
    assert_string_equal(store_compiler(&identity), fixture.device.compiler);
    fixture_free(&fixture);
    fixture_create(&fixture, hosted, "space s of t\nparam BLOCK = [128, 256]\n");
    host_compiler(compiler, sizeof compiler);
    snprintf(expected, sizeof expected, "%s, %s", fixture.device.compiler, compiler);
    assert_success(problem_identity(fixture.problem, &identity, &fixture.error), &fixture.error);
    assert_string_equal(store_compiler(&identity), expected);
    snprintf(fixture.device.kind, sizeof fixture.device.kind, "cpu");
    assert_success(problem_identity(fixture.problem, &identity, &fixture.error), &fixture.error);
    assert_string_equal(store_compiler(&identity), fixture.device.compiler);
    fixture_free(&fixture);
}

static void test_undefined_work(void **state)
{
    (void)state;
    struct fixture fixture;
    struct store_problem identity;
    fixture_create(&fixture, TEMPLATE("work flops = n // (n - 1000)\n"), space_text);
    assert_false(problem_identity(fixture.problem, &identity, &fixture.error));
    assert_mentions(fixture.error.text, "division by zero");
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_the_other_figures),
        cmocka_unit_test(test_work_that_depends_on_the_configuration_is_not_the_problems),
        cmocka_unit_test(test_compilers),
        cmocka_unit_test(test_undefined_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
