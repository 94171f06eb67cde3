/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/live.h"

static struct live create(struct printed *printed, size_t width)
{
    printed_begin(printed, width);
    printed->out.redraws = true;
    return (struct live){.out = printed->out};
}

static void a_frame_is_written_over_the_one_before(void **state)
{
    (void)state;
    struct printed printed;
    struct live live = create(&printed, 20);
    live_draw(&live, (const char *const[]){"one", "two"}, 2);
    live_draw(&live, (const char *const[]){"three", "four"}, 2);
    live_draw(&live, (const char *const[]){"five"}, 1);
    live_clear(&live);
    live_clear(&live); /* nothing is left to clear */
    printed_equal(&printed, "one\033[K\ntwo\033[K\033[J"
                            "\r\033[1Athree\033[K\nfour\033[K\033[J"
                            "\r\033[1Afive\033[K\033[J"
                            "\r\033[J");
}

static void lines_are_cut_to_the_width(void **state)
{
    (void)state;
    struct printed printed;
    struct live live = create(&printed, 6);
    live_draw(&live, (const char *const[]){"0123456789"}, 1);
    printed_equal(&printed, "01234\033[K\033[J"); /* the last column stays free */
}

/* Lines of 16 and 3 columns, drawn in a window of 20: in one of 8 columns they take 2 and 1 rows. */
static void a_window_made_narrower_has_wrapped_the_frame(void **state)
{
    (void)state;
    struct printed printed;
    struct live live = create(&printed, 20);
    live_draw(&live, (const char *const[]){"0123456789012345", "abc"}, 2);
    assert_int_equal(fflush(live.out.stream), 0);
    size_t before = printed.length;
    live.out.width = 8;
    live_clear(&live);
    char *text = printed_end(&printed);
    assert_string_equal(text + before, "\r\033[2A\033[J");
    free(text);
}

static void nothing_is_drawn_where_nothing_can_be_redrawn(void **state)
{
    (void)state;
    struct printed printed;
    struct live live = create(&printed, 20);
    live.out.redraws = false;
    assert_false(live_draws(&live));
    live_draw(&live, (const char *const[]){"one"}, 1);
    live_clear(&live);
    printed_equal(&printed, "");
    assert_false(live_draws(&(struct live){live_begin(true).out, 0, {0}})); /* quiet */
}

static void no_more_lines_than_there_is_room_for(void **state)
{
    (void)state;
    struct printed printed;
    struct live live = create(&printed, 20);
    const char *lines[LIVE_LINES + 1];
    for (size_t i = 0; i <= LIVE_LINES; i++)
        lines[i] = i < LIVE_LINES ? "line" : "surplus";
    live_draw(&live, lines, LIVE_LINES + 1);
    assert_int_equal(live.count, LIVE_LINES);
    char *text = printed_end(&printed);
    assert_null(strstr(text, "surplus"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_is_written_over_the_one_before),
        cmocka_unit_test(lines_are_cut_to_the_width),
        cmocka_unit_test(a_window_made_narrower_has_wrapped_the_frame),
        cmocka_unit_test(nothing_is_drawn_where_nothing_can_be_redrawn),
        cmocka_unit_test(no_more_lines_than_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
