/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/progress.h"
#include "tuner/cli/text_width.h"

#include <jansson.h>
#include <locale.h>

static const struct evaluation row = {.outcome = OUTCOME_OK};

/* Progress that writes lines into memory, or draws frames there if `width` is not 0. */
static struct progress create(struct printed *printed, size_t width)
{
    struct progress progress = progress_begin(false);
    printed_begin(printed, width);
    printed->out.redraws = width > 0;
    progress.live = (struct live){.out = printed->out};
    progress.lines = printed->out.stream;
    return progress;
}

static struct sweep_progress halfway(void)
{
    struct sweep_progress sweep = {
        .total = 100,
        .done = 50,
        .reused = 10,
        .best_ns = 1.5e6,
        .best_value = 1.5e6,
        .best_work.flops = 33554432, /* 2 * 256^3 */
        .best_configuration = "{\"VARIANT\":\"joint\",\"TILE_T\":128,\"TILE_U\":64,\"UNROLL\":4}",
        .seconds = 20,
        .seconds_left = 75,
        .load = {.compilers = 8, .compiling = 7, .measurers = 2, .measuring = 1, .queued = 12},
    };
    sweep.failed[OUTCOME_WRONG_RESULT] = 3;
    sweep.failed[OUTCOME_TIMEOUT] = 2;
    return sweep;
}

static void lines_where_nothing_can_be_redrawn(void **state)
{
    (void)state;
    struct printed printed;
    struct progress progress = create(&printed, 0);
    struct sweep_progress sweep = halfway();
    progress_observe(&sweep, &row, "{}", &progress);
    sweep.seconds = 20.5; /* better, but too soon after the last line */
    sweep.best_ns = 1.4e6;
    progress_observe(&sweep, &row, "{}", &progress);
    sweep.seconds = 22;
    sweep.seconds_left = -1;
    sweep.failed[OUTCOME_TIMEOUT] = sweep.failed[OUTCOME_WRONG_RESULT] = 0;
    progress_observe(&sweep, &row, "{}", &progress);
    sweep.seconds = 31; /* nothing new */
    progress_observe(&sweep, &row, "{}", &progress);
    sweep.seconds = 33;
    progress_observe(&sweep, &row, "{}", &progress);
    sweep.seconds = 60; /* nothing finished: no line */
    progress_observe(&sweep, NULL, NULL, &progress);
    sweep.final_round = 3;
    sweep.finalists = 1;
    progress_observe(&sweep, NULL, NULL, &progress);
    progress_notice("a device is gone", &progress);
    progress_end(&progress);
    printed_equal(&printed, "50/100, failed: 3 wrong_result, 2 timeout, best 1.5 ms (22.4 GFLOP/s), 75 s left\n"
                            "50/100, best 1.4 ms (24.0 GFLOP/s)\n"
                            "50/100, best 1.4 ms (24.0 GFLOP/s)\n"
                            "finals: round 3, 1 candidate left\n"
                            "tune: a device is gone\n");
}

/* 40 evaluations in 20 s are 2 per second. */
static void a_frame_shows_rate_best_workers_and_failures(void **state)
{
    (void)state;
    struct printed printed;
    struct progress progress = create(&printed, 80);
    json_t *fixed = json_pack("{s:b}", "VARIANT", 1);
    const struct sweep_progress sweep = halfway();
    progress.fixed = fixed;
    progress_observe(&sweep, &row, "{}", &progress);
    printed_equal(&printed, "[###################-------------------]  50/100  50 %  2/s  1 min 15 s left\033[K\n"
                            "best  1.5 ms (22.4 GFLOP/s)\033[K\n"
                            "      TILE_T=128 TILE_U=64 UNROLL=4\033[K\n"
                            "7 of 8 compiling, 1 of 2 measuring, 12 queued\033[K\n"
                            "failed  3 wrong_result, 2 timeout\033[K\033[J");
    json_decref(fixed);
}

static void frames_fit_every_width(void **state)
{
    (void)state;
    for (size_t width = 2; width < 130; width++) {
        for (int look = 0; look < 4; look++) {
            struct printed printed;
            struct progress progress = create(&printed, width);
            struct sweep_progress sweep = halfway();
            progress.live.out.color = look & 1;
            progress.live.out.utf8 = look & 2;
            sweep.done = width % 2 ? 1000000000 : 1; /* beyond the total, too */
            progress_observe(&sweep, &row, "{}", &progress);
            char *text = printed_end(&printed), *rest = text;
            for (char *line; (line = strsep(&rest, "\n"));) {
                *strstr(line, "\033[K") = '\0';
                assert_in_range(text_width(line), 0, width - 1);
            }
            free(text);
        }
    }
}

