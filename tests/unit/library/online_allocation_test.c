/* SPDX-License-Identifier: Apache-2.0 */
/* Online tuning while an allocation fails: every call has its results, and what earlier runs have learnt stays known.
 */
#include "online_program.h"

#include "tests/unit/failing_allocator.h"
#include "tuner/library/learnt.h"

static struct device_driver driver;

/* Allocations that fail in the cache make it forget: then there is nothing to be loaded. */
static bool compile_nothing(const struct device_description *description, const struct compile_request *request,
                            struct compile_result *result, struct error *why)
{
    (void)description, (void)request, (void)result;
    return error_out_of_memory(why);
}

/* One that wins, and one that an earlier run has tried. */
static struct contenders make_contenders(void)
{
    struct contenders contenders = {malloc(sizeof *contenders.list), 1, strdup("[\"{\\\"V\\\":7}\"]")};
    assert_true(contenders.list && contenders.tried);
    contenders.list[0] = (struct contender){strdup("{\"V\":6}"), 0};
    assert_non_null(contenders.list[0].configuration);
    return contenders;
}

static bool look(const struct store_online_row *row, void *context)
{
    (void)context;
    assert_non_null(strstr(row->online.tried, "{\\\"V\\\":7}"));
    return true;
}

/* What is stored, if anything is, has what the earlier run tried. */
static void check_stored(const struct user *program)
{
    const struct topic *topic = program->answer->topic;
    const struct store_filter filter = {.template_name = "t",
                                        .template_hash = topic->own->template->hash,
                                        .device_kind = topic->device.description.kind,
                                        .device_name = topic->device.description.name};
    struct store *store;
    must(store_open(program->database, true, &store, &error));
    must(store_onlines(store, &filter, look, NULL, &error));
    store_close(store);
}

/* ---- the whole of it ---- */

/* Calls until it is over, and what is stored then; allocation number `n` fails. */
static void live(struct user *program, size_t n)
{
    struct tune_kernel *kernel = program->kernel;
    struct online_request request = {.share = 0.5,
                                     .contenders = make_contenders(),
                                     .database = program->database,
                                     .cache = program->tune->cache,
                                     .attached = kernel->versions[0].variant->code->attached,
                                     .answer = program->answer};
    failing_allocator_begin(n);
    kernel->online = online_create(kernel, &request, &error);
    if (!kernel->online)
        assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
    else if (online_begin(kernel->online))
        online_set_clock(kernel->online, read_clock, NULL);
    for (int i = 0; i < 200 && kernel->online && !is_over(program); i++) {
        while (online_step(kernel->online))
            ;
        enum tune_code code = try_launch(program, kernel);
        assert_true(code == TUNE_OK || (code == TUNE_ERROR_MEMORY && failing_allocator.failed));
    }
    assert_true(!kernel->online || is_over(program));
    tune_kernel_free(kernel);
    program->kernel = NULL;
}

/* Some of the many: most are of what launch_allocation_test.c does as well. */
static void what_a_program_does_meanwhile(void **state)
{
    (void)state;
    struct user program;
    open_program(&program, "memory.db", 0);
    live(&program, 0);
    failing_allocator_end();
    bool failed = true;
    for (size_t n = 1; failed; n += 7) {
        load(&program, 0);
        driver = *device_driver_find("cpu");
        driver.compile = compile_nothing;
        program.kernel->versions[0].variant->code->attached->driver = &driver;
        live(&program, n);
        failed = failing_allocator_end();
        check_stored(&program);
    }
    close_program(&program);
}

/* ---- what is stored ---- */

static void each_allocation_of_what_is_stored(void **state)
{
    (void)state;
    struct user program;
    struct tune_answer *now;
    struct contenders contenders = make_contenders();
    const struct trials trials = {.at = 1, .verdicts = {TRIALS_WON}, .ratio = 0.5, .incumbent_ns = 7};
    open_program(&program, "stored.db", 0);
    must(learnt_answer(program.answer, contenders.list[0].configuration, &now, &error));
    const struct learnt learnt = {program.answer, now, &contenders, &trials, "a compiler"};
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        struct error why = {0};
        failing_allocator_begin(n);
        const bool done = learnt_store(program.database, &learnt, &why);
        failed = failing_allocator_end();
        assert_true(done || (failed && why.code == ERROR_OUT_OF_MEMORY));
        check_stored(&program);
    }
    contenders_clear(&contenders);
    tune_answer_free(now);
    close_program(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_program_does_meanwhile),
        cmocka_unit_test(each_allocation_of_what_is_stored),
    };
    failing_allocator_take_jansson();
    return cmocka_run_group_tests(tests, make_home, scratch_folder_remove);
}
