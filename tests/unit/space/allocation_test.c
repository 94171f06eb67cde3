/* SPDX-License-Identifier: Apache-2.0 */
/* Building a search space with each allocation failing in turn: a clean error every time, and no leak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/everything.h"
#include "tests/unit/failing_allocator.h"
#include "tests/unit/fixture.h"
#include "tuner/space/lint.h"
#include "tuner/space/metrics.h"

static void count_finding(void *context, enum lint_kind kind, struct place place, const char *text)
{
    (void)kind, (void)place, (void)text;
    ++*(size_t *)context;
}

/* What a sweep and `tune show` ask of a problem; all answers go into the digest, so a wrong one shows. */
static bool use(const struct fixture *files, uint64_t *digest, struct error *error)
{
    struct problem *problem = NULL;
    bool done = problem_create(files->template, files->space, &files->device, NULL, 0, &problem, error);
    size_t findings = 0;
    *digest = 0;
    if (done) {
        size_t count = problem_configuration_count(problem);
        for (size_t i = 0; done && i < count; i += 1 + count / 7) {
            char *text = problem_configuration_text(problem, i);
            size_t index = 0;
            done = text && problem_configuration_find(problem, text, &index);
            if (!done)
                error_out_of_memory(error);
            else
                assert_int_equal(index, i);
            *digest = *digest * 31 + index;
            free(text);
        }
        size_t chosen = 0;
        bool named = false, valid = false;
        if (done && count > 0) {
            done = problem_default(problem, &chosen, &named) && problem_valid_awkward(problem, chosen, &valid, error);
            *digest = (*digest * 31 + chosen) * 4 + 2 * named + valid;
        }
        done = done && lint_problem(problem, count_finding, &findings, error);
        *digest = *digest * 31 + count;
    }
    problem_free(problem);
    return done;
}

static void fail_each(struct fixture files)
{
    uint64_t right, digest;
    assert_success(use(&files, &right, &files.error), &files.error);
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        files.error = (struct error){0};
        failing_allocator_begin(n);
        bool done = use(&files, &digest, &files.error);
        failed = failing_allocator_end();
        if (!failed && (!done || digest != right))
            fail_msg("without a failure: %s", files.error.text);
        /* An allocation that one can do without, as for a cache, may fail unnoticed; a wrong answer may not follow.
         */
        if (failed && (done ? digest != right : files.error.code != ERROR_OUT_OF_MEMORY))
            fail_msg("allocation %zu: %s, code %d: %s", n, done ? "success" : "failure", (int)files.error.code,
                     files.error.text);
    }
    assert_true(n > 10);
    fixture_free(&files);
}

static void fail_each_of_files(const char *template_path, const char *space_path)
{
    struct fixture files = {.device = fixture_device()};
    assert_success(template_read(template_path, &files.template, &files.error), &files.error);
    assert_success(space_read(space_path, files.template, &files.space, &files.error), &files.error);
    fail_each(files);
}

static void shipped_spaces(void **state)
{
    (void)state;
    fail_each_of_files(TUNE_SOURCE_FOLDER "/templates/reduction", TUNE_SOURCE_FOLDER "/spaces/reduction/full.space");
    fail_each_of_files(TUNE_SOURCE_FOLDER "/templates/gemm", TUNE_SOURCE_FOLDER "/spaces/gemm/smem_tiling.space");
}

/* Lists in constraints, lets and defaults, which are left to the evaluator. */
static void lists(void **state)
{
    (void)state;
    struct fixture files;
    fixture_parse(&files,
                  "template t\nsize n = 4\nawkward n = 3\nparameter A\nparameter B\nparameter C\n"
                  "source \"k.cu\"\nbuffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"
                  "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n",
                  "space s of t\nparam A = [4, 2, 1, 4]\nparam B = range(1, 20)\nparam C = [1, 2, 3]\n"
                  "let most = max([A * i for i in range(1, C + 1)])\n"
                  "where most < 9\nwhere B in [i * A for i in range(C + n) if i % 2 == 0]\n"
                  "where B != max([C, 1])\ndefault B = max([2, 8])\n");
    fail_each(files);
}

static void every_statement(void **state)
{
    (void)state;
    struct fixture files;
    fixture_parse(&files, everything, everything_space);
    fail_each(files);
}

/* Of two configurations in turn: a metric is right, or memory ran out. */
static bool judge(const struct fixture *files, struct metrics *metrics, const struct evaluation *evaluation,
                  struct error *error)
{
    struct objective objective;
    bool done = objective_choose(files->template, "rate", &objective, error);
    for (int tile = 1; done && tile <= 2; tile++) {
        char configuration[32];
        snprintf(configuration, sizeof configuration, "{\"MODE\":\"fast\",\"TILE\":%d}", tile);
        double value;
        done = metrics_value(metrics, objective.metric, configuration, evaluation, &value, error);
        assert_true(!done || value == 32 * tile / 2.0);
    }
    return done;
}

static void metrics(void **state)
{
    (void)state;
    struct fixture files;
    struct metrics *kept;
    struct evaluation evaluation = evaluation_unmeasured;
    evaluation.time_ns = 2e9;
    evaluation.work.bytes = 1e9;
    fixture_parse(&files, everything, everything_space);
    assert_success(metrics_create(files.template, &files.device, "n=64,m=3", &kept, &files.error), &files.error);
    char *right = metrics_definitions(files.template);
    failing_allocator_take_jansson();
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        struct metrics *metrics = NULL;
        char *text = NULL, *definitions;
        struct error error = {0};
        failing_allocator_begin(n);
        bool done = metrics_create(files.template, &files.device, "n=64,m=3", &metrics, &error) &&
                    judge(&files, metrics, &evaluation, &error);
        failed = failing_allocator_end();
        assert_true(done || (failed && error.code == ERROR_OUT_OF_MEMORY));
        metrics_free(metrics);

        failing_allocator_begin(n);
        text = metrics_text(kept, "{\"MODE\":\"fast\",\"TILE\":4}", &evaluation);
        failed |= failing_allocator_end();
        assert_true(!text || strcmp(text, "{\"GB/s\":0.5,\"rate\":64.0}") == 0);
        free(text);
        failing_allocator_begin(n);
        done = judge(&files, kept, &evaluation, &error);
        failed |= failing_allocator_end();
        assert_true(done || error.code == ERROR_OUT_OF_MEMORY);
        assert_true(judge(&files, kept, &evaluation, &error));

        failing_allocator_begin(n);
        definitions = metrics_definitions(files.template);
        failed |= failing_allocator_end();
        assert_true(!definitions || strcmp(definitions, right) == 0);
        free(definitions);
        failing_allocator_begin(n);
        assert_false(objective_choose(files.template, "speed", &(struct objective){0}, &error));
        failed |= failing_allocator_end();
        assert_int_equal(error.code, ERROR_INPUT); /* at worst without its hint */
    }
    json_set_alloc_funcs(__real_malloc, free);
    free(right);
    metrics_free(kept);
    fixture_free(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shipped_spaces), cmocka_unit_test(lists),
                                       cmocka_unit_test(every_statement), cmocka_unit_test(metrics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