static void parameters_that_do_not_fit_are_cut(void **state)
{
    (void)state;
    struct printed printed;
    struct progress progress = create(&printed, 30);
    const struct sweep_progress sweep = {
        .total = 4,
        .done = 2,
        .best_ns = 1e6,
        .best_configuration =
            "{\"FIRST\":1,\"SECOND\":2,\"THIRD\":3,\"FOURTH\":4,\"FIFTH\":5,\"SIXTH\":6,\"LAST\":7}",
        .seconds = 1,
        .seconds_left = -1,
    };
    progress_observe(&sweep, &row, "{}", &progress);
    char *text = printed_end(&printed);
    assert_non_null(strstr(text, "      FIRST=1 SECOND=2\033[K\n      THIRD=3 FOURTH=4..."));
    assert_null(strstr(text, "LAST"));
    free(text);
}

static void frames_are_drawn_ten_times_per_second(void **state)
{
    (void)state;
    struct printed printed;
    struct progress progress = create(&printed, 80);
    struct sweep_progress sweep = halfway();
    size_t frames = 0;
    for (int i = 0; i < 1000; i++) { /* a second */
        sweep.seconds = 20 + i * 0.001;
        double before = progress.shown_at;
        progress_observe(&sweep, i % 2 ? &row : NULL, NULL, &progress);
        frames += progress.shown_at != before;
    }
    assert_in_range(frames, 9, 11);
    free(printed_end(&printed));
}

static void the_bar_shows_the_share(void **state)
{
    (void)state;
    const struct {
        size_t done, full;
    } cases[] = {{0, 0}, {25, 9}, {99, 37}, {100, 38}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct printed printed;
        struct progress progress = create(&printed, 80);
        const struct sweep_progress sweep = {.total = 100, .done = cases[i].done, .seconds_left = -1};
        progress_observe(&sweep, &row, "{}", &progress);
        char *text = printed_end(&printed);
        assert_int_equal(text[0], '[');
        assert_int_equal(strspn(text + 1, "#"), cases[i].full); /* of 38 between the brackets */
        assert_int_equal(strspn(text + 1, "#-"), 38);
        free(text);
    }
}

static void a_notice_and_the_end_remove_the_frame(void **state)
{
    (void)state;
    struct printed printed;
    struct progress progress = create(&printed, 80);
    const struct sweep_progress sweep = {.total = 2, .done = 1, .seconds = 1, .seconds_left = -1};
    progress_observe(&sweep, &row, "{}", &progress);
    progress_notice("a device is gone", &progress);
    progress_end(&progress);
    char *text = printed_end(&printed);
    assert_non_null(strstr(text, "\r\033[1A\033[Jtune: a device is gone\n"));
    assert_string_equal(text + strlen(text) - 6, " gone\n");
    free(text);
}

static void interruption_is_acknowledged(void **state)
{
    (void)state;
    struct printed printed;
    struct progress progress = create(&printed, 80);
    const volatile sig_atomic_t interrupted = 1;
    const struct sweep_progress sweep = halfway();
    progress.interrupted = &interrupted;
    progress_observe(&sweep, &row, "{}", &progress);
    char *text = printed_end(&printed);
    assert_non_null(strstr(text, "press Ctrl-C again to stop at once"));
    free(text);
}

static void quiet_shows_nothing_but_notices(void **state)
{
    (void)state;
    struct printed printed;
    struct progress progress = create(&printed, 0);
    progress.quiet = true;
    struct sweep_progress sweep = halfway();
    progress_observe(&sweep, &row, "{}", &progress);
    progress_notice("a device is gone", &progress);
    printed_equal(&printed, "tune: a device is gone\n");
}

static void failures_fit_their_buffer(void **state)
{
    (void)state;
    size_t failed[OUTCOME_COUNT];
    for (size_t i = 0; i < OUTCOME_COUNT; i++)
        failed[i] = SIZE_MAX;
    for (size_t size = 1; size < 100; size++) {
        char text[101];
        memset(text, '#', sizeof text);
        progress_failures(failed, text, size);
        assert_in_range(strlen(text), 0, size - 1);
        assert_int_equal(text[size], '#');
    }
}

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_where_nothing_can_be_redrawn),
        cmocka_unit_test(a_frame_shows_rate_best_workers_and_failures),
        cmocka_unit_test(frames_fit_every_width),
        cmocka_unit_test(parameters_that_do_not_fit_are_cut),
        cmocka_unit_test(frames_are_drawn_ten_times_per_second),
        cmocka_unit_test(the_bar_shows_the_share),
        cmocka_unit_test(a_notice_and_the_end_remove_the_frame),
        cmocka_unit_test(interruption_is_acknowledged),
        cmocka_unit_test(quiet_shows_nothing_but_notices),
        cmocka_unit_test(failures_fit_their_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
